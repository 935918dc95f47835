/* ordo-bench trace: measures the cost of recording an event, and the speed of correcting a trace. */
#include <stdio.h>

#include "common/command.h"
#include "report.h"
#include "trace/correcting.h"
#include "trace/recording.h"

enum { CORRECTIONS = 4 };

struct trace_options {
    struct bench_options common;
    uint64_t events;
};

struct run {
    struct trace_options options;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct bench_report report;
};

static struct ordo_json correcting_extras(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct correcting *correcting = cell->variant->context;
    struct ordo_json object = ordo_json_object();
    double events = (double)cell->ops;
    (void)set;
    ordo_json_put_int(&object, "events", (int64_t)correcting->made->events);
    ordo_json_put_real(&object, "bytes_per_event", correcting->made->bytes_per_event);
    ordo_json_put_real(&object, "user_ns_per_event", 1e3 * (double)cell->counters[CORRECTING_USER_US] / events);
    ordo_json_put_real(&object, "system_ns_per_event", 1e3 * (double)cell->counters[CORRECTING_SYSTEM_US] / events);
    return object;
}

static int measure_variants(struct run *run, const struct bench_variant *variants, int count, bench_extras *extras,
                            struct ordo_error *error)
{
    struct bench_set set = {0};
    int code = bench_measure(&set, variants, count, &run->machine, &run->options.common, error);
    if (!code) {
        bench_report_set(&run->report, &set, extras);
        for (int i = 0; i < run->options.common.thread_counts; i++) {
            int threads = run->options.common.threads[i];
            bench_report_ratio(&run->report, &set, "record/" ORDO_CLOCK_NAME, threads, "read-exit", threads);
            bench_report_ratio(&run->report, &set, "correct-interval", threads, "correct-linear", threads);
            bench_report_ratio(&run->report, &set, "correct-causal", threads, "correct-interval", threads);
        }
    }
    bench_free(&set);
    return code;
}

static int measure_record(struct run *run, struct ordo_error *error)
{
    struct bench_variant variants[RECORDING_VARIANTS];
    recording_variants(variants);
    return measure_variants(run, variants, RECORDING_VARIANTS, NULL, error);
}

static int measure_correct(struct run *run, struct ordo_error *error)
{
    static const struct {
        const char *algorithm, *method;
        bool causal;
    } all[CORRECTIONS] = {{"correct-linear", "linear", false},
                          {"correct-spline", "spline", false},
                          {"correct-interval", "interval", false},
                          {"correct-causal", "interval", true}};
    struct correcting correcting[CORRECTIONS];
    struct bench_variant variants[CORRECTIONS];
    struct made_trace made;
    int code = made_trace_open(&made, run->options.events, error);
    for (int i = 0; i < CORRECTIONS; i++)
        correcting_variant(&correcting[i], &made, all[i].algorithm, all[i].method, all[i].causal, &variants[i]);
    if (!code)
        code = measure_variants(run, variants, CORRECTIONS, correcting_extras, error);
    made_trace_close(&made);
    return code;
}

enum key { KEY_EVENTS = 512 };

static error_t parse_trace(int key, char *argument, struct argp_state *state)
{
    struct trace_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_EVENTS:
        options->events = cli_number(state, "--events", argument, 2, 1000000000);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp trace_argp = {
    .options =
        (const struct argp_option[]){
            {"events", KEY_EVENTS, "N", 0, "Events of the trace that is corrected (default 200000)", 0},
            {0},
        },
    .parser = parse_trace,
    .children = (const struct argp_child[]){{&bench_options_argp, 0, NULL, 0}, {0}},
    .doc = "Measures the cost of recording an event, and the speed of correcting traces.",
};

static int run_trace(int argc, char **argv)
{
    struct run run = {.options = {.common = BENCH_OPTIONS_DEFAULT, .events = 200000}};
    struct ordo_error error = {0};
    cli_parse(&trace_argp, argc, argv, &run.options);
    if (run.options.common.thread_counts == 0)
        run.options.common.threads[run.options.common.thread_counts++] = 1; /* one thread corrects */
    int code = bench_machine_open(&run.machine, &run.options.common, &error);
    if (!code)
        code = bench_boundary_open(&run.boundary, &run.options.common, &error);
    if (!code) {
        bench_report_begin(&run.report, stdout, "trace", &run.machine, &run.options.common, &run.boundary);
        code = measure_record(&run, &error);
        if (!code)
            code = measure_correct(&run, &error);
        if (code)
            bench_report_abandon(&run.report);
    }
    int result = code ? bench_refuse("trace", &error) : bench_report_end(&run.report);
    bench_boundary_close(&run.boundary);
    bench_machine_close(&run.machine);
    return result;
}

const struct command command_trace = {
    .name = "trace",
    .title = "cost of recording an event; speed of correcting a trace",
    .schema = "ordo-bench/1",
    .run = run_trace,
};
