/* Writes the result as text: a table like Table 1 of the Ordo paper, the matrix, and sentences. */
#include <inttypes.h>
#include <string.h>

#include <ordo/clock.h>

#include "calibrate/report/report.h"
#include "calibrate/report/scopes.h"
#include "machine/topology/topology.h"

static void write_classes(const struct ordo_calibration *calibration, FILE *stream)
{
    fprintf(stream, "%-16s %8s %10s %10s %10s   %8s %8s %8s\n", "", "pairs", "min", "median", "max", "min", "median",
            "max");
    fprintf(stream, "%-16s %8s %32s   %26s\n", "distance", "", "ticks", "ns");
    for (int distance = 0; distance < ORDO_DISTANCES; distance++) {
        struct ordo_class_summary s = ordo_report_class(calibration, distance);
        if (s.pairs > 0)
            fprintf(stream, "%-16s %8d %10" PRId64 " %10" PRId64 " %10" PRId64 "   %8.1f %8.1f %8.1f\n",
                    ordo_distance_name((enum ordo_distance)distance), s.pairs, s.min, s.median, s.max,
                    ordo_calibration_ns(calibration, s.min), ordo_calibration_ns(calibration, s.median),
                    ordo_calibration_ns(calibration, s.max));
    }
    fputc('\n', stream);
}

/* Chooses one of six terminal colours, from blue for the smallest delta through green and yellow to red for the
 * largest. */
static int heat(int64_t delta, int64_t least, int64_t most)
{
    static const int colours[] = {27, 39, 42, 148, 214, 196};
    int64_t range = most - least;
    return colours[range > 0 ? (int)((double)(delta - least) / (double)range * 5.999) : 0];
}

static void write_text_cell(const struct ordo_calibration *calibration, int at, int64_t least, int width, bool colour,
                            FILE *stream)
{
    int64_t delta = calibration->delta_ticks[at];
    if (delta == ORDO_DELTA_NONE)
        fprintf(stream, "%*s", width, "-");
    else if (colour)
        fprintf(stream, "\033[48;5;%dm\033[30m%*" PRId64 "\033[0m",
                heat(delta, least, calibration->largest_delta_ticks), width, delta);
    else
        fprintf(stream, "%*" PRId64, width, delta);
}

static void write_matrix(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    int n = calibration->count, width;
    char digits[32];
    int64_t least = INT64_MAX;
    for (int i = 0; i < n * n; i++)
        least = calibration->delta_ticks[i] < least ? calibration->delta_ticks[i] : least;
    width = snprintf(digits, sizeof digits, "%" PRId64, calibration->largest_delta_ticks) + 2;
    if (width < 5)
        width = 5;
    if (14 + n * width > style.width) {
        fprintf(stream, "(the matrix of %d x %d does not fit here: --svg, --csv and --json have it)\n\n", n, n);
        return;
    }
    fprintf(stream, "smallest delta in ticks, from the writer (down) to the reader (across)\n%14s", "");
    for (int r = 0; r < n; r++)
        fprintf(stream, "%*u", width, calibration->cpus[r]);
    for (int w = 0; w < n; w++) {
        fprintf(stream, "\n%*s%-6u", 8, "cpu ", calibration->cpus[w]);
        for (int r = 0; r < n; r++)
            write_text_cell(calibration, w * n + r, least, width, style.colour, stream);
    }
    fprintf(stream, "\n\n");
}

static void write_intervals(const struct ordo_calibration *calibration, FILE *stream)
{
    enum { MOST_PAIRS = 28 };
    int n = calibration->count;
    if (n * (n - 1) / 2 > MOST_PAIRS)
        return;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            struct ordo_interval offset = calibration->offset_ticks[a * n + b];
            fprintf(stream, "clock of cpu %u minus clock of cpu %u: in [%" PRId64 ", %" PRId64 "] ticks\n",
                    calibration->cpus[b], calibration->cpus[a], offset.low, offset.high);
        }
}

