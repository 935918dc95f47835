#include "calibrate/collection/write.h"

#include <errno.h>
#include <stdlib.h>

#include "calibrate/collection/words.h"
#include "json/builder.h"

/* Returns `value` as JSON; null if it is unknown. */
static struct ordo_json number_or_null(int64_t value)
{
    return value == ORDO_COLLECTION_NONE ? ordo_json_null() : ordo_json_int(value);
}

static void put_text(struct ordo_json *object, const char *key, const char *text)
{
    ordo_json_put_text(object, key, text && *text ? text : NULL);
}

static void put_ns(struct ordo_json *object, const char *key, double ns)
{
    ordo_json_put(object, key, ns < 0 ? ordo_json_null() : ordo_json_real(ordo_collection_round_ns(ns)));
}

static struct ordo_json machine_of(const struct ordo_collection_machine *machine)
{
    struct ordo_json object = ordo_json_object(), clocks = ordo_json_array();
    for (int i = 0; i < machine->clock_count; i++)
        ordo_json_add(&clocks, ordo_json_text(machine->clocks[i]));
    put_text(&object, "architecture", machine->architecture);
    put_text(&object, "vendor", machine->vendor);
    ordo_json_put(&object, "family", number_or_null(machine->family));
    ordo_json_put(&object, "model", number_or_null(machine->model));
    ordo_json_put(&object, "stepping", number_or_null(machine->stepping));
    ordo_json_put(&object, "nominal_hz", number_or_null(machine->nominal_hz));
    ordo_json_put(&object, "online_cpus", number_or_null(machine->online));
    put_text(&object, "hypervisor", machine->hypervisor);
    put_text(&object, "kernel", machine->kernel);
    put_text(&object, "kernel_clock", machine->clock);
    ordo_json_put(&object, "kernel_clocks", clocks);
    put_ns(&object, "counter_read_ns", machine->counter_ns);
    put_ns(&object, "kernel_clock_read_ns", machine->kernel_clock_ns);
    return object;
}

static struct ordo_json topology_of(const struct ordo_collection_report *report)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "cpus", report->count);
    for (int kind = 0; kind < ORDO_COLLECTION_KINDS; kind++)
        ordo_json_put_int(&object, ordo_collection_counts[kind], report->groups[kind]);
    ordo_json_put_int(&object, "threads_per_core", report->threads);
    return object;
}

/* Returns the CPUs of a group as ranges; if `group` is -1, the CPUs of all groups. */
static struct ordo_json ranges_of(const struct ordo_collection_report *report, int kind, int group)
{
    struct ordo_json ranges = ordo_json_array();
    for (int i = 0; i < report->count; i++) {
        if (group >= 0 && report->group[kind][i] != group)
            continue;
        int first = i;
        while (i + 1 < report->count && report->cpus[i + 1] == report->cpus[i] + 1 &&
               (group < 0 || report->group[kind][i + 1] == group))
            i++;
        struct ordo_json range = ordo_json_array();
        ordo_json_add(&range, ordo_json_int(report->cpus[first]));
        ordo_json_add(&range, ordo_json_int(report->cpus[i]));
        ordo_json_add(&ranges, range);
    }
    return ranges;
}

static struct ordo_json groups_of(const struct ordo_collection_report *report, int kind)
{
    struct ordo_json groups = ordo_json_array();
    for (int group = 0; group < report->groups[kind]; group++)
        ordo_json_add(&groups, ranges_of(report, kind, group));
    return groups;
}

static struct ordo_json all_groups(const struct ordo_collection_report *report)
{
    struct ordo_json object = ordo_json_object();
    for (int kind = 0; kind < ORDO_COLLECTION_KINDS; kind++)
        ordo_json_put(&object, ordo_distance_word((enum ordo_distance)kind),
                      report->group[kind] && ordo_collection_keeps_groups(report->detail, kind)
                          ? groups_of(report, kind)
                          : ordo_json_null());
    return object;
}

