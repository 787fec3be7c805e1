/* The laws that every game obeys, as one function that plays a random game and checks them at each
 * step. It needs no libc, so the same code runs natively and as WebAssembly. */
#ifndef TESTS_LAWS_H
#define TESTS_LAWS_H

#include "engine/game.h"

struct laws_report {
    const char *broken; /* the law that did not hold, or null */
    uint64_t hash;      /* over the final states of all games so far */
    uint32_t games;
    uint32_t moves;
    uint32_t refused_options; /* random options that the game would not start with */
    uint32_t hidden;          /* samples that differed from the true state */
    uint32_t events_compared; /* moves whose events were compared with those of another deal */
    uint32_t undos;
    uint64_t garbage;  /* bit v: something senseless was tried with verb v */
    char setup[512];   /* options and seats of the game last begun */
    char log[1 << 17]; /* that game as an .oyster file */
};

/* Every game there is, the template included. */
size_t laws_game_count(void);
const struct game *laws_game(size_t index);

/* Plays one game with random seats and random options (seed 0, 1, 2 ...: the presets as they are)
 * and adds what it saw to the report. False when a law is broken. */
bool laws_hold(const struct game *game, uint64_t seed, struct laws_report *report);

#endif
