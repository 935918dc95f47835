#include "contention/figures.h"

#include <stdio.h>

/* Returns the time that corresponds to a rate, if `parallel` operations are executed at the same time. The ends of the
 * interval change places. */
static struct ordo_median time_of_rate_ns(struct ordo_median ops_per_s, int parallel)
{
    double ns = (double)parallel * 1e9;
    return (struct ordo_median){.median = ns / ops_per_s.median,
                                .low = ns / ops_per_s.high,
                                .high = ns / ops_per_s.low,
                                .level = ops_per_s.level};
}

static struct ordo_json contention_parameters_json(const struct contention *shared)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "work_ns", (int64_t)shared->work_ns);
    ordo_json_put_int(&object, "work_steps", (int64_t)shared->work_steps);
    ordo_json_put_real(&object, "step_ns", shared->step_ns);
    return object;
}

struct ordo_json contention_extras(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct bench_cell *none = bench_find(set, "none", cell->threads);
    struct ordo_median ops_per_s = bench_ops_per_s(set, cell);
    struct ordo_json extras = ordo_json_object();
    ordo_json_put_median(&extras, "thread_ns_per_op", time_of_rate_ns(ops_per_s, cell->threads));
    ordo_json_put_median(&extras, "machine_ns_per_op", time_of_rate_ns(ops_per_s, 1));
    if (none && none != cell)
        ordo_json_put_real(&extras, "added_ns_per_op", bench_added_ns(set, cell, none));
    if (contention_loop_find(cell->variant->algorithm)->retries)
        ordo_json_put_real(&extras, "retries_per_op", (double)cell->counters[CONTENTION_RETRIES] / (double)cell->ops);
    ordo_json_put(&extras, "parameters", contention_parameters_json(cell->variant->context));
    return extras;
}

void contention_report_ratios(struct bench_report *report, const struct bench_set *set,
                              const struct bench_options *options)
{
    static const char *const pairs[][2] = {
        {"cas", "add"},    {"mutex", "add"}, {"ticket", "add"}, {"ticket", "mutex"},   {"monotone", "tsc"},
        {"strict", "tsc"}, {"clock", "add"}, {"tsc", "add"},    {"clock", "monotone"},
    };
    const int *threads = options->threads;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (int i = 0; i < options->thread_counts; i++)
            bench_report_ratio(report, set, pairs[p][0], threads[i], pairs[p][1], threads[i]);
    for (const struct contention_loop *loop = contention_loops; loop->algorithm; loop++)
        for (int i = 1; i < options->thread_counts; i++)
            bench_report_ratio(report, set, loop->algorithm, threads[i], loop->algorithm, threads[0]);
}