static void write_verdict(const struct ordo_calibration *calibration, FILE *stream)
{
    int a = 0, b = 0;
    int64_t at_least = ordo_calibration_worst_offset(calibration, &a, &b);
    if (calibration->count == 1)
        fprintf(stream, "There is one CPU, and its clock agrees with itself.\n");
    else if (at_least > 0)
        fprintf(stream, "CPU %u is ahead of CPU %u by at least %" PRId64 " ticks (%.1f ns).\n", calibration->cpus[b],
                calibration->cpus[a], at_least, ordo_calibration_ns(calibration, at_least));
    else
        fprintf(stream, "All clocks agree within %" PRId64 " ticks (%.1f ns): no pair is provably apart.\n",
                calibration->largest_delta_ticks, ordo_calibration_ns(calibration, calibration->largest_delta_ticks));
    if (calibration->count > 1)
        fprintf(stream, "Relative drift of any two CPUs: between %.3f and %.3f ppm, 0 included.\n",
                (double)calibration->drift_min_ppb / 1e3, (double)calibration->drift_max_ppb / 1e3);
}

/* Writes the kernel's verdict on the clock. If the kernel does not vouch for the clock, also writes the reason for
 * trusting it. */
static void write_trust(const struct ordo_calibration *calibration, FILE *stream)
{
    if (!calibration->trust_reason[0])
        return;
    fprintf(stream, "Trust in the clock: %s: %s.\n", ordo_trust_word(calibration->trust), calibration->trust_reason);
    if (calibration->trust == ORDO_TRUST_MEASURED && !calibration->forced)
        fprintf(stream,
                "The measurement is the evidence: %d sweeps in %.1f s, drift known to within %.3f ppm, the same rate "
                "by %d clocks of the kernel.\n",
                calibration->repeats, calibration->seconds,
                (double)(calibration->drift_max_ppb - calibration->drift_min_ppb) / 1e3, calibration->agreeing_rates);
}

struct kind_summary {
    const char *kind;
    int scopes, unmeasured;
    int64_t least, most; /* boundaries in ticks */
};

struct kind_summaries {
    struct kind_summary kinds[ORDO_SCOPE_NUMA];
    int count;
};

/* Adds a scope to the summary of its kind. The scopes arrive ordered by kind. */
static int sum_up_scope(void *context, const struct ordo_scope_found *scope)
{
    struct kind_summaries *sums = context;
    if (sums->count == 0 || strcmp(sums->kinds[sums->count - 1].kind, scope->kind) != 0)
        sums->kinds[sums->count++] = (struct kind_summary){scope->kind, 0, 0, INT64_MAX, 0};
    struct kind_summary *sum = &sums->kinds[sums->count - 1];
    sum->scopes++;
    if (scope->boundary_ticks == 0) {
        sum->unmeasured++;
        return 0;
    }
    sum->least = ordo_min(sum->least, scope->boundary_ticks);
    sum->most = ordo_max(sum->most, scope->boundary_ticks);
    return 0;
}

int ordo_report_write_scopes(FILE *stream, const struct ordo_scopes *scopes, double tick_hz)
{
    struct kind_summaries sums = {.count = 0};
    if (ordo_scopes_visit(scopes, sum_up_scope, &sums))
        return -1;
    for (int i = 0; i < sums.count; i++) {
        const struct kind_summary *sum = &sums.kinds[i];
        fprintf(stream, "within one %-8s %3d of them", sum->kind, sum->scopes);
        if (sum->most > 0)
            fprintf(stream, ", boundary %" PRId64 " to %" PRId64 " ticks (%.1f to %.1f ns)", sum->least, sum->most,
                    (double)sum->least * 1e9 / tick_hz, (double)sum->most * 1e9 / tick_hz);
        if (sum->unmeasured)
            fprintf(stream, "; %d not measured", sum->unmeasured);
        fputc('\n', stream);
    }
    return 0;
}

/* Corrections are worth their cost if they make the boundary at least a quarter smaller, because a corrected read costs
 * a little more than a plain read. */
void ordo_report_write_corrected(FILE *stream, uint64_t boundary_ticks, uint64_t corrected_boundary_ticks,
                                 double tick_hz)
{
    if (corrected_boundary_ticks == 0)
        fprintf(stream, "Corrected clocks: none, because not every pair was measured.\n");
    else
        fprintf(stream,
                "Corrected clocks would have a boundary of %" PRIu64 " ticks (%.1f ns), %.0f%% of the plain "
                "one: %s here.\n",
                corrected_boundary_ticks, (double)corrected_boundary_ticks * 1e9 / tick_hz,
                100 * (double)corrected_boundary_ticks / (double)boundary_ticks,
                corrected_boundary_ticks <= boundary_ticks / 4 * 3 ? "worth it" : "not worth it");
}

