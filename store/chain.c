/* The hash by which logs are compared; see store.h. */
#include "store/store.h"

uint64_t store_chain(uint64_t chain, struct span line) {
    for (size_t i = 0; i < line.length; i++)
        chain = (chain ^ (uint8_t)line.data[i]) * UINT64_C(0x100000001b3);
    chain = (chain ^ '\n') * UINT64_C(0x100000001b3);
    return chain == 0 ? 1 : chain;
}
