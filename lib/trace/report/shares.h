/* The time that each rank spends in each call site. Memory grows with the pairs of rank and call site that occur, and
 * not with the number of call sites times the number of ranks. */
#ifndef ORDO_TRACE_REPORT_SHARES_H
#define ORDO_TRACE_REPORT_SHARES_H

#include <stddef.h>
#include <stdint.h>

struct ordo_share {
    uint32_t name;
    int32_t rank; /* the index of the rank; -1: the slot is free */
    double ns;
};

struct ordo_shares {
    struct ordo_share *all; /* hash table of `size` slots, a power of two, of which `used` are taken */
    size_t size, used;
};

/** Adds a time to the sum of a pair. Returns 0, or -1 if out of memory. */
int ordo_shares_add(struct ordo_shares *shares, uint32_t name, int32_t rank, double ns);
void ordo_shares_free(struct ordo_shares *shares);

#endif
