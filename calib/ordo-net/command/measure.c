/* ordo-net measure: measures the offsets between the clocks of hosts, by probes between their agents. */
#include "base/file.h"
#include "common/command.h"
#include "common/duration.h"
#include "common/options.h"
#include "ordo-net/ending.h"
#include "ordo-net/estimators.h"
#include "ordo-net/series.h"
#include "ordo-net/surveying.h"

struct options {
    struct surveying common;
    const char *estimator, *max_offset, *max_bound;
    struct series_options series;
    struct alarm alarm;
    int clear_after;
    bool list, pairs;
};

enum {
    PEERS = 1,
    KEY,
    WINDOW,
    PATIENCE,
    FOLLOW,
    WINDOWS,
    METRICS,
    JSON,
    PAIRS,
    MAX_OFFSET,
    MAX_BOUND,
    CLEAR_AFTER,
    SVG,
    LOG,
    EVERY,
    SPACING,
    TOLERANCE,
    ESTIMATOR,
    DEGREE,
    RATE,
    STAMP,
    LIARS,
    SEED,
    LIST
};

static const struct argp_option argp_options[] = {
    {"peers", PEERS, "FILE", 0,
     "The hosts, one on each line of FILE; or, instead of FILE, a list separated by commas. Each is HOST, HOST:PORT or "
     "[IPV6]:PORT, with N@ in front if it has key N. The first is the reference (required)",
     1},
    {"key", KEY, "FILE", 0, "File of the keys of the hosts; a host without N@ has the first key (required)", 1},
    {"window", WINDOW, "TIME", 0, "How long to probe, such as 500ms or 2s (default 2s)", 1},
    {"patience", PATIENCE, "TIME", 0,
     "Longest wait for the hosts, once before and once after the window (default 10s); slower hosts are listed", 1},
    {"every-us", EVERY, "N", 0, "Mean time between two pairs of probes of an edge (default 5000)", 2},
    {"spacing-ns", SPACING, "N", 0,
     "Time that the second probe of a pair waits, in addition to the time for sending (default 0)", 2},
    {"tolerance-ns", TOLERANCE, "N", 0,
     "Most by which the distance of a pair of probes may change on the way (default 2000)", 2},
    {"degree", DEGREE, "N", 0, "Number of hosts that each host probes (default 10)", 2},
    {"estimator", ESTIMATOR, "NAME", 0, "An estimator of --list (default svm)", 2},
    {"seed", SEED, "N", 0, "Seed of the choice of the hosts that each host probes (default 1)", 2},
    {"rate-ppm", RATE, "P", 0, "Promised: no clock's rate is wrong by more than this (default 500)", 3},
    {"stamp-ns", STAMP, "N", 0, "Promised: no clock's readings differ between CPUs by more than this (default 100)", 3},
    {"liars", LIARS, "K", 0, "Promised: at most K hosts lie, and the reference is none of them (default 0)", 3},
    {"max-offset", MAX_OFFSET, "TIME", 0,
     "Limit, such as 250us or 1ms: exit with 1 if the clocks of any two hosts certainly differ by more", 4},
    {"max-bound", MAX_BOUND, "TIME", 0,
     "Limit: exit with 1 if the offset of any two hosts is proved to no better than +- TIME", 4},
    {"pairs", PAIRS, NULL, 0, "Print the offsets of all pairs of hosts, even without a limit", 4},
    {"clear-after", CLEAR_AFTER, "N", 0,
     "With --follow: an alarm ends after N windows in succession that are certainly within the limit (default 5)", 4},
    {"follow", FOLLOW, NULL, 0, "Continue until a signal comes, and print one line for each window", 5},
    {"windows", WINDOWS, "N", 0, "Like --follow, but end after N windows", 5},
    {"log", LOG, "FILE", 0, "With --follow: append the events to FILE, as JSON (schema ordo-measure-event/1)", 5},
    {"metrics", METRICS, "FILE", 0, "Write the latest metrics to FILE, in the text format of Prometheus", 5},
    {"svg", SVG, "FILE", 0, "Draw the offsets of all pairs", 5},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-measure/1); each window is one line", 5},
    {"list", LIST, NULL, 0, "List the estimators, and exit", 5},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(PEERS, "--peers", struct options, common.peers),
    CLI_TEXT_STORE(KEY, "--key", struct options, common.key),
    CLI_TEXT_STORE(WINDOW, "--window", struct options, common.window),
    CLI_TEXT_STORE(PATIENCE, "--patience", struct options, common.patience),
    CLI_STORE(EVERY, "--every-us", struct options, common.every_us, 100, 10000000),
    CLI_STORE(SPACING, "--spacing-ns", struct options, common.survey.spacing_ns, 0, 100000),
    CLI_STORE(TOLERANCE, "--tolerance-ns", struct options, common.survey.tolerance_ns, 0, 1000000000),
    CLI_STORE(DEGREE, "--degree", struct options, common.survey.peers, 1, 32),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    CLI_TEXT_STORE(ESTIMATOR, "--estimator", struct options, estimator),
    CLI_STORE(SEED, "--seed", struct options, common.survey.seed, 0, INT32_MAX),
    CLI_STORE(RATE, "--rate-ppm", struct options, common.survey.rate_ppm, 0.001, 100000),
    CLI_STORE(STAMP, "--stamp-ns", struct options, common.survey.stamp_ns, 1, 1000000000),
    CLI_STORE(LIARS, "--liars", struct options, common.survey.liars, 0, 16),
    CLI_TEXT_STORE(MAX_OFFSET, "--max-offset", struct options, max_offset),
    CLI_TEXT_STORE(MAX_BOUND, "--max-bound", struct options, max_bound),
    CLI_FLAG_STORE(PAIRS, "--pairs", struct options, pairs),
    CLI_STORE(CLEAR_AFTER, "--clear-after", struct options, clear_after, 1, ALARM_CLEAR_MOST),
    CLI_FLAG_STORE(FOLLOW, "--follow", struct options, series.follow),
    CLI_STORE(WINDOWS, "--windows", struct options, series.windows, 1, 1000000000),
    CLI_TEXT_STORE(LOG, "--log", struct options, series.log),
    CLI_TEXT_STORE(METRICS, "--metrics", struct options, series.metrics),
    CLI_TEXT_STORE(SVG, "--svg", struct options, series.svg),
    CLI_FLAG_STORE(JSON, "--json", struct options, series.json),
    {0},
};

