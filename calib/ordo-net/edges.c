#include "ordo-net/edges.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ordo-net/capture.h"

static const struct {
    const char *name;
    int decimals; /* of a number, so that it is a whole number of fs */
} units[] = {{"s", 15}, {"ms", 12}, {"us", 9}, {"ns", 6}, {"ps", 3}};

enum { UNITS = sizeof units / sizeof *units };

static const capture_fs second_fs = 1000000000000000;

/* The state while a file is read. */
struct reading {
    const struct edges_options *options;
    const char *path, *unit;
    struct edges *edges;
    capture_fs *at_fs; /* by edge */
    size_t room, number;
    int decimals;
    bool is_list;
    bool has_offset;                 /* at_fs is exact only after take_offsets */
    int64_t *offset_fs;              /* by edge, if has_offset */
    const struct capture_form *form; /* NULL: not found yet */
    char first[48];                  /* the first line, for the message if no form is found */
};

static int decimals_of(const char *unit)
{
    for (int i = 0; i < UNITS; i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].decimals;
    return -1;
}

bool edges_unit(const char *name)
{
    return decimals_of(name) >= 0;
}

static int grow_edges(struct reading *reading, struct ordo_error *error)
{
    size_t room = reading->room ? 2 * reading->room : 4096;
    capture_fs *times = realloc(reading->at_fs, room * sizeof *times);
    reading->at_fs = times ? times : reading->at_fs;
    int64_t *offsets = realloc(reading->offset_fs, room * sizeof *offsets);
    reading->offset_fs = offsets ? offsets : reading->offset_fs;
    if (!times || !offsets)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", reading->path);
    reading->room = room;
    return ORDO_OK;
}

static int add_edge(struct reading *reading, capture_fs at_fs, int64_t offset_fs, struct ordo_error *error)
{
    struct edges *edges = reading->edges;
    int code = edges->count == reading->room ? grow_edges(reading, error) : ORDO_OK;
    if (code)
        return code;
    reading->at_fs[edges->count] = at_fs;
    reading->offset_fs[edges->count++] = offset_fs;
    return ORDO_OK;
}

/* --- a list of numbers */

static bool parse_number(const struct reading *reading, const char *text, capture_fs *fs)
{
    const char *end = capture_number(text, reading->decimals, fs);
    return end && *end == '\0';
}

static int take_list_number(struct reading *reading, const char *text, struct ordo_error *error)
{
    const struct edges *edges = reading->edges;
    bool periods = reading->options->periods;
    capture_fs fs, last_fs = edges->count ? reading->at_fs[edges->count - 1] : -1;
    if (!parse_number(reading, text, &fs))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s:%zu: '%.40s' is not a time in %s, such as 8000.125, with up to %d decimals",
                              reading->path, reading->number, text, reading->unit, reading->decimals);
    if (periods && fs == 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s:%zu: a period of %.40s %s: must be positive", reading->path,
                              reading->number, text, reading->unit);
    fs += periods ? last_fs : 0;
    if (fs <= last_fs)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s:%zu: %.40s %s is not after the edge before: sort the edges, or give --periods",
                              reading->path, reading->number, text, reading->unit);
    return add_edge(reading, fs, 0, error);
}

/* --- the output of a tool */

static const struct capture_form *form_of(const char *line, bool clear, struct capture_edge *edge)
{
    for (const struct capture_form *form = capture_forms; form->name; form++) {
        *edge = (struct capture_edge){.at_fs = 0};
        if (form->read(line, clear, edge))
            return form;
    }
    return NULL;
}

/* True if the line has an edge. The first such line determines the form of all. */
static bool read_edge(struct reading *reading, const char *line, struct capture_edge *edge)
{
    bool clear = reading->options->clear;
    *edge = (struct capture_edge){.at_fs = 0};
    if (reading->form)
        return reading->form->read(line, clear, edge);
    reading->form = form_of(line, clear, edge);
    return reading->form != NULL;
}

static int check_source(struct reading *reading, const char *source, struct ordo_error *error)
{
    struct edges *edges = reading->edges;
    if (edges->count == 0)
        (void)snprintf(edges->source, sizeof edges->source, "%s", source);
    else if (strcmp(edges->source, source) != 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s:%zu: has edges of the sources '%.40s' and '%.40s': choose one with --source",
                              reading->path, reading->number, edges->source, source);
    return ORDO_OK;
}

