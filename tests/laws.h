/* The laws that every game obeys, as one function that plays a random game and checks them at each
 * step. It needs no libc, so the same code runs natively and as WebAssembly. */
#pragma once

#include "engine/game.h"
#include "engine/hash.h"

struct laws_report {
    const char *broken; /* the law that did not hold, or null */
    uint64_t hash;      /* over the bots' choices and the final states of all games so far */
    uint32_t games;
    uint32_t moves;
    uint32_t deals;
    uint32_t refused_options; /* random options that the game would not start with */
    uint32_t hidden;          /* samples that differed from the true state */
    uint32_t events_compared; /* turns that looked the same to a seat in another state */
    uint32_t twins;           /* turns after which a seat observed the same in two true games */
    uint32_t asides;          /* what bots said although they were not awaited */
    uint32_t undos;
    uint64_t garbage;  /* bit v: something senseless was tried with verb v */
    char setup[512];   /* options and seats of the game last begun */
    char log[1 << 18]; /* that game as an .oyster file */
};

/* All games of the registry, and the template. */
size_t laws_game_count(void);
const struct game *laws_game(size_t index);

/* Plays one game with random seats and random options (seed 0, 1, 2 ...: the presets as they are)
 * and adds what it saw to the report. False when a law is broken. */
bool laws_hold(const struct game *game, uint64_t seed, struct laws_report *report);

/* After many games: did they put every law that concerns the game to the test? False, with the name
 * of what was missing as the broken law, if not. A game without deals and secret moves, such as
 * 4 Kate, has no secrets; any other must have hidden something. */
bool laws_were_tried(const struct game *game, struct laws_report *report);
