/* Prefix reductions (scan, exscan): no rank leaves before the lower ranks of the communicator have entered.
 *
 * A place is a rank's number in the communicator. A place is settled once its rank has entered and left and all lower
 * places are settled. Of the settled places only the latest entry is kept. A file may name any number as a place, so
 * memory is used only for a place with an event, and for the place before it. */
#ifndef ORDO_TRACE_CAUSAL_PREFIX_H
#define ORDO_TRACE_CAUSAL_PREFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event/event.h"

/** The entry and the exit of one place. Index 0: by the rank's own clock. Index 1: in global time. */
struct ordo_prefix_place {
    int64_t begin_ns[2], end_ns[2];
    uint64_t shared; /* for the caller's use; 0 at first */
    bool begun, ended;
};

struct ordo_prefix_node;

struct ordo_prefix {
    struct ordo_prefix_node **slots; /* hash table of `size` slots, a power of two, with `count` nodes */
    size_t size, count;
    int32_t from;                   /* the lowest place that is not settled */
    struct ordo_prefix_place below; /* place `from` - 1, but with the latest begins of all settled places */
    bool bad[2];                    /* a rank left before a lower rank had entered; indices as in a place */
};

/** Returns the place `at`, and makes it first if needed. Also makes place `at` - 1, so that a following call for place
 * `at` - 1 cannot fail. The address of a place is valid until ordo_prefix_take.
 *
 * NULL, with *failed false: `at` is below `from` - 1
 * NULL, with *failed true: out of memory */
struct ordo_prefix_place *ordo_prefix_at(struct ordo_prefix *prefix, int32_t at, bool *failed);

/** Takes a begin or an end of the place `at`, which ordo_prefix_at has made; then frees the places that are settled. */
void ordo_prefix_take(struct ordo_prefix *prefix, int32_t at, bool begins, int64_t local_ns, int64_t global_ns);
void ordo_prefix_free(struct ordo_prefix *prefix);

#endif
