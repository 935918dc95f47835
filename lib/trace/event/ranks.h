/* The ranks of a trace as indices: 0, 1, 2 ... in the order in which the ranks came. A file may have any number as a
 * rank: an array by rank would grow with the number, and not with the file. */
#ifndef ORDO_TRACE_EVENT_RANKS_H
#define ORDO_TRACE_EVENT_RANKS_H

#include <stddef.h>
#include <stdint.h>

struct ordo_ranks {
    int32_t *all; /* by index; `count` of them */
    int count, room;
    int *slots; /* by hash: 1 more than the index */
    size_t size;
    int last; /* the index of the last call */
};

/** Returns the index of a rank, a new one if the rank is new; -1 if out of memory. */
int ordo_ranks_add(struct ordo_ranks *ranks, int32_t rank);

/** Returns the index of a rank, or -1 if it has not come. */
int ordo_ranks_find(const struct ordo_ranks *ranks, int32_t rank);

/** Returns the indices in the order of their ranks, to be freed; NULL if out of memory. */
int *ordo_ranks_sorted(const struct ordo_ranks *ranks);

void ordo_ranks_free(struct ordo_ranks *ranks);

#endif
