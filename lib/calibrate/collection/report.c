#include "calibrate/collection/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/quantile.h"

static int allocate_blocks(struct ordo_collection_report *report)
{
    size_t n = (size_t)report->count;
    bool failed = !(report->cpus = calloc(n + 1, sizeof *report->cpus));
    for (int kind = 0; kind < ORDO_COLLECTION_KINDS; kind++) {
        failed |= !(report->group[kind] = malloc((n + 1) * sizeof *report->group[kind]));
        for (size_t i = 0; i < n && !failed; i++)
            report->group[kind][i] = -1;
    }
    for (int column = 0; column < ORDO_COLUMNS; column++) {
        failed |= !(report->column[column] = malloc((n + 1) * sizeof *report->column[column]));
        for (size_t i = 0; i < n && !failed; i++)
            report->column[column][i] = ORDO_COLLECTION_NONE;
    }
    return failed ? -1 : 0;
}

struct ordo_collection_report *ordo_collection_new(int count)
{
    struct ordo_collection_report *report = calloc(1, sizeof *report);
    if (!report)
        return NULL;
    report->count = count;
    if (!allocate_blocks(report))
        return report;
    ordo_collection_free(report);
    return NULL;
}

void ordo_collection_free(struct ordo_collection_report *report)
{
    if (!report)
        return;
    free(report->cpus);
    for (int kind = 0; kind < ORDO_COLLECTION_KINDS; kind++)
        free(report->group[kind]);
    for (int column = 0; column < ORDO_COLUMNS; column++)
        free(report->column[column]);
    free(report->delta_ticks);
    free(report->rounded);
    free(report->block_median);
    free(report->block_max);
    free(report);
}

enum ordo_distance ordo_collection_distance(const struct ordo_collection_report *report, int a, int b)
{
    int kind = 0;
    while (kind < ORDO_COLLECTION_KINDS &&
           !(report->group[kind] && report->group[kind][a] >= 0 && report->group[kind][a] == report->group[kind][b]))
        kind++;
    return (enum ordo_distance)kind;
}

void ordo_collection_number(struct ordo_collection_report *report, int kind)
{
    int *group = report->group[kind], count = 0, most = 1;
    for (int i = 0; i < report->count; i++) {
        int members = 0, was = group[i];
        if (was < 0)
            continue;
        for (int j = i; j < report->count; j++)
            if (group[j] == was) {
                group[j] = -2 - count; /* marks the CPU as numbered: differs from every original number */
                members++;
            }
        count++;
        most = members > most ? members : most;
    }
    for (int i = 0; i < report->count; i++)
        group[i] = group[i] <= -2 ? -2 - group[i] : -1;
    report->groups[kind] = count;
    if (kind == ORDO_DISTANCE_CORE)
        report->threads = most;
}

static uint64_t round_to_digits(uint64_t value, uint64_t limit)
{
    uint64_t step = 1;
    while (value / step >= limit)
        step *= 10;
    return (value + step / 2) / step * step;
}

int64_t ordo_collection_round_hz(uint64_t hz)
{
    return (int64_t)round_to_digits(hz, 10000);
}

double ordo_collection_round_ns(double ns)
{
    return (double)round_to_digits((uint64_t)(ns * 10 + 0.5), 1000) / 10;
}

double ordo_collection_ns(const struct ordo_collection_report *report, int64_t ticks)
{
    return (double)ticks * 1e9 / (double)report->tick_hz;
}

int ordo_collection_blocks_of(enum ordo_collection_detail detail)
{
    return detail == ORDO_DETAIL_L3        ? ORDO_DISTANCE_L3
           : detail == ORDO_DETAIL_NUMA    ? ORDO_DISTANCE_NUMA
           : detail == ORDO_DETAIL_PACKAGE ? ORDO_DISTANCE_PACKAGE
                                           : -1;
}

bool ordo_collection_keeps_column(enum ordo_collection_detail detail, int column)
{
    bool offset = column == ORDO_COLUMN_OFFSET || column == ORDO_COLUMN_FROM_FIRST || column == ORDO_COLUMN_TO_FIRST;
    return detail <= ORDO_DETAIL_CPUS || (detail == ORDO_DETAIL_OFFSETS && offset);
}

bool ordo_collection_keeps_groups(enum ordo_collection_detail detail, int kind)
{
    return detail <= ORDO_DETAIL_CPUS || (detail <= ORDO_DETAIL_GROUPS && kind >= ORDO_DISTANCE_L3);
}

static int64_t delta_of(const struct ordo_collection_report *report, int writer, int reader)
{
    return report->delta_ticks[(size_t)writer * (size_t)report->count + (size_t)reader];
}

/* Computes the order statistics of `values`, and sorts them. */
static struct ordo_collection_spread spread_of(int64_t *values, size_t count)
{
    ordo_stats_sort_int(values, count);
    return (struct ordo_collection_spread){values[0], values[(count - 1) / 2], values[(count - 1) * 99 / 100],
                                           values[count - 1]};
}