static void take_limits(struct options *options, const struct argp_state *state)
{
    const int64_t most_ns = INT64_C(1000000000) * 1000000000; /* 31 years */
    const char *text[ALARM_KINDS] = {[ALARM_OFFSET] = options->max_offset, [ALARM_BOUND] = options->max_bound};
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        if (text[kind])
            options->alarm.limit_ns[kind] =
                cli_duration(state, alarm_option((enum alarm_kind)kind), text[kind], 1, most_ns);
    options->alarm.clear_after = options->clear_after;
    options->common.survey.pairs = options->pairs || options->series.svg || alarm_limits(&options->alarm);
}

static void finish_measure(struct options *options, const struct argp_state *state)
{
    surveying_finish(&options->common, state, 3600, 0);
    options->common.survey.estimator = estimator_named(options->estimator, state);
    options->series.follow = options->series.follow || options->series.windows;
    if (options->series.log && !options->series.follow)
        cli_wrong(state, "--log: there are events only with --follow or --windows");
    take_limits(options, state);
}

static error_t parse_measure(int key, char *argument, struct argp_state *state)
{
    if (key == ARGP_KEY_END && !((struct options *)state->input)->list)
        finish_measure(state->input, state);
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_measure,
    NULL,
    "Makes the agents of hosts probe each other, and prints for each host the offset of its clock from the clock of "
    "the first host: a likely offset (HUYGENS), and an interval that certainly contains the true offset if the "
    "promises are kept. No clock is set.\vExit status: 0 every host answered, its offset is proved, and all pairs of "
    "hosts are certainly within the limits; 1 a pair certainly exceeds a limit, or the intervals of edges contradict "
    "each other, so that a host lies or a promise was broken; 2 a host did not answer or was too slow, its offset is "
    "not proved, or it cannot be told whether a pair exceeds a limit; 64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static int prepare_port(const struct options *options, struct ordo_net_port *port, struct peers *peers,
                        struct ordo_error *error)
{
    int code = ORDO_OK;
    if (options->series.metrics)
        code = ordo_file_prepare(options->series.metrics, false, error);
    if (!code && options->series.svg)
        code = ordo_file_prepare_output(options->series.svg, error);
    return code ? code : surveying_open(&options->common, port, peers, error);
}

/* Measures the hosts. Takes over the port. */
static int survey_hosts(struct options *options, struct ordo_net_port *port, const struct peers *peers,
                        const char *program)
{
    struct measured measured = {
        .name = peers->name, .options = &options->common.survey, .alarm = &options->alarm, .all_pairs = options->pairs};
    struct ordo_net_survey *survey =
        ordo_net_survey_new(port, peers->address, peers->key, peers->count, &options->common.survey);
    int code = EXIT_INTERNAL;
    ordo_net_keys_forget(&port->keys);
    if (survey && alarm_make(&options->alarm, peers->count)) {
        code = series_run(&options->series, survey, &measured, program);
        ending_begin();
        ordo_net_survey_end(survey, ending_asked_anew);
    } else {
        code = cli_fail(EXIT_INTERNAL, program, "out of memory");
    }
    ordo_net_survey_free(survey);
    alarm_free(&options->alarm);
    return code;
}

static int run_measure(int argc, char **argv)
{
    struct options options = {.common = surveying_defaults("2s"), .estimator = "svm", .clear_after = 5};
    struct ordo_net_port port = {.socket = {.fd = -1}};
    struct peers peers = {0};
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return estimators_list(argv[0]);
    int code = prepare_port(&options, &port, &peers, &error);
    if (code) {
        peers_free(&peers);
        return surveying_fail(argv[0], code, &error);
    }
    options.common.survey.name = peers.name;
    ending_heed();
    code = survey_hosts(&options, &port, &peers, argv[0]);
    peers_free(&peers);
    return code;
}

const struct command command_measure = {
    .name = "measure",
    .title = "measure how far apart the clocks of hosts are",
    .schema = "ordo-measure/1",
    .run = run_measure,
};
