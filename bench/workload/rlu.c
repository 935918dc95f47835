/* ordo-bench rlu: Read-Log-Update on hardware time and on a logical clock, beside RCU and locks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rlu/figures.h"
#include "workload.h"

#define MOST_VARIANTS 24

/* The steps of a sweep; the boundary as it is has no suffix. */
static const struct {
    const char *stamp;
    double factor;
} sweep[] = {{"ordo:B/8", 0.125}, {"ordo:B/4", 0.25}, {"ordo:B/2", 0.5}, {"ordo", 1},
             {"ordo:2B", 2},      {"ordo:4B", 4},     {"ordo:8B", 8}};
#define SWEEP_STEPS (sizeof sweep / sizeof *sweep)

/* Two clocks, read together: the rate is their difference over the time that the measurement takes. */
struct moment {
    double ns;
    uint64_t ticks;
};

struct run {
    struct rlu_options options;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct bench_report report;
    struct rlu_bench benches[MOST_VARIANTS]; /* of the present set */
    struct bench_variant variants[MOST_VARIANTS];
    int count;
    struct moment begin;
};

static struct moment now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (struct moment){(double)time.tv_sec * 1e9 + (double)time.tv_nsec, ordo_clock_relaxed()};
}

static void add_variant(struct run *run, const struct rlu_engine *engine, const char *stamp, double factor,
                        int update_percent, const char *workload)
{
    const struct rlu_options *options = &run->options;
    if (run->count == MOST_VARIANTS)
        return; /* there are fewer engines */
    struct rlu_bench *bench = &run->benches[run->count];
    *bench = (struct rlu_bench){
        .engine = engine,
        .range = rlu_range(options, engine->structure),
        .buckets = options->buckets,
        .elements = rlu_elements(options, engine->structure),
        .update_percent = (unsigned)update_percent,
        .defer = options->defer,
        .boundary_ticks = (uint64_t)llround((double)ordo_boundary(&run->boundary.handle) * factor),
    };
    run->variants[run->count++] = rlu_variant(bench, stamp, workload);
}

/* The chosen engines of a structure; the stamp ordo once for each step of a sweep. */
static void make_variants(struct run *run, enum rlu_structure structure, int update_percent, const char *workload)
{
    run->count = 0;
    for (const struct rlu_engine *const *entry = rlu_engines; *entry; entry++) {
        const struct rlu_engine *engine = *entry;
        if (engine->structure != structure || !rlu_chosen(&run->options, engine))
            continue;
        bool swept = run->options.sweep && engine->stamp && strcmp(engine->stamp, "ordo") == 0;
        if (!swept)
            add_variant(run, engine, engine->stamp, 1, update_percent, workload);
        for (size_t step = 0; swept && step < SWEEP_STEPS; step++)
            add_variant(run, engine, sweep[step].stamp, sweep[step].factor, update_percent, workload);
    }
}

static int measure(struct run *run, enum rlu_structure structure, int update_percent, struct ordo_error *error)
{
    char workload[64];
    struct bench_set set;
    (void)snprintf(workload, sizeof workload, "%s, %d%% updates", rlu_structure_words[structure], update_percent);
    make_variants(run, structure, update_percent, workload);
    int code = bench_measure(&set, run->variants, run->count, &run->machine, &run->options.common, error);
    struct moment end = now();
    for (int i = 0; i < run->count; i++) {
        run->benches[i].ns_per_tick = (end.ns - run->begin.ns) / (double)(end.ticks - run->begin.ticks);
        rlu_bench_close(&run->benches[i]);
    }
    if (!code) {
        bench_report_set(&run->report, &set, rlu_extras);
        rlu_report_ratios(&run->report, &set, &run->options);
    }
    bench_free(&set);
    return code;
}

static int measure_all(struct run *run, struct ordo_error *error)
{
    int code = ORDO_OK;
    run->begin = now();
    for (int structure = 0; structure < RLU_STRUCTURES; structure++)
        for (int i = 0; i < run->options.update_count && !code; i++)
            if (run->options.structures.chosen[structure])
                code = measure(run, (enum rlu_structure)structure, run->options.updates[i], error);
    return code;
}

/* The stamp ordo needs a boundary; others do not. */
static int check_boundary(const struct run *run, struct ordo_error *error)
{
    if (!run->options.stamps.chosen[0])
        return ORDO_OK;
    if (run->boundary.source == BENCH_BOUNDARY_NONE) {
        struct ordo_error inner = *error;
        return ordo_error_set(
            error, inner.code, inner.sys_errno,
            "no usable boundary record (%.120s); --boundary TICKS, or --stamp without ordo, needs none", inner.text);
    }
    if (run->options.sweep && ordo_boundary(&run->boundary.handle) < RLU_SWEEP_LEAST)
        return ordo_error_set(error, ORDO_E_BOUNDARY, 0, "--sweep: the record's boundary has no eighth");
    return ORDO_OK;
}

/* Opens what has to be open; every part of `run` may be closed afterwards, whatever the code. */
static int set_up(struct run *run, struct ordo_error *error)
{
    int code = bench_machine_open(&run->machine, &run->options.common, error);
    if (!code)
        code = bench_boundary_open(&run->boundary, &run->options.common, error);
    return code ? code : check_boundary(run, error);
}

static int run_rlu(int argc, char **argv)
{
    struct ordo_error error = {0};
    int result = BENCH_CANNOT_TELL;
    struct run *run = calloc(1, sizeof *run);
    if (!run || rlu_options_parse(&run->options, argc, argv) != 0) {
        free(run);
        return BENCH_INTERNAL;
    }
    int code = set_up(run, &error);
    if (!code) {
        bench_report_begin(&run->report, stdout, "rlu", &run->machine, &run->options.common, &run->boundary);
        code = measure_all(run, &error);
        if (code)
            bench_report_abandon(&run->report);
        else
            result = bench_report_end(&run->report);
    }
    if (code)
        fprintf(stderr, "ordo-bench rlu: %s\n", error.text);
    if (code == ORDO_E_INVALID)
        result = BENCH_USAGE;
    bench_boundary_close(&run->boundary);
    bench_machine_close(&run->machine);
    free(run);
    return result;
}

const struct ordo_bench_workload ordo_bench_workload_rlu = {
    .name = "rlu",
    .title = "Read-Log-Update on hardware time, on a logical clock, beside RCU and locks",
    .run = run_rlu,
};
