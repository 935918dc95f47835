/* Replaces a record that is no longer valid by a new one. */
#ifndef ORDO_RECALIBRATE_H
#define ORDO_RECALIBRATE_H

#include <stdbool.h>

#include <ordo/calibrate.h>
#include <ordo/record.h>

/** Calibrates with the parameters of the record of this view (CPUs, runs, sweeps, margin, validity), or with NULL with
 * the defaults of `ordo calibrate`, and publishes at `path`. Reports it on stderr unless `quiet`. Returns the exit
 * code. */
int recalibrate(const char *program, const char *path, const struct ordo_record_view *like, bool quiet);

/** Sets the options to those with which the record of this view was made. They point to `*cpu_list`, which the caller
 * frees in any case. Returns 0, or -1 if out of memory. */
int recalibrate_like(struct ordo_calibrate_options *options, const struct ordo_record_view *like, char **cpu_list);

/** True if a calibration repairs a record with this fault (enum ordo_code). False if this program is the wrong one to
 * read the record, or if the file belongs to another user. */
bool recalibrate_mends(int code);

#endif
