/* The record of the kernel's clock, next to that of the counter. */
#ifndef ORDO_KERNEL_H
#define ORDO_KERNEL_H

#include <limits.h>
#include <stdbool.h>

#include <ordo/calibrate.h>
#include <ordo/record.h>

/** What came of it. */
struct kernel_clock {
    bool measured;
    char path[PATH_MAX]; /* of its record; empty: it was not to be published */
    uint64_t boundary_ns, generation;
    char reason[240]; /* not measured, or not published: why; empty: this program's clock is the kernel's */
};

/** Measures CLOCK_MONOTONIC as the counter is measured by these options, and publishes its record next to the one at `path`;
 * NULL: nowhere. With `progress` among the options that is called, and no bar is shown. */
void kernel_clock_renew(const struct ordo_calibrate_options *options, const char *path, bool quiet,
                        struct kernel_clock *found);

/** Returns 0 if the record next to the one at `path` holds here and now, or why not, as enum ordo_code. */
int kernel_clock_judge(const char *path);

/** Returns 0 with the head of that record, if it is one that programs may have open, and with the descriptor of
 * ordo_record_reach, or -1; ORDO_E_SYSTEM if it cannot be read now; another code if there is nothing to withdraw. */
int kernel_clock_reach(const char *path, struct ordo_record *head, int *fd);

/** Marks that record DISRUPTED. True if it was marked. */
bool kernel_clock_withdraw(const char *path);

#endif
