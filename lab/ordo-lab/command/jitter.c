/* ordo-lab jitter: the jitter of a clock signal. */
#include <errno.h>
#include <stdio.h>

#include "base/jitter.h"
#include "base/plural.h"
#include "common/command.h"
#include "common/options.h"
#include "lab/ordo-lab/edges.h"
#include "json/builder.h"

struct options {
    const char *path;
    bool periods, json;
    uint64_t cycles; /* 0: the program chooses */
    double absolute_ps, period_ps, span_ps;
};

enum { PERIODS = 1, CYCLES, ABSOLUTE, PERIOD, SPAN, JSON };

/* The findings about a clock. If no clock was measured, the findings are the given values and the values that follow
 * from them. */
struct findings {
    bool measured;
    struct ordo_jitter jitter;
    struct ordo_whiteness white;
    double absolute_ps, period_ps, span_ps;
};

static const struct argp_option argp_options[] = {
    {"periods", PERIODS, NULL, 0, "The numbers are periods, not times of edges", 1},
    {"span-cycles", CYCLES, "N", 0, "Cycles over which the absolute jitter adds up (default: a hundredth of all)", 1},
    {"absolute-ps", ABSOLUTE, "S", 0, "Without a file: convert this absolute jitter", 2},
    {"period-ps", PERIOD, "T", 0, "Without a file: the period of this clock", 2},
    {"span-ps", SPAN, "D", 0,
     "Without a file: the time over which the absolute jitter adds up; the noise is assumed to be white", 2},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-lab-jitter/1)", 3},
    {0},
};

static const struct cli_store stores[] = {
    CLI_FLAG_STORE(PERIODS, "--periods", struct options, periods),
    CLI_STORE(CYCLES, "--span-cycles", struct options, cycles, 1, 1000000000),
    CLI_STORE(ABSOLUTE, "--absolute-ps", struct options, absolute_ps, 1e-6, 1e15),
    CLI_STORE(PERIOD, "--period-ps", struct options, period_ps, 1e-6, 1e15),
    CLI_STORE(SPAN, "--span-ps", struct options, span_ps, 1e-6, 1e15),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    {0},
};

static void finish_jitter(const struct options *options, const struct argp_state *state)
{
    int given = (options->absolute_ps > 0) + (options->period_ps > 0) + (options->span_ps > 0);
    if (options->path ? given > 0 : given < 3)
        cli_wrong(state, "give a file, or all of --absolute-ps, --period-ps and --span-ps");
    if (!options->path && options->span_ps < options->period_ps)
        cli_wrong(state, "--span-ps %g: shorter than a period", options->span_ps);
}

static error_t parse_jitter(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_ARG) {
        if (options->path)
            cli_wrong(state, "'%.60s': one file only", argument);
        options->path = argument;
        return 0;
    }
    if (key == ARGP_KEY_END)
        finish_jitter(options, state);
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_jitter,
    "[FILE]",
    "Measures the jitter of a clock signal from the times of its edges, a number in ps on each line of FILE, with up "
    "to three decimals ('-' for stdin; text after '#' is ignored): absolute jitter, the standard deviation of the sum "
    "over a span of cycles; cycle jitter; and cycle-to-cycle jitter. Then converts absolute jitter to the other two "
    "kinds, as in IBM RZ 3604 (equations 4 and 5), unless the periods are not white noise (Ljung-Box test over 20 "
    "lags).\vExit status: 0 measured, and the conversion is valid; 1 the conversion is not valid; 2 fewer than 100 "
    "periods, or fewer than twice the span; 64 usage, or a wrong file; 70 internal.",
    NULL,
    NULL,
    NULL};

static bool is_convertible(const struct findings *findings)
{
    return !findings->measured || findings->white.is_white;
}

static double converted_cycle(const struct findings *findings)
{
    return ordo_jitter_cycle(findings->absolute_ps, findings->period_ps, findings->span_ps);
}

static double converted_cycle_to_cycle(const struct findings *findings)
{
    return ordo_jitter_cycle_to_cycle(findings->absolute_ps, findings->period_ps, findings->span_ps);
}

static struct ordo_json measured_of(const struct findings *findings)
{
    const struct ordo_whiteness *white = &findings->white;
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "periods", (int64_t)findings->jitter.periods);
    ordo_json_put_int(&object, "span_cycles", (int64_t)findings->jitter.span);
    ordo_json_put_real(&object, "cycle_ps", findings->jitter.cycle_fs * 1e-3);
    ordo_json_put_real(&object, "cycle_to_cycle_ps", findings->jitter.cycle_to_cycle_fs * 1e-3);
    ordo_json_put_real(&object, "ljung_box", white->statistic);
    ordo_json_put_real(&object, "ljung_box_limit", white->limit);
    ordo_json_put_real(&object, "neighbours_correlation", white->neighbours);
    ordo_json_put_bool(&object, "white", white->is_white);
    return object;
}

