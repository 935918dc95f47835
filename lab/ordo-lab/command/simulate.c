/* ordo-lab simulate: protocols on a simulated network, judged by its true clocks. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "common/command.h"
#include "common/options.h"
#include "common/progress.h"
#include "lab/ordo-lab/result.h"

struct options {
    struct result result;
    const char *shape, *traffic, *svg;
    double load;
    int delay_ns, asymmetry_ns, offset_ns, granule_ns, outlier_ns, buffer_kib;
    bool json, csv, list, quiet;
};

enum {
    HOSTS = 1,
    SHAPE,
    LOAD,
    TRAFFIC,
    SECONDS,
    SEED,
    GBPS,
    DELAY,
    ASYMMETRY,
    BUFFER,
    FAILING_LINKS,
    FAILING_NODES,
    OUTAGE,
    OFFSET,
    SKEW,
    WALK,
    SWING,
    GRANULE,
    NOISE,
    OUTLIERS,
    OUTLIER,
    JSON,
    CSV,
    SVG,
    LIST
};

static const struct argp_option argp_options[] = {
    {"hosts", HOSTS, "N", 0, "Hosts of the network (default 128)", 1},
    {"shape", SHAPE, "SHAPE", 0,
     "Shape of the network: star, chain, ring, tree, line, clos with two stages, or fat-tree with three (default clos)",
     1},
    {"load", LOAD, "P", 0, "Cross traffic at every port of a switch, in percent of its rate (default 40)", 1},
    {"traffic", TRAFFIC, "KIND", 0, "Cross traffic: poisson, bursty or incast (default poisson)", 1},
    {"seconds", SECONDS, "S", 0, "Seconds to simulate (default 10)", 1},
    {"seed", SEED, "N", 0, "Seed of all random numbers (default 1)", 1},
    {"gbps", GBPS, "R", 0, "Rate of every link, in Gbit/s (default 10)", 2},
    {"delay-ns", DELAY, "N", 0, "Delay of every link, including the switch at its end (default 500)", 2},
    {"asymmetry-ns", ASYMMETRY, "N", 0,
     "Largest constant extra delay of a direction of a link; each direction has its own (default 0)", 2},
    {"buffer-kib", BUFFER, "N", 0, "Buffer of every port of a switch (default 1024)", 2},
    {"failing-links", FAILING_LINKS, "N", 0,
     "Number of links that are cut for a while, in both directions, at random times (default 0)", 2},
    {"failing-nodes", FAILING_NODES, "N", 0,
     "Number of switches and hosts, except host 0, that are cut off for a while at random times (default 0)", 2},
    {"outage", OUTAGE, "S", 0, "Seconds for which each failing link or node is cut (default 1)", 2},
    {"offset-ns", OFFSET, "N", 0, "Largest offset of a clock at the start, plus or minus (default 100000)", 3},
    {"skew-ppb", SKEW, "N", 0, "Largest difference of a clock's mean rate from the true one (default 20000)", 3},
    {"walk-ppb", WALK, "N", 0, "Largest random walk of a clock's rate, plus or minus (default 5)", 3},
    {"swing-ppb", SWING, "N", 0, "Amplitude of the change of a clock's rate, with a period of 300 s (default 50)", 3},
    {"granule-ns", GRANULE, "N", 0, "Stamps are rounded down to a multiple of this (default 8)", 3},
    {"noise-ns", NOISE, "N", 0, "Standard deviation of a stamp's error (default 4)", 3},
    {"outliers", OUTLIERS, "P", 0, "Percent of the stamps that are outliers (default 0.1)", 3},
    {"outlier-ns", OUTLIER, "N", 0, "Largest error of an outlier, plus or minus; the errors are uniform (default 1000)",
     3},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-lab-simulate/1)", 4},
    {"csv", CSV, NULL, 0, "Print one line per protocol as CSV", 4},
    {"svg", SVG, "FILE", 0, "Draw the distributions of the errors into FILE, with gnuplot", 4},
    {"list", LIST, NULL, 0, "List the protocols with their options, and exit", 4},
    {"quiet", 'q', NULL, 0, "Show no progress bar", 4},
    {0},
};

static const struct cli_store stores[] = {
    CLI_STORE(HOSTS, "--hosts", struct options, result.network.hosts, 2, 4096),
    CLI_TEXT_STORE(SHAPE, "--shape", struct options, shape),
    CLI_STORE(LOAD, "--load", struct options, load, 0, 99),
    CLI_TEXT_STORE(TRAFFIC, "--traffic", struct options, traffic),
    CLI_STORE(SECONDS, "--seconds", struct options, result.network.seconds, 0.01, 86400),
    CLI_STORE(SEED, "--seed", struct options, result.network.traffic.seed, 0, INT32_MAX),
    CLI_STORE(GBPS, "--gbps", struct options, result.network.traffic.gbps, 0.01, 1000),
    CLI_STORE(DELAY, "--delay-ns", struct options, delay_ns, 1, 1000000000),
    CLI_STORE(ASYMMETRY, "--asymmetry-ns", struct options, asymmetry_ns, 0, 1000000000),
    CLI_STORE(BUFFER, "--buffer-kib", struct options, buffer_kib, 2, 1000000),
    CLI_STORE(FAILING_LINKS, "--failing-links", struct options, result.network.failing_links, 0, 100),
    CLI_STORE(FAILING_NODES, "--failing-nodes", struct options, result.network.failing_nodes, 0, 100),
    CLI_STORE(OUTAGE, "--outage", struct options, result.network.outage_s, 0, 86400),
    CLI_STORE(OFFSET, "--offset-ns", struct options, offset_ns, 0, 1000000000),
    CLI_STORE(SKEW, "--skew-ppb", struct options, result.network.clock.skew_ppb, 0, 400000),
    CLI_STORE(WALK, "--walk-ppb", struct options, result.network.clock.walk_ppb, 0, 10000),
    CLI_STORE(SWING, "--swing-ppb", struct options, result.network.clock.swing_ppb, 0, 10000),
    CLI_STORE(GRANULE, "--granule-ns", struct options, granule_ns, 1, 1000000),
    CLI_STORE(NOISE, "--noise-ns", struct options, result.network.clock.noise_ns, 0, 1000000),
    CLI_STORE(OUTLIERS, "--outliers", struct options, result.network.clock.outlier_chance, 0, 100),
    CLI_STORE(OUTLIER, "--outlier-ns", struct options, outlier_ns, 0, 1000000),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE(CSV, "--csv", struct options, csv),
    CLI_TEXT_STORE(SVG, "--svg", struct options, svg),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    CLI_FLAG_STORE('q', "--quiet", struct options, quiet),
    {0},
};

/* Returns the index of a name in a list of names, or fails with a usage error. */
static int place(const struct argp_state *state, const char *option, const char *text, const char *(*name)(int),
                 const char *known)
{
    for (int i = 0; name(i); i++)
        if (strcmp(text, name(i)) == 0)
            return i;
    cli_wrong(state, "%s %.40s: not one of %s", option, text, known);
}

