/* Replaces a record that is no longer valid by a new one. */
#ifndef ORDO_RECALIBRATE_H
#define ORDO_RECALIBRATE_H

#include <stdbool.h>

#include <ordo/calibrate.h>
#include <ordo/record.h>

/** Calibrates and publishes at `path`. The parameters (CPUs, runs, sweeps, margin, validity) are those of the record
 * `like`, or the defaults of `ordo calibrate` if it is NULL. Reports the result on stderr unless `quiet`. Returns the
 * exit code. */
int recalibrate(const char *program, const char *path, const struct ordo_record_view *like, bool quiet);

/** Sets the options to those of the record `like`. They point to `*cpu_list`, which the caller must free, even after an
 * error. Returns 0, or -1 if out of memory. */
int recalibrate_like(struct ordo_calibrate_options *options, const struct ordo_record_view *like, char **cpu_list);

/** True if a calibration repairs a record with this fault (enum ordo_code). False if this program cannot judge the
 * record, or if the file belongs to another user. */
bool recalibrate_mends(int code);

#endif
