/* The hash by which logs are compared; see store.h. */
#include "store/store.h"

uint64_t store_chain(uint64_t chain, struct span line) {
    chain = hash_bytes(hash_bytes(chain, line.data, line.length), "\n", 1);
    return chain == 0 ? 1 : chain;
}
