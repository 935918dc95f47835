#include "report.h"

#include <math.h>

#include "common/command.h"

/* Below this share of its CPU, what a thread shows is the neighbour as much as the variant. */
#define QUIET_SHARE 0.95

void bench_report_begin(struct bench_report *report, FILE *stream, const char *command,
                        const struct bench_machine *machine, const struct bench_options *options,
                        const struct bench_boundary *boundary)
{
    *report = (struct bench_report){.stream = stream, .json = options->json, .least_cpu_share = 1};
    if (!options->json) {
        bench_provenance_print(machine, options, boundary, stream);
        return;
    }
    report->document = ordo_json_document("ordo-bench/1");
    json_t *rest = json_pack("{s:s, s:o, s:[], s:[]}", "command", command, "provenance",
                             bench_provenance_json(machine, options, boundary), "results", "ratios");
    report->out_of_memory = !report->document || !rest || json_object_update(report->document, rest) != 0;
    json_decref(rest);
}

static void append(struct bench_report *report, const char *list, json_t *object)
{
    if (json_array_append_new(json_object_get(report->document, list), object) != 0)
        report->out_of_memory = true;
}

static const char *audit_word(const struct bench_cell *cell)
{
    return !cell->variant->audit ? NULL : cell->audit_failed ? "failed" : "ok";
}

static void result_json(struct bench_report *report, const struct bench_set *set, const struct bench_cell *cell,
                        json_t *extras)
{
    const struct bench_variant *variant = cell->variant;
    json_t *result = json_pack("{s:s, s:s?, s:s, s:i, s:o, s:f, s:f, s:s?}", "algorithm", variant->algorithm, "stamp",
                               variant->stamp, "workload", variant->workload, "threads", cell->threads, "ops_per_s",
                               ordo_json_median(bench_ops_per_s(set, cell)), "ns_per_op", bench_ns_per_op(set, cell),
                               "cpu_share", cell->cpu_s / cell->wall_s, "audit", audit_word(cell));
    if (extras)
        (void)json_object_update(result, extras);
    append(report, "results", result);
}

/* "  key value" for each number or string among the extras. */
static void print_extras(FILE *stream, json_t *extras)
{
    const char *key;
    json_t *value;
    json_object_foreach(extras, key, value)
    {
        if (json_is_number(value))
            fprintf(stream, "  %s %.4g", key, json_number_value(value));
        else if (json_is_string(value))
            fprintf(stream, "  %s %s", key, json_string_value(value));
    }
}

static void result_row(const struct bench_report *report, const struct bench_set *set, const struct bench_cell *cell,
                       json_t *extras)
{
    char name[BENCH_NAME];
    struct ordo_median ops_per_s = bench_ops_per_s(set, cell);
    bench_name(cell->variant, name, sizeof name);
    fprintf(report->stream, "%-26s %7d %9.2f %10.3f  [%.3f, %.3f]", name, cell->threads, bench_ns_per_op(set, cell),
            ops_per_s.median / 1e6, ops_per_s.low / 1e6, ops_per_s.high / 1e6);
    print_extras(report->stream, extras);
    fprintf(report->stream, "%s\n", cell->audit_failed ? "  FAILED" : "");
}

void bench_report_set(struct bench_report *report, const struct bench_set *set, bench_extras *extras)
{
    if (!report->json)
        fprintf(report->stream, "\n%-26s %7s %9s %10s  [%s]\n", set->cells[0].variant->workload, "threads", "ns/op",
                "Mop/s", ordo_stats_interval_name(bench_ops_per_s(set, &set->cells[0]).level));
    for (int i = 0; i < set->cell_count; i++) {
        const struct bench_cell *cell = &set->cells[i];
        json_t *more = extras ? extras(set, cell) : NULL;
        if (report->json)
            result_json(report, set, cell, more);
        else
            result_row(report, set, cell, more);
        json_decref(more);
        report->audit_failed |= cell->audit_failed;
    }
    report->least_cpu_share = fmin(report->least_cpu_share, bench_least_cpu_share(set));
    report->ratio_titled = false;
    (void)fflush(report->stream);
}

/* "get_time/ordo", or "get_time/ordo@2" where the other side has another number of threads. */
static void ratio_name(const char *name, int threads, int other_threads, char text[BENCH_NAME])
{
    if (threads == other_threads)
        (void)snprintf(text, BENCH_NAME, "%s", name);
    else
        (void)snprintf(text, BENCH_NAME, "%s@%d", name, threads);
}

void bench_report_ratio(struct bench_report *report, const struct bench_set *set, const char *of, int of_threads,
                        const char *over, int over_threads)
{
    const struct bench_cell *of_cell = bench_find(set, of, of_threads);
    const struct bench_cell *over_cell = bench_find(set, over, over_threads);
    char of_name[BENCH_NAME], over_name[BENCH_NAME];
    if (!of_cell || !over_cell)
        return;
    struct ordo_median ratio = bench_ratio(set, of_cell, over_cell);
    ratio_name(of, of_threads, over_threads, of_name);
    ratio_name(over, over_threads, of_threads, over_name);
    if (report->json) {
        json_t *object = json_pack("{s:s, s:s, s:s, s:i}", "of", of_name, "over", over_name, "workload",
                                   of_cell->variant->workload, "threads", of_threads);
        json_t *median = ordo_json_median(ratio);
        if (json_object_update(object, median) != 0)
            report->out_of_memory = true;
        json_decref(median);
        append(report, "ratios", object);
        return;
    }
    if (!report->ratio_titled)
        fprintf(report->stream, "\n%-45s %7s %6s  [%s]\n", "ratios of op/s, paired", "threads", "median",
                ordo_stats_interval_name(ratio.level));
    report->ratio_titled = true;
    int width = fprintf(report->stream, "%s over %s", of_name, over_name);
    fprintf(report->stream, "%*s %7d %6.3f  [%.3f, %.3f]\n", width < 45 ? 45 - width : 0, "", of_threads, ratio.median,
            ratio.low, ratio.high);
}

bool bench_report_busy(const struct bench_report *report)
{
    return report->least_cpu_share < QUIET_SHARE;
}

void bench_report_print_busy(const struct bench_report *report)
{
    if (bench_report_busy(report))
        fprintf(report->stream,
                "THE MACHINE IS BUSY: a measured thread had its CPU for %.0f%% of the time. What is computed from such "
                "costs says little.\n",
                100 * report->least_cpu_share);
}

int bench_report_end(struct bench_report *report)
{
    json_t *document = report->document;
    report->document = NULL;
    if (bench_report_busy(report))
        fprintf(stderr,
                "ordo-bench: something else ran on these CPUs: a measured thread had its own for %.0f%% of the time\n",
                100 * report->least_cpu_share);
    if (report->out_of_memory) {
        json_decref(document);
        return cli_fail(EXIT_INTERNAL, "ordo-bench", "out of memory for the report");
    }
    if (report->json && ordo_json_write(document, report->stream) != 0)
        return EXIT_INTERNAL;
    return report->audit_failed ? EXIT_FAILS : EXIT_OK;
}

void bench_report_abandon(struct bench_report *report)
{
    json_decref(report->document);
    report->document = NULL;
}

int bench_refuse(const char *command, const struct ordo_error *error)
{
    char program[64];
    (void)snprintf(program, sizeof program, "ordo-bench %s", command);
    return cli_fail(error->code == ORDO_E_INVALID ? EXIT_USAGE : EXIT_UNKNOWN, program, error->text);
}
