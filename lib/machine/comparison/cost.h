/* The cost of reading a clock on the calling thread's CPU. */
#ifndef ORDO_MACHINE_COMPARISON_COST_H
#define ORDO_MACHINE_COMPARISON_COST_H

#include "machine/clock/source.h"

/** How a reading enters the kernel, or avoids it. */
enum ordo_entry {
    ORDO_ENTRY_UNKNOWN, /* could not be determined here */
    ORDO_ENTRY_USER,    /* without entering the kernel: an instruction, or the vDSO */
    ORDO_ENTRY_SYSTEM   /* by a system call */
};

/** Returns "user", "system", or NULL if unknown. */
const char *ordo_entry_name(enum ordo_entry entry);

struct ordo_clock_cost {
    double median_ns;       /* of a reading within a series */
    double percentile99_ns; /* of single readings, minus the cost of the counter's readings around them */
    int64_t step_units;     /* the usual step between consecutive readings; 0: none was seen */
};

/** Reads the clock repeatedly for about 60 ms; a coarse clock until it has moved a few times. `tick_hz` is the
 * counter's rate. */
struct ordo_clock_cost ordo_clock_cost_measure(const struct ordo_clock_source *source, double tick_hz);

/** Counts whether readings enter the kernel, in a thread that is under a kernel filter (seccomp(2)); `entries` gets one
 * result for each source. UNKNOWN: filters are not allowed. Handles SIGSYS meanwhile, and restores the handler
 * afterwards. */
void ordo_clock_entries(const struct ordo_clock_source *const *sources, int count, enum ordo_entry *entries);

#endif
