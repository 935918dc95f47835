#include "calibrate/collection/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "calibrate/collection/shape.h"
#include "calibrate/collection/words.h"

enum { NAME = 56 };

static int wrong_path(struct ordo_json_fault *fault, const char *path, const char *found)
{
    (void)snprintf(fault->path, sizeof fault->path, "%s", path);
    (void)snprintf(fault->found, sizeof fault->found, "%s", found);
    return -1;
}

/* Returns the word of the list `words` that equals the text of a key; NULL if the key is null. The returned word stays
 * valid after the document is freed. */
static const char *word_of(const char *const *words, const struct ordo_json_value *object, const char *key)
{
    const char *text = ordo_json_word(object, key);
    return text ? ordo_collection_word(words, text) : NULL;
}

static void copy_text(char *text, size_t size, const struct ordo_json_value *object, const char *key)
{
    const char *found = ordo_json_word(object, key);
    (void)snprintf(text, size, "%s", found ? found : "");
}

static void load_machine(struct ordo_collection_machine *machine, const struct ordo_json_value *value)
{
    const struct ordo_json_value *clocks = ordo_json_part(value, "kernel_clocks");
    machine->architecture = word_of(ordo_collection_architectures, value, "architecture");
    machine->vendor = word_of(ordo_collection_vendors, value, "vendor");
    machine->hypervisor = word_of(ordo_collection_hypervisors, value, "hypervisor");
    machine->family = ordo_json_whole(value, "family", ORDO_COLLECTION_NONE);
    machine->model = ordo_json_whole(value, "model", ORDO_COLLECTION_NONE);
    machine->stepping = ordo_json_whole(value, "stepping", ORDO_COLLECTION_NONE);
    machine->nominal_hz = ordo_json_whole(value, "nominal_hz", ORDO_COLLECTION_NONE);
    machine->online = ordo_json_whole(value, "online_cpus", ORDO_COLLECTION_NONE);
    copy_text(machine->kernel, sizeof machine->kernel, value, "kernel");
    machine->clock = word_of(ordo_collection_clocks, value, "kernel_clock");
    for (size_t i = 0; i < ordo_json_count(clocks); i++)
        machine->clocks[machine->clock_count++] =
            ordo_collection_word(ordo_collection_clocks, ordo_json_word_of(ordo_json_item(clocks, i)));
    machine->counter_ns = ordo_json_number(value, "counter_read_ns", -1);
    machine->kernel_clock_ns = ordo_json_number(value, "kernel_clock_read_ns", -1);
}

static void load_result(struct ordo_collection_report *report, const struct ordo_json_value *value)
{
    const struct ordo_json_value *drift = ordo_json_part(value, "drift_ppb"),
                                 *topology = ordo_json_part(value, "topology");
    copy_text(report->tool_version, sizeof report->tool_version, value, "tool_version");
    copy_text(report->measured_version, sizeof report->measured_version, value, "measured_version");
    copy_text(report->month, sizeof report->month, value, "month");
    load_machine(&report->machine, ordo_json_part(value, "machine"));
    report->clock = word_of(ordo_collection_counters, value, "clock");
    report->trust = word_of(ordo_collection_trusts, value, "trust");
    report->forced = ordo_json_truth(value, "forced");
    report->coarse = ordo_json_truth(value, "coarse");
    report->parallel = ordo_json_truth(value, "parallel");
    report->tick_hz = ordo_json_whole(value, "tick_hz", 1);
    report->boundary_ticks = ordo_json_whole(value, "boundary_ticks", 0);
    report->granule_ticks = ordo_json_whole(value, "granule_ticks", 0);
    report->margin_ticks = ordo_json_whole(value, "margin_ticks", 0);
    report->corrected_boundary_ticks = ordo_json_whole(value, "corrected_boundary_ticks", 0);
    report->drift_min_ppb = ordo_json_whole_at(drift, 0, 0);
    report->drift_max_ppb = ordo_json_whole_at(drift, 1, 0);
    report->runs = ordo_json_whole(value, "runs", 0);
    report->repeats = ordo_json_whole(value, "repeats", 0);
    report->unmeasured = ordo_json_whole(value, "unmeasured_pairs", 0);
    report->threads = (int)ordo_json_whole(topology, "threads_per_core", 0);
    for (int kind = 0; kind < ORDO_COLLECTION_KINDS; kind++)
        report->groups[kind] = (int)ordo_json_whole(topology, ordo_collection_counts[kind], 0);
    const char *detail = ordo_json_word(value, "detail");
    while (strcmp(detail, ordo_collection_details[report->detail]) != 0)
        report->detail++;
}

