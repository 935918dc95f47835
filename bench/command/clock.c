/* ordo-bench clock: what reading the clock costs, alone, in context, and against a shared counter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock/loops.h"
#include "common/command.h"
#include "report.h"

#define MOST_LOOPS 48

struct run {
    struct bench_options options;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct clock_bench *bench;
    struct bench_report report;
};

static bool measurable(const struct run *run, const struct clock_loop *loop)
{
    switch (loop->need) {
    case CLOCK_NEEDS_BOUNDARY:
        return run->boundary.source != BENCH_BOUNDARY_NONE;
    case CLOCK_NEEDS_RECORD:
        return run->boundary.source == BENCH_BOUNDARY_RECORD;
    default:
        return true;
    }
}

/* Makes a variant of `workload` from each loop that can be measured here. Returns their number. */
static int make_loop_variants(const struct run *run, const struct clock_loop *loops, const char *workload,
                              struct bench_variant *variants)
{
    int count = 0;
    for (; loops->algorithm && count < MOST_LOOPS; loops++)
        if (measurable(run, loops))
            variants[count++] = (struct bench_variant){.algorithm = loops->algorithm,
                                                       .stamp = loops->stamp,
                                                       .workload = workload,
                                                       .context = run->bench,
                                                       .work = loops->work};
    return count;
}

/* Returns the cost that the clock adds to a section, which also loads from memory. */
static struct ordo_json added_ns(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct bench_cell *base = bench_find(set, "no-clock", cell->threads);
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "added_ns_per_op", bench_added_ns(set, cell, base));
    return object;
}

/* Returns the cost that the stamp any adds to a clock read, because it chooses the clock at run time. */
static struct ordo_json added_by_choice_ns(const struct bench_set *set, const struct bench_cell *cell)
{
    char base[BENCH_NAME];
    struct ordo_json object = ordo_json_object();
    if (cell->variant->stamp && strcmp(cell->variant->stamp, "any") == 0) {
        (void)snprintf(base, sizeof base, "%s/ordo", cell->variant->algorithm);
        ordo_json_put_real(&object, "added_ns_per_op", bench_added_ns(set, cell, bench_find(set, base, cell->threads)));
    }
    return object;
}

static void isolated_ratios(struct run *run, const struct bench_set *set)
{
    static const char *const pairs[][2] = {
        {"get_time_relaxed/ordo", "bare-relaxed"},   {"get_time/ordo", "bare-ordered"},
        {"get_time/constant", "bare-ordered"},       {"cmp_time/ordo", "bare-compare"},
        {"cmp_time/constant", "bare-compare"},       {"get_time/any", "get_time/ordo"},
        {"get_time_full/any", "get_time_full/ordo"},
    };
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (int i = 0; i < run->options.thread_counts; i++) {
            int threads = run->options.threads[i];
            bench_report_ratio(&run->report, set, pairs[p][0], threads, pairs[p][1], threads);
        }
}

/* Reports the ratios of the stamp ordo to the counter at each thread count, and of every stamp to itself at one
 * thread. */
static void allocation_ratios(struct run *run, const struct bench_set *set)
{
    static const char *const stamps[] = {"allocate/ordo", "new_time/ordo", "allocate/logical"};
    const int *threads = run->options.threads;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < run->options.thread_counts; i++)
            bench_report_ratio(&run->report, set, stamps[s], threads[i], "allocate/logical", threads[i]);
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < run->options.thread_counts; i++)
            if (threads[i] > 1)
                bench_report_ratio(&run->report, set, stamps[s], threads[i], stamps[s], 1);
}

/* Reports how much time a read that is ordered on one side adds to a section, relative to the read ordered on both
 * sides that it replaces. */
static void in_context_ratios(struct run *run, const struct bench_set *set)
{
    static const char *const pairs[][2] = {
        {"get_time_after/ordo", "get_time/ordo"},
        {"get_time_before/ordo", "get_time/ordo"},
        {"get_time_after_full/ordo", "get_time_full/ordo"},
        {"get_time_after/corrected", "get_time/corrected"},
        {"get_time_after_full/corrected", "get_time_full/corrected"},
    };
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (int i = 0; i < run->options.thread_counts; i++)
            bench_report_added_ratio(&run->report, set, pairs[p][0], pairs[p][1], "no-clock", run->options.threads[i]);
}

static int measure_loops(struct run *run, const struct clock_loop *loops, const char *workload, bench_extras *extras,
                         void (*ratios)(struct run *, const struct bench_set *), struct ordo_error *error)
{
    struct bench_variant variants[MOST_LOOPS];
    struct bench_set set;
    int count = make_loop_variants(run, loops, workload, variants);
    int code = bench_measure(&set, variants, count, &run->machine, &run->options, error);
    if (!code) {
        bench_report_set(&run->report, &set, extras);
        if (ratios)
            ratios(run, &set);
    }
    bench_free(&set);
    return code;
}

static int measure_clock(struct run *run, struct ordo_error *error)
{
    int code = measure_loops(run, clock_isolated, "isolated", added_by_choice_ns, isolated_ratios, error);
    if (!code)
        code = measure_loops(run, clock_allocation, "allocation", NULL, allocation_ratios, error);
    if (!code)
        code = measure_loops(run, clock_in_context, "in-context", added_ns, in_context_ratios, error);
    return code;
}

/* Opens every part of `run`. The caller may close all parts afterwards, even after an error. */
static int set_up_clock(struct run *run, struct ordo_error *error)
{
    int code = bench_machine_open(&run->machine, &run->options, error);
    if (!code)
        code = bench_boundary_open(&run->boundary, &run->options, error);
    if (code)
        return code;
    if (run->boundary.source == BENCH_BOUNDARY_NONE)
        fprintf(stderr,
                "ordo-bench clock: no usable boundary record (%s)\n"
                "ordo-bench clock: new_time and try_new_time wait for the boundary and are left out; --boundary TICKS "
                "measures them\n",
                error->text);
    run->bench = aligned_alloc(BENCH_LINE, sizeof *run->bench);
    if (!run->bench)
        return ordo_error_errno(error, "%zu bytes", sizeof *run->bench);
    clock_bench_prepare(run->bench, &run->boundary.handle);
    return ORDO_OK;
}

static error_t parse_clock(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}

static int run_clock(int argc, char **argv)
{
    static const struct argp_child children[] = {{&bench_options_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .parser = parse_clock,
        .children = children,
        .doc = "Measures the cost of reading the clock, compared with bare instructions and a shared counter.",
    };
    struct run run = {.options = BENCH_OPTIONS_DEFAULT};
    struct ordo_error error = {0};
    int result;
    cli_parse(&argp, argc, argv, &run.options);
    int code = set_up_clock(&run, &error);
    if (!code) {
        bench_report_begin(&run.report, stdout, "clock", &run.machine, &run.options, &run.boundary);
        if (run.options.json)
            ordo_json_put(&run.report.document, "added_ratios", ordo_json_array());
        code = measure_clock(&run, &error);
        if (code)
            bench_report_abandon(&run.report);
    }
    result = code ? bench_refuse("clock", &error) : bench_report_end(&run.report);
    free(run.bench);
    bench_boundary_close(&run.boundary);
    bench_machine_close(&run.machine);
    return result;
}

const struct command command_clock = {
    .name = "clock",
    .title = "cost of the clock and of every runtime call; timestamps compared with a shared counter",
    .schema = "ordo-bench/1",
    .run = run_clock,
};
