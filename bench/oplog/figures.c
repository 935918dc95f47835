#include "oplog/figures.h"

#include <string.h>

#include "boundary.h"

static struct ordo_json oplog_parameters_json(const struct oplog_bench *bench)
{
    struct ordo_json object = ordo_json_object();
    enum oplog_structure structure = bench->engine->structure;
    const char *stamp = bench->engine->stamp;
    ordo_json_put_text(&object, "structure", oplog_structure_words[structure]);
    ordo_json_put_int(&object, "read_permille", (int64_t)bench->read_permille);
    ordo_json_put_int(&object, "burst", (int64_t)bench->sizes.burst);
    if (structure == OPLOG_MAP)
        ordo_json_put_int(&object, "files", (int64_t)bench->sizes.files);
    if (structure == OPLOG_SET)
        ordo_json_put_int(&object, "range", (int64_t)bench->sizes.range);
    ordo_json_put_int(&object, "log_entries", (int64_t)bench->log_entries);
    if (stamp) {
        bool bounded = bench_boundary_bounds(stamp);
        ordo_json_put_text(&object, "order", oplog_order_words[oplog_bench_order(bench)]);
        ordo_json_put_bool(&object, "settle_later", bench->settle_later);
        ordo_json_put(&object, "boundary_ticks",
                      bounded ? ordo_json_int((int64_t)bench->boundary_ticks) : ordo_json_null());
    }
    return object;
}

static struct ordo_json oplog_counters_json(const struct bench_cell *cell)
{
    static const char *const names[OPLOG_COUNTERS] = {
        [OPLOG_UPDATES] = "updates", [OPLOG_READS] = "reads", [OPLOG_CUTS] = "cuts",
        [OPLOG_DRAINS] = "drains",   [OPLOG_FULLS] = "fulls", [OPLOG_BOUNDARY_WAITS] = "boundary_waits"};
    struct ordo_json object = ordo_json_object();
    for (int c = 0; c < OPLOG_COUNTERS; c++)
        ordo_json_put_int(&object, names[c], (int64_t)cell->counters[c]);
    return object;
}

struct ordo_json oplog_extras(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct oplog_bench *bench = cell->variant->context;
    struct ordo_json extras = ordo_json_object();
    double updates = (double)cell->counters[OPLOG_UPDATES];
    (void)set;
    if (bench->engine->stamp && updates > 0) {
        uint64_t times = cell->counters[OPLOG_CUTS] + cell->counters[OPLOG_DRAINS];
        ordo_json_put_real(&extras, "updates_per_application", updates / (double)(times ? times : 1));
        ordo_json_put_real(&extras, "boundary_waits_per_update",
                           (double)cell->counters[OPLOG_BOUNDARY_WAITS] / updates);
    }
    if (bench->engine->stamp)
        ordo_json_put(&extras, "counters", oplog_counters_json(cell));
    ordo_json_put(&extras, "parameters", oplog_parameters_json(bench));
    return extras;
}

static void oplog_ratio_at_all_threads(struct bench_report *report, const struct bench_set *set,
                                       const struct oplog_options *options, const char *of, const char *over)
{
    for (int i = 0; i < options->common.thread_counts; i++)
        bench_report_ratio(report, set, of, options->common.threads[i], over, options->common.threads[i]);
}

void oplog_report_ratios(struct bench_report *report, const struct bench_set *set, const struct oplog_options *options)
{
    for (int i = 0; oplog_baseline_words[i]; i++)
        oplog_ratio_at_all_threads(report, set, options, "oplog/ordo", oplog_baseline_words[i]);
    for (int i = 1; oplog_stamp_words[i]; i++) {
        char name[BENCH_NAME];
        (void)snprintf(name, sizeof name, "oplog/%s", oplog_stamp_words[i]);
        if (strcmp(oplog_stamp_words[i], "any") == 0)
            oplog_ratio_at_all_threads(report, set, options, name, "oplog/ordo");
        else
            oplog_ratio_at_all_threads(report, set, options, "oplog/ordo", name);
    }
}