/* Expands ranges into CPUs, ascending and without repetition. Returns the number of CPUs, at most `room`, or -1 with
 * `fault`. */
static int expand(const struct ordo_json_value *ranges, unsigned *cpus, int room, const char *path,
                  struct ordo_json_fault *fault)
{
    int64_t last = -1;
    int count = 0;
    for (size_t i = 0; i < ordo_json_count(ranges); i++) {
        const struct ordo_json_value *range = ordo_json_item(ranges, i);
        int64_t from = ordo_json_whole_at(range, 0, 0), to = ordo_json_whole_at(range, 1, 0);
        if (from <= last || to < from)
            return wrong_path(fault, path, "ranges of CPUs that do not ascend");
        if (to - from >= room - count)
            return wrong_path(fault, path, "more CPUs than topology.cpus");
        for (last = from; last < to; last++)
            cpus[count++] = (unsigned)last;
        cpus[count++] = (unsigned)last;
    }
    return count;
}

static int index_of(const struct ordo_collection_report *report, unsigned cpu)
{
    int low = 0, high = report->count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (report->cpus[middle] < cpu)
            low = middle + 1;
        else
            high = middle;
    }
    return report->cpus[low] == cpu ? low : -1;
}

static int load_group(struct ordo_collection_report *report, int kind, const struct ordo_json_value *groups,
                      unsigned *room, struct ordo_json_fault *fault)
{
    char path[64];
    for (size_t g = 0; g < ordo_json_count(groups); g++) {
        (void)snprintf(path, sizeof path, "$.groups.%s[%zu]", ordo_distance_word((enum ordo_distance)kind), g);
        int count = expand(ordo_json_item(groups, g), room, report->count, path, fault);
        if (count < 0)
            return -1;
        for (int i = 0; i < count; i++) {
            int at = index_of(report, room[i]);
            if (at < 0)
                return wrong_path(fault, path, "a CPU that is not in cpus");
            if (report->group[kind][at] >= 0)
                return wrong_path(fault, path, "a CPU that is in another group too");
            report->group[kind][at] = (int)g;
        }
    }
    return 0;
}

static int load_groups(struct ordo_collection_report *report, const struct ordo_json_value *value,
                       struct ordo_json_fault *fault)
{
    unsigned *room = calloc((size_t)report->count + 1, sizeof *room);
    int failed = room ? 0 : ORDO_E_SYSTEM;
    for (int kind = 0; kind < ORDO_COLLECTION_KINDS && !failed; kind++) {
        const char *word = ordo_distance_word((enum ordo_distance)kind);
        const struct ordo_json_value *groups = ordo_json_part(value, word);
        char path[32];
        (void)snprintf(path, sizeof path, "$.groups.%s", word);
        if (!groups) {
            free(report->group[kind]);
            report->group[kind] = NULL;
        } else if (ordo_json_count(groups) != (size_t)report->groups[kind]) {
            failed = wrong_path(fault, path, "another number of groups than topology says");
        } else {
            failed = load_group(report, kind, groups, room, fault);
        }
    }
    free(room);
    return failed;
}

