#include "stm/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "common/command.h"
#include "sweep.h"

static void read_stm_clocks(double *ns, uint64_t *ticks)
{
    *ns = (double)ordo_raw_ns();
    *ticks = ordo_clock_relaxed();
}

/* Checks that there is a boundary if the stamp ordo is chosen. Other stamps need none. */
static int check_stm_boundary(const struct stm_run *run, struct ordo_error *error)
{
    if (run->options.stamps.chosen[STM_STAMP_ANY]) {
        int code = bench_boundary_check_any(&run->boundary, error);
        if (code)
            return code;
    }
    if (!run->options.stamps.chosen[STM_STAMP_ORDO])
        return ORDO_OK;
    int code = bench_boundary_require(&run->boundary, error);
    return code || !run->options.sweep ? code : bench_sweep_check_boundary(&run->boundary, error);
}

int stm_run_open(struct stm_run *run, const char *command, struct ordo_error *error)
{
    struct bench_options *common = &run->options.common;
    int code = bench_machine_open(&run->machine, common, error);
    if (!code)
        code = bench_boundary_open(&run->boundary, common, error);
    if (!code)
        code = check_stm_boundary(run, error);
    if (code)
        return code;
    read_stm_clocks(&run->begin_ns, &run->begin_ticks);
    bench_report_begin(&run->report, stdout, command, &run->machine, common, &run->boundary);
    return ORDO_OK;
}

/* What the threads of a variant do. */
struct load {
    int update_percent;
    enum stm_long long_reads;
    bool elastic;
};

static void add_variant(struct stm_run *run, const struct stm_engine *engine, const char *stamp, double factor,
                        const struct load *load)
{
    const struct stm_options *options = &run->options;
    if (run->count == STM_VARIANTS)
        return; /* cannot happen: the table has fewer engines */
    struct stm_bench *bench = &run->benches[run->count];
    bool bounded = run->boundary.source != BENCH_BOUNDARY_NONE; /* false: only stamps without a boundary are measured */
    const struct ordo *watch = bench_boundary_watch(&run->boundary, engine->stamp);
    double boundary_ticks = watch     ? (double)ordo_boundary(watch)
                            : bounded ? (double)ordo_boundary(&run->boundary.handle)
                                      : 0;
    *bench = (struct stm_bench){
        .engine = engine,
        .range = stm_range(options, engine->structure),
        .buckets = options->buckets,
        .elements = stm_elements(options, engine->structure),
        .update_percent = (unsigned)load->update_percent,
        .long_reads = load->long_reads,
        .elastic = load->elastic,
        .stripes = options->stripes,
        .boundary_ticks = (uint64_t)llround(boundary_ticks * factor),
        .watch = watch,
    };
    run->variants[run->count++] = stm_variant(bench, stamp, run->workload);
}

/* Adds the chosen ones of two variants of an engine. The second has a suffix after the stamp; a baseline has only the
 * first. */
static void add_two(struct stm_run *run, const struct stm_engine *engine, const struct bench_choice *choice,
                    const struct load *first, const struct load *second, const char *suffix)
{
    if (choice->chosen[0] || !engine->stamp)
        add_variant(run, engine, engine->stamp, 1, first);
    if (!choice->chosen[1] || !engine->stamp)
        return;
    char *name = run->names[run->count];
    (void)snprintf(name, sizeof run->names[0], "%s:%s", engine->stamp, suffix);
    add_variant(run, engine, name, 1, second);
}

static void add_variants(struct stm_run *run, const struct stm_engine *engine, int update_percent)
{
    const struct stm_options *options = &run->options;
    struct load load = {.update_percent = update_percent};
    if (options->long_reads.given) {
        add_two(run, engine, &options->long_reads, &(struct load){100, STM_LONG_TRANSACTION, false},
                &(struct load){100, STM_LONG_SNAPSHOT, false}, stm_long_words[1]);
    } else if (options->searches.given && engine->structure == STM_LIST) {
        add_two(run, engine, &options->searches, &load, &(struct load){update_percent, STM_NO_LONG, true},
                stm_search_words[1]);
    } else if (options->sweep && engine->stamp && strcmp(engine->stamp, "ordo") == 0) {
        for (size_t step = 0; step < BENCH_SWEEP_STEPS; step++)
            add_variant(run, engine, bench_sweep_steps[step].stamp, bench_sweep_steps[step].factor, &load);
    } else {
        add_variant(run, engine, engine->stamp, 1, &load);
    }
}

static void make_stm_variants(struct stm_run *run, enum stm_structure structure, int update_percent)
{
    run->count = 0;
    for (const struct stm_engine *const *engine = stm_engines; *engine; engine++)
        if ((*engine)->structure == structure && stm_chosen(&run->options, *engine))
            add_variants(run, *engine, update_percent);
}

int stm_run_measure(struct stm_run *run, enum stm_structure structure, int update_percent, struct bench_set *set,
                    struct ordo_error *error)
{
    double ns;
    uint64_t ticks;
    if (run->options.long_reads.given)
        (void)snprintf(run->workload, sizeof run->workload, "%s, long reads", stm_structure_words[structure]);
    else if (structure == STM_PACKETS)
        (void)snprintf(run->workload, sizeof run->workload, "packets");
    else
        (void)snprintf(run->workload, sizeof run->workload, "%s, %d%% updates", stm_structure_words[structure],
                       update_percent);
    make_stm_variants(run, structure, update_percent);
    int code = bench_measure(set, run->variants, run->count, &run->machine, &run->options.common, error);
    read_stm_clocks(&ns, &ticks);
    for (int i = 0; i < run->count; i++) {
        run->benches[i].ns_per_tick = (ns - run->begin_ns) / (double)(ticks - run->begin_ticks);
        stm_bench_close(&run->benches[i]);
    }
    return code;
}

int stm_run_close(struct stm_run *run, const char *command, int code, const struct ordo_error *error)
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
