/* The world around the preload in its stress test: a kernel whose clocks are steered, stepped and set while they are read,
 * and a record that is withdrawn or superseded at any moment. world.c defines the functions of lib/preload/kernel.h and
 * lib/preload/record.h. */
#ifndef TESTS_STRESS_PRELOAD_WORLD_H
#define TESTS_STRESS_PRELOAD_WORLD_H

#include <stdint.h>

#include "preload/slot.h"

/* What the world does at a moment. Times are the native counter's, without skew. */
struct world_state {
    uint64_t base;   /* ticks */
    preload_ns32 ns; /* CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW at base */
    preload_ns32 raw_ns;
    uint64_t rate, raw_rate;           /* 2^-32 ns a tick */
    int64_t offset_ns[PRELOAD_CLOCKS]; /* to CLOCK_MONOTONIC */
};

/** Begins a world whose counter has this frequency. One thread. */
void world_begin(uint64_t tick_hz);

/** Changes the rate of CLOCK_MONOTONIC to the nominal rate plus `ppm`. One thread at a time. */
void world_steer(int64_t ppm);

/** Sets CLOCK_REALTIME forwards or backwards. One thread at a time. */
void world_set(int64_t ns);

/** Returns the kernel's time of a clock, in ns. */
int64_t world_ns(enum preload_which which);

/** Returns the native counter. */
uint64_t world_ticks(void);

/** The record's standing, an enum preload_standing, and whether a new record can be opened. */
extern int world_standing, world_reopens;

/** The boundary of a record that is opened, the counter's frequency, and the ticks that an answer of the kernel takes. */
extern uint64_t world_boundary_ticks, world_tick_hz, world_slow_ticks;

#endif
