/* ordo-net measure: measures the offsets between the clocks of hosts, by probes between their agents. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "common/command.h"
#include "common/duration.h"
#include "common/options.h"
#include "net/graph/liars.h"
#include "net/live/prober.h"
#include "ordo-net/ending.h"
#include "ordo-net/estimators.h"
#include "ordo-net/peers.h"
#include "ordo-net/series.h"

struct options {
    const char *peers, *key, *window, *patience, *estimator, *max_offset, *max_bound;
    struct ordo_net_survey_options survey;
    struct series_options series;
    struct alarm alarm;
    int every_us, clear_after;
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

enum { MOST_SETS = 10000 }; /* largest number of sets of liars, which takes some seconds of computing for each window */

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
    CLI_TEXT_STORE(PEERS, "--peers", struct options, peers),
    CLI_TEXT_STORE(KEY, "--key", struct options, key),
    CLI_TEXT_STORE(WINDOW, "--window", struct options, window),
    CLI_TEXT_STORE(PATIENCE, "--patience", struct options, patience),
    CLI_STORE(EVERY, "--every-us", struct options, every_us, 100, 10000000),
    CLI_STORE(SPACING, "--spacing-ns", struct options, survey.spacing_ns, 0, 100000),
    CLI_STORE(TOLERANCE, "--tolerance-ns", struct options, survey.tolerance_ns, 0, 1000000000),
    CLI_STORE(DEGREE, "--degree", struct options, survey.peers, 1, 32),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    CLI_TEXT_STORE(ESTIMATOR, "--estimator", struct options, estimator),
    CLI_STORE(SEED, "--seed", struct options, survey.seed, 0, INT32_MAX),
    CLI_STORE(RATE, "--rate-ppm", struct options, survey.rate_ppm, 0.001, 100000),
    CLI_STORE(STAMP, "--stamp-ns", struct options, survey.stamp_ns, 1, 1000000000),
    CLI_STORE(LIARS, "--liars", struct options, survey.liars, 0, 16),
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

static int64_t time_of(const struct argp_state *state, const char *option, const char *text, int least_ms, int most_s)
{
    char *end;
    double number = strtod(text, &end), unit = strcmp(end, "ms") == 0 ? 1e-3 : 1;
    if (end == text || (*end && strcmp(end, "s") != 0 && strcmp(end, "ms") != 0) ||
        !(number * unit >= 1e-3 * least_ms) || number * unit > most_s)
        cli_wrong(state, "%s %.40s: not a time from %gs to %ds, such as 10s", option, text, 1e-3 * least_ms, most_s);
    return (int64_t)(number * unit * 1e9);
}

/* Checks that a window does not have too many pairs per edge. A host keeps only ORDO_NET_KEPT_PAIRS of them until they
 * are collected. */
static void check_pace(const struct argp_state *state, const struct ordo_net_survey_options *survey)
{
    enum { KEPT = ORDO_NET_KEPT_PAIRS * 3 / 4 };
    if (survey->window_ns / survey->every_ns > KEPT)
        cli_wrong(state, "--every-us: a window may hold %d pairs of an edge: take %lld or more, or a shorter --window",
                  KEPT, (long long)(survey->window_ns / KEPT / 1000 + 1));
}

static void take_limits(struct options *options, const struct argp_state *state)
{
    const int64_t most_ns = INT64_C(1000000000) * 1000000000; /* 31 years */
    const char *text[ALARM_KINDS] = {[ALARM_OFFSET] = options->max_offset, [ALARM_BOUND] = options->max_bound};
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        if (text[kind])
            options->alarm.limit_ns[kind] =
                cli_duration(state, alarm_option((enum alarm_kind)kind), text[kind], 1, most_ns);
    options->alarm.clear_after = options->clear_after;
    options->survey.pairs = options->pairs || options->series.svg || alarm_limits(&options->alarm);
}

static void finish_measure(struct options *options, const struct argp_state *state)
{
    struct ordo_net_survey_options *survey = &options->survey;
    if (!options->peers)
        cli_wrong(state, "no hosts: give --peers FILE or --peers HOST,HOST,...");
    if (!options->key)
        cli_wrong(state, "no key: give --key FILE, the same as the agents have");
    survey->window_ns = time_of(state, "--window", options->window, 50, 3600);
    survey->patience_ns = time_of(state, "--patience", options->patience, 5000, 600);
    survey->every_ns = options->every_us * INT64_C(1000);
    survey->estimator = estimator_named(options->estimator, state);
    check_pace(state, survey);
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

static int check_keys(const struct ordo_net_keys *keys, const struct peers *peers, const char *path,
                      struct ordo_error *error)
{
    for (int i = 0; i < peers->count; i++)
        if (ordo_net_keys_find(keys, peers->key[i]) < 0)
            return ordo_error_set(error, ORDO_E_INVALID, 0,
                                  "'%.60s': %.60s has no key %u: add it, or give the number of another key",
                                  peers->name[i], path, (unsigned)peers->key[i]);
    return ORDO_OK;
}

static int check_liars(const struct options *options, int hosts, struct ordo_error *error)
{
    int liars = options->survey.liars;
    if (ordo_net_liars_sets(hosts, liars) <= MOST_SETS)
        return ORDO_OK;
    return ordo_error_set(
        error, ORDO_E_INVALID, 0,
        "--liars %d of %d hosts: more than %d possible sets of liars: allow fewer liars, or measure fewer hosts", liars,
        hosts, MOST_SETS);
}

static int prepare_port(const struct options *options, struct ordo_net_port *port, struct peers *peers,
                        struct ordo_error *error)
{
    int code = ordo_net_keys_read(&port->keys, options->key, error), family = AF_INET;
    if (!code)
        code = peers_read(peers, options->peers, error);
    if (!code)
        code = check_keys(&port->keys, peers, options->key, error);
    if (!code)
        code = check_liars(options, peers->count, error);
    for (int i = 0; !code && i < peers->count; i++)
        if (peers->address[i].socket.any.sa_family == AF_INET6)
            family = AF_INET6;
    if (!code && options->series.metrics)
        code = ordo_file_prepare(options->series.metrics, false, error);
    if (!code && options->series.svg)
        code = ordo_file_prepare_output(options->series.svg, error);
    return code ? code : ordo_net_socket_open(&port->socket, NULL, family, ORDO_NET_MONOTONIC, error);
}

/* Measures the hosts. Takes over the port. */
static int survey_hosts(struct options *options, struct ordo_net_port *port, const struct peers *peers,
                        const char *program)
{
    struct measured measured = {
        .name = peers->name, .options = &options->survey, .alarm = &options->alarm, .all_pairs = options->pairs};
    struct ordo_net_survey *survey =
        ordo_net_survey_new(port, peers->address, peers->key, peers->count, &options->survey);
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
    struct options options = {
        .window = "2s", .patience = "10s", .estimator = "svm", .every_us = 5000, .clear_after = 5};
    struct ordo_net_port port = {.socket = {.fd = -1}};
    struct peers peers = {0};
    struct ordo_error error = {0};
    options.survey = (struct ordo_net_survey_options){
        .peers = 10, .tolerance_ns = 2000, .rate_ppm = 500, .stamp_ns = 100, .seed = 1, .stopped = ending_asked};
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return estimators_list(argv[0]);
    int code = prepare_port(&options, &port, &peers, &error);
    if (code) {
        peers_free(&peers);
        return series_fail(argv[0], code, &error);
    }
    options.survey.name = peers.name;
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
