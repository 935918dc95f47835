#include "calibrate.h"

#include <stdio.h>

#include "progress.h"
#include "result.h"

static int on_calibration(void *context, const struct ordo_calibrate_progress *progress)
{
    char words[80];
    int length = snprintf(words, sizeof words, "sweep %d of %d", progress->sweep, progress->sweeps);
    if (progress->attempt > 1)
        (void)snprintf(words + length, sizeof words - (size_t)length,
                       ", attempt %d of %d: the boundary was implausible", progress->attempt, progress->attempts);
    progress_show(context, progress->share, words);
    return 0;
}

static int exit_code_of(int code)
{
    switch (code) {
    case ORDO_OK:
        return EXIT_OK;
    case ORDO_E_REFUTED:
        return EXIT_FAILS;
    case ORDO_E_MEASURE:
    case ORDO_E_CPUS:
        return EXIT_UNKNOWN;
    case ORDO_E_INVALID:
        return EXIT_USAGE;
    default:
        return EXIT_INTERNAL;
    }
}

typedef int calibrate_call(const struct ordo_calibrate_options *options, struct ordo_calibration **result,
                           struct ordo_error *error);

/* Calibrates, and shows a progress bar meanwhile. */
static int calibrate_by(calibrate_call *call, const struct ordo_calibrate_options *options, bool quiet,
                        struct ordo_calibration **result, struct ordo_error *error)
{
    struct progress bar;
    struct ordo_calibrate_options own = *options;
    progress_begin(&bar, quiet);
    own.progress = on_calibration;
    own.progress_context = &bar;
    int code = call(&own, result, error);
    progress_end(&bar);
    return exit_code_of(code);
}

int cli_calibrate(const struct ordo_calibrate_options *options, bool quiet, struct ordo_calibration **result,
                  struct ordo_error *error)
{
    return calibrate_by(ordo_calibrate, options, quiet, result, error);
}

int cli_calibrate_kernel_clock(const struct ordo_calibrate_options *options, bool quiet,
                               struct ordo_calibration **result, struct ordo_error *error)
{
    return calibrate_by(ordo_calibrate_kernel_clock, options, quiet, result, error);
}