/* Takes an edge. A tool may print an edge twice, for example together with each of the two edges of a pulse. */
static int take_edge(struct reading *reading, const struct capture_edge *edge, struct ordo_error *error)
{
    const struct edges *edges = reading->edges;
    capture_fs last_fs = edges->count ? reading->at_fs[edges->count - 1] : -1;
    int code = check_source(reading, edge->source, error);
    if (code || edge->at_fs == last_fs)
        return code;
    if (edge->at_fs < last_fs)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s:%zu: the edge is before the preceding edge: the clock was set; measure both parts of "
                              "the file apart",
                              reading->path, reading->number);
    reading->has_offset = edge->has_offset;
    return add_edge(reading, edge->at_fs, edge->offset_fs, error);
}

static int take_capture_line(struct reading *reading, const char *line, struct ordo_error *error)
{
    struct capture_edge edge;
    if (!read_edge(reading, line, &edge)) {
        reading->edges->ignored++;
        return ORDO_OK;
    }
    if (reading->options->source && strcmp(reading->options->source, edge.source) != 0)
        return ORDO_OK;
    return take_edge(reading, &edge, error);
}

/* --- a file */

/* Removes space from a line, and the comment if `comments`. */
static char *trim_line(char *line, bool comments)
{
    if (comments)
        line[strcspn(line, "#")] = '\0';
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    return line;
}

/* The first line that is not blank decides whether the file is a list: if it is a number, or if it belongs to no other
 * form and has no letter. */
static void judge_first(struct reading *reading, const char *line)
{
    struct capture_edge edge;
    capture_fs fs;
    (void)snprintf(reading->first, sizeof reading->first, "%s", line);
    reading->is_list = reading->options->periods || parse_number(reading, line, &fs) ||
                       (!form_of(line, false, &edge) && !strpbrk(line, "abcdefghijklmnopqrstuvwxyz="));
}

static int take_text(struct reading *reading, char *line, struct ordo_error *error)
{
    char *text = trim_line(line, false);
    if (!*text || (*text == '#' && !reading->form))
        return ORDO_OK;
    if (!*reading->first) {
        struct capture_edge edge;
        if (!form_of(text, false, &edge))
            text = trim_line(text, true);
        judge_first(reading, text);
    }
    if (!reading->is_list)
        return take_capture_line(reading, text, error);
    text = trim_line(text, true);
    return *text ? take_list_number(reading, text, error) : ORDO_OK;
}

static int read_lines(struct reading *reading, FILE *file, struct ordo_error *error)
{
    char *line = NULL;
    size_t room = 0;
    int code = reading->options->periods ? add_edge(reading, 0, 0, error) : ORDO_OK;
    while (!code && getline(&line, &room, file) >= 0) {
        reading->number++;
        code = take_text(reading, line, error);
    }
    if (!code && ferror(file))
        code = ordo_error_errno(error, "%s", reading->path);
    free(line);
    if (!code && *reading->first && !reading->is_list && !reading->form)
        code = ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s: neither a list of numbers nor a form of --list; it begins with '%.40s'",
                              reading->path, reading->first);
    return code;
}

/* --- from times to deviations */

static int compare_periods(const void *first, const void *second)
{
    int64_t a = *(const int64_t *)first, b = *(const int64_t *)second;
    return a < b ? -1 : a > b;
}

/* Writes the periods to late_fs. ORDO_E_INVALID: a period is not below 2^63 fs. */
static int find_periods(struct reading *reading, struct ordo_error *error)
{
    struct edges *edges = reading->edges;
    for (size_t i = 0; i + 1 < edges->count; i++) {
        capture_fs period_fs = reading->at_fs[i + 1] - reading->at_fs[i];
        if (period_fs > INT64_MAX / 4)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: the period after edge %zu is longer than 2300 s",
                                  reading->path, i + 1);
        edges->late_fs[i] = (int64_t)period_fs;
    }
    return ORDO_OK;
}

/* Returns the median of the first `count` elements, and the median of their distances from it. Sorts them. */
static int64_t median_period(int64_t *values, size_t count, int64_t *distance)
{
    qsort(values, count, sizeof *values, compare_periods);
    int64_t median = values[count / 2];
    for (size_t i = 0; i < count; i++)
        values[i] = values[i] < median ? median - values[i] : values[i] - median;
    qsort(values, count, sizeof *values, compare_periods);
    *distance = values[count / 2];
    return median;
}

