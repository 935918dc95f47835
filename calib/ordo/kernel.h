/* The record of the kernel's clock, next to that of the counter. */
#ifndef ORDO_KERNEL_H
#define ORDO_KERNEL_H

#include <limits.h>
#include <stdbool.h>

#include <ordo/calibrate.h>
#include <ordo/record.h>

/** The result for the kernel's clock. */
struct kernel_clock {
    bool measured;
    char path[PATH_MAX]; /* of its record; empty: not to be published */
    uint64_t boundary_ns, generation;
    char reason[240]; /* why it was not measured or not published; empty: this program's clock is the kernel's */
};

/** Measures CLOCK_MONOTONIC in the same way as the counter, by these options, and publishes its record next to the one
 * at `path`; NULL: not published. If the options have `progress`, it is called and no bar is shown. */
void kernel_clock_renew(const struct ordo_calibrate_options *options, const char *path, bool quiet,
                        struct kernel_clock *found);

/** Returns 0 if the record next to the one at `path` is usable here and now, else the reason, an enum ordo_code. */
int kernel_clock_judge(const char *path);

/** Returns the head of that record, if programs may have it open.
 *
 * 0: `*head` is filled, and `*fd` is the descriptor of ordo_record_reach, or -1
 * ORDO_E_SYSTEM: it cannot be read now
 * another code: there is nothing to withdraw */
int kernel_clock_reach(const char *path, struct ordo_record *head, int *fd);

/** Marks that record DISRUPTED. True if it was marked. */
bool kernel_clock_withdraw(const char *path);

#endif
