/* The report as JSON, schema ordo-cores-lines/1. */
#include "lab/cores/lines/report.h"

static double share_of(const struct ordo_json_value *part, const struct ordo_json_value *all)
{
    double most = ordo_json_number(all, "wait_ps", 0);
    return most > 0 ? ordo_json_number(part, "wait_ps", 0) / most : 0;
}

/* Adds the costs of the misses, and their share of the waiting time of `all`. */
static void costs_put(struct ordo_json *object, const struct cores_lines_report *report,
                      const struct ordo_json_value *costs, const struct ordo_json_value *all)
{
    double wait_ns = ordo_json_number(costs, "wait_ps", 0) / 1000,
           queued_ns = ordo_json_number(costs, "queued_ps", 0) / 1000;
    ordo_json_put_real(object, "share", share_of(costs, all));
    ordo_json_put_real(object, "wait_ns", wait_ns);
    ordo_json_put_real(object, "wait_ns_per_op", wait_ns / report->ops);
    ordo_json_put_real(object, "queued_ns", queued_ns);
    ordo_json_put_int(object, "misses", ordo_json_whole(costs, "misses", 0));
    ordo_json_put_int(object, "transfers", ordo_json_whole(costs, "transfers", 0));
    ordo_json_put_int(object, "invalidations", ordo_json_whole(costs, "invalidations", 0));
}

static void source_put(struct ordo_json *object, const struct cores_lines_report *report, int64_t pc)
{
    const struct cores_source *source = cores_sources_find(&report->sources, (uint64_t)pc);
    bool known = source && source->file;
    ordo_json_put_text(object, "file", known ? source->file : NULL);
    ordo_json_put(object, "line", known ? ordo_json_int(source->line) : ordo_json_null());
    ordo_json_put_text(object, "function", source ? source->function : NULL);
    ordo_json_put_text(object, "inlined_into", source ? source->inlined_into : NULL);
}

static struct ordo_json sites_json(const struct cores_lines_report *report, const struct ordo_json_value *line)
{
    const struct ordo_json_value *sites = ordo_json_get(line, "sites");
    struct ordo_json array = ordo_json_array();
    for (size_t i = 0; i < ordo_json_count(sites); i++) {
        const struct ordo_json_value *site = ordo_json_item(sites, i);
        struct ordo_json object = ordo_json_object();
        source_put(&object, report, ordo_json_whole(site, "pc", 0));
        ordo_json_put_text(&object, "access", ordo_json_word(site, "access"));
        costs_put(&object, report, site, line);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json bytes_json(const struct ordo_json_value *spans)
{
    struct ordo_json array = ordo_json_array();
    for (size_t i = 0; i < ordo_json_count(spans); i++) {
        const struct ordo_json_value *span = ordo_json_item(spans, i);
        static const char *const keys[] = {"first", "last", "cpus", "readers", "writers"};
        struct ordo_json object = ordo_json_object();
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            ordo_json_put_int(&object, keys[k], ordo_json_whole(span, keys[k], 0));
        ordo_json_add(&array, object);
    }
    return array;
}

/* The object of the program that the line belongs to. */
static struct ordo_json owner_json(const struct cores_lines_report *report, const struct ordo_json_value *line)
{
    const struct ordo_json_value *block = ordo_json_part(line, "block");
    uint64_t used = cores_lines_used(line);
    const struct cores_variable *variable = block ? NULL : cores_sources_variable(&report->sources, used);
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "kind", block ? "heap" : variable ? "variable" : "other");
    if (block) {
        ordo_json_put_int(&object, "size_bytes", ordo_json_whole(block, "bytes", 0));
        ordo_json_put_int(&object, "offset_bytes", ordo_json_whole(block, "offset", 0));
        struct ordo_json site = ordo_json_object();
        source_put(&site, report, ordo_json_whole(block, "pc", 0));
        ordo_json_put(&object, "allocated_at", site);
    }
    if (variable) {
        ordo_json_put_text(&object, "name", variable->name);
        ordo_json_put_int(&object, "size_bytes", (int64_t)variable->bytes);
        ordo_json_put_int(&object, "offset_bytes", ordo_json_whole(line, "place", 0) - (int64_t)variable->address);
    }
    return object;
}

static struct ordo_json found_line_json(const struct cores_lines_report *report, const struct ordo_json_value *line)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "address", ordo_json_whole(line, "address", 0));
    costs_put(&object, report, line, ordo_json_get(report->lines, "all"));
    ordo_json_put_int(&object, "cpus", ordo_json_whole(line, "cpus", 0));
    ordo_json_put_bool(&object, "false_sharing", ordo_json_truth(line, "false_sharing"));
    ordo_json_put(&object, "object", owner_json(report, line));
    ordo_json_put(&object, "bytes", bytes_json(ordo_json_get(line, "spans")));
    ordo_json_put(&object, "places", sites_json(report, line));
    return object;
}

int cores_lines_print_json(const struct cores_lines_report *report)
{
    const struct ordo_json_value *all = ordo_json_get(report->lines, "all"),
                                 *lines = ordo_json_get(report->lines, "lines");
    struct ordo_json document = ordo_json_document("ordo-cores-lines/1"), array = ordo_json_array(),
                     total = ordo_json_object();
    for (size_t i = 0; i < ordo_json_count(lines); i++)
        ordo_json_add(&array, found_line_json(report, ordo_json_item(lines, i)));
    costs_put(&total, report, all, all);
    ordo_json_put_text(&document, "machine", ordo_json_word(report->lines, "machine"));
    ordo_json_put_text(&document, "command", ordo_json_word(report->bench, "command"));
    ordo_json_put_int(&document, "line_bytes", ordo_json_whole(report->lines, "line_bytes", 0));
    ordo_json_put_real(&document, "operations", report->ops);
    ordo_json_put_real(&document, "ns_per_op", ordo_json_number(report->lines, "measured_ps", 0) / 1000 / report->ops);
    ordo_json_put(&document, "all", total);
    ordo_json_put(&document, "lines", array);
    ordo_json_put(&document, "places", sites_json(report, all));
    return ordo_json_write(&document, stdout);
}
