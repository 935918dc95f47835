/* What a reading of a clock costs, on the calling thread's CPU. */
#ifndef ORDO_MACHINE_COMPARISON_COST_H
#define ORDO_MACHINE_COMPARISON_COST_H

#include "machine/comparison/comparison.h"

/** Reads the clock over and over, for about 60 ms; a coarse one until it has moved a few times. `tick_hz` is the
 * counter's rate. */
struct ordo_clock_cost ordo_clock_cost_measure(const struct ordo_clock_source *source, double tick_hz);

/** Counts whether readings enter the kernel, in a thread that a filter of the kernel watches (seccomp(2)): `entries` gets
 * one for each source. UNKNOWN where filters are not allowed. SIGSYS is taken meanwhile, and given back. */
void ordo_clock_entries(const struct ordo_clock_source *const *sources, int count, enum ordo_entry *entries);

#endif
