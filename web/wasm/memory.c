/* What the compiler and string.h expect to exist, for WebAssembly without a libc. Compiled without
 * builtins and without link-time optimisation: otherwise these loops become calls to themselves. */
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    return memmove(to, from, size);
}

void *memmove(void *to, const void *from, size_t size) {
    unsigned char *out = to;
    const unsigned char *in = from;
    if (out < in)
        for (size_t i = 0; i < size; i++)
            out[i] = in[i];
    else
        for (size_t i = size; i > 0; i--)
            out[i - 1] = in[i - 1];
    return to;
}

void *memset(void *to, int byte, size_t size) {
    unsigned char *out = to;
    for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char)byte;
    return to;
}

void *memchr(const void *from, int byte, size_t size) {
    const unsigned char *in = from;
    for (size_t i = 0; i < size; i++)
        if (in[i] == (unsigned char)byte)
            return (void *)(in + i);
    return NULL;
}

int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *one = a, *two = b;
    for (size_t i = 0; i < size; i++)
        if (one[i] != two[i])
            return one[i] - two[i];
    return 0;
}

int strcmp(const char *a, const char *b) {
    for (; *a && *a == *b; a++, b++)
        ;
    return (unsigned char)*a - (unsigned char)*b;
}

size_t strlen(const char *string) {
    size_t length = 0;
    while (string[length])
        length++;
    return length;
}
