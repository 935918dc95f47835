/* The record of the kernel's clock, beside that of the counter. */
#ifndef ORDO_KERNEL_H
#define ORDO_KERNEL_H

#include <limits.h>
#include <stdbool.h>

#include <ordo/calibrate.h>

/** What came of it. */
struct kernel_clock {
    bool measured;
    char path[PATH_MAX]; /* of its record; empty: it was not to be published */
    uint64_t boundary_ns, generation;
    char reason[240]; /* not measured, or not published: why; empty: this program's clock is the kernel's */
};

/** Measures CLOCK_MONOTONIC as the counter is measured by these options, and publishes its record beside the one at `path`;
 * NULL: nowhere. */
void kernel_clock_renew(const struct ordo_calibrate_options *options, const char *path, bool quiet,
                        struct kernel_clock *found);

/** The same if there is none that holds; true if it was measured. */
bool kernel_clock_mend(const struct ordo_calibrate_options *options, const char *path, bool quiet,
                       struct kernel_clock *found);

#endif