static struct ordo_collection_spread spread_of(const struct ordo_json_value *object, const char *key)
{
    const struct ordo_json_value *value = ordo_json_part(object, key);
    return (struct ordo_collection_spread){ordo_json_whole(value, "min", 0), ordo_json_whole(value, "median", 0),
                                           ordo_json_whole(value, "p99", 0), ordo_json_whole(value, "max", 0)};
}

static int load_classes(struct ordo_collection_report *report, const struct ordo_json_value *array,
                        struct ordo_json_fault *fault)
{
    int distance = -1;
    for (size_t i = 0; i < ordo_json_count(array); i++) {
        const struct ordo_json_value *value = ordo_json_item(array, i);
        int last = distance;
        for (distance = 0;
             strcmp(ordo_distance_word((enum ordo_distance)distance), ordo_json_word(value, "distance")) != 0;)
            distance++;
        if (distance <= last)
            return wrong_path(fault, "$.distance_classes", "a distance twice, or not the nearest first");
        report->classes[distance] = (struct ordo_collection_class){.pairs = ordo_json_whole(value, "pairs", 0),
                                                                   .delta = spread_of(value, "delta_ticks"),
                                                                   .trip = spread_of(value, "round_trip_ticks"),
                                                                   .offset = spread_of(value, "proved_offset_ticks")};
    }
    return 0;
}

static int load_worst(struct ordo_collection_report *report, const struct ordo_json_value *array,
                      struct ordo_json_fault *fault)
{
    for (size_t i = 0; i < ordo_json_count(array); i++) {
        const struct ordo_json_value *pair = ordo_json_item(array, i);
        int64_t writer = ordo_json_whole_at(pair, 0, -1), reader = ordo_json_whole_at(pair, 1, -1);
        if (writer < 0 || writer > UINT16_MAX || reader < 0 || reader > UINT16_MAX || writer == reader ||
            index_of(report, (unsigned)writer) < 0 || index_of(report, (unsigned)reader) < 0)
            return wrong_path(fault, "$.worst_pairs", "a CPU that is not in cpus, or a CPU with itself");
        report->worst[report->worst_count++] =
            (struct ordo_collection_pair){(unsigned)writer, (unsigned)reader, ordo_json_whole_at(pair, 2, 0)};
    }
    return 0;
}

static int load_columns(struct ordo_collection_report *report, const struct ordo_json_value *value,
                        struct ordo_json_fault *fault)
{
    for (int column = 0; column < ORDO_COLUMNS; column++) {
        const struct ordo_json_value *array = value ? ordo_json_part(value, ordo_collection_columns[column]) : NULL;
        char path[64];
        (void)snprintf(path, sizeof path, "$.per_cpu.%s", ordo_collection_columns[column]);
        if (array && ordo_json_count(array) != (size_t)report->count)
            return wrong_path(fault, path, "not a number for each CPU");
        for (int i = 0; i < report->count && array; i++)
            report->column[column][i] = ordo_json_whole_at(array, (size_t)i, ORDO_COLLECTION_NONE);
        if (!array) {
            free(report->column[column]);
            report->column[column] = NULL;
        }
    }
    return 0;
}

/* Loads an n * n matrix of numbers. Returns NULL and sets `*failed` if the shape is wrong, or if out of memory. */
static int64_t *load_square(const struct ordo_json_value *rows, int n, const char *path, struct ordo_json_fault *fault,
                            int *failed)
{
    size_t side = (size_t)n;
    int64_t *values = NULL;
    if (!rows || *failed)
        return NULL;
    for (size_t a = 0; a < ordo_json_count(rows); a++)
        if (ordo_json_count(ordo_json_item(rows, a)) != side || ordo_json_count(rows) != side) {
            *failed = wrong_path(fault, path, "rows and columns are not as many as it is about");
            return NULL;
        }
    values = calloc(side * side + 1, sizeof *values);
    *failed = values ? 0 : ORDO_E_SYSTEM;
    for (size_t i = 0; i < side * side && values; i++)
        values[i] = ordo_json_whole_at(ordo_json_item(rows, i / side), i % side, ORDO_COLLECTION_NONE);
    return values;
}

