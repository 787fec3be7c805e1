/* The laws as a WebAssembly module; tests/wasm.mjs runs it under node. */
#include "tests/laws.h"

#define EXPORT(name) __attribute__((export_name(#name)))

static struct laws_report report;

uint32_t wasm_game_count(void) EXPORT(game_count);
uint32_t wasm_game_count(void) {
    return (uint32_t)laws_game_count();
}

const char *wasm_game_id(uint32_t index) EXPORT(game_id);
const char *wasm_game_id(uint32_t index) {
    return laws_game(index)->id;
}

/* Forgets what was seen so far. */
void wasm_begin(void) EXPORT(begin);
void wasm_begin(void) {
    report = (struct laws_report){0};
}

bool wasm_laws_hold(uint32_t index, uint64_t seed) EXPORT(laws_hold);
bool wasm_laws_hold(uint32_t index, uint64_t seed) {
    return laws_hold(laws_game(index), seed, &report);
}

const char *wasm_broken(void) EXPORT(broken);
const char *wasm_broken(void) {
    return report.broken;
}

uint64_t wasm_hash(void) EXPORT(hash);
uint64_t wasm_hash(void) {
    return report.hash;
}

uint32_t wasm_moves(void) EXPORT(moves);
uint32_t wasm_moves(void) {
    return report.moves;
}
