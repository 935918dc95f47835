/* A simulated machine for the published time: its clocks, as a file that all its programs map. The file's name is in
 * $TIMED_WORLD. Programs of the machine run with the module world.c preloaded.
 *
 * The reference time is the real CLOCK_MONOTONIC, which the agents outside of the machine show. In the machine
 *   CLOCK_MONOTONIC_RAW drifts, and stands still in a suspend;
 *   CLOCK_MONOTONIC and its coarse form stand still in a suspend;
 *   CLOCK_REALTIME and its coarse form are stepped;
 *   CLOCK_BOOTTIME is true. */
#ifndef ORDO_TESTS_TIMED_WORLD_H
#define ORDO_TESTS_TIMED_WORLD_H

#include <stdint.h>

struct timed_world {
    uint64_t version; /* odd during a change */
    int64_t from_ns;  /* real CLOCK_MONOTONIC_RAW at the last change */
    int64_t base_ns;  /* the machine's one at that moment */
    int64_t ppb;      /* its gain since then */
    int64_t suspended_ns, step_ns;
};

static inline int64_t timed_world_raw(const struct timed_world *world, int64_t real_ns)
{
    int64_t since_ns = real_ns - world->from_ns;
    return world->base_ns + since_ns + (int64_t)((double)since_ns * (double)world->ppb * 1e-9);
}

#endif
