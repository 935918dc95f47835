/* Looks at the kernel's clocks between readings of the counter. */
#ifndef ORDO_PRELOAD_LOOK_H
#define ORDO_PRELOAD_LOOK_H

#include "preload/slot.h"

struct preload_interval {
    int64_t low_ns, high_ns;
};

/** The kernel's clocks at one reading of the counter. */
struct preload_view {
    struct preload_sight sight[PRELOAD_TRACKS];
    struct preload_interval offset[PRELOAD_CLOCKS]; /* to CLOCK_MONOTONIC; of the clocks in `known` */
    uint64_t known;                                 /* bit: enum preload_which */
};

/** Returns the kernel's number of a clock. */
int preload_clock_id(enum preload_which which);

/** Returns the ticks of the fastest of some readings of CLOCK_MONOTONIC. */
uint64_t preload_look_narrowest(void);

/** Looks at CLOCK_MONOTONIC and the wanted clocks. `rate` holds the counter's for both tracks. The sights hold on every
 * CPU, whose counter may differ by `boundary_ticks`. `*narrowest` is the
 * narrowest sight of CLOCK_MONOTONIC so far. Returns false if each of a few attempts was much wider, because the thread
 * was interrupted; `*narrowest` then grows, so that a kernel that becomes slower for good is accepted in the end. */
bool preload_look(uint64_t wanted, const uint64_t rate[PRELOAD_TRACKS], uint64_t boundary_ticks, uint64_t *narrowest,
                  struct preload_view *view);

#endif
