/* ordo-lab evaluate: a real daemon whose true error is known, because its server and its client read the same clock. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "common/command.h"
#include "common/options.h"
#include "lab/ordo-lab/evaluation.h"
#include "lab/ordo-lab/result.h"
#include "lab/ordo-lab/sandbox.h"

struct options {
    struct evaluation evaluation;
    const char *svg;
    int log2_rate;
    bool json, csv, list;
};

enum { SECONDS = 1, RATE, JSON, CSV, SVG, LIST };

static const struct argp_option argp_options[] = {
    {"seconds", SECONDS, "S", 0, "Seconds to run the daemon (default 30)", 1},
    {"rate", RATE, "N", 0, "Exchanges per second: 1, 2, 4, 8 or 16 (default 1)", 1},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-lab-evaluate/1)", 2},
    {"csv", CSV, NULL, 0, "Print figures, distribution and histogram as CSV", 2},
    {"svg", SVG, "FILE", 0, "Draw the distribution of the errors into FILE, with gnuplot", 2},
    {"list", LIST, NULL, 0, "List the daemons, and exit", 2},
    {0},
};

static const struct cli_store stores[] = {
    CLI_STORE(SECONDS, "--seconds", struct options, evaluation.seconds, 1, 86400),
    CLI_STORE(RATE, "--rate", struct options, evaluation.rate, 1, 16),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE(CSV, "--csv", struct options, csv),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    CLI_TEXT_STORE(SVG, "--svg", struct options, svg),
    {0},
};

static const char *daemons(void)
{
    static char names[400];
    names[0] = '\0';
    for (const struct ordo_net_daemon *const *at = ordo_net_daemons; *at; at++)
        cli_add_name(names, sizeof names, (*at)->name);
    return names;
}

static void name_daemon(struct options *options, const char *name, const struct argp_state *state)
{
    if (options->evaluation.daemon)
        cli_wrong(state, "'%.40s': one daemon at a time", name);
    options->evaluation.daemon = ordo_net_daemon_find(name);
    if (!options->evaluation.daemon)
        cli_wrong(state, "'%.40s' is not a daemon that can be run; take one of %s", name, daemons());
}

static void finish_evaluate(struct options *options, const struct argp_state *state)
{
    if (!options->evaluation.daemon)
        cli_wrong(state, "no daemon: name one of %s", daemons());
    if (options->json && options->csv)
        cli_wrong(state, "--json and --csv: only one of them can go to stdout: leave the other out");
    while (1 << options->log2_rate < options->evaluation.rate)
        options->log2_rate++;
    if (1 << options->log2_rate != options->evaluation.rate)
        cli_wrong(state, "--rate %d: not a power of 2: take 1, 2, 4, 8 or 16", options->evaluation.rate);
}

static error_t parse_evaluate(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_ARG)
        name_daemon(options, argument, state);
    else if (key == ARGP_KEY_END && !options->list)
        finish_evaluate(options, state);
    else if (key != ARGP_KEY_END)
        return cli_store(stores, key, argument, state);
    return 0;
}

static const struct argp argp = {
    argp_options,
    parse_evaluate,
    "DAEMON",
    "Runs a daemon of --list, such as Debian's chronyd or ptp4l, as a server and a client, joined by a virtual cable "
    "in network namespaces of their "
    "own, and judges the offsets that the client reports. Both ends read one clock, so the true offset is 0.\v"
    "No clock is set, and nothing is left behind. linuxptp reports one offset a second at every rate. "
    "Exit status: 0 measured; 2 could not tell: namespaces are not allowed here, the daemon is missing or ended early, "
    "or it reported nothing; 64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static void take_line(void *context, const char *line)
{
    struct evaluation *evaluation = context;
    double error_ns;
    if (evaluation->daemon->read(line, &error_ns))
        evaluation_take(evaluation, error_ns);
}

static int evaluate(struct options *options, struct ordo_error *error)
{
    struct evaluation *evaluation = &options->evaluation;
    const struct sandbox_plan plan = {evaluation->daemon, options->log2_rate, evaluation->seconds};
    int code = sandbox_run(&plan, take_line, evaluation, error);
    if (code)
        return code;
    if (evaluation->full)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    if (evaluation->count == 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%s reported no offset in %g s: run it for longer",
                              evaluation->daemon->program, evaluation->seconds);
    evaluation_end(evaluation);
    return ORDO_OK;
}

static int draw_evaluation(const struct options *options, struct ordo_error *error)
{
    static struct result result = {.count = 1};
    (void)snprintf(result.protocols[0].name, sizeof result.protocols[0].name, "%s",
                   options->evaluation.daemon->program);
    result.protocols[0].outcome.score = options->evaluation.score;
    return result_save_picture(&result, options->svg, error);
}

static int print_evaluation(const struct options *options)
{
    if (options->json)
        return evaluation_print_json(&options->evaluation);
    (options->csv ? evaluation_print_csv : evaluation_print_table)(&options->evaluation);
    return 0;
}

static int report_evaluation(const struct options *options, const char *program)
{
    struct ordo_error error = {0};
    if (options->svg && draw_evaluation(options, &error))
        return cli_fail(EXIT_INTERNAL, program, error.text);
    if (print_evaluation(options))
        return cli_fail(EXIT_INTERNAL, program, "out of memory, or stdout cannot be written");
    return cli_close_stdout(program);
}

static int list_daemons(const char *program)
{
    for (const struct ordo_net_daemon *const *at = ordo_net_daemons; *at; at++)
        printf("%-10s %s, of Debian's package %s\n", (*at)->name, (*at)->program, (*at)->package);
    return cli_close_stdout(program);
}

static int run_evaluate(int argc, char **argv)
{
    struct options options = {.evaluation = {.rate = 1, .seconds = 30}};
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return list_daemons(argv[0]);
    if (options.svg && ordo_file_prepare_output(options.svg, &error))
        return cli_fail(EXIT_INTERNAL, argv[0], error.text);
    int code =
        evaluate(&options, &error) ? cli_fail(EXIT_UNKNOWN, argv[0], error.text) : report_evaluation(&options, argv[0]);
    free(options.evaluation.errors_ns);
    return code;
}

const struct command command_evaluate = {
    .name = "evaluate",
    .title = "measure the error of a real NTP or PTP daemon",
    .schema = "ordo-lab-evaluate/1",
    .run = run_evaluate,
};
