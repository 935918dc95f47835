/* A calibration as the commands make it: with a bar on the terminal, and an exit code. */
#ifndef ORDO_COMMON_CALIBRATE_H
#define ORDO_COMMON_CALIBRATE_H

#include <stdbool.h>

#include <ordo/calibrate.h>

/** ordo_calibrate. Returns EXIT_OK, EXIT_FAILS where the clocks do not pass, EXIT_UNKNOWN where that could not be told,
 * EXIT_USAGE or EXIT_INTERNAL, with `error` filled. The bar takes the place of
 * `options->progress`. */
int cli_calibrate(const struct ordo_calibrate_options *options, bool quiet, struct ordo_calibration **result,
                  struct ordo_error *error);

/** The same by ordo_calibrate_kernel_clock. */
int cli_calibrate_kernel_clock(const struct ordo_calibrate_options *options, bool quiet,
                               struct ordo_calibration **result, struct ordo_error *error);

#endif
