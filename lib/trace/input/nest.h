/* The open regions of threads. In some forms the end of a region does not repeat what its begin states; the end then
 * takes it from the begin. Memory grows with the open regions. */
#ifndef ORDO_TRACE_INPUT_NEST_H
#define ORDO_TRACE_INPUT_NEST_H

#include "trace/input/tracks.h"

/** What the end of a region takes from its begin. */
struct ordo_nested {
    uint64_t communicator;
    int32_t root;
    uint32_t number, name;
    uint32_t depth; /* number of open regions of its thread, with this one */
    uint32_t outer; /* 1 + the region around it; of an unused one, 1 + the next unused one; 0: none */
};

struct ordo_nest {
    struct ordo_nested *all;
    uint32_t count, room, unused; /* `unused`: 1 + the first unused one; 0: none */
    struct ordo_names names;
};

/** Keeps the begin of a thread's innermost region, which track->open has counted. `note` of the thread belongs to the
 * nest. Returns 0, or -1 if out of memory. */
int ordo_nest_keep(struct ordo_nest *nest, struct ordo_thread_track *track, const struct ordo_event *begin);

/** Gives an end what its begin states, if that was kept and the end has no other name. Call before the region leaves
 * track->open. The name stays valid until the nest is freed. */
void ordo_nest_give(struct ordo_nest *nest, struct ordo_thread_track *track, struct ordo_event *end);
void ordo_nest_free(struct ordo_nest *nest);

#endif