static int load_rounded(struct ordo_collection_report *report, const struct ordo_json_value *rows,
                        struct ordo_json_fault *fault)
{
    size_t n = (size_t)report->count;
    if ((rows != NULL) != (report->detail == ORDO_DETAIL_ROUNDED))
        return wrong_path(fault, "$.delta_rounded", "not what detail says");
    if (!rows)
        return 0;
    for (size_t a = 0; a < ordo_json_count(rows); a++)
        if (ordo_json_count(rows) != n || strlen(ordo_json_word_of(ordo_json_item(rows, a))) != n)
            return wrong_path(fault, "$.delta_rounded", "rows and columns are not as many as it is about");
    report->rounded = malloc(n * n + 1);
    for (size_t a = 0; a < n && report->rounded; a++)
        memcpy(report->rounded + a * n, ordo_json_word_of(ordo_json_item(rows, a)), n);
    return report->rounded ? 0 : ORDO_E_SYSTEM;
}

static int load_squares(struct ordo_collection_report *report, const struct ordo_json_value *value,
                        struct ordo_json_fault *fault)
{
    const struct ordo_json_value *blocks = ordo_json_part(value, "blocks"),
                                 *matrix = ordo_json_part(value, "delta_ticks");
    int kind = ordo_collection_blocks_of(report->detail), failed = 0;
    if ((blocks != NULL) != (kind >= 0) ||
        (blocks && strcmp(ordo_json_word(blocks, "of"), ordo_distance_word((enum ordo_distance)kind)) != 0))
        return wrong_path(fault, "$.blocks", "not what detail says");
    if ((matrix != NULL) != (report->detail == ORDO_DETAIL_PAIRS))
        return wrong_path(fault, "$.delta_ticks", "not what detail says");
    if (blocks) {
        report->blocks = report->groups[kind];
        report->block_median = load_square(ordo_json_part(blocks, "median_ticks"), report->blocks,
                                           "$.blocks.median_ticks", fault, &failed);
        report->block_max =
            load_square(ordo_json_part(blocks, "max_ticks"), report->blocks, "$.blocks.max_ticks", fault, &failed);
    }
    report->delta_ticks = load_square(matrix, report->count, "$.delta_ticks", fault, &failed);
    return failed ? failed : load_rounded(report, ordo_json_part(value, "delta_rounded"), fault);
}

/* Loads a document of the right shape. Returns 0, -1 with `fault`, or ORDO_E_SYSTEM. */
static int load_report(struct ordo_collection_report *report, const struct ordo_json_value *value,
                       struct ordo_json_fault *fault)
{
    const struct ordo_json_value *columns = ordo_json_part(value, "per_cpu");
    load_result(report, value);
    int count = expand(ordo_json_part(value, "cpus"), report->cpus, report->count, "$.cpus", fault);
    if (count < 0)
        return -1;
    if (count != report->count)
        return wrong_path(fault, "$.cpus", "fewer CPUs than topology.cpus");
    if ((columns != NULL) != (report->detail <= ORDO_DETAIL_OFFSETS))
        return wrong_path(fault, "$.per_cpu", "not what detail says");
    int failed = load_groups(report, ordo_json_part(value, "groups"), fault);
    if (!failed)
        failed = load_classes(report, ordo_json_part(value, "distance_classes"), fault);
    if (!failed)
        failed = load_worst(report, ordo_json_part(value, "worst_pairs"), fault);
    if (!failed)
        failed = load_columns(report, columns, fault);
    return failed ? failed : load_squares(report, value, fault);
}

/* Checks the schema first, so that the error for a document of another schema says so, and does not complain about
 * unknown keys. */
