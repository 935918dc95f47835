/* Checks the numbers of a report against each other.
 *
 * Every report that is made from a matrix satisfies these conditions. A report that was edited by hand, or damaged by a
 * defect of the program, probably violates at least one:
 *
 *  J1  The boundary is at least every listed delta, plus granule and margin.
 *  J2  No message arrives before it was sent: the two deltas of a pair add up to at least minus the granule.
 *  J3  Order statistics ascend.
 *  J4  Each pair is counted once: the pairs of all classes and the unmeasured pairs are together all pairs of the CPUs.
 *  J5  Classes, worst pairs and columns agree on the largest delta.
 *  J6  If the report contains the matrix, its summaries equal those computed from the matrix.
 *  J7  Rates and costs are rounded as by the writer, because an exact rate would identify an oscillator.
 *  J8  Counter, architecture and vendor match, and the kernel's current clock is in the list of its clocks.
 *  J9  A counter of the class `measured` that was not forced passed the gates of its calibration. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/collection/read.h"
#include "calibrate/collection/words.h"

static int wrong_report(struct ordo_json_fault *fault, const char *found, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills `fault` with `found` and a path, which is made from `format`. */
static int wrong_report(struct ordo_json_fault *fault, const char *found, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->path, sizeof fault->path, format, arguments);
    va_end(arguments);
    (void)snprintf(fault->found, sizeof fault->found, "%s", found);
    return -1;
}

/* J1: returns the largest delta that a boundary allows. */
static int64_t most_delta(const struct ordo_collection_report *report, int64_t boundary_ticks)
{
    return boundary_ticks - report->granule_ticks - report->margin_ticks;
}

static bool too_large(const struct ordo_collection_report *report, int64_t delta_ticks)
{
    return delta_ticks != ORDO_COLLECTION_NONE && delta_ticks > most_delta(report, report->boundary_ticks);
}

static const char above_boundary[] = "a delta that, with granule and margin, is above boundary_ticks";

static bool is_month(const char *month)
{
    int value = strlen(month) == 7 && month[4] == '-' ? atoi(month + 5) : 0;
    return value >= 1 && value <= 12 && atoi(month) >= 1970 && atoi(month) < 2100;
}

/* The gates of session/gate.h that can be checked in a report. A unit test checks that the numbers are equal. */
enum { LEAST_SWEEPS = 5, DRIFT_LIMIT_PPB = 1000 };

/* Checks J9. */
static bool passed_gates(const struct ordo_collection_report *report)
{
    int64_t width_ppb = report->drift_max_ppb - report->drift_min_ppb;
    return report->forced || strcmp(report->trust, "measured") != 0 ||
           (report->repeats >= LEAST_SWEEPS && (report->count == 1 || width_ppb < DRIFT_LIMIT_PPB));
}

static int judge_head(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    bool refused = strcmp(report->trust, "faulted") == 0 || strcmp(report->trust, "incapable") == 0;
    if (!is_month(report->month))
        return wrong_report(fault, "not a month, YYYY-MM", "$.month");
    if (report->tick_hz != ordo_collection_round_hz((uint64_t)report->tick_hz)) /* J7 */
        return wrong_report(fault, "an exact rate: more than four digits", "$.tick_hz");
    if (report->drift_min_ppb > 0 || report->drift_max_ppb < 0)
        return wrong_report(fault, "an interval without 0", "$.drift_ppb");
    if (refused && !report->forced)
        return wrong_report(fault, "a class that is published only by force, and forced is false", "$.trust");
    if (report->runs < report->repeats)
        return wrong_report(fault, "fewer than repeats, among which they are divided", "$.runs");
    if (!passed_gates(report))
        return wrong_report(fault, "a class that needs 5 repeats and a drift within 1 ppm, unless forced", "$.trust");
    if (most_delta(report, report->boundary_ticks) < 0)
        return wrong_report(fault, "less than granule and margin", "$.boundary_ticks");
    if (report->corrected_boundary_ticks > report->boundary_ticks)
        return wrong_report(fault, "more than boundary_ticks", "$.corrected_boundary_ticks");
    return 0;
}