/* Returns the smallest absolute value in the interval [-back, there] of an offset. */
static int64_t least_offset(int64_t there, int64_t back)
{
    return there < 0 ? -there : back < 0 ? -back : 0;
}

struct pairs {
    int64_t *delta, *trip, *offset; /* one value for each pair; `delta`: two, one for each direction */
};

static void sum_up_class(struct ordo_collection_report *report, int distance, const struct pairs *pairs,
                         const unsigned char *distances)
{
    struct ordo_collection_class *class = &report->classes[distance];
    size_t count = 0, at = 0;
    for (int a = 0; a < report->count; a++)
        for (int b = a + 1; b < report->count; b++) {
            int64_t there = delta_of(report, a, b), back = delta_of(report, b, a);
            if (distances[at++] != distance || there == ORDO_COLLECTION_NONE || back == ORDO_COLLECTION_NONE)
                continue;
            pairs->delta[2 * count] = there;
            pairs->delta[2 * count + 1] = back;
            pairs->trip[count] = there + back;
            pairs->offset[count++] = least_offset(there, back);
        }
    *class = (struct ordo_collection_class){.pairs = (int64_t)count};
    if (!count)
        return;
    class->delta = spread_of(pairs->delta, 2 * count);
    class->trip = spread_of(pairs->trip, count);
    class->offset = spread_of(pairs->offset, count);
}

static int sum_up_classes(struct ordo_collection_report *report)
{
    size_t n = (size_t)report->count, all = n * (n - 1) / 2, at = 0;
    struct pairs pairs = {calloc(2 * all + 1, sizeof(int64_t)), calloc(all + 1, sizeof(int64_t)),
                          calloc(all + 1, sizeof(int64_t))};
    unsigned char *distances = calloc(all + 1, 1);
    bool failed = !pairs.delta || !pairs.trip || !pairs.offset || !distances;
    for (int a = 0; a < report->count && !failed; a++)
        for (int b = a + 1; b < report->count; b++)
            distances[at++] = (unsigned char)ordo_collection_distance(report, a, b);
    report->unmeasured = (int64_t)all;
    for (int distance = 0; distance < ORDO_DISTANCES && !failed; distance++) {
        sum_up_class(report, distance, &pairs, distances);
        report->unmeasured -= report->classes[distance].pairs;
    }
    free(pairs.delta);
    free(pairs.trip);
    free(pairs.offset);
    free(distances);
    return failed ? -1 : 0;
}

/* Keeps the largest deltas, and the first of equal deltas. */
static void note_worst(struct ordo_collection_report *report, int writer, int reader, int64_t delta_ticks)
{
    struct ordo_collection_pair *worst = report->worst;
    int at = report->worst_count;
    if (at == ORDO_COLLECTION_WORST && worst[at - 1].delta_ticks >= delta_ticks)
        return;
    if (at == ORDO_COLLECTION_WORST)
        at--;
    else
        report->worst_count++;
    for (; at > 0 && worst[at - 1].delta_ticks < delta_ticks; at--)
        worst[at] = worst[at - 1];
    worst[at] = (struct ordo_collection_pair){report->cpus[writer], report->cpus[reader], delta_ticks};
}

static void note_largest(struct ordo_collection_report *report, int column, int cpu, int other, int64_t delta_ticks)
{
    int64_t *largest = &report->column[column][cpu];
    if (*largest != ORDO_COLLECTION_NONE && *largest >= delta_ticks)
        return;
    *largest = delta_ticks;
    report->column[column + 1][cpu] = report->cpus[other];
}

static int64_t round_half(double number)
{
    return (int64_t)(number < 0 ? number - 0.5 : number + 0.5);
}

/* Estimates the offset of a CPU's clock from the mean of all clocks. If two clocks are o apart and a message has the
 * latency l, the deltas of the two directions are l + o and l - o. */
static int64_t estimate(const struct ordo_collection_report *report, int cpu)
{
    double sum = 0;
    int count = 1; /* the CPU itself */
    for (int other = 0; other < report->count; other++) {
        int64_t there = delta_of(report, other, cpu), back = delta_of(report, cpu, other);
        if (other == cpu || there == ORDO_COLLECTION_NONE || back == ORDO_COLLECTION_NONE)
            continue;
        sum += ((double)there - (double)back) / 2;
        count++;
    }
    return count > 1 ? round_half(sum / count) : ORDO_COLLECTION_NONE;
}

