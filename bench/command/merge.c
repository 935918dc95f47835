/* ordo-bench merge: measures the cost of merging ordered streams, and the time that an event waits in the merger. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/time.h"
#include "common/command.h"
#include "merge/lag.h"
#include "merge/streams.h"
#include "report.h"

enum { STREAM_COUNTS = 16, MOST_PRODUCERS = 64, SLACK_NS = 10000 };

struct merge_options {
    struct bench_options common;
    int streams[STREAM_COUNTS];
    int stream_counts;
    uint64_t producers, flush_ns;
    double lag_seconds;
};

struct run {
    struct merge_options options;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct bench_report report;
};

/* ---- throughput ---- */

static struct ordo_json extras(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct merge_streams *streams = cell->variant->context;
    struct ordo_json object = ordo_json_object();
    (void)set;
    ordo_json_put_int(&object, "streams", streams->streams);
    if (cell->variant->stamp)
        ordo_json_put_real(&object, "uncertain_percent",
                           100 * (double)cell->counters[MERGE_UNCERTAIN] / (double)cell->ops);
    return object;
}

static void put_ratios(struct run *run, const struct bench_set *set)
{
    for (int i = 0; i < run->options.common.thread_counts; i++) {
        int threads = run->options.common.threads[i];
        bench_report_ratio(&run->report, set, "merge/ordo", threads, "heap", threads);
        bench_report_ratio(&run->report, set, "merge-rings/ordo", threads, "heap", threads);
    }
}

static int measure_streams(struct run *run, uint32_t streams, struct ordo_error *error)
{
    struct merge_streams data;
    struct bench_variant variants[MERGE_VARIANTS];
    struct bench_set set = {0};
    int code = merge_streams_make(&data, streams, ordo_boundary(&run->boundary.handle), error);
    if (code)
        return code;
    merge_streams_variants(&data, variants);
    code = bench_measure(&set, variants, MERGE_VARIANTS, &run->machine, &run->options.common, error);
    if (!code) {
        bench_report_set(&run->report, &set, extras);
        put_ratios(run, &set);
    }
    bench_free(&set);
    merge_streams_free(&data);
    return code;
}

/* ---- lag ---- */

static double quantile_ns(const struct merge_lag *lag, double share)
{
    return (double)txn_latency_quantile(&lag->latency, share) * lag->ns_per_tick;
}

/* Returns the allowed lag: two boundaries, the flush delay, and 10 us for the scheduling of the threads. */
static double allowed_ns(const struct merge_lag *lag)
{
    return (2 * (double)ordo_boundary(lag->clock) + (double)lag->flush_ticks) * lag->ns_per_tick + SLACK_NS;
}

static void lag_json(struct run *run, const struct merge_lag *lag)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "producers_know", lag->flush_ticks ? "flush-delay" : "stamp");
    ordo_json_put_int(&object, "producers", lag->producers);
    ordo_json_put_real(&object, "flush_delay_ns", (double)lag->flush_ticks * lag->ns_per_tick);
    ordo_json_put_int(&object, "events", (int64_t)lag->events);
    ordo_json_put_int(&object, "uncertain", (int64_t)lag->uncertain);
    ordo_json_put_int(&object, "late", (int64_t)lag->late);
    ordo_json_put_real(&object, "p50_ns", quantile_ns(lag, 0.5));
    ordo_json_put_real(&object, "p90_ns", quantile_ns(lag, 0.9));
    ordo_json_put_real(&object, "p99_ns", quantile_ns(lag, 0.99));
    ordo_json_put_real(&object, "p99_9_ns", quantile_ns(lag, 0.999));
    ordo_json_put_real(&object, "most_ns", (double)lag->latency.most * lag->ns_per_tick);
    ordo_json_put_real(&object, "allowed_ns", allowed_ns(lag));
    ordo_json_append(&run->report.document, "lag", object);
}

static void lag_row(struct run *run, const struct merge_lag *lag)
{
    FILE *stream = run->report.stream;
    fprintf(stream, "%-12s %9d %9llu %6.2f%% %5llu %9.2f %9.2f %9.2f %9.2f  %.2f\n",
            lag->flush_ticks ? "flush-delay" : "stamp", lag->producers, (unsigned long long)lag->events,
            100 * (double)lag->uncertain / fmax(1, (double)lag->events), (unsigned long long)lag->late,
            quantile_ns(lag, 0.5) / 1e3, quantile_ns(lag, 0.99) / 1e3, quantile_ns(lag, 0.999) / 1e3,
            (double)lag->latency.most * lag->ns_per_tick / 1e3, allowed_ns(lag) / 1e3);
}

static int measure_lag(struct run *run, uint64_t flush_ticks, struct ordo_error *error)
{
    const struct bench_options *common = &run->options.common;
    struct merge_lag *lag = calloc(1, sizeof *lag); /* too large for the stack */
    if (!lag)
        return ordo_error_errno(error, "lags");
    lag->clock = &run->boundary.handle;
    lag->machine = &run->machine;
    lag->seconds = run->options.lag_seconds;
    lag->producers = (int)run->options.producers;
    lag->flush_ticks = flush_ticks;
    int code = merge_lag_measure(lag, error);
    if (!code && common->json)
        lag_json(run, lag);
    else if (!code)
        lag_row(run, lag);
    free(lag);
    return code;
}