static int check_schema(const struct ordo_json_value *value, struct ordo_json_fault *fault)
{
    const char *schema = ordo_json_word(value, "schema");
    char shown[28];
    if (!schema)
        return ordo_json_is(value, ORDO_JSON_OBJECT)
                   ? wrong_path(fault, "$.schema", "missing, or no text: this is no report")
                   : 0;
    if (strcmp(schema, ORDO_COLLECTION_SCHEMA) == 0)
        return 0;
    ordo_json_show(schema, shown, sizeof shown);
    (void)snprintf(fault->path, sizeof fault->path, "$.schema");
    (void)snprintf(fault->found, sizeof fault->found, "\"%s\", and not " ORDO_COLLECTION_SCHEMA, shown);
    return -1;
}

static const char anonymous[] = "remove it: a report is anonymous", anew[] = "make it anew with 'ordo report'",
                  another[] = "give the file of a report";

/* Parses and checks a report. If there is a fault, sets `*remedy`. */
static int parse_report(const char *text, size_t bytes, struct ordo_collection_report **report,
                        struct ordo_json_fault *fault, const char **remedy)
{
    struct ordo_json_value *value;
    if (bytes >= ORDO_COLLECTION_MOST_BYTES)
        return wrong_path(fault, "$", "100000 bytes or more");
    int failed = ordo_json_read(text, bytes, &value, fault);
    if (failed)
        return failed;
    failed = check_schema(value, fault);
    *remedy = failed || !ordo_json_is(value, ORDO_JSON_OBJECT) ? another : anew;
    if (!failed)
        failed = ordo_json_check(value, &ordo_collection_shape, fault);
    if (!failed) {
        *report = ordo_collection_new((int)ordo_json_whole(ordo_json_part(value, "topology"), "cpus", 1));
        failed = *report ? load_report(*report, value, fault) : ORDO_E_SYSTEM;
    }
    ordo_json_free(value);
    return failed ? failed : ordo_collection_judge(*report, fault);
}

int ordo_collection_parse(const char *text, size_t bytes, const char *name, struct ordo_collection_report **report,
                          struct ordo_error *error)
{
    struct ordo_json_fault fault = {.path = "$"};
    const char *remedy = anew;
    char shown[NAME];
    *report = NULL;
    int failed = parse_report(text, bytes, report, &fault, &remedy);
    if (!failed)
        return ORDO_OK;
    ordo_collection_free(*report);
    *report = NULL;
    ordo_json_show(name, shown, sizeof shown);
    if (failed == ORDO_E_SYSTEM)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", shown);
    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: %.64s: %.76s; %s", shown, fault.path, fault.found,
                          fault.unknown ? anonymous : remedy);
}

static int cannot_read(struct ordo_error *error, const char *shown, int sys_errno)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, sys_errno, "%s: %.60s%s", shown, strerror(sys_errno),
                          sys_errno == ENOENT ? ": give the file of a report" : ordo_file_remedy(sys_errno));
}

int ordo_collection_load(const char *path, struct ordo_collection_report **report, struct ordo_error *error)
{
    static const int flags = O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    char shown[NAME], *text = malloc(ORDO_COLLECTION_MOST_BYTES);
    struct stat info;
    size_t have = 0;
    ssize_t got = 1;
    *report = NULL;
    ordo_json_show(path, shown, sizeof shown);
    int fd = open(path, flags);
    if (fd < 0 || !text || fstat(fd, &info) != 0) {
        (void)cannot_read(error, shown, errno);
        got = -1;
    } else if (!S_ISREG(info.st_mode)) {
        (void)ordo_error_set(error, ORDO_E_SYSTEM, EINVAL, "%s: not a regular file: give the file of a report", shown);
        got = -1;
    }
    while (got > 0 && have < ORDO_COLLECTION_MOST_BYTES) {
        got = read(fd, text + have, ORDO_COLLECTION_MOST_BYTES - have);
        if (got > 0)
            have += (size_t)got;
        else if (got < 0)
            (void)cannot_read(error, shown, errno);
    }
    if (fd >= 0)
        (void)close(fd);
    int code = got < 0 ? ORDO_E_SYSTEM : ordo_collection_parse(text, have, path, report, error);
    free(text);
    return code;
}
