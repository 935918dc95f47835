#include "rlu/figures.h"

#include <string.h>

static void set_number(json_t *object, const char *key, double value)
{
    (void)json_object_set_new(object, key, json_real(value));
}

static void set_count(json_t *object, const char *key, uint64_t value)
{
    (void)json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *parameters_json(const struct rlu_bench *bench)
{
    json_t *object = json_pack("{s:s, s:i}", "structure", rlu_structure_words[bench->engine->structure],
                               "update_percent", (int)bench->update_percent);
    set_count(object, "elements", bench->elements);
    set_count(object, "range", bench->range);
    if (bench->engine->structure == RLU_HASH)
        set_count(object, "buckets", bench->buckets);
    if (bench->engine->stamp) {
        set_count(object, "defer", bench->defer);
        (void)json_object_set_new(
            object, "boundary_ticks",
            strcmp(bench->engine->stamp, "ordo") == 0 ? json_integer((json_int_t)bench->boundary_ticks) : json_null());
    }
    return object;
}

static json_t *counters_json(const struct rlu_bench *bench, const struct bench_cell *cell)
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
    };
    json_t *object = json_object();
    set_count(object, "ops", cell->ops);
    for (int c = 0; c < RLU_MEMORY_BYTES; c++)
        if (c == RLU_BOUNDARY_WAIT_TICKS || c == RLU_READER_WAIT_TICKS)
            set_number(object, names[c], (double)cell->counters[c] * bench->ns_per_tick);
        else
            set_count(object, names[c], cell->counters[c]);
    return object;
}

static double ratio(double of, double over)
{
    return over > 0 ? of / over : 0;
}

/* What our RLU counts, per operation or commit. */
static void add_rlu(json_t *extras, const struct bench_set *set, const struct bench_cell *cell)
{
    const struct rlu_bench *bench = cell->variant->context;
    const struct bench_cell *logical = bench_find(set, "rlu/logical", cell->threads);
    const uint64_t *counters = cell->counters;
    double ops = (double)cell->ops, commits = (double)counters[RLU_COMMITS];
    if (logical && logical != cell)
        set_number(extras, "added_ns_per_op", bench_added_ns(set, cell, logical));
    /* Sections that found a mark, and the stamps of commits, whichever thread took them. */
    set_number(extras, "clock_reads_per_op",
               ratio((double)(counters[RLU_CLOCK_READS] + counters[RLU_FLUSHES] + counters[RLU_HELPS]), ops));
    set_number(extras, "aborts_per_op", ratio((double)counters[RLU_ABORTS], ops));
    set_number(extras, "boundary_wait_ns_per_commit",
               ratio((double)counters[RLU_BOUNDARY_WAIT_TICKS] * bench->ns_per_tick, commits));
    set_number(extras, "reader_wait_ns_per_commit",
               ratio((double)counters[RLU_READER_WAIT_TICKS] * bench->ns_per_tick, commits));
}

json_t *rlu_extras(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct rlu_bench *bench = cell->variant->context;
    json_t *extras = json_object();
    if (bench->engine->stamp) {
        add_rlu(extras, set, cell);
        (void)json_object_set_new(extras, "counters", counters_json(bench, cell));
    }
    set_count(extras, "memory_bytes", cell->counters[RLU_MEMORY_BYTES] / (uint64_t)set->runs);
    (void)json_object_set_new(extras, "parameters", parameters_json(bench));
    return extras;
}

static void ratio_at_all_threads(struct bench_report *report, const struct bench_set *set,
                                 const struct rlu_options *options, const char *of, const char *over)
{
    if (strcmp(of, over) == 0)
        return;
    for (int i = 0; i < options->common.thread_counts; i++)
        bench_report_ratio(report, set, of, options->common.threads[i], over, options->common.threads[i]);
}

void rlu_report_ratios(struct bench_report *report, const struct bench_set *set, const struct rlu_options *options)
{
    int variants = set->cell_count / options->common.thread_counts;
    ratio_at_all_threads(report, set, options, "rlu/ordo", "rlu/logical");
    ratio_at_all_threads(report, set, options, "rlu/logical+clock", "rlu/logical");
    ratio_at_all_threads(report, set, options, "rlu/tsc", "rlu/logical");
    for (int i = 0; i < variants; i++) {
        const struct bench_variant *variant = set->cells[i].variant;
        char name[BENCH_NAME];
        bench_name(variant, name, sizeof name);
        if (!variant->stamp) {
            ratio_at_all_threads(report, set, options, "rlu/ordo", name);
            ratio_at_all_threads(report, set, options, "rlu/logical", name);
        } else if (strchr(variant->stamp, ':')) {
            ratio_at_all_threads(report, set, options, name, "rlu/ordo");
        }
    }
}
