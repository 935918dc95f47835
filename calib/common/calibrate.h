/* Calibrates for a command: with a bar on the terminal, and an exit code. */
#ifndef ORDO_COMMON_CALIBRATE_H
#define ORDO_COMMON_CALIBRATE_H

#include <stdbool.h>

#include <ordo/calibrate.h>

/** Calls ordo_calibrate. The bar takes the place of `options->progress`. On every result but EXIT_OK `error` is filled.
 *
 * EXIT_OK: `*result` is the caller's
 * EXIT_FAILS: the clocks do not pass
 * EXIT_UNKNOWN: the measurement could not tell
 * EXIT_USAGE, EXIT_INTERNAL: as in result.h */
int cli_calibrate(const struct ordo_calibrate_options *options, bool quiet, struct ordo_calibration **result,
                  struct ordo_error *error);

/** Does the same by ordo_calibrate_kernel_clock. */
int cli_calibrate_kernel_clock(const struct ordo_calibrate_options *options, bool quiet,
                               struct ordo_calibration **result, struct ordo_error *error);

#endif
