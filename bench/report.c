#include "report.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "common/command.h"

/* If a thread has its CPU for less than this share of the time, its result describes the other load as much as the
 * variant. */
#define QUIET_SHARE 0.95

void bench_report_begin(struct bench_report *report, FILE *stream, const char *command,
                        const struct bench_machine *machine, const struct bench_options *options,
                        const struct bench_boundary *boundary)
{
    *report = (struct bench_report){
        .stream = stream, .json = options->json, .least_cpu_share = 1, .cpus = machine->cpu_count};
    if (!options->json) {
        bench_provenance_print(machine, options, boundary, stream);
        return;
    }
    report->document = ordo_json_document("ordo-bench/1");
    ordo_json_put_text(&report->document, "command", command);
    ordo_json_put(&report->document, "provenance", bench_provenance_json(machine, options, boundary));
    ordo_json_put(&report->document, "results", ordo_json_array());
    ordo_json_put(&report->document, "ratios", ordo_json_array());
}

int bench_report_load(const char *path, struct ordo_json_value **document, struct ordo_error *error)
{
    static const char remedy[] = "give it what ordo-bench wrote with --json";
    int code = ordo_json_load(path, remedy, document, error);
    if (code)
        return code;
    const char *schema = ordo_json_word(*document, "schema");
    bool ours = schema && strcmp(schema, "ordo-bench/1") == 0;
    if (ours && ordo_json_is(ordo_json_get(*document, "results"), ORDO_JSON_ARRAY))
        return ORDO_OK;
    ordo_json_free(*document);
    *document = NULL;
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: %s: %s", path,
                          ours ? "$.results: missing, or no array" : "not a result of schema ordo-bench/1", remedy);
}

static const char *audit_word(const struct bench_cell *cell)
{
    return !cell->variant->audit ? NULL : cell->audit_failed ? "failed" : "ok";
}

static void result_json(struct bench_report *report, const struct bench_set *set, const struct bench_cell *cell,
                        const struct ordo_json *extras)
{
    const struct bench_variant *variant = cell->variant;
    struct ordo_json result = ordo_json_object();
    ordo_json_put_text(&result, "algorithm", variant->algorithm);
    ordo_json_put_text(&result, "stamp", variant->stamp);
    ordo_json_put_text(&result, "workload", variant->workload);
    ordo_json_put_int(&result, "threads", cell->threads);
    if (cell->threads > report->cpus)
        ordo_json_put(&result, "oversubscribed", ordo_json_bool(true));
    ordo_json_put_median(&result, "ops_per_s", bench_ops_per_s(set, cell));
    ordo_json_put_real(&result, "ns_per_op", bench_ns_per_op(set, cell));
    ordo_json_put_real(&result, "cpu_share", cell->cpu_s / cell->wall_s);
    ordo_json_put_text(&result, "audit", audit_word(cell));
    ordo_json_put_all(&result, extras);
    ordo_json_append(&report->document, "results", result);
}

/* Prints "  key value" for each number, string or median among the extras; a median with its interval. */
static void print_extras(FILE *stream, const struct ordo_json *extras)
{
    struct ordo_json_entry entry = {0};
    while (ordo_json_next(ordo_json_view(extras), &entry)) {
        if (ordo_json_is(entry.value, ORDO_JSON_REAL))
            fprintf(stream, "  %s %.4g", entry.key, ordo_json_number_of(entry.value, 0));
        else if (ordo_json_is(entry.value, ORDO_JSON_WORD))
            fprintf(stream, "  %s %s", entry.key, ordo_json_word_of(entry.value));
        else if (ordo_json_get(entry.value, "median"))
            fprintf(stream, "  %s %.4g [%.4g, %.4g]", entry.key, ordo_json_number(entry.value, "median", 0),
                    ordo_json_number(entry.value, "low", 0), ordo_json_number(entry.value, "high", 0));
    }
}

