/* Prefix reductions (scan, exscan): no rank leaves before the lower ranks of the communicator have entered.
 *
 * A place is a rank's number in the communicator. The places are kept from the lowest one that has not both entered and
 * left; places without an event take no memory, because a file may name any number. Of the places below only the latest
 * entry is kept. */
#ifndef ORDO_TRACE_CAUSAL_PREFIX_H
#define ORDO_TRACE_CAUSAL_PREFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event/event.h"

/** A rank's part: [0] by its own clock, [1] in global time. */
struct ordo_prefix_place {
    int64_t begin_ns[2], end_ns[2];
    uint64_t shared; /* the caller's word */
    bool begun, ended;
};

struct ordo_prefix_node;

struct ordo_prefix {
    struct ordo_prefix_node **slots; /* by hash; `size` of them, a power of two, with `count` places */
    size_t size, count;
    int32_t from;                   /* the lowest place that has not both entered and left */
    struct ordo_prefix_place below; /* the place before `from`, with the latest begins of all places below `from` */
    bool bad[2];                    /* a rank left before a lower rank had entered */
};

/** Returns the place `at`, and makes it first if needed; also makes the place before it, so that a call for that one
 * cannot fail next. Returns NULL if the place is below `from` - 1, or, with *failed set, if out of memory. The address
 * of a place is valid until ordo_prefix_take. */
struct ordo_prefix_place *ordo_prefix_at(struct ordo_prefix *prefix, int32_t at, bool *failed);

/** Takes a begin or an end of the place `at`, which ordo_prefix_at has made; then frees the places that are settled. */
void ordo_prefix_take(struct ordo_prefix *prefix, int32_t at, bool begins, int64_t local_ns, int64_t global_ns);
void ordo_prefix_free(struct ordo_prefix *prefix);

#endif
