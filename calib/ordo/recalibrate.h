/* A record that does not hold any more gives way to a new one. */
#ifndef ORDO_RECALIBRATE_H
#define ORDO_RECALIBRATE_H

#include <stdbool.h>

#include <ordo/record.h>

/** Calibrates as the record of this view was calibrated (CPUs, runs, sweeps, margin, validity), or with NULL as
 * `ordo calibrate` does by default, and publishes at `path`. Says so on stderr unless `quiet`. Returns the exit code.
 */
int recalibrate(const char *program, const char *path, const struct ordo_record_view *like, bool quiet);

#endif
