/* ordo-net judge: judges the logs of the daemons that steer clocks. */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/duration.h"
#include "common/options.h"
#include "ordo-net/judging.h"

struct options {
    struct judging judging;
    const char **paths;
    const char *offset, *jitter, *delay, *bound, *silence;
};

enum { OFFSET = 1, PERCENT, JITTER, DELAY, BOUND, SILENCE, LOST, ALL, JSON, SVG };

static const struct argp_option argp_options[] = {
    {"max-offset", OFFSET, "TIME", 0, "No offset may be farther from 0 than this, such as 100us", 1},
    {"percent", PERCENT, "P", 0, "--max-offset concerns this share of the offsets (default 100)", 1},
    {"max-jitter", JITTER, "TIME", 0, "Largest root of the mean square of the changes from one offset to the next", 1},
    {"max-delay", DELAY, "TIME", 0, "Largest delay to the reference", 1},
    {"max-bound", BOUND, "TIME", 0, "Largest error that a daemon claims (chronyd)", 1},
    {"max-silence", SILENCE, "TIME", 0, "Longest time from one reading to the next", 1},
    {"max-lost", LOST, "N", 0, "Largest number of times that a clock loses its lock", 1},
    {"all", ALL, NULL, 0, "Print all listed findings (default: the first 40)", 2},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-judge/1)", 2},
    {"svg", SVG, "FILE", 0, "Draw the course and the distribution of the offsets into FILE, with gnuplot", 2},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(OFFSET, "--max-offset", struct options, offset),
    CLI_STORE(PERCENT, "--percent", struct options, judging.limits.percent, 1, 100),
    CLI_TEXT_STORE(JITTER, "--max-jitter", struct options, jitter),
    CLI_TEXT_STORE(DELAY, "--max-delay", struct options, delay),
    CLI_TEXT_STORE(BOUND, "--max-bound", struct options, bound),
    CLI_TEXT_STORE(SILENCE, "--max-silence", struct options, silence),
    CLI_STORE(LOST, "--max-lost", struct options, judging.limits.lost, 0, 1e9),
    CLI_FLAG_STORE(ALL, "--all", struct options, judging.all),
    CLI_FLAG_STORE(JSON, "--json", struct options, judging.json),
    CLI_TEXT_STORE(SVG, "--svg", struct options, judging.svg),
    {0},
};

/* Stores a limit that is a time. */
static void store_limit(const struct argp_state *state, const char *option, const char *text, double *limit_ns)
{
    static const int64_t longest_ns = INT64_C(366) * 86400 * 1000000000;
    if (text)
        *limit_ns = (double)cli_duration(state, option, text, 0, longest_ns);
}

static void finish_judge(struct options *options, const struct argp_state *state)
{
    struct ordo_log_limits *limits = &options->judging.limits;
    if (options->judging.count == 0)
        cli_wrong(state, "no file: give logs of ptp4l, phc2sys, ts2phc or chronyd, or - for standard input");
    if (limits->percent < 100 && !options->offset)
        cli_wrong(state, "--percent %g: concerns --max-offset: give that too", limits->percent);
    store_limit(state, "--max-offset", options->offset, &limits->offset_ns);
    store_limit(state, "--max-jitter", options->jitter, &limits->jitter_ns);
    store_limit(state, "--max-delay", options->delay, &limits->delay_ns);
    store_limit(state, "--max-bound", options->bound, &limits->bound_ns);
    store_limit(state, "--max-silence", options->silence, &limits->silence_ns);
}

static error_t parse_judge(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_ARG)
        options->paths[options->judging.count++] = argument;
    else if (key == ARGP_KEY_END)
        finish_judge(options, state);
    else
        return cli_store(stores, key, argument, state);
    return 0;
}

static const struct argp argp = {
    argp_options,
    parse_judge,
    "FILE...",
    "Judges logs of ptp4l, phc2sys, ts2phc and chronyd: how far the clocks were from their references, how evenly they "
    "ran, what went wrong and when. Reads files of syslog, journald, containers and chronyd, and saved output of "
    "chronyc, also rotated, compressed and mixed; '-' is standard input. The daemons are neither run nor asked.\v"
    "An offset is what the daemon measured, so it lacks the error of the daemon's own measurement. Exit status: 0 the "
    "limits hold, or none is given; 1 a limit is exceeded; 2 could not tell: no reading or event, or none of a limited "
    "kind, or "
    "a file is damaged; 64 usage, or a file that cannot be opened; 70 internal.",
    NULL,
    NULL,
    NULL};

static int run_judge(int argc, char **argv)
{
    struct options options = {.judging = judging_begin()};
    options.paths = calloc((size_t)argc, sizeof *options.paths);
    if (!options.paths)
        return cli_fail(EXIT_INTERNAL, argv[0], "out of memory");
    cli_parse(&argp, argc, argv, &options);
    options.judging.paths = options.paths;
    int code = judging_run(&options.judging, argv[0]);
    free(options.paths);
    return code;
}

const struct command command_judge = {
    .name = "judge",
    .title = "judge the logs of ptp4l, phc2sys, ts2phc and chronyd",
    .schema = "ordo-judge/1",
    .run = run_judge,
};
