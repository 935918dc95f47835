/* Statistics over the rounds of a set: cells by name, and their medians, ratios and differences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

void bench_name(const struct bench_variant *variant, char *text, size_t size)
{
    (void)snprintf(text, size, "%s%s%s", variant->algorithm, variant->stamp ? "/" : "",
                   variant->stamp ? variant->stamp : "");
}

const struct bench_cell *bench_find(const struct bench_set *set, const char *name, int threads)
{
    for (int i = 0; i < set->cell_count; i++) {
        char text[BENCH_NAME];
        bench_name(set->cells[i].variant, text, sizeof text);
        if (set->cells[i].threads == threads && strcmp(text, name) == 0)
            return &set->cells[i];
    }
    return NULL;
}

static double ns_per_op(double ops_per_s, const struct bench_cell *cell)
{
    return (double)cell->threads * 1e9 / ops_per_s;
}

struct ordo_median bench_ops_per_s(const struct bench_set *set, const struct bench_cell *cell)
{
    memcpy(set->values, cell->ops_per_s, (size_t)set->runs * sizeof *set->values);
    return ordo_stats_median(set->values, (size_t)set->runs);
}

double bench_ns_per_op(const struct bench_set *set, const struct bench_cell *cell)
{
    return ns_per_op(bench_ops_per_s(set, cell).median, cell);
}

struct ordo_median bench_ratio(const struct bench_set *set, const struct bench_cell *of, const struct bench_cell *over)
{
    for (int run = 0; run < set->runs; run++)
        set->values[run] = of->ops_per_s[run] / over->ops_per_s[run];
    return ordo_stats_median(set->values, (size_t)set->runs);
}

double bench_added_ns(const struct bench_set *set, const struct bench_cell *of, const struct bench_cell *over)
{
    for (int run = 0; run < set->runs; run++)
        set->values[run] = ns_per_op(of->ops_per_s[run], of) - ns_per_op(over->ops_per_s[run], over);
    return ordo_stats_median(set->values, (size_t)set->runs).median;
}

struct ordo_median bench_added_ratio(const struct bench_set *set, const struct bench_cell *of,
                                     const struct bench_cell *over, const struct bench_cell *base)
{
    for (int run = 0; run < set->runs; run++) {
        double base_ns = ns_per_op(base->ops_per_s[run], base);
        set->values[run] =
            (ns_per_op(of->ops_per_s[run], of) - base_ns) / (ns_per_op(over->ops_per_s[run], over) - base_ns);
    }
    return ordo_stats_median(set->values, (size_t)set->runs);
}

double bench_least_cpu_share(const struct bench_set *set, int cpus)
{
    double least = 1;
    for (int i = 0; i < set->cell_count; i++) {
        const struct bench_cell *cell = &set->cells[i];
        least = fmin(least, (1 - cell->waited_s / cell->wall_s) * fmax(1, (double)cell->threads / cpus));
    }
    return least;
}
