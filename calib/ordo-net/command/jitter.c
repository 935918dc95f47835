/* ordo-net jitter: the jitter of a clock signal. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/jitter.h"
#include "base/plural.h"
#include "common/command.h"
#include "common/options.h"
#include "ordo-net/capture.h"
#include "ordo-net/edges.h"
#include "json/builder.h"

struct options {
    const char *path;
    struct edges_options edges;
    bool json, list;
    uint64_t cycles; /* 0: the program chooses */
    double absolute_ps, period_ps, span_ps;
};

enum { PERIODS = 1, UNIT, SOURCE, CLEAR, CYCLES, ABSOLUTE, PERIOD, SPAN, JSON, LIST };

/* The findings about a clock. If no clock was measured, the findings are the given values and the values that follow
 * from them. */
struct findings {
    bool measured;
    struct ordo_jitter jitter;
    struct ordo_jitter_edges line;
    struct ordo_whiteness white;
    struct edges edges; /* without late_fs */
    double absolute_ps, period_ps, span_ps;
};

static const struct argp_option argp_options[] = {
    {"periods", PERIODS, NULL, 0, "The numbers of a list are periods, not times of edges", 1},
    {"unit", UNIT, "UNIT", 0, "The unit of a list: s, ms, us, ns or ps (default ps)", 1},
    {"source", SOURCE, "NAME", 0, "Of a capture with several sources, take only the edges of this one", 1},
    {"clear", CLEAR, NULL, 0, "Take the trailing edges of pulses (clear), if both edges are recorded", 1},
    {"span-cycles", CYCLES, "N", 0, "Cycles over which the absolute jitter adds up (default: a hundredth of all)", 1},
    {"absolute-ps", ABSOLUTE, "S", 0, "Without a file: convert this absolute jitter", 2},
    {"period-ps", PERIOD, "T", 0, "Without a file: the period of this clock", 2},
    {"span-ps", SPAN, "D", 0,
     "Without a file: the time over which the absolute jitter adds up; the noise is assumed to be white", 2},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-jitter/1)", 3},
    {"list", LIST, NULL, 0, "List the forms of captures, and exit", 3},
    {0},
};

static const struct cli_store stores[] = {
    CLI_FLAG_STORE(PERIODS, "--periods", struct options, edges.periods),
    CLI_TEXT_STORE(UNIT, "--unit", struct options, edges.unit),
    CLI_TEXT_STORE(SOURCE, "--source", struct options, edges.source),
    CLI_FLAG_STORE(CLEAR, "--clear", struct options, edges.clear),
    CLI_STORE(CYCLES, "--span-cycles", struct options, cycles, 1, 1000000000),
    CLI_STORE(ABSOLUTE, "--absolute-ps", struct options, absolute_ps, 1e-6, 1e15),
    CLI_STORE(PERIOD, "--period-ps", struct options, period_ps, 1e-6, 1e15),
    CLI_STORE(SPAN, "--span-ps", struct options, span_ps, 1e-6, 1e15),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    {0},
};

static void finish_jitter(const struct options *options, const struct argp_state *state)
{
    if (options->list)
        return;
    if (!edges_unit(options->edges.unit))
        cli_wrong(state, "--unit %.40s: not one of s, ms, us, ns, ps", options->edges.unit);
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
    "Measures the jitter of a clock signal from the times of its edges in FILE ('-' for stdin). FILE is a list with a "
    "number on each line, by default in ps with up to three decimals (text after '#' is ignored); or what a tool of "
    "--list recorded, which is recognised by its content. Absolute jitter is the standard deviation of the sum over a "
    "span of cycles; cycle jitter and cycle-to-cycle jitter are those of single periods. Then converts absolute jitter "
    "to the other two kinds, as in IBM RZ 3604 (equations 4 and 5), unless the periods are not white noise (Ljung-Box "
    "test over 20 lags). If pulses are missing, says how many, and closes the gaps.\vExit status: 0 measured, and the "
    "conversion is valid; 1 the conversion is not valid; 2 fewer than 100 periods, or fewer than twice the span; 64 "
    "usage, or a wrong file; 70 internal.",
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
    ordo_json_put_text(&object, "form", findings->edges.form);
    ordo_json_put_text(&object, "source", *findings->edges.source ? findings->edges.source : NULL);
    ordo_json_put_int(&object, "missing_edges", (int64_t)findings->edges.missing);
    ordo_json_put_int(&object, "ignored_lines", (int64_t)findings->edges.ignored);
    ordo_json_put_int(&object, "periods", (int64_t)findings->jitter.periods);
    ordo_json_put_real(&object, "edge_rms_ps", findings->line.rms_fs * 1e-3);
    ordo_json_put_real(&object, "edge_peak_ps", findings->line.peak_fs * 1e-3);
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
    struct ordo_json document = ordo_json_document("ordo-jitter/1");
    ordo_json_put_real(&document, "period_ps", findings->period_ps);
    ordo_json_put_real(&document, "span_ps", findings->span_ps);
    ordo_json_put_real(&document, "absolute_ps", findings->absolute_ps);
    if (findings->measured)
        ordo_json_put(&document, "measured", measured_of(findings));
    if (is_convertible(findings))
        ordo_json_put(&document, "converted", converted_of(findings));
    return ordo_json_write(&document, stdout);
}