static void result_row(const struct bench_report *report, const struct bench_set *set, const struct bench_cell *cell,
                       const struct ordo_json *extras)
{
    char name[BENCH_NAME];
    struct ordo_median ops_per_s = bench_ops_per_s(set, cell);
    bench_name(cell->variant, name, sizeof name);
    fprintf(report->stream, "%-26s %7d %9.2f %10.3f  [%.3f, %.3f]", name, cell->threads, bench_ns_per_op(set, cell),
            ops_per_s.median / 1e6, ops_per_s.low / 1e6, ops_per_s.high / 1e6);
    print_extras(report->stream, extras);
    fprintf(report->stream, "%s%s\n", cell->threads > report->cpus ? "  OVERSUBSCRIBED" : "",
            cell->audit_failed ? "  FAILED" : "");
}

void bench_report_set(struct bench_report *report, const struct bench_set *set, bench_extras *extras)
{
    if (!report->json)
        fprintf(report->stream, "\n%-26s %7s %9s %10s  [%s]\n", set->cells[0].variant->workload, "threads", "ns/op",
                "Mop/s", ordo_stats_interval_name(bench_ops_per_s(set, &set->cells[0]).level));
    for (int i = 0; i < set->cell_count; i++) {
        const struct bench_cell *cell = &set->cells[i];
        struct ordo_json more = extras ? extras(set, cell) : (struct ordo_json){0};
        report->document.failed |= more.failed;
        if (report->json)
            result_json(report, set, cell, &more);
        else
            result_row(report, set, cell, &more);
        ordo_json_drop(&more);
        report->audit_failed |= cell->audit_failed;
    }
    report->least_cpu_share = fmin(report->least_cpu_share, bench_least_cpu_share(set, report->cpus));
    report->ratio_titled = report->added_titled = false;
    (void)fflush(report->stream);
}

/* Writes "get_time/ordo", or "get_time/ordo@2" if the other side of the ratio has another thread count. */
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
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "of", of_name);
        ordo_json_put_text(&object, "over", over_name);
        ordo_json_put_text(&object, "workload", of_cell->variant->workload);
        ordo_json_put_int(&object, "threads", of_threads);
        ordo_json_put_median_here(&object, ratio);
        ordo_json_append(&report->document, "ratios", object);
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

void bench_report_added_ratio(struct bench_report *report, const struct bench_set *set, const char *of,
                              const char *over, const char *base, int threads)
{
    const struct bench_cell *of_cell = bench_find(set, of, threads);
    const struct bench_cell *over_cell = bench_find(set, over, threads);
    const struct bench_cell *base_cell = bench_find(set, base, threads);
    if (!of_cell || !over_cell || !base_cell)
        return;
    struct ordo_median ratio = bench_added_ratio(set, of_cell, over_cell, base_cell);
    if (report->json) {
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "of", of);
        ordo_json_put_text(&object, "over", over);
        ordo_json_put_text(&object, "base", base);
        ordo_json_put_text(&object, "workload", of_cell->variant->workload);
        ordo_json_put_int(&object, "threads", threads);
        ordo_json_put_median_here(&object, ratio);
        ordo_json_append(&report->document, "added_ratios", object);
        return;
    }
    if (!report->added_titled)
        fprintf(report->stream, "\n%-62s %7s %6s  [%s]\n", "ratios of the ns/op added, paired", "threads", "median",
                ordo_stats_interval_name(ratio.level));
    report->added_titled = true;
    int width = fprintf(report->stream, "%s over %s", of, over);
    fprintf(report->stream, "%*s %7d %6.3f  [%.3f, %.3f]\n", width < 62 ? 62 - width : 0, "", threads, ratio.median,
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
    if (bench_report_busy(report))
        fprintf(
            stderr,
            "ordo-bench: other programs ran on these CPUs: a measured thread had its CPU for only %.0f%% of the time\n",
            100 * report->least_cpu_share);
    if (report->document.failed) {
        bench_report_abandon(report);
        return cli_fail(EXIT_INTERNAL, "ordo-bench", "out of memory for the report");
    }
    if (report->json && ordo_json_write(&report->document, report->stream) != 0)
        return EXIT_INTERNAL;
    return report->audit_failed ? EXIT_FAILS : EXIT_OK;
}

void bench_report_abandon(struct bench_report *report)
{
    ordo_json_drop(&report->document);
}

int bench_refuse(const char *command, const struct ordo_error *error)
{
    char program[64];
    (void)snprintf(program, sizeof program, "ordo-bench %s", command);
    return cli_fail(error->code == ORDO_E_INVALID ? EXIT_USAGE : EXIT_UNKNOWN, program, error->text);
}