/* An architecture: the words for its counter and for the vendors of its processors. */
struct architecture {
    const char *name, *counter;
    const char *vendors[16];
};

static const struct architecture architectures[] = {
    {"x86_64", "tsc", {"intel", "amd", "hygon", "zhaoxin", "centaur", NULL}},
    {"aarch64",
     "cntvct",
     {"arm", "broadcom", "cavium", "fujitsu", "hisilicon", "nvidia", "apm", "qualcomm", "samsung", "marvell", "apple",
      "ampere", "microsoft", NULL}},
    {"riscv64", "time", {"sifive", "thead", "spacemit", NULL}},
    {"other", "", {NULL}},
};

static const struct architecture *architecture_of(const struct ordo_collection_report *report)
{
    const struct architecture *at = architectures;
    while (strcmp(at->name, report->machine.architecture) != 0)
        at++;
    return at;
}

static bool has(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count && words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static bool is_rounded(double ns)
{
    return ns < 0 || ns == ordo_collection_round_ns(ns);
}

/* Checks J7 and J8 of the machine. */
static int judge_machine(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    const struct ordo_collection_machine *machine = &report->machine;
    const struct architecture *architecture = architecture_of(report);
    if (strcmp(machine->vendor, "other") != 0 && !has(architecture->vendors, 16, machine->vendor))
        return wrong_report(fault, "not a vendor of machine.architecture", "$.machine.vendor");
    if (strcmp(report->clock, "monotonic") != 0 && strcmp(report->clock, "unknown") != 0 &&
        strcmp(report->clock, architecture->counter) != 0)
        return wrong_report(fault, "not the counter of machine.architecture", "$.clock");
    if (machine->nominal_hz != ORDO_COLLECTION_NONE &&
        machine->nominal_hz != ordo_collection_round_hz((uint64_t)machine->nominal_hz))
        return wrong_report(fault, "an exact rate: more than four digits", "$.machine.nominal_hz");
    if (machine->online != ORDO_COLLECTION_NONE && machine->online < report->count)
        return wrong_report(fault, "fewer than topology.cpus", "$.machine.online_cpus");
    for (int i = 1; i < machine->clock_count; i++)
        if (has(machine->clocks, (size_t)i, machine->clocks[i]))
            return wrong_report(fault, "a clock that is listed before", "$.machine.kernel_clocks[%d]", i);
    if (machine->clock && machine->clock_count && !has(machine->clocks, (size_t)machine->clock_count, machine->clock))
        return wrong_report(fault, "none of kernel_clocks", "$.machine.kernel_clock");
    if (!is_rounded(machine->counter_ns))
        return wrong_report(fault, "more than three digits, or finer than 0.1", "$.machine.counter_read_ns");
    if (!is_rounded(machine->kernel_clock_ns))
        return wrong_report(fault, "more than three digits, or finer than 0.1", "$.machine.kernel_clock_read_ns");
    return 0;
}

static int judge_groups(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    int members[ORDO_COLLECTION_MOST_CPUS] = {0}, most = 1;
    for (int kind = 0; kind < ORDO_COLLECTION_KINDS; kind++) {
        if (report->groups[kind] > report->count)
            return wrong_report(fault, "more than topology.cpus", "$.topology.%s", ordo_collection_counts[kind]);
        if ((report->group[kind] != NULL) != ordo_collection_keeps_groups(report->detail, kind))
            return wrong_report(fault, "not what detail says", "$.groups.%s",
                                ordo_distance_word((enum ordo_distance)kind));
    }
    const int *cores = report->group[ORDO_DISTANCE_CORE];
    for (int i = 0; i < report->count && cores; i++)
        if (cores[i] >= 0 && ++members[cores[i]] > most)
            most = members[cores[i]];
    if (cores ? report->threads != most : report->threads < 1 || report->threads > report->count)
        return wrong_report(fault, "not the most CPUs that a core has", "$.topology.threads_per_core");
    return 0;
}

static bool ascends(const struct ordo_collection_spread *spread)
{
    return spread->min <= spread->median && spread->median <= spread->p99 && spread->p99 <= spread->max; /* J3 */
}

static int judge_class(const struct ordo_collection_report *report, int distance, struct ordo_json_fault *fault)
{
    const struct ordo_collection_class *class = &report->classes[distance];
    int place = 0;
    for (int i = 0; i < distance; i++)
        place += report->classes[i].pairs > 0;
    if (!ascends(&class->delta) || !ascends(&class->trip) || !ascends(&class->offset))
        return wrong_report(fault, "order statistics that do not ascend", "$.distance_classes[%d]", place);
    if (too_large(report, class->delta.max))
        return wrong_report(fault, above_boundary, "$.distance_classes[%d].delta_ticks.max", place);
    if (class->trip.min < -report->granule_ticks || class->trip.min < 2 * class->delta.min)
        return wrong_report(fault, "less than two deltas can be", "$.distance_classes[%d].round_trip_ticks.min",
                            place); /* J2 */
    if (class->trip.max > 2 * class->delta.max)
        return wrong_report(fault, "more than two deltas can be", "$.distance_classes[%d].round_trip_ticks.max", place);
    if (class->offset.min < 0 || class->offset.max > report->boundary_ticks)
        return wrong_report(fault, "not from 0 to the boundary", "$.distance_classes[%d].proved_offset_ticks", place);
    return 0;
}

/* Counts the pairs of each distance; the groups of the report determine the distances. */
static void count_pairs(const struct ordo_collection_report *report, int64_t pairs[ORDO_DISTANCES])
{
    memset(pairs, 0, ORDO_DISTANCES * sizeof *pairs);
    for (int a = 0; a < report->count; a++)
        for (int b = a + 1; b < report->count; b++)
            pairs[ordo_collection_distance(report, a, b)]++;
}

static int judge_classes(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    int64_t all = (int64_t)report->count * (report->count - 1) / 2, sum = report->unmeasured, pairs[ORDO_DISTANCES];
    for (int distance = 0; distance < ORDO_DISTANCES; distance++) {
        sum += report->classes[distance].pairs;
        if (report->classes[distance].pairs && judge_class(report, distance, fault))
            return -1;
    }
    if (sum != all)
        return wrong_report(fault, "with unmeasured_pairs not the pairs of topology.cpus",
                            "$.distance_classes"); /* J4 */
    if (report->detail > ORDO_DETAIL_CPUS)
        return 0;
    count_pairs(report, pairs);
    for (int distance = 0; distance < ORDO_DISTANCES; distance++)
        if (report->classes[distance].pairs > pairs[distance] ||
            (!report->unmeasured && report->classes[distance].pairs != pairs[distance]))
            return wrong_report(fault, "another number of pairs than groups make", "$.distance_classes");
    return 0;
}

/* Returns the largest delta of the report; ORDO_COLLECTION_NONE if the report has no deltas. */
static int64_t largest_delta(const struct ordo_collection_report *report)
{
    return report->worst_count ? report->worst[0].delta_ticks : ORDO_COLLECTION_NONE;
}

static bool listed_before(const struct ordo_collection_report *report, int at)
{
    const struct ordo_collection_pair *worst = report->worst;
    for (int i = 0; i < at; i++)
        if (worst[i].writer == worst[at].writer && worst[i].reader == worst[at].reader)
            return true;
    return false;
}

static int judge_worst(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    const struct ordo_collection_pair *worst = report->worst;
    int64_t n = report->count, measured = n * (n - 1) / 2 - report->unmeasured, most = INT64_MIN;
    int64_t least = 2 * measured < ORDO_COLLECTION_WORST ? 2 * measured : ORDO_COLLECTION_WORST;
    for (int i = 0; i < report->worst_count; i++) {
        if (too_large(report, worst[i].delta_ticks))
            return wrong_report(fault, above_boundary, "$.worst_pairs[%d][2]", i);
        if (i > 0 && worst[i].delta_ticks > worst[i - 1].delta_ticks)
            return wrong_report(fault, "not the largest first", "$.worst_pairs[%d]", i);
        if (listed_before(report, i))
            return wrong_report(fault, "a pair that is listed before", "$.worst_pairs[%d]", i);
    }
    if (report->worst_count < least)
        return wrong_report(fault, "fewer pairs than were measured", "$.worst_pairs");
    for (int distance = 0; distance < ORDO_DISTANCES; distance++)
        if (report->classes[distance].pairs && report->classes[distance].delta.max > most)
            most = report->classes[distance].delta.max;
    if (report->worst_count &&
        (report->unmeasured ? largest_delta(report) < most : largest_delta(report) != most)) /* J5 */
        return wrong_report(fault, "not the largest delta of distance_classes", "$.worst_pairs[0][2]");
    return 0;
}

/* True if the CPU is in the report and is not the CPU with the index `than`. */
static bool is_other(const struct ordo_collection_report *report, int64_t cpu, int than)
{
    for (int i = 0; i < report->count; i++)
        if (report->cpus[i] == cpu)
            return i != than;
    return false;
}

static int judge_largest(const struct ordo_collection_report *report, int column, struct ordo_json_fault *fault)
{
    const int64_t *values = report->column[column], *with = report->column[column + 1];
    int64_t most = ORDO_COLLECTION_NONE;
    for (int i = 0; i < report->count; i++) {
        bool none = values[i] == ORDO_COLLECTION_NONE;
        if (too_large(report, values[i]))
            return wrong_report(fault, above_boundary, "$.per_cpu.%s[%d]", ordo_collection_columns[column], i);
        if (none != (with[i] == ORDO_COLLECTION_NONE) || (!none && !is_other(report, with[i], i)))
            return wrong_report(fault, "not another CPU of cpus", "$.per_cpu.%s[%d]",
                                ordo_collection_columns[column + 1], i);
        if (!none && (most == ORDO_COLLECTION_NONE || values[i] > most))
            most = values[i];
    }
    if (most != largest_delta(report)) /* J5 */
        return wrong_report(fault, "not the largest delta of worst_pairs", "$.per_cpu.%s",
                            ordo_collection_columns[column]);
    return 0;
}

static bool above(int64_t value, int64_t most)
{
    return value != ORDO_COLLECTION_NONE && (most == ORDO_COLLECTION_NONE || value > most);
}

/* Returns the largest delta that a CPU may have as a writer or as a reader: its entry in the column, or the report's
 * largest delta if there is no such column. */
static int64_t most_of(const struct ordo_collection_report *report, int column, int i)
{
    return report->column[column] ? report->column[column][i] : largest_delta(report);
}

static int judge_row(const struct ordo_collection_report *report, int i, struct ordo_json_fault *fault)
{
    int64_t from = report->column[ORDO_COLUMN_FROM_FIRST][i], to = report->column[ORDO_COLUMN_TO_FIRST][i];
    int64_t offset = report->column[ORDO_COLUMN_OFFSET][i], most = report->boundary_ticks + report->granule_ticks;
    if (above(from, most_of(report, ORDO_COLUMN_READER, i)) || (i == 0 && from != ORDO_COLLECTION_NONE))
        return wrong_report(fault, "above the largest as a reader", "$.per_cpu.from_first_ticks[%d]", i);
    if (above(to, most_of(report, ORDO_COLUMN_WRITER, i)) || (i == 0 && to != ORDO_COLLECTION_NONE))
        return wrong_report(fault, "above the largest as a writer", "$.per_cpu.to_first_ticks[%d]", i);
    if (from != ORDO_COLLECTION_NONE && to != ORDO_COLLECTION_NONE && from + to < -report->granule_ticks) /* J2 */
        return wrong_report(fault, "with from_first_ticks less than a message can take", "$.per_cpu.to_first_ticks[%d]",
                            i);
    if (offset != ORDO_COLLECTION_NONE && (offset > most || offset < -most))
        return wrong_report(fault, "an offset above the boundary", "$.per_cpu.offset_ticks[%d]", i);
    return 0;
}

static int judge_columns(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    for (int column = ORDO_COLUMN_OFFSET; column < ORDO_COLUMNS; column++)
        if ((report->column[column] != NULL) != ordo_collection_keeps_column(report->detail, column))
            return wrong_report(fault, "not what detail says", "$.per_cpu.%s", ordo_collection_columns[column]);
    if ((report->column[ORDO_COLUMN_CORRECTION] != NULL) !=
        (report->corrected_boundary_ticks && ordo_collection_keeps_column(report->detail, ORDO_COLUMN_CORRECTION)))
        return wrong_report(fault, "not there together with corrected_boundary_ticks", "$.per_cpu.correction_ticks");
    if (report->column[ORDO_COLUMN_WRITER] &&
        (judge_largest(report, ORDO_COLUMN_WRITER, fault) || judge_largest(report, ORDO_COLUMN_READER, fault)))
        return -1;
    for (int i = 0; i < report->count && report->column[ORDO_COLUMN_OFFSET]; i++)
        if (judge_row(report, i, fault))
            return -1;
    return 0;
}

static int judge_blocks(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    for (int i = 0; report->block_max && i < report->blocks * report->blocks; i++) {
        int64_t max = report->block_max[i], median = report->block_median[i];
        int a = i / report->blocks, b = i % report->blocks;
        if ((median == ORDO_COLLECTION_NONE) != (max == ORDO_COLLECTION_NONE) || median > max)
            return wrong_report(fault, "above max_ticks", "$.blocks.median_ticks[%d][%d]", a, b);
        if (too_large(report, max) || (max != ORDO_COLLECTION_NONE && above(max, largest_delta(report))))
            return wrong_report(fault, above_boundary, "$.blocks.max_ticks[%d][%d]", a, b);
    }
    return 0;
}

/* True if `rounded` cannot result from rounding `known` up by less than `unit`. */
static bool differs(int64_t known, int64_t rounded, int64_t unit)
{
    return known == ORDO_COLLECTION_NONE || known > rounded || known <= rounded - unit;
}

/* Checks J5 of a rounded delta: to within its unit, the delta does not exceed the columns, and equals the columns of
 * the first CPU. */
static int judge_code(const struct ordo_collection_report *report, int a, int b, struct ordo_json_fault *fault)
{
    int64_t rounded = ordo_collection_rounded(report, a, b);
    int64_t unit = ordo_collection_unit(report, ordo_collection_distance(report, a, b));
    int64_t writer = report->column[ORDO_COLUMN_WRITER][a], reader = report->column[ORDO_COLUMN_READER][b];
    if ((rounded == ORDO_COLLECTION_NONE) != (ordo_collection_rounded(report, b, a) == ORDO_COLLECTION_NONE) ||
        (a == b && rounded != ORDO_COLLECTION_NONE))
        return wrong_report(fault, "a CPU with itself, or one direction of a pair", "$.delta_rounded[%d][%d]", a, b);
    if (rounded == ORDO_COLLECTION_NONE)
        return 0;
    if (above(rounded - unit + 1, writer) || above(rounded - unit + 1, reader))
        return wrong_report(fault, "above the largest of its writer or reader", "$.delta_rounded[%d][%d]", a, b);
    if ((a == 0 && differs(report->column[ORDO_COLUMN_FROM_FIRST][b], rounded, unit)) ||
        (b == 0 && differs(report->column[ORDO_COLUMN_TO_FIRST][a], rounded, unit)))
        return wrong_report(fault, "not the delta from or to the first CPU", "$.delta_rounded[%d][%d]", a, b);
    return 0;
}

static int judge_rounded(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    int64_t missing = 0, n = report->count;
    for (int a = 0; a < n && report->rounded; a++)
        for (int b = 0; b < n; b++) {
            if (judge_code(report, a, b, fault))
                return -1;
            missing += a < b && ordo_collection_rounded(report, a, b) == ORDO_COLLECTION_NONE;
        }
    if (report->rounded && missing != report->unmeasured) /* J4 */
        return wrong_report(fault, "another number of missing pairs than unmeasured_pairs", "$.delta_rounded");
    return 0;
}

/* Checks J1 and J2 of a cell of the matrix, also for corrected clocks. */
static int judge_cell(const struct ordo_collection_report *report, int a, int b, struct ordo_json_fault *fault)
{
    size_t n = (size_t)report->count;
    int64_t there = report->delta_ticks[(size_t)a * n + (size_t)b],
            back = report->delta_ticks[(size_t)b * n + (size_t)a];
    const int64_t *correction = report->column[ORDO_COLUMN_CORRECTION];
    if (a == b && there != ORDO_COLLECTION_NONE)
        return wrong_report(fault, "a CPU with itself", "$.delta_ticks[%d][%d]", a, b);
    if (too_large(report, there))
        return wrong_report(fault, above_boundary, "$.delta_ticks[%d][%d]", a, b);
    if (there == ORDO_COLLECTION_NONE)
        return 0;
    if (back != ORDO_COLLECTION_NONE && there + back < -report->granule_ticks)
        return wrong_report(fault, "with the other direction less than a message can take", "$.delta_ticks[%d][%d]", a,
                            b);
    if (correction && there + correction[b] - correction[a] > most_delta(report, report->corrected_boundary_ticks))
        return wrong_report(fault, "above corrected_boundary_ticks once corrected", "$.delta_ticks[%d][%d]", a, b);
    return 0;
}

static int same_summary(const struct ordo_collection_report *report, const struct ordo_collection_report *own,
                        struct ordo_json_fault *fault)
{
    static const char other[] = "not what delta_ticks says";
    size_t row = (size_t)report->count * sizeof(int64_t);
    if (report->unmeasured != own->unmeasured)
        return wrong_report(fault, other, "$.unmeasured_pairs");
    if (memcmp(report->classes, own->classes, sizeof own->classes) != 0)
        return wrong_report(fault, other, "$.distance_classes");
    if (report->worst_count != own->worst_count)
        return wrong_report(fault, other, "$.worst_pairs");
    for (int i = 0; i < own->worst_count; i++)
        if (report->worst[i].writer != own->worst[i].writer || report->worst[i].reader != own->worst[i].reader ||
            report->worst[i].delta_ticks != own->worst[i].delta_ticks)
            return wrong_report(fault, other, "$.worst_pairs[%d]", i);
    for (int column = ORDO_COLUMN_OFFSET; column < ORDO_COLUMNS; column++)
        if (memcmp(report->column[column], own->column[column], row) != 0)
            return wrong_report(fault, other, "$.per_cpu.%s", ordo_collection_columns[column]);
    return 0;
}

/* Checks J6. */
static int judge_matrix(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    size_t n = (size_t)report->count;
    for (int a = 0; a < report->count && report->delta_ticks; a++)
        for (int b = 0; b < report->count; b++)
            if (judge_cell(report, a, b, fault))
                return -1;
    if (!report->delta_ticks)
        return 0;
    struct ordo_collection_report *own = ordo_collection_new(report->count);
    int failed = own && (own->delta_ticks = malloc(n * n * sizeof(int64_t))) ? 0 : ORDO_E_SYSTEM;
    if (!failed) {
        memcpy(own->cpus, report->cpus, n * sizeof *own->cpus);
        memcpy(own->delta_ticks, report->delta_ticks, n * n * sizeof(int64_t));
        for (int kind = 0; kind < ORDO_COLLECTION_KINDS; kind++)
            memcpy(own->group[kind], report->group[kind], n * sizeof(int));
        failed = ordo_collection_summarise(own) ? ORDO_E_SYSTEM : same_summary(report, own, fault);
    }
    ordo_collection_free(own);
    return failed;
}

int ordo_collection_judge(const struct ordo_collection_report *report, struct ordo_json_fault *fault)
{
    static int (*const judges[])(const struct ordo_collection_report *report, struct ordo_json_fault *fault) = {
        judge_head,    judge_machine, judge_groups,  judge_classes, judge_worst,
        judge_columns, judge_blocks,  judge_rounded, judge_matrix};
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++) {
        int failed = judges[i](report, fault);
        if (failed)
            return failed;
    }
    return 0;
}
