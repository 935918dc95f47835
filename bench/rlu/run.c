#include "rlu/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "common/command.h"
#include "sweep.h"

static void read_rlu_clocks(double *ns, uint64_t *ticks)
{
    *ns = (double)ordo_raw_ns();
    *ticks = ordo_clock_relaxed();
}

/* Checks that there is a boundary if the stamp ordo is chosen. Other stamps need none. */
static int check_rlu_boundary(const struct rlu_run *run, struct ordo_error *error)
{
    if (run->options.stamps.chosen[RLU_STAMP_CORRECTED]) {
        int code = bench_boundary_check_corrected(&run->boundary, error);
        if (code)
            return code;
    }
    if (run->options.stamps.chosen[RLU_STAMP_ANY]) {
        int code = bench_boundary_check_any(&run->boundary, error);
        if (code)
            return code;
    }
    if (!run->options.stamps.chosen[RLU_STAMP_ORDO])
        return ORDO_OK;
    int code = bench_boundary_require(&run->boundary, error);
    return code || !run->options.sweep ? code : bench_sweep_check_boundary(&run->boundary, error);
}

int rlu_run_open(struct rlu_run *run, const char *command, struct ordo_error *error)
{
    struct bench_options *common = &run->options.common;
    int code = bench_machine_open(&run->machine, common, error);
    if (!code)
        code = bench_boundary_open(&run->boundary, common, error);
    if (!code)
        code = check_rlu_boundary(run, error);
    if (code)
        return code;
    read_rlu_clocks(&run->begin_ns, &run->begin_ticks);
    bench_report_begin(&run->report, stdout, command, &run->machine, common, &run->boundary);
    return ORDO_OK;
}

/* Names a variant by its stamp, with a suffix if it does not have the first value of --defer. */
static void name_variant(struct rlu_bench *bench, const struct rlu_options *options, const char *stamp)
{
    if (bench->defer == options->defers[0])
        (void)snprintf(bench->stamp, sizeof bench->stamp, "%s", stamp);
    else if (bench->defer == RLU_DEFER_AUTO)
        (void)snprintf(bench->stamp, sizeof bench->stamp, "%s:defer-auto", stamp);
    else
        (void)snprintf(bench->stamp, sizeof bench->stamp, "%s:defer-%u", stamp, bench->defer);
}

static void add_variant(struct rlu_run *run, const struct rlu_engine *engine, const char *stamp, double factor,
                        unsigned defer, int update_percent)
{
    const struct rlu_options *options = &run->options;
    if (run->count == RLU_VARIANTS)
        return; /* cannot happen: the table has fewer engines */
    struct rlu_bench *bench = &run->benches[run->count];
    bool bounded = run->boundary.source != BENCH_BOUNDARY_NONE; /* false: only stamps without a boundary are measured */
    const struct ordo *watch = bench_boundary_watch(&run->boundary, engine->stamp);
    double boundary_ticks = watch     ? (double)ordo_boundary(watch)
                            : bounded ? (double)ordo_boundary(&run->boundary.handle)
                                      : 0;
    *bench = (struct rlu_bench){
        .engine = engine,
        .range = rlu_range(options, engine->structure),
        .buckets = options->buckets,
        .elements = rlu_elements(options, engine->structure),
        .update_percent = (unsigned)update_percent,
        .multiget_keys = run->multiget_keys,
        .defer = defer,
        .own_clock = options->own_clock,
        .boundary_ticks = (uint64_t)llround(boundary_ticks * factor),
        .watch = watch,
    };
    if (stamp)
        name_variant(bench, options, stamp);
    run->variants[run->count++] = rlu_variant(bench, stamp ? bench->stamp : NULL, run->workload);
}

/* Adds an engine once for each value of --defer; an engine that defers nothing only once. */
static void add_deferred(struct rlu_run *run, const struct rlu_engine *engine, int update_percent)
{
    int count = rlu_defers(engine) ? run->options.defer_count : 1;
    for (int i = 0; i < count; i++)
        add_variant(run, engine, engine->stamp, 1, run->options.defers[i], update_percent);
}

static void make_rlu_variants(struct rlu_run *run, enum rlu_structure structure, int update_percent)
{
    run->count = 0;
    for (const struct rlu_engine *const *entry = rlu_engines; *entry; entry++) {
        const struct rlu_engine *engine = *entry;
        if (engine->structure != structure || !rlu_chosen(&run->options, engine))
            continue;
        bool swept = run->options.sweep && engine->stamp && strcmp(engine->stamp, "ordo") == 0;
        if (!swept)
            add_deferred(run, engine, update_percent);
        for (size_t step = 0; swept && step < BENCH_SWEEP_STEPS; step++)
            add_variant(run, engine, bench_sweep_steps[step].stamp, bench_sweep_steps[step].factor,
                        run->options.defers[0], update_percent);
    }
}

int rlu_run_measure(struct rlu_run *run, enum rlu_structure structure, int update_percent, struct bench_set *set,
                    struct ordo_error *error)
{
    double ns;
    uint64_t ticks;
    int length = snprintf(run->workload, sizeof run->workload, "%s, %d%% updates", rlu_structure_words[structure],
                          update_percent);
    if (run->multiget_keys)
        (void)snprintf(run->workload + length, sizeof run->workload - (size_t)length, ", multi-gets of %u keys",
                       run->multiget_keys);
    make_rlu_variants(run, structure, update_percent);
    int code = bench_measure(set, run->variants, run->count, &run->machine, &run->options.common, error);
    read_rlu_clocks(&ns, &ticks);
    for (int i = 0; i < run->count; i++) {
        run->benches[i].ns_per_tick = (ns - run->begin_ns) / (double)(ticks - run->begin_ticks);
        rlu_bench_close(&run->benches[i]);
    }
    return code;
}

int rlu_run_close(struct rlu_run *run, const char *command, int code, const struct ordo_error *error)
{
    int result;
    if (code) {
        bench_report_abandon(&run->report);
        result = bench_refuse(command, error);
    } else {
        result = bench_report_end(&run->report);
    }
    bench_boundary_close(&run->boundary);
    bench_machine_close(&run->machine);
    return result;
}
