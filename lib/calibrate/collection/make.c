#include "calibrate/collection/make.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/corrected.h>
#include <ordo/version.h>

#include "calibrate/collection/words.h"

static int no_memory(struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "report: out of memory");
}

/* Copies a version of three numbers; copies "" if `text` has another form. */
static void copy_version(char *version, size_t size, const char text[16])
{
    unsigned major, minor, patch;
    char copy[17] = "";
    int end = 0;
    memcpy(copy, text, 16); /* the text need not end with 0 */
    bool digits = copy[strspn(copy, "0123456789.")] == '\0';
    if (!digits || sscanf(copy, "%4u.%4u.%4u%n", &major, &minor, &patch, &end) != 3 || copy[end] != '\0')
        copy[0] = '\0';
    (void)snprintf(version, size, "%.15s", copy);
}

static void tell_month(char *month, size_t size, time_t measured)
{
    struct tm utc;
    if (!gmtime_r(&measured, &utc) || !strftime(month, size, "%Y-%m", &utc))
        (void)snprintf(month, size, "1970-01");
}

static const char *counter_word(uint32_t clock)
{
    static const char *const words[] = {"unknown", "tsc", "cntvct", "time", "monotonic"};
    return words[clock < sizeof words / sizeof *words ? clock : 0];
}

static void copy_head(struct ordo_collection_report *report, const struct ordo_record *head)
{
    report->clock = counter_word(head->clock);
    report->trust = ordo_trust_word(ordo_trust_of_flags(head->flags));
    report->forced = (head->flags & ORDO_FLAG_FORCED) != 0;
    report->coarse = (head->flags & ORDO_FLAG_COARSE) != 0;
    report->parallel = head->method == ORDO_METHOD_TOURNAMENT;
    report->tick_hz = ordo_collection_round_hz(head->tick_hz);
    report->boundary_ticks = (int64_t)head->boundary_ticks;
    report->granule_ticks = (int64_t)head->granule_ticks;
    report->margin_ticks = (int64_t)head->margin_ticks;
    report->drift_min_ppb = head->drift_min_ppb;
    report->drift_max_ppb = head->drift_max_ppb;
    report->runs = (int64_t)head->runs;
    report->repeats = head->repeats;
    (void)snprintf(report->tool_version, sizeof report->tool_version, "%s", ORDO_VERSION);
    copy_version(report->measured_version, sizeof report->measured_version, head->tool_version);
}

/* Copies the L3 caches, packages and nodes of the record. */
static int copy_places(struct ordo_collection_report *report, const struct ordo_place *places)
{
    for (int i = 0; i < report->count; i++) {
        const uint32_t numbers[] = {places[i].l3, places[i].package, places[i].numa};
        for (int k = 0; k < 3; k++) {
            if (numbers[k] != ORDO_PLACE_NONE && numbers[k] > INT32_MAX)
                return -1;
            report->group[ORDO_DISTANCE_L3 + k][i] = numbers[k] == ORDO_PLACE_NONE ? -1 : (int)numbers[k];
        }
    }
    return 0;
}

/* Groups the CPUs by cores or L2 caches, by the topology: puts each CPU into the group of the first CPU that is at most
 * this far away. */
static void find_near(struct ordo_collection_report *report, const struct ordo_topology *topology, const bool *seen,
                      enum ordo_distance kind)
{
    int *group = report->group[kind];
    for (int i = 0; i < report->count; i++) {
        group[i] = seen[i] ? i : -1;
        for (int j = 0; j < i && seen[i]; j++)
            if (group[j] == j && ordo_topology_distance(topology, report->cpus[i], report->cpus[j]) <= kind) {
                group[i] = j;
                break;
            }
    }
}

static int copy_topology(struct ordo_collection_report *report, const struct ordo_topology *topology,
                         struct ordo_error *error)
{
    unsigned *usable;
    int count, at = 0;
    bool *seen = calloc((size_t)report->count + 1, sizeof *seen);
    if (!seen)
        return no_memory(error);
    int code = ordo_topology_select(topology, NULL, &usable, &count, error);
    for (int i = 0; i < report->count && !code; i++) {
        while (at < count && usable[at] < report->cpus[i])
            at++;
        seen[i] = at < count && usable[at] == report->cpus[i];
    }
    if (!code) {
        free(usable);
        find_near(report, topology, seen, ORDO_DISTANCE_CORE);
        find_near(report, topology, seen, ORDO_DISTANCE_L2);
        for (int kind = 0; kind < ORDO_COLLECTION_KINDS; kind++)
            ordo_collection_number(report, kind);
    }
    free(seen);
    return code;
}

