/* Withdrawn records, kept until they are marked DISRUPTED. */
#ifndef ORDO_WATCH_MARK_H
#define ORDO_WATCH_MARK_H

#include "ordo/watch/state.h"

/** Marks the withdrawn records that could not be marked earlier. */
void watch_mark(struct watch *watch);

/** Keeps a withdrawn record until it is marked. `fd` is a descriptor of ordo_record_reach, or -1; it is closed when the
 * record is marked or dropped. */
void watch_keep_unmarked(struct watch *watch, bool kernels, int fd, const struct ordo_record *head);

/** Closes and drops all records of watch_keep_unmarked. */
void watch_forget_unmarked(struct watch *watch);

/** Withdraws the record of the kernel's clock, after the counter's record was withdrawn. */
void watch_withdraw_kernel_clock(struct watch *watch);

#endif
