/* Prefix reductions (scan, exscan): nobody leaves before the lower ranks of the communicator have entered.
 *
 * What is kept are the places from the lowest that has not both entered and left, as far as they were named: a file may name
 * any number. Of those below it only the latest entry is kept. */
#ifndef ORDO_TRACE_CAUSAL_PREFIX_H
#define ORDO_TRACE_CAUSAL_PREFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event/event.h"

/** A rank's part, by the clocks as they are and in global time. */
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
    struct ordo_prefix_place below; /* of the place before `from`, with the latest begins of all below */
    bool bad[2];                    /* somebody left before a lower one had entered */
};

/** The place `at`, from the one before `from` on, made if there is none, and the one before it too: asking for that next
 * cannot fail. NULL: the place is farther below, or `failed` and out of memory. The address of a place is good until
 * ordo_prefix_take. */
struct ordo_prefix_place *ordo_prefix_at(struct ordo_prefix *prefix, int32_t at, bool *failed);

/** Takes a begin or an end of the place `at`, which was made; then lets go of what is settled. */
void ordo_prefix_take(struct ordo_prefix *prefix, int32_t at, bool begins, int64_t local_ns, int64_t global_ns);
void ordo_prefix_free(struct ordo_prefix *prefix);

#endif