/* Prints the form and the source of the edges, unless they are a complete list. */
static void print_capture(const struct edges *edges)
{
    bool is_list = strcmp(edges->form, "list") == 0;
    if (is_list && edges->missing == 0)
        return;
    printf("%s%s%s: %zu edges", edges->form, *edges->source ? " " : "", cli_show(edges->source), edges->count);
    if (!is_list)
        printf(", %zu line%s without an edge", edges->ignored, ordo_plural((int64_t)edges->ignored));
    if (edges->missing > 0)
        printf(", %zu edge%s missing", edges->missing, ordo_plural((int64_t)edges->missing));
    printf("\n");
}

static void print_jitter_kind(const char *name, double cycle, double cycle_to_cycle)
{
    printf("%-26s %12.2f %18.2f\n", name, cycle, cycle_to_cycle);
}

static void print_whiteness(const struct ordo_whiteness *white)
{
    printf("%s: Ljung-Box %.1f over %d lags, up to %.1f of one in a thousand; neighbours correlate by %+.2f\n",
           white->is_white ? "white" : "NOT WHITE, so no conversion", white->statistic, ORDO_WHITENESS_LAGS,
           white->limit, white->neighbours);
}

/* Prints times in ns if the period is at least a millisecond, as with pulses, and else in ps. */
static void print_jitter(const struct findings *findings)
{
    const struct ordo_jitter *jitter = &findings->jitter;
    bool slow = findings->period_ps >= 1e9;
    double unit_ps = slow ? 1e3 : 1, unit_fs = 1e3 * unit_ps;
    const char *unit = slow ? "ns" : "ps";
    if (findings->measured) {
        print_capture(&findings->edges);
        printf("%zu periods of %.*f %s; jitter over %zu of them %.2f %s\n", jitter->periods, slow ? 6 : 3,
               findings->period_ps / unit_ps, unit, jitter->span, findings->absolute_ps / unit_ps, unit);
    } else
        printf("period %.3f ps; jitter over %.3f ps %.2f ps, assuming white noise\n", findings->period_ps,
               findings->span_ps, findings->absolute_ps);
    printf("jitter, %-18s %12s %18s\n", unit, "cycle", "cycle to cycle");
    if (findings->measured)
        print_jitter_kind("measured", jitter->cycle_fs / unit_fs, jitter->cycle_to_cycle_fs / unit_fs);
    if (is_convertible(findings))
        print_jitter_kind("converted from absolute", converted_cycle(findings) / unit_ps,
                          converted_cycle_to_cycle(findings) / unit_ps);
    if (!findings->measured)
        return;
    printf("edges, from a straight line: %.2f %s (root of mean squares), %.2f %s from the earliest to the latest\n",
           findings->line.rms_fs / unit_fs, unit, findings->line.peak_fs / unit_fs, unit);
    print_whiteness(&findings->white);
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
    findings->edges = *edges;
    findings->edges.late_fs = NULL;
    findings->jitter = ordo_jitter_of(edges->late_fs, edges->count, span);
    findings->line = ordo_jitter_edges(edges->late_fs, edges->count);
    findings->white = ordo_jitter_whiteness(edges->late_fs, edges->count);
    findings->absolute_ps = findings->jitter.absolute_fs * 1e-3;
    findings->period_ps = ((double)edges->base_fs + findings->jitter.period_fs) * 1e-3;
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
    int code = edges_read(&edges, options->path, &options->edges, error);
    if (code)
        return code;
    code = measure_edges(findings, &edges, options, error);
    edges_free(&edges);
    return code;
}

static int run_jitter(int argc, char **argv)
{
    struct options options = {.edges.unit = "ps"};
    struct findings findings;
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    if (options.list) {
        capture_list();
        return cli_close_stdout(argv[0]);
    }
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
    .schema = "ordo-jitter/1",
    .run = run_jitter,
};
