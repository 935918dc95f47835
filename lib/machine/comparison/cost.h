/* What a reading of a clock costs, on the calling thread's CPU. */
#ifndef ORDO_MACHINE_COMPARISON_COST_H
#define ORDO_MACHINE_COMPARISON_COST_H

#include "machine/clock/source.h"

/** How a program comes to a reading. */
enum ordo_entry {
    ORDO_ENTRY_UNKNOWN, /* could not be told here */
    ORDO_ENTRY_USER,    /* without entering the kernel: an instruction, or the vDSO */
    ORDO_ENTRY_SYSTEM   /* by a system call */
};

/** "user", "system"; NULL where it is not known. */
const char *ordo_entry_name(enum ordo_entry entry);

struct ordo_clock_cost {
    double median_ns;       /* of a reading among others */
    double percentile99_ns; /* of single readings, less what the counter around them costs */
    int64_t step_units;     /* the usual step between readings in a row; 0: none was seen */
};

/** Reads the clock over and over, for about 60 ms; a coarse one until it has moved a few times. `tick_hz` is the
 * counter's rate. */
struct ordo_clock_cost ordo_clock_cost_measure(const struct ordo_clock_source *source, double tick_hz);

/** Counts whether readings enter the kernel, in a thread that a filter of the kernel watches (seccomp(2)): `entries` gets
 * one for each source. UNKNOWN where filters are not allowed. SIGSYS is taken meanwhile, and given back. */
void ordo_clock_entries(const struct ordo_clock_source *const *sources, int count, enum ordo_entry *entries);

#endif