/* Writes the differences of the rates of the other sources from the rate of the first source. */
static void write_rates(const struct ordo_calibration *calibration, FILE *stream)
{
    fprintf(stream, "tick rate by others, in ppm of that:");
    for (int i = 1; i < calibration->rate_count; i++)
        fprintf(stream, " %s %+.3f..%+.3f%s", calibration->rates[i].source,
                (calibration->rates[i].low_hz / calibration->tick_hz - 1) * 1e6,
                (calibration->rates[i].high_hz / calibration->tick_hz - 1) * 1e6,
                i + 1 < calibration->rate_count ? "," : "\n");
}

static int write_text_report(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    char cpus[200];
    ordo_topology_format_cpus(calibration->cpus, calibration->count, cpus, sizeof cpus);
    fprintf(stream, "%s; measured CPU%s %s\n", calibration->machine, calibration->count == 1 ? "" : "s", cpus);
    fprintf(stream, "clock %s, %.6f MHz (by %s, +-%.3f ppm), step %" PRIu64 " ticks%s\n",
            ordo_record_clock_name(calibration->clock), calibration->tick_hz / 1e6, calibration->rates[0].source,
            (calibration->rates[0].high_hz - calibration->rates[0].low_hz) / 2 / calibration->tick_hz * 1e6,
            calibration->granule_ticks, calibration->coarse ? " (coarse: equal times are common)" : "");
    if (calibration->rate_count > 1)
        write_rates(calibration, stream);
    fprintf(stream, "%" PRIu64 " runs per direction in %d sweeps%s, %.1f s\n", calibration->runs, calibration->repeats,
            calibration->parallel ? ", disjoint pairs at the same time (their minima can only be larger)" : "",
            calibration->seconds);
    if (calibration->settle)
        fprintf(stream,
                "a direction stopped once its minimum had not moved for %" PRIu64 " runs; the fewest made: %" PRIu64
                "\n",
                calibration->settle, calibration->fewest_runs);
    fputc('\n', stream);
    if (calibration->count > 1) {
        write_classes(calibration, stream);
        write_matrix(calibration, style, stream);
        write_intervals(calibration, stream);
    }
    write_verdict(calibration, stream);
    struct ordo_scopes scopes = ordo_scopes_of(calibration);
    if (calibration->count > 1 && ordo_report_write_scopes(stream, &scopes, calibration->tick_hz))
        return -1;
    if (calibration->unmeasured_pairs)
        fprintf(stream,
                "NOT MEASURED: %d of %d pairs; the boundary is that of the others, and no handle is opened for "
                "a set of CPUs with such a pair.\n",
                calibration->unmeasured_pairs, calibration->count * (calibration->count - 1) / 2);
    if (calibration->count > 1)
        ordo_report_write_corrected(stream, calibration->boundary_ticks, calibration->corrected_boundary_ticks,
                                    calibration->tick_hz);
    if (calibration->hypervisor)
        fprintf(stream, "Under a hypervisor (%s): a virtual CPU may move to another core, and its distance with it.\n",
                calibration->hypervisor_name[0] ? calibration->hypervisor_name : "unnamed");
    write_trust(calibration, stream);
    if (calibration->forced)
        fprintf(stream, "FORCED: the clock or the boundary did not pass the checks, and the record says so.\n");
    fprintf(stream,
            "\nORDO_BOUNDARY %" PRIu64 " ticks (%.1f ns) = largest delta %" PRId64 " + granule %" PRIu64
            " + margin %" PRIu64 "\n",
            calibration->boundary_ticks, ordo_calibration_ns(calibration, (int64_t)calibration->boundary_ticks),
            calibration->largest_delta_ticks, calibration->granule_ticks, calibration->margin_ticks);
    return 0;
}

const struct ordo_report ordo_report_text = {"text", "tables and sentences for people", write_text_report};
