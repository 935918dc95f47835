/* Judges the logs of ptp4l, phc2sys, ts2phc and chronyd: the offsets and the stability of the clocks, the faults and
 * their times. Memory does not grow with the logs: a series takes about 100 KiB, and there are at most
 * ORDO_LOG_TRACKS. */
#ifndef ORDO_NET_LOG_JUDGE_H
#define ORDO_NET_LOG_JUDGE_H

#include "net/log/files.h"
#include "net/log/verdict.h"

/** Returns a judge, which the caller frees; NULL if out of memory. */
struct ordo_log_judge *ordo_log_judge_create(const struct ordo_log_limits *limits);
void ordo_log_judge_free(struct ordo_log_judge *judge);

/** Judges all files, in the order of their times. A file whose content is in another one is left out.
 *
 * 0: all files were read, as far as they can be read
 * ORDO_E_SYSTEM, ORDO_E_INVALID: a file cannot be opened, and is named; or out of memory */
int ordo_log_judge_files(struct ordo_log_judge *judge, struct ordo_log_files *files, struct ordo_error *error);

/** Returns the number of readings and summaries, also of those before the first lock. */
uint64_t ordo_log_judge_readings(const struct ordo_log_judge *judge);

#endif
