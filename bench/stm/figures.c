#include "stm/figures.h"

#include <string.h>

#include "boundary.h"

static struct ordo_json stm_parameters_json(const struct stm_bench *bench)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "structure", stm_structure_words[bench->engine->structure]);
    ordo_json_put_int(&object, "update_percent", (int64_t)bench->update_percent);
    if (bench->long_reads)
        ordo_json_put_text(&object, "long_reads", stm_long_words[bench->long_reads - STM_LONG_TRANSACTION]);
    if (bench->elastic)
        ordo_json_put_text(&object, "search", stm_search_words[1]);
    ordo_json_put_int(&object, "elements", (int64_t)bench->elements);
    if (stm_is_set(bench->engine->structure))
        ordo_json_put_int(&object, "range", (int64_t)bench->range);
    if (bench->engine->structure == STM_HASH)
        ordo_json_put_int(&object, "buckets", (int64_t)bench->buckets);
    if (bench->engine->stamp) {
        bool bounded = bench_boundary_bounds(bench->engine->stamp);
        ordo_json_put(&object, "boundary_ticks",
                      bounded ? ordo_json_int((int64_t)bench->boundary_ticks) : ordo_json_null());
    }
    return object;
}

static struct ordo_json stm_counters_json(const struct stm_bench *bench, const struct bench_cell *cell)
{
    static const char *const names[STM_COUNTERS] = {
        [STM_COMMITS] = "commits",
        [STM_UPDATES] = "updates",
        [STM_ABORTS_LOCKED] = "aborts_locked",
        [STM_ABORTS_CHANGED] = "aborts_changed",
        [STM_ABORTS_NEWER] = "aborts_newer",
        [STM_ABORTS_UNCERTAIN] = "aborts_uncertain",
        [STM_CLOCK_READS] = "clock_reads",
        [STM_EXTENSIONS] = "extensions",
        [STM_EXTENSIONS_UNCERTAIN] = "extensions_uncertain",
        [STM_BOUNDARY_WAIT_TICKS] = "boundary_wait_ns",
        [STM_IRREVOCABLE] = "irrevocable",
        [STM_YIELDS] = "yields",
        [STM_SLEEPS] = "sleeps",
        [STM_SNAPSHOTS] = "snapshots",
        [STM_SAVED] = "saved",
    };
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "ops", (int64_t)cell->ops);
    for (int c = 0; c < STM_COUNTERS; c++)
        if (c == STM_BOUNDARY_WAIT_TICKS)
            ordo_json_put_real(&object, names[c], (double)cell->counters[c] * bench->ns_per_tick);
        else
            ordo_json_put_int(&object, names[c], (int64_t)cell->counters[c]);
    return object;
}

static double ratio(double of, double over)
{
    return over > 0 ? of / over : 0;
}

/* Adds the figures of our transactional memory, per operation or commit. */
static void add_stm(struct ordo_json *extras, const struct bench_set *set, const struct bench_cell *cell)
{
    const struct bench_cell *logical = bench_find(set, "stm/logical", cell->threads);
    const uint64_t *counters = cell->counters;
    double ops = (double)cell->ops, commits = (double)counters[STM_COMMITS];
    uint64_t aborts = counters[STM_ABORTS_LOCKED] + counters[STM_ABORTS_CHANGED] + counters[STM_ABORTS_NEWER] +
                      counters[STM_ABORTS_UNCERTAIN];
    if (logical && logical != cell)
        ordo_json_put_real(extras, "added_ns_per_op", bench_added_ns(set, cell, logical));
    /* Clock reads at begins, at extensions, and at commits. */
    ordo_json_put_real(
        extras, "clock_reads_per_op",
        ratio((double)(counters[STM_CLOCK_READS] + counters[STM_EXTENSIONS] + counters[STM_UPDATES]), ops));
    ordo_json_put_real(extras, "aborts_per_commit", ratio((double)aborts, commits));
    ordo_json_put_real(extras, "uncertain_aborts_per_commit", ratio((double)counters[STM_ABORTS_UNCERTAIN], commits));
}

struct ordo_json stm_extras(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct stm_bench *bench = cell->variant->context;
    struct ordo_json extras = ordo_json_object();
    if (bench->engine->stamp) {
        add_stm(&extras, set, cell);
        ordo_json_put(&extras, "counters", stm_counters_json(bench, cell));
    }
    ordo_json_put(&extras, "parameters", stm_parameters_json(bench));
    return extras;
}

static void stm_ratio_at_all_threads(struct bench_report *report, const struct bench_set *set,
                                     const struct stm_options *options, const char *of, const char *over)
{
    if (strcmp(of, over) == 0)
        return;
    for (int i = 0; i < options->common.thread_counts; i++)
        bench_report_ratio(report, set, of, options->common.threads[i], over, options->common.threads[i]);
}

void stm_report_ratios(struct bench_report *report, const struct bench_set *set, const struct stm_options *options)
{
    int variants = set->cell_count / options->common.thread_counts;
    stm_ratio_at_all_threads(report, set, options, "stm/logical+clock", "stm/logical");
    for (int i = 0; i < variants; i++) {
        const struct bench_variant *variant = set->cells[i].variant;
        char name[BENCH_NAME];
        bench_name(variant, name, sizeof name);
        if (variant->stamp && (strchr(variant->stamp, ':') || strcmp(variant->stamp, "any") == 0))
            stm_ratio_at_all_threads(report, set, options, name, "stm/ordo");
        else
            stm_ratio_at_all_threads(report, set, options, "stm/ordo", name);
    }
}
