/* A record that does not hold any more gives way to a new one. */
#ifndef ORDO_RECALIBRATE_H
#define ORDO_RECALIBRATE_H

#include <stdbool.h>

#include <ordo/calibrate.h>
#include <ordo/record.h>

/** Calibrates as the record of this view was calibrated (CPUs, runs, sweeps, margin, validity), or with NULL as
 * `ordo calibrate` does by default, and publishes at `path`. Says so on stderr unless `quiet`. Returns the exit code.
 */
int recalibrate(const char *program, const char *path, const struct ordo_record_view *like, bool quiet);

/** Sets the options to those by which the record of this view was made. `*cpu_list`, to which they point, is to be freed in
 * any case. 0, or -1 when out of memory. */
int recalibrate_like(struct ordo_calibrate_options *options, const struct ordo_record_view *like, char **cpu_list);

/** Whether a calibration mends what is wrong with a record (enum ordo_code). It does not where this program is the wrong one
 * to read it, or the file is another user's. */
bool recalibrate_mends(int code);

#endif
