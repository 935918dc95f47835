#include "rlu/figures.h"

#include <stdio.h>
#include <string.h>

#include "boundary.h"
#include "rlu/multiget.h"

static struct ordo_json rlu_parameters_json(const struct rlu_bench *bench)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "structure", rlu_structure_words[bench->engine->structure]);
    ordo_json_put_int(&object, "update_percent", (int64_t)bench->update_percent);
    if (bench->multiget_keys)
        ordo_json_put_int(&object, "multi_get_keys", (int64_t)bench->multiget_keys);
    ordo_json_put_int(&object, "elements", (int64_t)bench->elements);
    ordo_json_put_int(&object, "range", (int64_t)bench->range);
    if (bench->engine->structure == RLU_HASH)
        ordo_json_put_int(&object, "buckets", (int64_t)bench->buckets);
    if (bench->engine->stamp) {
        bool bounded = bench_boundary_bounds(bench->engine->stamp);
        if (rlu_defers(bench->engine) && bench->defer == RLU_DEFER_AUTO)
            ordo_json_put_text(&object, "defer", "auto");
        else if (rlu_defers(bench->engine))
            ordo_json_put_int(&object, "defer", (int64_t)bench->defer);
        ordo_json_put(&object, "own_clock",
                      ordo_json_bool(bench->own_clock && strcmp(bench->engine->algorithm, "mvrlu") == 0));
        ordo_json_put(&object, "boundary_ticks",
                      bounded ? ordo_json_int((int64_t)bench->boundary_ticks) : ordo_json_null());
    }
    return object;
}

static struct ordo_json rlu_counters_json(const struct rlu_bench *bench, const struct bench_cell *cell)
{
    static const char *const names[RLU_MEMORY_BYTES] = {
        [RLU_COMMITS] = "commits",
        [RLU_FLUSHES] = "flushes",
        [RLU_ABORTS] = "aborts",
        [RLU_STEALS] = "steals",
        [RLU_HELPS] = "helps",
        [RLU_CLOCK_READS] = "clock_reads",
        [RLU_BOUNDARY_WAITS] = "boundary_waits",
        [RLU_BOUNDARY_WAIT_TICKS] = "boundary_wait_ns",
        [RLU_READER_WAITS] = "reader_waits",
        [RLU_READER_WAIT_TICKS] = "reader_wait_ns",
        [RLU_YIELDS] = "yields",
        [RLU_SLEEPS] = "sleeps",
        [RLU_FULLS] = "fulls",
        [RLU_WRITTEN_BACK] = "written_back",
    };
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "ops", (int64_t)cell->ops);
    for (int c = 0; c < RLU_MEMORY_BYTES; c++)
        if (c == RLU_BOUNDARY_WAIT_TICKS || c == RLU_READER_WAIT_TICKS)
            ordo_json_put_real(&object, names[c], (double)cell->counters[c] * bench->ns_per_tick);
        else
            ordo_json_put_int(&object, names[c], (int64_t)cell->counters[c]);
    return object;
}

static double ratio(double of, double over)
{
    return over > 0 ? of / over : 0;
}

/* Adds the figures of our RLU or MV-RLU, per operation or commit. */
static void add_rlu(struct ordo_json *extras, const struct bench_set *set, const struct bench_cell *cell)
{
    const struct rlu_bench *bench = cell->variant->context;
    char counter[BENCH_NAME];
    (void)snprintf(counter, sizeof counter, "%s/logical", bench->engine->algorithm);
    const struct bench_cell *logical = bench_find(set, counter, cell->threads);
    const uint64_t *counters = cell->counters;
    double ops = (double)cell->ops, commits = (double)counters[RLU_COMMITS];
    if (logical && logical != cell)
        ordo_json_put_real(extras, "added_ns_per_op", bench_added_ns(set, cell, logical));
    /* Clock reads of sections that found a mark, and of commits, whichever thread made them. */
    ordo_json_put_real(extras, "clock_reads_per_op",
                       ratio((double)(counters[RLU_CLOCK_READS] + counters[RLU_FLUSHES] + counters[RLU_HELPS]), ops));
    ordo_json_put_real(extras, "aborts_per_op", ratio((double)counters[RLU_ABORTS], ops));
    ordo_json_put_real(extras, "boundary_wait_ns_per_commit",
                       ratio((double)counters[RLU_BOUNDARY_WAIT_TICKS] * bench->ns_per_tick, commits));
    ordo_json_put_real(extras, "reader_wait_ns_per_commit",
                       ratio((double)counters[RLU_READER_WAIT_TICKS] * bench->ns_per_tick, commits));
}