static void add_protocols(struct result *result, char *list, const struct argp_state *state)
{
    struct ordo_error error;
    for (char *one; (one = strsep(&list, ","));) {
        if (result->count == RESULT_MOST)
            cli_wrong(state, "more than %d protocols: leave some out", RESULT_MOST);
        struct protocol_result *protocol = &result->protocols[result->count++];
        if (ordo_net_choice_parse(&protocol->choice, one, &error))
            cli_wrong(state, "%s", error.text);
        (void)snprintf(protocol->name, sizeof protocol->name, "%s", one);
    }
}

static void finish_simulate(struct options *options, struct argp_state *state)
{
    struct ordo_net_options *network = &options->result.network;
    network->shape = (enum ordo_net_shape_kind)place(state, "--shape", options->shape, ordo_net_shape_name,
                                                     "star, chain, ring, tree, clos, line, fat-tree");
    network->traffic.kind = (enum ordo_net_traffic_kind)place(state, "--traffic", options->traffic,
                                                              ordo_net_traffic_name, "poisson, bursty, incast");
    network->traffic.load = options->load / 100;
    network->traffic.buffer_bytes = options->buffer_kib * INT64_C(1024);
    network->delay_ns = options->delay_ns;
    network->asymmetry_ns = options->asymmetry_ns;
    network->clock.offset_ns = options->offset_ns;
    network->clock.granule_ns = options->granule_ns;
    network->clock.outlier_ns = options->outlier_ns;
    network->clock.outlier_chance /= 100;
    if (options->result.count == 0)
        cli_wrong(state, "no protocol: name some, such as huygens,ntp");
    if (options->json && options->csv)
        cli_wrong(state, "--json and --csv: only one of them can go to stdout: leave the other out");
}

