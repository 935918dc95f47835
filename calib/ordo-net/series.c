#include "ordo-net/series.h"

#include "common/options.h"
#include "ordo-net/ending.h"
#include "ordo-net/follower.h"
#include "ordo-net/pairs.h"
#include "ordo-net/surveying.h"

struct series {
    const struct series_options *options;
    struct ordo_net_survey *survey;
    struct measured *measured;
    struct follower follower;
    const char *program;
};

static int print_measured(const struct series_options *options, const struct measured *measured)
{
    if (options->json)
        return measured_print_json(measured, options->follow);
    (options->follow ? measured_print_line : measured_print_table)(measured);
    return fflush(stdout);
}

/* Writes the files. A file that cannot be written gives a warning, and is written again after the next window. */
static void write_files(struct series *series)
{
    struct ordo_error error = {0};
    int code;
    if (series->options->metrics) {
        code = measured_write_metrics(series->measured, series->options->metrics, &error);
        follower_file(&series->follower, FOLLOWER_METRICS, code, &error);
    }
    if (series->options->svg && series->measured->result.hosts > 0) {
        code = pairs_write_svg(series->measured, series->options->svg, &error);
        follower_file(&series->follower, FOLLOWER_DRAWING, code, &error);
    }
}

/* Measures one window, and prints the result. In a series of windows, an error ORDO_E_MEASURE, such as a silent
 * reference, is only a warning. */
static int take_window(struct series *series, struct ordo_error *error)
{
    struct measured *measured = series->measured;
    int code = ordo_net_survey_window(series->survey, &measured->result, error);
    if (code == ORDO_E_CANCELLED)
        return code;
    measured->windows++;
    measured->at_s = surveying_now_s();
    if (code) {
        measured->result = (struct ordo_net_survey_result){.sound = true};
        measured->failed++;
    }
    if (code == ORDO_E_MEASURE && series->options->follow)
        cli_warn(series->program, error->text);
    follower_take(&series->follower, code ? error->text : NULL);
    write_files(series);
    if (!code && print_measured(series->options, measured))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory, or stdout cannot be written");
    return code;
}

static int take_windows(struct series *series)
{
    const struct series_options *options = series->options;
    struct ordo_error error = {0};
    int code, verdict = EXIT_UNKNOWN;
    do {
        code = take_window(series, &error);
        if (!code)
            verdict = measured_verdict(series->measured);
    } while (options->follow && (!code || code == ORDO_E_MEASURE) && !ending_asked() &&
             (!options->windows || series->measured->windows < (uint64_t)options->windows));
    if (options->follow && ending_asked() && (!code || code == ORDO_E_CANCELLED))
        return EXIT_OK;
    if (code && !(options->follow && code == ORDO_E_MEASURE))
        return surveying_fail(series->program, code, &error);
    return !options->follow && follower_troubled(&series->follower) ? EXIT_INTERNAL : verdict;
}

int series_run(const struct series_options *options, struct ordo_net_survey *survey, struct measured *measured,
               const char *program)
{
    struct series series = {options, survey, measured, {.measured = measured}, program};
    if (!follower_begin(&series.follower, options->follow ? options->log : NULL, options->follow && !options->json,
                        program))
        return cli_fail(EXIT_INTERNAL, program, "out of memory");
    int code = take_windows(&series);
    follower_end(&series.follower);
    return code;
}