/* Returns how many pulses are missing in a period of a regular signal: it is within a tenth of a multiple. */
static int64_t missing_in(int64_t period_fs, int64_t base_fs)
{
    int64_t times = (period_fs + base_fs / 2) / base_fs, apart_fs = period_fs - times * base_fs;
    return times > 1 && llabs(apart_fs) <= base_fs / 10 ? times - 1 : 0;
}

/* Replaces the periods by the deviations of the edges. If the signal is regular, so that half of its periods are within
 * 1% of the median, closes the gaps. */
static int find_deviations(struct edges *edges, int64_t spread_fs, const char *path, struct ordo_error *error)
{
    bool regular = spread_fs <= edges->base_fs / 100;
    int64_t late_fs = 0;
    for (size_t i = 0; i < edges->count; i++) {
        int64_t period_fs = i + 1 < edges->count ? edges->late_fs[i] : edges->base_fs;
        int64_t missing = regular ? missing_in(period_fs, edges->base_fs) : 0;
        edges->late_fs[i] = late_fs;
        edges->missing += (size_t)missing;
        if (__builtin_add_overflow(late_fs, period_fs - (missing + 1) * edges->base_fs, &late_fs) ||
            llabs(late_fs) > INT64_MAX / 4)
            return ordo_error_set(error, ORDO_E_INVALID, 0,
                                  "%s: after edge %zu the signal is more than 2300 s away from its median period", path,
                                  i + 1);
    }
    return ORDO_OK;
}

static int64_t *copy_of(const int64_t *values, size_t count)
{
    int64_t *copy = calloc(count + 1, sizeof *copy);
    if (copy)
        memcpy(copy, values, count * sizeof *copy);
    return copy;
}

/* Moves times that are exact to a microsecond to the nearest multiple of the period, less the offset. There is a whole
 * number of pulses in a second; if there is less than one pulse a second, each is at a whole second. */
static void take_offsets(struct reading *reading, int64_t median_fs)
{
    capture_fs rate = (second_fs + median_fs / 2) / median_fs;
    capture_fs period_fs = second_fs / (rate > 0 ? rate : 1);
    for (size_t i = 0; i < reading->edges->count; i++) {
        capture_fs times = (reading->at_fs[i] + period_fs / 2) / period_fs;
        reading->at_fs[i] = times * period_fs - reading->offset_fs[i];
    }
}

static int find_base(struct reading *reading, int64_t *spread_fs, struct ordo_error *error)
{
    struct edges *edges = reading->edges;
    int code = find_periods(reading, error);
    int64_t *sorted = code ? NULL : copy_of(edges->late_fs, edges->count - 1);
    if (!code && !sorted)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", reading->path);
    if (!code)
        edges->base_fs = median_period(sorted, edges->count - 1, spread_fs);
    free(sorted);
    return code;
}

static int check_order(const struct reading *reading, struct ordo_error *error)
{
    for (size_t i = 1; i < reading->edges->count; i++)
        if (reading->at_fs[i] <= reading->at_fs[i - 1])
            return ordo_error_set(error, ORDO_E_INVALID, 0,
                                  "%s: edge %zu is not after the edge before: the offsets are larger than the period",
                                  reading->path, i + 1);
    return ORDO_OK;
}

static int finish_edges(struct reading *reading, struct ordo_error *error)
{
    struct edges *edges = reading->edges;
    int64_t spread_fs = 0;
    edges->form = reading->form ? reading->form->name : "list";
    if (edges->count < 2)
        return ORDO_OK;
    if (!(edges->late_fs = calloc(edges->count, sizeof *edges->late_fs)))
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", reading->path);
    int code = find_base(reading, &spread_fs, error);
    if (!code && reading->has_offset) {
        take_offsets(reading, edges->base_fs);
        code = check_order(reading, error);
        code = code ? code : find_base(reading, &spread_fs, error);
    }
    return code ? code : find_deviations(edges, spread_fs, reading->path, error);
}

int edges_read(struct edges *edges, const char *path, const struct edges_options *options, struct ordo_error *error)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "re");
    struct reading reading = {.options = options, .path = path, .edges = edges, .unit = options->unit};
    reading.decimals = decimals_of(options->unit);
    *edges = (struct edges){0};
    if (!file)
        return ordo_error_errno(error, "%s", path);
    int code = read_lines(&reading, file, error);
    if (!is_stdin)
        (void)fclose(file);
    code = code ? code : finish_edges(&reading, error);
    free(reading.at_fs);
    free(reading.offset_fs);
    if (code)
        edges_free(edges);
    return code;
}

void edges_free(struct edges *edges)
{
    free(edges->late_fs);
    *edges = (struct edges){0};
}