int ordo_collection_summarise(struct ordo_collection_report *report)
{
    static const int columns[] = {ORDO_COLUMN_OFFSET,     ORDO_COLUMN_FROM_FIRST, ORDO_COLUMN_TO_FIRST,
                                  ORDO_COLUMN_WRITER,     ORDO_COLUMN_READER,     ORDO_COLUMN_WRITER_WITH,
                                  ORDO_COLUMN_READER_WITH};
    report->worst_count = 0;
    for (size_t column = 0; column < sizeof columns / sizeof *columns; column++)
        for (int i = 0; i < report->count; i++)
            report->column[columns[column]][i] = ORDO_COLLECTION_NONE;
    for (int writer = 0; writer < report->count; writer++)
        for (int reader = 0; reader < report->count; reader++) {
            int64_t delta = delta_of(report, writer, reader);
            if (writer == reader || delta == ORDO_COLLECTION_NONE)
                continue;
            note_worst(report, writer, reader, delta);
            note_largest(report, ORDO_COLUMN_WRITER, writer, reader, delta);
            note_largest(report, ORDO_COLUMN_READER, reader, writer, delta);
            if (writer == 0)
                report->column[ORDO_COLUMN_FROM_FIRST][reader] = delta;
            if (reader == 0)
                report->column[ORDO_COLUMN_TO_FIRST][writer] = delta;
        }
    for (int cpu = 0; cpu < report->count; cpu++)
        report->column[ORDO_COLUMN_OFFSET][cpu] = estimate(report, cpu);
    return sum_up_classes(report);
}

/* Sorts the CPUs by their groups of this kind. The CPUs of group g are members[k] with
 * begin[g] <= k < begin[g + 1]. */
static void sort_members(const struct ordo_collection_report *report, int kind, int *begin, int *members)
{
    int at = 0;
    for (int group = 0; group < report->groups[kind]; group++) {
        begin[group] = at;
        for (int i = 0; i < report->count; i++)
            if (report->group[kind][i] == group)
                members[at++] = i;
    }
    begin[report->groups[kind]] = at;
}

static void fill_block(struct ordo_collection_report *report, int a, int b, const int *begin, const int *members,
                       int64_t *values)
{
    size_t at = (size_t)a * (size_t)report->blocks + (size_t)b, count = 0;
    for (int i = begin[a]; i < begin[a + 1]; i++)
        for (int j = begin[b]; j < begin[b + 1]; j++) {
            int64_t delta = delta_of(report, members[i], members[j]);
            if (members[i] != members[j] && delta != ORDO_COLLECTION_NONE)
                values[count++] = delta;
        }
    struct ordo_collection_spread spread = {.median = ORDO_COLLECTION_NONE, .max = ORDO_COLLECTION_NONE};
    if (count)
        spread = spread_of(values, count);
    report->block_median[at] = spread.median;
    report->block_max[at] = spread.max;
}

int ordo_collection_block(struct ordo_collection_report *report, int kind)
{
    size_t n = (size_t)report->count, blocks = (size_t)report->groups[kind];
    int *begin = calloc(blocks + 1, sizeof *begin), *members = calloc(n + 1, sizeof *members);
    int64_t *values = calloc(n * n + 1, sizeof *values);
    free(report->block_median);
    free(report->block_max);
    report->blocks = (int)blocks;
    report->block_median = calloc(blocks * blocks + 1, sizeof *report->block_median);
    report->block_max = calloc(blocks * blocks + 1, sizeof *report->block_max);
    bool failed = !begin || !members || !values || !report->block_median || !report->block_max;
    if (!failed) {
        sort_members(report, kind, begin, members);
        for (int a = 0; a < report->blocks; a++)
            for (int b = 0; b < report->blocks; b++)
                fill_block(report, a, b, begin, members, values);
    }
    free(begin);
    free(members);
    free(values);
    return failed ? -1 : 0;
}

int64_t ordo_collection_unit(const struct ordo_collection_report *report, enum ordo_distance distance)
{
    const struct ordo_collection_spread *delta = &report->classes[distance].delta;
    int64_t range = delta->max - delta->min, most = ORDO_COLLECTION_STEPS - 1;
    return range > most ? (range + most - 1) / most : 1;
}

static char code_of(const struct ordo_collection_report *report, int writer, int reader)
{
    int64_t delta = delta_of(report, writer, reader), back = delta_of(report, reader, writer);
    if (delta == ORDO_COLLECTION_NONE || back == ORDO_COLLECTION_NONE)
        return ' ';
    enum ordo_distance distance = ordo_collection_distance(report, writer, reader);
    int64_t unit = ordo_collection_unit(report, distance);
    return (char)('#' + (delta - report->classes[distance].delta.min + unit - 1) / unit);
}

int ordo_collection_round(struct ordo_collection_report *report)
{
    size_t n = (size_t)report->count;
    free(report->rounded);
    report->rounded = malloc(n * n + 1);
    for (size_t i = 0; i < n * n && report->rounded; i++)
        report->rounded[i] = code_of(report, (int)(i / n), (int)(i % n));
    return report->rounded ? 0 : -1;
}

int64_t ordo_collection_rounded(const struct ordo_collection_report *report, int writer, int reader)
{
    char code = report->rounded[(size_t)writer * (size_t)report->count + (size_t)reader];
    enum ordo_distance distance = ordo_collection_distance(report, writer, reader);
    if (code == ' ')
        return ORDO_COLLECTION_NONE;
    return report->classes[distance].delta.min + (code - '#') * ordo_collection_unit(report, distance);
}