static error_t parse_simulate(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_ARG) {
        add_protocols(&options->result, argument, state);
        return 0;
    }
    if (key == ARGP_KEY_END && !options->list)
        finish_simulate(options, state);
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_simulate,
    "PROTOCOL[,PROTOCOL...]",
    "Runs clock synchronisation protocols on a simulated packet network, all with the same traffic, and compares their "
    "claims with the true clocks.\vA protocol is a name of --list, followed by its options, each after a colon, as in "
    "huygens:estimator=lp:peers=4. Exit status: 0 every bound held; 1 a bound is broken, or a counter runs faster than "
    "any oscillator may; 2 a protocol claimed nothing, and is left out of the result; 64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static struct options defaults(void)
{
    struct options options = {.result.network = ordo_net_defaults(), .shape = "clos", .traffic = "poisson"};
    const struct ordo_net_options *network = &options.result.network;
    options.load = network->traffic.load * 100;
    options.buffer_kib = (int)(network->traffic.buffer_bytes / 1024);
    options.delay_ns = (int)network->delay_ns;
    options.asymmetry_ns = (int)network->asymmetry_ns;
    options.offset_ns = (int)network->clock.offset_ns;
    options.granule_ns = (int)network->clock.granule_ns;
    options.outlier_ns = (int)network->clock.outlier_ns;
    options.result.network.clock.outlier_chance *= 100;
    return options;
}

/* Simulates all protocols. Continues with the next one if a protocol claims nothing. */
static int simulate_protocols(struct options *options, struct ordo_error *error)
{
    struct result *result = &options->result;
    struct progress progress;
    int code = ORDO_OK;
    progress_begin(&progress, options->quiet);
    for (int i = 0; i < result->count && (!code || code == ORDO_E_MEASURE); i++) {
        struct protocol_result *protocol = &result->protocols[i];
        progress_show(&progress, (double)i / result->count, protocol->name);
        code = protocol->choice.protocol->run(&result->network, &protocol->choice, &protocol->outcome, error);
        if (code)
            protocol->error = *error;
    }
    progress_end(&progress);
    return code == ORDO_E_MEASURE ? ORDO_OK : code;
}

/* Removes the protocols that claimed nothing from the result, and prints a line for each. Returns EXIT_UNKNOWN if there
 * were any. */
static int leave_out(struct result *result, const char *program)
{
    int kept = 0;
    const char *why = NULL;
    struct ordo_error last;
    for (int i = 0; i < result->count; i++) {
        if (!result->protocols[i].error.code) {
            result->protocols[kept++] = result->protocols[i];
            continue;
        }
        if (why)
            cli_warn(program, why);
        last = result->protocols[i].error;
        why = last.text;
    }
    result->count = kept;
    if (why && kept > 0)
        cli_warn(program, why);
    return !why ? EXIT_OK : kept > 0 ? EXIT_UNKNOWN : cli_fail(EXIT_UNKNOWN, program, why);
}

static int print_results(const struct options *options)
{
    if (options->json)
        return result_print_json(&options->result);
    (options->csv ? result_print_csv : result_print_table)(&options->result);
    return 0;
}

static int verdict(const struct result *result)
{
    for (int i = 0; i < result->count; i++) {
        const struct ordo_net_outcome *outcome = &result->protocols[i].outcome;
        if (!outcome->score.bound_held || (outcome->has_counters && !outcome->counters.rate_held))
            return EXIT_FAILS;
    }
    return EXIT_OK;
}

static int list_protocols(const char *program)
{
    char takes[ORDO_NET_OPTIONS_TEXT];
    for (const struct ordo_net_protocol *const *at = ordo_net_protocols; *at; at++) {
        ordo_net_protocol_options(*at, takes);
        printf("%-8s %s\n%8s %s\n", (*at)->name, (*at)->title, "", takes);
    }
    return cli_close_stdout(program);
}

static int run_simulate(int argc, char **argv)
{
    struct options options = defaults();
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return list_protocols(argv[0]);
    if (options.svg && ordo_file_prepare_output(options.svg, &error))
        return cli_fail(EXIT_INTERNAL, argv[0], error.text);
    int code = simulate_protocols(&options, &error);
    if (code)
        return cli_fail(code == ORDO_E_INVALID ? EXIT_USAGE : EXIT_INTERNAL, argv[0], error.text);
    int unknown = leave_out(&options.result, argv[0]);
    if (options.result.count == 0)
        return unknown;
    if (options.svg && result_save_picture(&options.result, options.svg, &error))
        return cli_fail(EXIT_INTERNAL, argv[0], error.text);
    if (print_results(&options))
        return cli_fail(EXIT_INTERNAL, argv[0], "out of memory, or stdout cannot be written");
    code = cli_close_stdout(argv[0]);
    code = code ? code : verdict(&options.result);
    return code ? code : unknown;
}

const struct command command_simulate = {
    .name = "simulate",
    .title = "compare protocols on a simulated network",
    .schema = "ordo-lab-simulate/1",
    .run = run_simulate,
};