/* Returns the rate of the record, or measures it if the boundary has no record. */
static double ticks_per_ns(const struct ordo *o)
{
    int64_t begin_ns = ordo_raw_ns();
    uint64_t begin = ordo_get_time(o).ticks;
    if (ordo_tick_hz(o))
        return (double)ordo_tick_hz(o) / 1e9;
    ordo_sleep_ns(10000000);
    return (double)(ordo_get_time(o).ticks - begin) / (double)(ordo_raw_ns() - begin_ns);
}

static int measure_lags(struct run *run, struct ordo_error *error)
{
    uint64_t flush_ticks = (uint64_t)((double)run->options.flush_ns * ticks_per_ns(&run->boundary.handle));
    if (run->machine.cpu_count < 2) {
        fprintf(
            stderr,
            "ordo-bench merge: the lag needs 2 CPUs, one for the merger and one for the producers, and is left out\n");
        return ORDO_OK;
    }
    if (!run->options.common.json)
        fprintf(run->report.stream, "\n%-12s %9s %9s %7s %5s %9s %9s %9s %9s  %s\n", "lag, us", "producers", "events",
                "uncert.", "late", "median", "p99", "p99.9", "most", "2B + delay + 10 us");
    int code = measure_lag(run, 0, error);
    if (!code && flush_ticks)
        code = measure_lag(run, flush_ticks, error);
    return code;
}

/* ---- the command ---- */

static int set_up_merge(struct run *run, struct ordo_error *error)
{
    struct bench_options *common = &run->options.common;
    if (common->thread_counts == 0)
        common->threads[common->thread_counts++] = 1; /* one thread merges */
    int code = bench_machine_open(&run->machine, common, error);
    if (!code)
        code = bench_boundary_open(&run->boundary, common, error);
    if (!code)
        code = bench_boundary_require(&run->boundary, error);
    if (code)
        return code;
    if (ordo_boundary(&run->boundary.handle) == 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "--boundary 0: orders nothing: give at least 1");
    bench_report_begin(&run->report, stdout, "merge", &run->machine, common, &run->boundary);
    if (common->json)
        ordo_json_put(&run->report.document, "lag", ordo_json_array());
    return ORDO_OK;
}

static int measure_merge(struct run *run, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < run->options.stream_counts && !code; i++)
        code = measure_streams(run, (uint32_t)run->options.streams[i], error);
    if (!code && run->options.producers)
        code = measure_lags(run, error);
    if (code)
        bench_report_abandon(&run->report);
    return code;
}

enum key { KEY_STREAMS = 512, KEY_PRODUCERS, KEY_FLUSH, KEY_LAG_SECONDS };

static error_t parse_merge(int key, char *argument, struct argp_state *state)
{
    struct merge_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_STREAMS:
        options->stream_counts =
            cli_numbers(state, "--streams", argument, 1, MERGE_STREAMS_MOST, options->streams, STREAM_COUNTS);
        return 0;
    case KEY_PRODUCERS:
        options->producers = cli_number(state, "--producers", argument, 0, MOST_PRODUCERS);
        return 0;
    case KEY_FLUSH:
        options->flush_ns = cli_number(state, "--flush-ns", argument, 0, 1000000000);
        return 0;
    case KEY_LAG_SECONDS:
        options->lag_seconds = cli_real(state, "--lag-seconds", argument, 0.001, 86400);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp merge_argp = {
    .options =
        (const struct argp_option[]){
            {"streams", KEY_STREAMS, "LIST", 0, "Numbers of streams to merge in memory (default 2,64)", 0},
            {"producers", KEY_PRODUCERS, "N", 0,
             "Running producers for the lag, on all CPUs but the first (default 2; 0: do not measure the lag)", 0},
            {"flush-ns", KEY_FLUSH, "NS", 0,
             "Flush delay of producers that state one instead of stamping (default 100000; 0: no such producers)", 0},
            {"lag-seconds", KEY_LAG_SECONDS, "S", 0, "Seconds for which each lag is measured (default 1)", 0},
            {0},
        },
    .parser = parse_merge,
    .children = (const struct argp_child[]){{&bench_options_argp, 0, NULL, 0}, {0}},
    .doc = "Measures the cost of merging ordered streams, compared with a heap, and the time that an event waits in "
           "the merger.",
};

static int run_merge(int argc, char **argv)
{
    struct run run = {.options = {.common = BENCH_OPTIONS_DEFAULT,
                                  .streams = {2, 64},
                                  .stream_counts = 2,
                                  .producers = 2,
                                  .flush_ns = 100000,
                                  .lag_seconds = 1}};
    struct ordo_error error = {0};
    cli_parse(&merge_argp, argc, argv, &run.options);
    int code = set_up_merge(&run, &error);
    if (!code)
        code = measure_merge(&run, &error);
    int result = code ? bench_refuse("merge", &error) : bench_report_end(&run.report);
    bench_boundary_close(&run.boundary);
    bench_machine_close(&run.machine);
    return result;
}

const struct command command_merge = {
    .name = "merge",
    .title = "merging of ordered streams by their times, compared with a heap; the lag with running producers",
    .schema = "ordo-bench/1",
    .run = run_merge,
};
