/* The cost of reading a clock on the calling thread's CPU. */
#ifndef ORDO_MACHINE_COMPARISON_COST_H
#define ORDO_MACHINE_COMPARISON_COST_H

#include "machine/clock/source.h"

/** Whether a reading enters the kernel. */
enum ordo_entry {
    ORDO_ENTRY_UNKNOWN, /* could not be determined here */
    ORDO_ENTRY_USER,    /* without entering the kernel: an instruction, or the vDSO */
    ORDO_ENTRY_SYSTEM   /* by a system call */
};

/** Returns "user", "system", or NULL if unknown. */
const char *ordo_entry_name(enum ordo_entry entry);

struct ordo_clock_cost {
    double median_ns;       /* cost of a reading within a series */
    double percentile99_ns; /* cost of single readings, minus the cost of the counter's readings around them */
    int64_t step_units;     /* the usual step between consecutive readings; 0: none was seen */
};

/** Reads the clock repeatedly for about 60 ms; reads a coarse clock until it has advanced a few times. `tick_hz` is the
 * counter's rate. */
struct ordo_clock_cost ordo_clock_cost_measure(const struct ordo_clock_source *source, double tick_hz);

/** Finds whether readings enter the kernel, by a kernel filter in a thread of its own (seccomp(2)). `entries` gets one
 * result for each source, UNKNOWN if filters are not allowed. During the call SIGSYS has another handler. */
void ordo_clock_entries(const struct ordo_clock_source *const *sources, int count, enum ordo_entry *entries);

#endif
