/* Reads and writes numbers in a message, which are big-endian. */
#ifndef ORDO_NET_WIRE_BYTES_H
#define ORDO_NET_WIRE_BYTES_H

#include <stdint.h>

/** Read a number from the `count` bytes at `at`, and write a number there. */
static inline uint64_t ordo_net_bytes_get(const unsigned char *at, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | at[i];
    return value;
}

static inline void ordo_net_bytes_put(unsigned char *at, uint64_t value, int count)
{
    for (int i = count; i-- > 0; value >>= 8)
        at[i] = (unsigned char)value;
}

#endif
