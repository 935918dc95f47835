/* ordo-net measure: measures the offsets between the clocks of hosts, by probes between their agents. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "common/command.h"
#include "common/options.h"
#include "net/graph/liars.h"
#include "net/live/prober.h"
#include "ordo-net/ending.h"
#include "ordo-net/estimators.h"
#include "ordo-net/measured.h"
#include "ordo-net/peers.h"

struct options {
    const char *peers, *key, *window, *patience, *metrics, *estimator;
    struct ordo_net_survey_options survey;
    int every_us, windows;
    bool follow, json, list;
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
    {"follow", FOLLOW, NULL, 0, "Continue until a signal comes, and print one line for each window", 4},
    {"windows", WINDOWS, "N", 0, "Like --follow, but end after N windows", 4},
    {"metrics", METRICS, "FILE", 0, "Write the latest metrics to FILE, in the text format of Prometheus", 4},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-measure/1); each window is one line", 4},
    {"list", LIST, NULL, 0, "List the estimators, and exit", 4},
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
    CLI_FLAG_STORE(FOLLOW, "--follow", struct options, follow),
    CLI_STORE(WINDOWS, "--windows", struct options, windows, 1, 1000000000),
    CLI_TEXT_STORE(METRICS, "--metrics", struct options, metrics),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
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
    options->follow = options->follow || options->windows;
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
    "promises are kept. No clock is set.\vExit status: 0 every host answered, and its offset is proved; 1 the "
    "intervals of edges contradict each other, so that a host lies or a promise was broken; 2 a host did not answer or "
    "was too slow, or its offset is not proved; 64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static double now_real_s(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int print_measured(const struct options *options, const struct measured *measured)
{
    if (options->json)
        return measured_print_json(measured, options->follow);
    (options->follow ? measured_print_line : measured_print_table)(measured);
    return fflush(stdout);
}

/* Measures one window, and prints the result. In a series of windows, an error ORDO_E_MEASURE, such as a silent
 * reference, only gives a warning. */
static int take_window(const struct options *options, struct ordo_net_survey *survey, struct measured *measured,
                       const char *program, struct ordo_error *error)
{
    int code = ordo_net_survey_window(survey, &measured->result, error);
    measured->windows++;
    measured->at_s = now_real_s();
    if (code) {
        measured->result = (struct ordo_net_survey_result){.sound = true};
        measured->failed++;
    }
    if (code == ORDO_E_MEASURE && options->follow)
        cli_warn(program, error->text);
    if (options->metrics && code != ORDO_E_CANCELLED) {
        struct ordo_error trouble;
        if (measured_write_metrics(measured, options->metrics, &trouble))
            cli_warn(program, trouble.text);
    }
    if (!code && print_measured(options, measured))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory, or stdout cannot be written");
    return code;
}

static int fail(const char *program, int code, const struct ordo_error *error)
{
    return cli_fail(code == ORDO_E_INVALID                               ? EXIT_USAGE
                    : code == ORDO_E_MEASURE || code == ORDO_E_CANCELLED ? EXIT_UNKNOWN
                                                                         : EXIT_INTERNAL,
                    program, error->text);
}

static int measure_windows(const struct options *options, struct ordo_net_survey *survey, struct measured *measured,
                           const char *program)
{
    struct ordo_error error = {0};
    int code = take_window(options, survey, measured, program, &error), worst = EXIT_UNKNOWN;
    if (!code)
        worst = measured_verdict(measured);
    while (options->follow && (!code || code == ORDO_E_MEASURE) && !ending_asked() &&
           (!options->windows || measured->windows < (uint64_t)options->windows)) {
        code = take_window(options, survey, measured, program, &error);
        if (!code)
            worst = measured_verdict(measured);
    }
    if (options->follow && ending_asked() && (!code || code == ORDO_E_CANCELLED))
        return EXIT_OK;
    return code && !(options->follow && code == ORDO_E_MEASURE) ? fail(program, code, &error) : worst;
}

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
    if (!code && options->metrics)
        code = ordo_file_prepare(options->metrics, false, error);
    return code ? code : ordo_net_socket_open(&port->socket, NULL, family, ORDO_NET_MONOTONIC, error);
}

static int run_measure(int argc, char **argv)
{
    struct options options = {.window = "2s", .patience = "10s", .estimator = "svm", .every_us = 5000};
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
        return fail(argv[0], code, &error);
    }
    options.survey.name = peers.name;
    ending_heed();
    struct ordo_net_survey *survey = ordo_net_survey_new(&port, peers.address, peers.key, peers.count, &options.survey);
    ordo_net_keys_forget(&port.keys);
    if (survey) {
        struct measured measured = {.name = peers.name, .options = &options.survey};
        code = measure_windows(&options, survey, &measured, argv[0]);
        ending_begin();
        ordo_net_survey_end(survey, ending_asked_anew);
        ordo_net_survey_free(survey);
    } else {
        code = cli_fail(EXIT_INTERNAL, argv[0], "out of memory");
    }
    peers_free(&peers);
    return code;
}

const struct command command_measure = {
    .name = "measure",
    .title = "measure how far apart the clocks of hosts are",
    .schema = "ordo-measure/1",
    .run = run_measure,
};
