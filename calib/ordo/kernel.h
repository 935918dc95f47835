/* The record of the kernel's clock, which is next to the counter's record. */
#ifndef ORDO_KERNEL_H
#define ORDO_KERNEL_H

#include <limits.h>
#include <stdbool.h>

#include <ordo/calibrate.h>
#include <ordo/record.h>

/** The result of calibrating the kernel's clock. */
struct kernel_clock {
    bool measured;
    char path[PATH_MAX]; /* path of the published record; "": not published */
    uint64_t boundary_ns, generation;
    char reason[240]; /* why it was not measured or published; "": this program's clock is the kernel's */
};

/** Measures CLOCK_MONOTONIC with these options, as the counter is measured, and publishes a record next to the
 * counter's record at `path`. If `path` is NULL, nothing is published. If the options have `progress`, it is called,
 * and no bar is shown. */
void kernel_clock_renew(const struct ordo_calibrate_options *options, const char *path, bool quiet,
                        struct kernel_clock *found);

/** Returns 0 if the record of the kernel's clock next to `path` is usable on this machine at present, else the reason
 * (enum ordo_code). */
int kernel_clock_judge(const char *path);

/** Returns the head of the record of the kernel's clock next to `path`, if programs may have opened that record.
 *
 * 0: `*head` is filled; `*fd` is the descriptor of ordo_record_reach, or -1
 * ORDO_E_SYSTEM: the record cannot be read at present
 * other codes: there is no record to withdraw */
int kernel_clock_reach(const char *path, struct ordo_record *head, int *fd);

/** Marks the record of the kernel's clock next to `path` as DISRUPTED. True if the record was marked. */
bool kernel_clock_withdraw(const char *path);

#endif
