#include "lab/cores/wrap/lines.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/cores/run/place.h"
#include "lab/cores/wrap/memory.h"
#include "json/builder.h"

enum { LINES = 10 };

static int read_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uintptr_t *)bias = info->dlpi_addr;
    return 1; /* the program itself is the first object */
}

static uintptr_t program_bias(void)
{
    uintptr_t bias = 0;
    (void)dl_iterate_phdr(read_bias, &bias);
    return bias;
}

static void put_costs(struct ordo_json *object, const struct cores_site *costs)
{
    ordo_json_put_int(object, "misses", (int64_t)costs->misses);
    ordo_json_put_int(object, "transfers", (int64_t)costs->transfers);
    ordo_json_put_int(object, "invalidations", (int64_t)costs->invalidations);
    ordo_json_put_int(object, "wait_ps", (int64_t)costs->wait_ps);
    ordo_json_put_int(object, "queued_ps", (int64_t)costs->queued_ps);
}

static struct ordo_json sites_json(const struct cores_hot_line *line)
{
    static const char *const words[CORES_ACCESSES] = {"read", "write", "update"};
    struct ordo_json sites = ordo_json_array();
    for (int i = 0; i < line->site_count; i++) {
        struct ordo_json object = ordo_json_object();
        ordo_json_put_int(&object, "pc", (int64_t)(line->sites[i].pc - program_bias()));
        ordo_json_put_text(&object, "access", words[line->sites[i].access]);
        put_costs(&object, &line->sites[i]);
        ordo_json_add(&sites, object);
    }
    return sites;
}

static struct ordo_json spans_json(const struct cores_hot_line *line)
{
    struct ordo_json spans = ordo_json_array();
    for (int i = 0; i < line->span_count; i++) {
        struct ordo_json object = ordo_json_object();
        ordo_json_put_int(&object, "first", line->spans[i].first);
        ordo_json_put_int(&object, "last", line->spans[i].last);
        ordo_json_put_int(&object, "cpus", line->spans[i].users);
        ordo_json_put_int(&object, "readers", line->spans[i].readers);
        ordo_json_put_int(&object, "writers", line->spans[i].writers);
        ordo_json_add(&spans, object);
    }
    return spans;
}

/* The block of the program's heap that contains the line's first used byte; null if the line is not in the heap. */
static struct ordo_json block_json(const struct cores_hot_line *line)
{
    uintptr_t used = line->address + (uintptr_t)(line->span_count ? line->spans[0].first : 0), block, pc;
    size_t room, bytes;
    if (!cores_memory_block(used, &block, &room))
        return ordo_json_null();
    bool known = cores_place_allocation(block, &pc, &bytes);
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "bytes", (int64_t)(known ? bytes : room));
    ordo_json_put_int(&object, "offset", (int64_t)line->address - (int64_t)block);
    ordo_json_put_int(&object, "pc", known ? (int64_t)(pc - program_bias()) : 0);
    return object;
}

static struct ordo_json hot_line_json(const struct cores_hot_line *line)
{
    struct ordo_json object = ordo_json_object();
    const struct cores_site costs = {
        0, CORES_READ, line->misses, line->transfers, line->invalidations, line->wait_ps, line->queued_ps};
    put_costs(&object, &costs);
    ordo_json_put(&object, "sites", sites_json(line));
    if (!line->address)
        return object;
    ordo_json_put_int(&object, "address", (int64_t)line->address);
    ordo_json_put_int(&object, "place", (int64_t)(line->address - program_bias()));
    ordo_json_put_int(&object, "cpus", line->cpus);
    ordo_json_put_bool(&object, "false_sharing", line->false_sharing);
    ordo_json_put(&object, "spans", spans_json(line));
    ordo_json_put(&object, "block", block_json(line));
    return object;
}

static struct ordo_json report_json(const struct cores_hot_line *lines, int count, const struct cores_hot_line *all)
{
    struct ordo_json document = ordo_json_object(), list = ordo_json_array();
    for (int i = 0; i < count; i++)
        ordo_json_add(&list, hot_line_json(&lines[i]));
    ordo_json_put_text(&document, "machine", cores.machine->title);
    ordo_json_put_int(&document, "line_bytes", cores.machine->line_bytes);
    ordo_json_put_int(&document, "measured_ps", (int64_t)cores_place_measured_ps());
    ordo_json_put(&document, "all", hot_line_json(all));
    ordo_json_put(&document, "lines", list);
    return document;
}

int cores_lines_write(const char *path, struct ordo_error *error)
{
    struct cores_hot_line *lines, all;
    int count = cores_place_costliest(LINES, &lines, &all, error);
    if (count < 0)
        return count;
    struct ordo_json document = report_json(lines, count, &all);
    FILE *file = fopen(path, "we");
    bool written = file && ordo_json_write(&document, file) == 0;
    if (file && fclose(file))
        written = false;
    free(lines);
    return written ? ORDO_OK : ordo_error_errno(error, "%s", path);
}