static void put_spread(struct ordo_json *object, const char *key, const struct ordo_collection_spread *spread)
{
    struct ordo_json own = ordo_json_object();
    ordo_json_put_int(&own, "min", spread->min);
    ordo_json_put_int(&own, "median", spread->median);
    ordo_json_put_int(&own, "p99", spread->p99);
    ordo_json_put_int(&own, "max", spread->max);
    ordo_json_put(object, key, own);
}

static struct ordo_json classes_of(const struct ordo_collection_report *report)
{
    struct ordo_json array = ordo_json_array();
    for (int distance = 0; distance < ORDO_DISTANCES; distance++) {
        const struct ordo_collection_class *class = &report->classes[distance];
        if (!class->pairs)
            continue;
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "distance", ordo_distance_word((enum ordo_distance)distance));
        ordo_json_put_int(&object, "pairs", class->pairs);
        put_spread(&object, "delta_ticks", &class->delta);
        put_spread(&object, "round_trip_ticks", &class->trip);
        put_spread(&object, "proved_offset_ticks", &class->offset);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json worst_of(const struct ordo_collection_report *report)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < report->worst_count; i++) {
        struct ordo_json pair = ordo_json_array();
        ordo_json_add(&pair, ordo_json_int(report->worst[i].writer));
        ordo_json_add(&pair, ordo_json_int(report->worst[i].reader));
        ordo_json_add(&pair, ordo_json_int(report->worst[i].delta_ticks));
        ordo_json_add(&array, pair);
    }
    return array;
}

static struct ordo_json columns_of(const struct ordo_collection_report *report)
{
    struct ordo_json object = ordo_json_object();
    for (int column = 0; column < ORDO_COLUMNS; column++) {
        bool none = !ordo_collection_keeps_column(report->detail, column) ||
                    (column == ORDO_COLUMN_CORRECTION && !report->corrected_boundary_ticks);
        struct ordo_json array = none ? ordo_json_null() : ordo_json_array();
        for (int i = 0; i < report->count && !none; i++)
            ordo_json_add(&array, number_or_null(report->column[column][i]));
        ordo_json_put(&object, ordo_collection_columns[column], array);
    }
    return object;
}

static struct ordo_json square_of(const int64_t *values, int n)
{
    struct ordo_json rows = ordo_json_array();
    for (int a = 0; a < n; a++) {
        struct ordo_json row = ordo_json_array();
        for (int b = 0; b < n; b++)
            ordo_json_add(&row, number_or_null(values[(size_t)a * (size_t)n + (size_t)b]));
        ordo_json_add(&rows, row);
    }
    return rows;
}

static struct ordo_json blocks_of(const struct ordo_collection_report *report)
{
    int kind = ordo_collection_blocks_of(report->detail);
    if (kind < 0)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "of", ordo_distance_word((enum ordo_distance)kind));
    ordo_json_put(&object, "median_ticks", square_of(report->block_median, report->blocks));
    ordo_json_put(&object, "max_ticks", square_of(report->block_max, report->blocks));
    return object;
}

/* Returns an array of one text for each writer, with one character for each reader. */
static struct ordo_json rounded_of(const struct ordo_collection_report *report)
{
    size_t n = (size_t)report->count;
    struct ordo_json rows = ordo_json_array();
    for (size_t a = 0; a < n; a++)
        ordo_json_add(&rows, ordo_json_characters(report->rounded + a * n, n));
    return rows;
}

static void put_result(struct ordo_json *document, const struct ordo_collection_report *report)
{
    put_text(document, "clock", report->clock);
    put_text(document, "trust", report->trust);
    ordo_json_put_bool(document, "forced", report->forced);
    ordo_json_put_bool(document, "coarse", report->coarse);
    ordo_json_put_int(document, "tick_hz", report->tick_hz);
    ordo_json_put_int(document, "boundary_ticks", report->boundary_ticks);
    ordo_json_put_int(document, "granule_ticks", report->granule_ticks);
    ordo_json_put_int(document, "margin_ticks", report->margin_ticks);
    ordo_json_put(document, "corrected_boundary_ticks",
                  report->corrected_boundary_ticks ? ordo_json_int(report->corrected_boundary_ticks)
                                                   : ordo_json_null());
    ordo_json_put_ints(document, "drift_ppb", report->drift_min_ppb, report->drift_max_ppb);
    ordo_json_put_int(document, "runs", report->runs);
    ordo_json_put_int(document, "repeats", report->repeats);
    ordo_json_put_bool(document, "parallel", report->parallel);
}