static struct ordo_json converted_of(const struct findings *findings)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "cycle_ps", converted_cycle(findings));
    ordo_json_put_real(&object, "cycle_to_cycle_ps", converted_cycle_to_cycle(findings));
    return object;
}

static int print_jitter_json(const struct findings *findings)
{
    struct ordo_json document = ordo_json_document("ordo-lab-jitter/1");
    ordo_json_put_real(&document, "period_ps", findings->period_ps);
    ordo_json_put_real(&document, "span_ps", findings->span_ps);
    ordo_json_put_real(&document, "absolute_ps", findings->absolute_ps);
    if (findings->measured)
        ordo_json_put(&document, "measured", measured_of(findings));
    if (is_convertible(findings))
        ordo_json_put(&document, "converted", converted_of(findings));
    return ordo_json_write(&document, stdout);
}

static void print_jitter(const struct findings *findings)
{
    const struct ordo_jitter *jitter = &findings->jitter;
    const struct ordo_whiteness *white = &findings->white;
    if (findings->measured)
        printf("%zu periods of %.3f ps; jitter over %zu of them %.2f ps\n", jitter->periods, findings->period_ps,
               jitter->span, findings->absolute_ps);
    else
        printf("period %.3f ps; jitter over %.3f ps %.2f ps, assuming white noise\n", findings->period_ps,
               findings->span_ps, findings->absolute_ps);
    printf("%-26s %12s %18s\n", "jitter, ps", "cycle", "cycle to cycle");
    if (findings->measured)
        printf("%-26s %12.2f %18.2f\n", "measured", jitter->cycle_fs * 1e-3, jitter->cycle_to_cycle_fs * 1e-3);
    if (is_convertible(findings))
        printf("%-26s %12.2f %18.2f\n", "converted from absolute", converted_cycle(findings),
               converted_cycle_to_cycle(findings));
    if (!findings->measured)
        return;
    printf("%s: Ljung-Box %.1f over %d lags, up to %.1f of one in a thousand; neighbours correlate by %+.2f\n",
           white->is_white ? "white" : "NOT WHITE, so no conversion", white->statistic, ORDO_WHITENESS_LAGS,
           white->limit, white->neighbours);
}

static int measure_edges(struct findings *findings, const struct edges *edges, const struct options *options,
                         struct ordo_error *error)
{
    size_t periods = edges->count > 0 ? edges->count - 1 : 0, span = options->cycles;
    if (span == 0)
        span = periods / 100;
    if (periods < ORDO_WHITENESS_LEAST)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%s: %zu period%s: give at least %d", options->path, periods,
                              ordo_plural((int64_t)periods), ORDO_WHITENESS_LEAST);
    if (periods < 2 * span)
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "%s: %zu periods for a span of %zu: give at least twice the span, or a shorter --span-cycles",
            options->path, periods, span);
    findings->measured = true;
    findings->jitter = ordo_jitter_of(edges->fs, edges->count, span);
    findings->white = ordo_jitter_whiteness(edges->fs, edges->count);
    findings->absolute_ps = findings->jitter.absolute_fs * 1e-3;
    findings->period_ps = findings->jitter.period_fs * 1e-3;
    findings->span_ps = findings->period_ps * (double)span;
    return ORDO_OK;
}

static int find_jitter(struct findings *findings, const struct options *options, struct ordo_error *error)
{
    struct edges edges;
    *findings = (struct findings){
        .absolute_ps = options->absolute_ps, .period_ps = options->period_ps, .span_ps = options->span_ps};
    if (!options->path)
        return ORDO_OK;
    int code = edges_read(&edges, options->path, options->periods, error);
    if (code)
        return code;
    code = measure_edges(findings, &edges, options, error);
    edges_free(&edges);
    return code;
}

static int run_jitter(int argc, char **argv)
{
    struct options options = {0};
    struct findings findings;
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    int code = find_jitter(&findings, &options, &error);
    if (code == ORDO_E_MEASURE)
        return cli_fail(EXIT_UNKNOWN, argv[0], error.text);
    if (code)
        return cli_fail(error.sys_errno == ENOMEM ? EXIT_INTERNAL : EXIT_USAGE, argv[0], error.text);
    if (options.json && print_jitter_json(&findings))
        return cli_fail_output(argv[0]);
    if (!options.json)
        print_jitter(&findings);
    code = cli_close_stdout(argv[0]);
    return code ? code : is_convertible(&findings) ? EXIT_OK : EXIT_FAILS;
}

const struct command command_jitter = {
    .name = "jitter",
    .title = "measure the jitter of a clock signal",
    .schema = "ordo-lab-jitter/1",
    .run = run_jitter,
};
