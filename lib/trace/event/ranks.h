/* Gives the ranks of a trace the indices 0, 1, 2 ... in the order in which they are added. A file may name any number
 * as a rank, so an array indexed by rank would grow with this number and not with the file. */
#ifndef ORDO_TRACE_EVENT_RANKS_H
#define ORDO_TRACE_EVENT_RANKS_H

#include <stddef.h>
#include <stdint.h>

struct ordo_ranks {
    int32_t *all; /* all[i] is the rank with index i; `count` ranks */
    int count, room;
    int *slots; /* hash table; a slot holds an index + 1, or 0 */
    size_t size;
    int last; /* the index that the last call returned */
};

/** Returns the index of a rank; gives a new rank the next index. Returns -1 if out of memory. */
int ordo_ranks_add(struct ordo_ranks *ranks, int32_t rank);

/** Returns the index of a rank; -1 if the rank was not added. */
int ordo_ranks_find(const struct ordo_ranks *ranks, int32_t rank);

/** Returns the indices, sorted by their ranks; the caller frees the array. Returns NULL if out of memory. */
int *ordo_ranks_sorted(const struct ordo_ranks *ranks);

void ordo_ranks_free(struct ordo_ranks *ranks);

#endif
