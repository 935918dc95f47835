#include "lab/cores/lines/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES_OF_LINE = 6 };

double cores_lines_ops(const struct cores_lines_report *report)
{
    const struct ordo_json_value *results = ordo_json_get(report->bench, "results");
    double threads = 0, ops_per_s = 0, measured_s = ordo_json_number(report->lines, "measured_ps", 0) * 1e-12;
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        threads += ordo_json_number(result, "threads", 0);
        ops_per_s += ordo_json_number(ordo_json_get(result, "ops_per_s"), "median", 0);
    }
    return threads > 0 ? ops_per_s * measured_s / threads : 0;
}

uint64_t cores_lines_used(const struct ordo_json_value *line)
{
    const struct ordo_json_value *first = ordo_json_item(ordo_json_get(line, "spans"), 0);
    return (uint64_t)(ordo_json_whole(line, "place", 0) + ordo_json_whole(first, "first", 0));
}

static void pcs_add(const struct ordo_json_value *line, uint64_t *pcs, size_t *count)
{
    const struct ordo_json_value *sites = ordo_json_get(line, "sites"), *block = ordo_json_part(line, "block");
    for (size_t i = 0; i < ordo_json_count(sites); i++)
        pcs[(*count)++] = (uint64_t)ordo_json_whole(ordo_json_item(sites, i), "pc", 0);
    if (block)
        pcs[(*count)++] = (uint64_t)ordo_json_whole(block, "pc", 0);
}

uint64_t *cores_lines_pcs(const struct cores_lines_report *report, size_t *count)
{
    const struct ordo_json_value *lines = ordo_json_get(report->lines, "lines"),
                                 *all = ordo_json_get(report->lines, "all");
    size_t room = ordo_json_count(ordo_json_get(all, "sites")) + 1;
    for (size_t i = 0; i < ordo_json_count(lines); i++)
        room += ordo_json_count(ordo_json_get(ordo_json_item(lines, i), "sites")) + 1;
    uint64_t *pcs = calloc(room, sizeof *pcs);
    *count = 0;
    if (!pcs)
        return NULL;
    pcs_add(all, pcs, count);
    for (size_t i = 0; i < ordo_json_count(lines); i++)
        pcs_add(ordo_json_item(lines, i), pcs, count);
    return pcs;
}

static double percent_of(const struct ordo_json_value *part, const struct ordo_json_value *all)
{
    double most = ordo_json_number(all, "wait_ps", 0);
    return most > 0 ? 100 * ordo_json_number(part, "wait_ps", 0) / most : 0;
}

static void print_source(const struct cores_lines_report *report, int64_t pc)
{
    const struct cores_source *source = cores_sources_find(&report->sources, (uint64_t)pc);
    if (!source || !source->file) {
        printf("%#" PRIx64, (uint64_t)pc);
        return;
    }
    printf("%s:%d", source->file, source->line);
    if (source->function)
        printf(" %s", source->function);
    if (source->inlined_into)
        printf(" in %s", source->inlined_into);
}

static void print_sites(const struct cores_lines_report *report, const struct ordo_json_value *line, size_t most)
{
    const struct ordo_json_value *sites = ordo_json_get(line, "sites");
    for (size_t i = 0; i < ordo_json_count(sites) && i < most; i++) {
        const struct ordo_json_value *site = ordo_json_item(sites, i);
        printf("    %5.1f%%  %-6s ", percent_of(site, line), ordo_json_word(site, "access"));
        print_source(report, ordo_json_whole(site, "pc", 0));
        printf("\n");
    }
}

static void print_object(const struct cores_lines_report *report, const struct ordo_json_value *line)
{
    const struct ordo_json_value *block = ordo_json_part(line, "block");
    const struct cores_variable *variable = cores_sources_variable(&report->sources, cores_lines_used(line));
    if (block) {
        printf("at byte %" PRId64 " of %" PRId64 ", allocated at ", ordo_json_whole(block, "offset", 0),
               ordo_json_whole(block, "bytes", 0));
        print_source(report, ordo_json_whole(block, "pc", 0));
    } else if (variable) {
        printf("at byte %" PRId64 " of %s", ordo_json_whole(line, "place", 0) - (int64_t)variable->address,
               variable->name);
    } else {
        printf("of a stack, or of other memory");
    }
    printf("\n");
}

static void print_bytes(const struct ordo_json_value *line)
{
    const struct ordo_json_value *spans = ordo_json_get(line, "spans");
    if (ordo_json_truth(line, "false_sharing"))
        printf("    FALSE SHARING: no CPU uses a byte that another one writes\n");
    for (size_t i = 0; i < ordo_json_count(spans); i++) {
        const struct ordo_json_value *span = ordo_json_item(spans, i);
        printf("    bytes %" PRId64 "-%" PRId64 ": of %" PRId64 " CPUs, %" PRId64 " read, %" PRId64 " write\n",
               ordo_json_whole(span, "first", 0), ordo_json_whole(span, "last", 0), ordo_json_whole(span, "cpus", 0),
               ordo_json_whole(span, "readers", 0), ordo_json_whole(span, "writers", 0));
    }
}

static void print_hot_line(const struct cores_lines_report *report, const struct ordo_json_value *line, size_t number)
{
    const struct ordo_json_value *all = ordo_json_get(report->lines, "all");
    double wait_ns = ordo_json_number(line, "wait_ps", 0) / 1000,
           queued_ns = ordo_json_number(line, "queued_ps", 0) / 1000;
    printf("\n%2zu  %4.1f%%  %9.3g  %9.3g  %9.3g  %9" PRId64 "  %13" PRId64 "  %4" PRId64 "  ", number,
           percent_of(line, all), wait_ns / 1000, wait_ns / report->ops, queued_ns / report->ops,
           ordo_json_whole(line, "transfers", 0), ordo_json_whole(line, "invalidations", 0),
           ordo_json_whole(line, "cpus", 0));
    print_object(report, line);
    print_bytes(line);
    print_sites(report, line, PLACES_OF_LINE);
}

void cores_lines_print(const struct cores_lines_report *report)
{
    const struct ordo_json_value *lines = ordo_json_get(report->lines, "lines"),
                                 *all = ordo_json_get(report->lines, "all");
    double ns_per_op = ordo_json_number(report->lines, "measured_ps", 0) / 1000 / report->ops;
    printf("simulated: %s; %s, %.0f operations of %.4g ns; their misses take %.4g ns, of which some overlap\n\n",
           ordo_json_word(report->lines, "machine"), ordo_json_word(report->bench, "command"), report->ops, ns_per_op,
           ordo_json_number(all, "wait_ps", 0) / 1000 / report->ops);
    printf("    share   wait, us   ns an op  queued/op  transfers  invalidations  CPUs  line of %" PRId64 " bytes\n",
           ordo_json_whole(report->lines, "line_bytes", 0));
    for (size_t i = 0; i < ordo_json_count(lines); i++)
        print_hot_line(report, ordo_json_item(lines, i), i + 1);
    printf("\nall lines, by place in the program\n");
    print_sites(report, all, SIZE_MAX);
}