static int copy_matrix(struct ordo_collection_report *report, const int64_t *matrix)
{
    size_t n = (size_t)report->count;
    report->delta_ticks = malloc((n * n + 1) * sizeof *report->delta_ticks);
    for (size_t i = 0; i < n * n && report->delta_ticks; i++) {
        int64_t delta = i % (n + 1) == 0 ? ORDO_COLLECTION_NONE : matrix[i];
        if (delta != ORDO_COLLECTION_NONE && (delta > ORDO_COLLECTION_MOST / 4 || delta < -ORDO_COLLECTION_MOST / 4))
            delta = ORDO_COLLECTION_NONE; /* the value was not measured */
        report->delta_ticks[i] = delta;
    }
    return report->delta_ticks ? 0 : -1;
}

static void copy_corrections(struct ordo_collection_report *report, const struct ordo_record_view *record)
{
    const struct ordo_corrections *found;
    if (ordo_corrected_find(record, &found) || report->cpus[report->count - 1] >= ORDO_CORRECTED_CPUS)
        return;
    report->corrected_boundary_ticks = (int64_t)found->boundary_ticks;
    for (int i = 0; i < report->count; i++)
        report->column[ORDO_COLUMN_CORRECTION][i] = found->ticks[report->cpus[i]];
}

static int copy_cpus(struct ordo_collection_report *report, const struct ordo_record_view *record)
{
    int count = 0;
    for (unsigned long cpu = 0; cpu < record->cpus_bytes * 8; cpu++)
        if (ordo_record_covers(record, cpu)) {
            if (report)
                report->cpus[count] = (unsigned)cpu;
            count++;
        }
    return count;
}

/* The two parts of a record that a report needs. */
struct parts {
    const int64_t *matrix;
    const struct ordo_place *places;
};

static int find_parts(const struct ordo_record_view *record, size_t n, struct parts *parts, struct ordo_error *error)
{
    const void *matrix, *places;
    size_t matrix_bytes, places_bytes;
    int code = ordo_record_part(record, ORDO_PART_MATRIX, &matrix, &matrix_bytes);
    if (!code)
        code = ordo_record_part(record, ORDO_PART_PLACES, &places, &places_bytes);
    if (!code && (n < 1 || matrix_bytes / 8 != (uint64_t)n * n || places_bytes / sizeof(struct ordo_place) != n))
        code = ORDO_E_MALFORMED;
    if (code == ORDO_E_UNMEASURED)
        return ordo_error_set(error, code, 0, "the record has no matrix: run 'ordo calibrate'");
    if (code)
        return ordo_error_set(error, code, 0, "the record's matrix is damaged: run 'ordo calibrate'");
    *parts = (struct parts){matrix, places};
    return ORDO_OK;
}

static int fill_report(struct ordo_collection_report *report, const struct ordo_collection_source *source,
                       const struct parts *parts, struct ordo_error *error)
{
    report->machine = *source->machine;
    if (report->machine.online != ORDO_COLLECTION_NONE && report->machine.online < report->count)
        report->machine.online = ORDO_COLLECTION_NONE; /* CPUs of the record are offline, or of another machine */
    if (report->machine.nominal_hz != ORDO_COLLECTION_NONE)
        report->machine.nominal_hz = ordo_collection_round_hz((uint64_t)report->machine.nominal_hz);
    tell_month(report->month, sizeof report->month, source->measured);
    copy_head(report, &source->record->head);
    (void)copy_cpus(report, source->record);
    if (copy_places(report, parts->places))
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "the record's places are damaged: run 'ordo calibrate'");
    if (copy_matrix(report, parts->matrix))
        return no_memory(error);
    int code = copy_topology(report, source->topology, error);
    if (code)
        return code;
    if (ordo_collection_summarise(report))
        return no_memory(error);
    copy_corrections(report, source->record);
    return ORDO_OK;
}

int ordo_collection_make(const struct ordo_collection_source *source, struct ordo_collection_report **report,
                         struct ordo_error *error)
{
    struct parts parts = {NULL, NULL};
    int n = copy_cpus(NULL, source->record);
    int code = find_parts(source->record, (size_t)n, &parts, error);
    if (code)
        return code;
    if (n > ORDO_COLLECTION_MOST_CPUS)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%d CPUs: a report holds %d at most", n,
                              ORDO_COLLECTION_MOST_CPUS);
    *report = ordo_collection_new(n);
    if (!*report)
        return no_memory(error);
    code = fill_report(*report, source, &parts, error);
    if (code) {
        ordo_collection_free(*report);
        *report = NULL;
    }
    return code;
}