struct ordo_json rlu_extras(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct rlu_bench *bench = cell->variant->context;
    struct ordo_json extras = ordo_json_object();
    if (bench->engine->stamp) {
        add_rlu(&extras, set, cell);
        ordo_json_put(&extras, "counters", rlu_counters_json(bench, cell));
    }
    if (bench->multiget_keys)
        ordo_json_put_text(&extras, "multi_gets", bench->engine->multiget->atomic ? "atomic" : "NOT ATOMIC");
    if (bench->multiget_keys)
        ordo_json_put_int(&extras, "torn", (int64_t)cell->counters[RLU_TORN]);
    ordo_json_put_int(&extras, "memory_bytes", (int64_t)(cell->counters[RLU_MEMORY_BYTES] / (uint64_t)set->runs));
    ordo_json_put(&extras, "parameters", rlu_parameters_json(bench));
    return extras;
}

static void rlu_ratio_at_all_threads(struct bench_report *report, const struct bench_set *set,
                                     const struct rlu_options *options, const char *of, const char *over)
{
    if (strcmp(of, over) == 0)
        return;
    for (int i = 0; i < options->common.thread_counts; i++)
        bench_report_ratio(report, set, of, options->common.threads[i], over, options->common.threads[i]);
}

/* Reports the ratios of a variant with a suffix (from --sweep or --defer): to the variant without suffix and, without
 * --sweep, to the baselines. */
static void ratios_of_suffixed(struct bench_report *report, const struct bench_set *set,
                               const struct rlu_options *options, const char *name)
{
    char plain[BENCH_NAME];
    (void)snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, ":"), name);
    rlu_ratio_at_all_threads(report, set, options, name, plain);
    for (int i = 0; !options->sweep && i < set->cell_count / options->common.thread_counts; i++)
        if (!set->cells[i].variant->stamp)
            rlu_ratio_at_all_threads(report, set, options, name, set->cells[i].variant->algorithm);
}

void rlu_report_ratios(struct bench_report *report, const struct bench_set *set, const struct rlu_options *options)
{
    int variants = set->cell_count / options->common.thread_counts;
    rlu_ratio_at_all_threads(report, set, options, "rlu/ordo", "rlu/logical");
    rlu_ratio_at_all_threads(report, set, options, "mvrlu/ordo", "mvrlu/logical");
    rlu_ratio_at_all_threads(report, set, options, "mvrlu/ordo", "rlu/ordo");
    rlu_ratio_at_all_threads(report, set, options, "stm/ordo", "stm/logical");
    rlu_ratio_at_all_threads(report, set, options, "mvrlu/ordo", "stm/ordo");
    rlu_ratio_at_all_threads(report, set, options, "rlu/logical+clock", "rlu/logical");
    rlu_ratio_at_all_threads(report, set, options, "rlu/tsc", "rlu/logical");
    rlu_ratio_at_all_threads(report, set, options, "rlu/corrected", "rlu/ordo");
    rlu_ratio_at_all_threads(report, set, options, "rlu/any", "rlu/ordo");
    rlu_ratio_at_all_threads(report, set, options, "mvrlu/any", "mvrlu/ordo");
    for (int i = 0; i < variants; i++) {
        const struct bench_variant *variant = set->cells[i].variant;
        char name[BENCH_NAME];
        bench_name(variant, name, sizeof name);
        if (!variant->stamp) {
            rlu_ratio_at_all_threads(report, set, options, "rlu/ordo", name);
            rlu_ratio_at_all_threads(report, set, options, "mvrlu/ordo", name);
            rlu_ratio_at_all_threads(report, set, options, "rlu/logical", name);
        } else if (strchr(variant->stamp, ':')) {
            ratios_of_suffixed(report, set, options, name);
        }
    }
}
