/* The cost of a reading on this machine, by the kernel and by the counter. */
#ifndef ORDO_RUN_COST_H
#define ORDO_RUN_COST_H

#include <stdbool.h>

#include "preload/settings.h"
#include "preload/tally.h"

struct run_cost {
    double kernel_ns[PRELOAD_CLOCKS];
    double counter_ns[PRELOAD_CLOCKS]; /* only if `served` */
    bool served;
};

/** Measures both costs. Loads the library at `library` into this process to measure that of the counter, if `served`. */
void run_cost_measure(const char *library, const struct preload_settings *settings, bool served, struct run_cost *cost);

/** Returns the kernel's number of a clock. */
int run_clock_id(int which);

#endif