char *ordo_collection_render(const struct ordo_collection_report *report, size_t *bytes)
{
    struct ordo_json document = ordo_json_document("ordo-report/1");
    put_text(&document, "measured_version", report->measured_version);
    put_text(&document, "month", report->month);
    ordo_json_put(&document, "machine", machine_of(&report->machine));
    put_result(&document, report);
    ordo_json_put_text(&document, "detail", ordo_collection_details[report->detail]);
    ordo_json_put(&document, "topology", topology_of(report));
    ordo_json_put(&document, "cpus", ranges_of(report, 0, -1));
    ordo_json_put(&document, "groups", all_groups(report));
    ordo_json_put_int(&document, "unmeasured_pairs", report->unmeasured);
    ordo_json_put(&document, "distance_classes", classes_of(report));
    ordo_json_put(&document, "worst_pairs", worst_of(report));
    ordo_json_put(&document, "per_cpu", report->detail <= ORDO_DETAIL_OFFSETS ? columns_of(report) : ordo_json_null());
    ordo_json_put(&document, "blocks", blocks_of(report));
    ordo_json_put(&document, "delta_ticks",
                  report->detail == ORDO_DETAIL_PAIRS ? square_of(report->delta_ticks, report->count)
                                                      : ordo_json_null());
    ordo_json_put(&document, "delta_rounded",
                  report->detail == ORDO_DETAIL_ROUNDED ? rounded_of(report) : ordo_json_null());
    return ordo_json_compact(&document, bytes);
}

/* True if an n * n matrix cannot fit, because a number and its comma take at least 2 bytes. */
static bool surely_too_large(int64_t n)
{
    return n * n * 2 >= ORDO_COLLECTION_MOST_BYTES;
}

/* True if the report's detail may fit and contains more than the next detail. */
static bool worth_trying(const struct ordo_collection_report *report)
{
    int kind = ordo_collection_blocks_of(report->detail);
    if (report->detail == ORDO_DETAIL_PAIRS)
        return !surely_too_large(report->count);
    if (report->detail == ORDO_DETAIL_ROUNDED) /* a rounded delta takes one byte */
        return (int64_t)report->count * report->count < ORDO_COLLECTION_MOST_BYTES;
    return kind < 0 || (report->groups[kind] > 1 && !surely_too_large(2 * (int64_t)report->groups[kind]));
}

int ordo_collection_fit(struct ordo_collection_report *report, char **text, size_t *bytes, struct ordo_error *error)
{
    for (int detail = 0; detail < ORDO_DETAILS; detail++) {
        int kind = ordo_collection_blocks_of((enum ordo_collection_detail)detail);
        report->detail = (enum ordo_collection_detail)detail;
        if (!worth_trying(report))
            continue;
        if ((kind >= 0 && ordo_collection_block(report, kind)) ||
            (detail == ORDO_DETAIL_ROUNDED && ordo_collection_round(report)) ||
            !(*text = ordo_collection_render(report, bytes)))
            return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "report: out of memory");
        if (*bytes < ORDO_COLLECTION_MOST_BYTES)
            return ORDO_OK;
        free(*text);
        *text = NULL;
    }
    /* "cpus" alone can be too long, for example if it lists every other CPU of thousands. */
    return ordo_error_set(error, ORDO_E_SYSTEM, E2BIG, "report: more than %d bytes even without the CPUs",
                          ORDO_COLLECTION_MOST_BYTES);
}
