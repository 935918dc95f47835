/* Calibrates for a command: shows a progress bar on the terminal, and returns an exit code. */
#ifndef ORDO_COMMON_CALIBRATE_H
#define ORDO_COMMON_CALIBRATE_H

#include <stdbool.h>

#include <ordo/calibrate.h>

/** Calls ordo_calibrate. A progress bar replaces `options->progress`. If the result is not EXIT_OK, `error` is filled.
 *
 * EXIT_OK: `*result` belongs to the caller
 * EXIT_FAILS: the clocks are refused
 * EXIT_UNKNOWN: the measurement was inconclusive
 * EXIT_USAGE, EXIT_INTERNAL: as in result.h */
int cli_calibrate(const struct ordo_calibrate_options *options, bool quiet, struct ordo_calibration **result,
                  struct ordo_error *error);

/** Calls ordo_calibrate_kernel_clock, otherwise like cli_calibrate. */
int cli_calibrate_kernel_clock(const struct ordo_calibrate_options *options, bool quiet,
                               struct ordo_calibration **result, struct ordo_error *error);

#endif
