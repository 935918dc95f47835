#include "machine/comparison/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantile.h"
#include "base/regression.h"
#include "base/visit.h"

static double ticks_ns(const struct ordo_series *series, uint64_t ticks)
{
    return (double)(int64_t)(ticks - series->origin_ticks) * 1e9 / series->tick_hz;
}

struct ordo_lead ordo_series_lead(const struct ordo_series *series, size_t index)
{
    const struct ordo_bracket *at = &series->brackets[index];
    double before_ns = ticks_ns(series, at->before_ticks), after_ns = ticks_ns(series, at->after_ticks);
    double clock_ns = (double)(int64_t)(at->units - series->brackets[0].units) * 1e9 / series->unit_hz;
    return (struct ordo_lead){.from_s = before_ns / 1e9,
                              .to_s = after_ns / 1e9,
                              .low_ns = clock_ns - after_ns,
                              .high_ns = clock_ns + series->step_ns - before_ns,
                              .middle_ns = clock_ns - (before_ns + after_ns) / 2};
}

static int64_t width_of_bracket(const struct ordo_bracket *bracket)
{
    return (int64_t)(bracket->after_ticks - bracket->before_ticks);
}

size_t ordo_series_narrow(const struct ordo_series *series, size_t *chosen)
{
    /* A bracket that is wider than this number of medians was interrupted between its readings. At least half of all
     * brackets stay, because they are no wider than the median. */
    enum { INTERRUPTED_MEDIANS = 4 };
    size_t count = 0;
    int64_t *widths = calloc(series->count, sizeof *widths);
    if (!widths)
        return 0;
    for (size_t i = 0; i < series->count; i++)
        widths[i] = width_of_bracket(&series->brackets[i]);
    int64_t median = ordo_stats_median_int(widths, series->count);
    for (size_t i = 0; i < series->count; i++)
        if (width_of_bracket(&series->brackets[i]) <= INTERRUPTED_MEDIANS * median)
            chosen[count++] = i;
    free(widths);
    return count;
}

struct ordo_range ordo_series_jump(const struct ordo_series *series, size_t earlier, size_t later)
{
    struct ordo_lead a = ordo_series_lead(series, earlier), b = ordo_series_lead(series, later);
    double steered_ns = (b.to_s - a.from_s) * 1e9 * ORDO_SERIES_STEERED_PPM * 1e-6;
    return (struct ordo_range){b.low_ns - a.high_ns - steered_ns, b.high_ns - a.low_ns + steered_ns};
}

static void note_event(struct ordo_series_events *events, double from_s, double to_s, struct ordo_range change)
{
    if (events->seen < ORDO_SERIES_EVENTS)
        events->events[events->seen] = (struct ordo_series_event){from_s, to_s, change};
    events->seen++;
}

static bool jumps_between(const struct ordo_series *series, size_t earlier, size_t later)
{
    struct ordo_range jump = ordo_series_jump(series, earlier, later);
    return jump.low > 0 || jump.high < 0;
}

void ordo_series_jumps(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_events *jumps)
{
    memset(jumps, 0, sizeof *jumps);
    for (size_t i = 0; i + 1 < count; i++)
        if (jumps_between(series, chosen[i], chosen[i + 1]))
            note_event(jumps, ordo_series_lead(series, chosen[i]).from_s, ordo_series_lead(series, chosen[i + 1]).to_s,
                       ordo_series_jump(series, chosen[i], chosen[i + 1]));
}

void ordo_series_longest(const struct ordo_series *series, const size_t *chosen, size_t count, size_t *first,
                         size_t *length)
{
    size_t begin = 0;
    *first = 0;
    *length = 0;
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && !jumps_between(series, chosen[i], chosen[i + 1]))
            continue;
        if (i + 1 - begin > *length) {
            *first = begin;
            *length = i + 1 - begin;
        }
        begin = i + 1;
    }
}

/* Returns the narrowest of `count` chosen brackets. */
static size_t narrowest(const struct ordo_series *series, const size_t *chosen, size_t count)
{
    size_t best = chosen[0];
    for (size_t i = 1; i < count; i++)
        if (width_of_bracket(&series->brackets[chosen[i]]) < width_of_bracket(&series->brackets[best]))
            best = chosen[i];
    return best;
}

struct ordo_range ordo_series_rate_ppm(const struct ordo_series *series, const size_t *chosen, size_t count,
                                       double *span_s)
{
    /* The rate is taken between the narrowest bracket of the first twentieth and that of the last twentieth, so at most
     * a tenth of the time is lost. */
    enum { END_PART = 20 };
    size_t end = count / END_PART + 1;
    *span_s = 0;
    if (count < 2)
        return (struct ordo_range){-INFINITY, INFINITY};
    struct ordo_lead a = ordo_series_lead(series, narrowest(series, chosen, end));
    struct ordo_lead b = ordo_series_lead(series, narrowest(series, chosen + count - end, end));
    /* Each instant is known only to within the two readings of the counter around it. */
    double shortest_ns = (b.from_s - a.to_s) * 1e9, longest_ns = (b.to_s - a.from_s) * 1e9;
    if (shortest_ns <= 0)
        return (struct ordo_range){-INFINITY, INFINITY};
    double low_ns = b.low_ns - a.high_ns, high_ns = b.high_ns - a.low_ns;
    *span_s = longest_ns / 1e9;
    return (struct ordo_range){low_ns / (low_ns < 0 ? shortest_ns : longest_ns) * 1e6,
                               high_ns / (high_ns > 0 ? shortest_ns : longest_ns) * 1e6};
}

/* Returns the range of all constant rates that the chosen brackets allow. A bracket is treated as an exchange: the
 * counter sends to the clock before the reading, and receives from the clock after it. */
static struct ordo_drift constant_rate(const struct ordo_series *series, const size_t *chosen, size_t count,
                                       struct ordo_visit *visits)
{
    for (size_t i = 0; i < count; i++) {
        const struct ordo_bracket *at = &series->brackets[chosen[i]];
        struct ordo_lead lead = ordo_series_lead(series, chosen[i]);
        visits[i] = ordo_visit_plain((int64_t)ceil(lead.high_ns), -(int64_t)floor(lead.low_ns),
                                     (uint64_t)(int64_t)floor(ticks_ns(series, at->before_ticks)),
                                     (uint64_t)(int64_t)ceil(ticks_ns(series, at->after_ticks)));
    }
    return ordo_offset_drift(visits, (int)count, 1);
}

void ordo_series_slews(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_events *slews)
{
    enum { PARTS = 8, LEAST_OF_A_PART = 16 }; /* fewer brackets hardly bound a rate */
    struct ordo_visit *visits = calloc(count / PARTS + 1, sizeof *visits);
    size_t each = count / PARTS, earlier = 0; /* the latest part that a constant rate fits */
    struct ordo_drift before = {-INFINITY, INFINITY};
    memset(slews, 0, sizeof *slews);
    for (size_t part = 0; visits && each >= LEAST_OF_A_PART && part < PARTS; part++) {
        const size_t *own = chosen + part * each;
        struct ordo_drift now = constant_rate(series, own, each, visits);
        /* If no constant rate fits a part, the rate changes within it; its neighbours show by how much. */
        if (now.min_ppb > now.max_ppb)
            continue;
        struct ordo_range change = {(now.min_ppb - before.max_ppb) / 1e3, (now.max_ppb - before.min_ppb) / 1e3};
        if (change.low > 0 || change.high < 0)
            note_event(slews, ordo_series_lead(series, chosen[earlier * each]).from_s,
                       ordo_series_lead(series, own[each - 1]).to_s, change);
        before = now;
        earlier = part;
    }
    free(visits);
}

int ordo_series_spread(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_spread *spread)
{
    enum { FIRST = 10 };
    double *values = calloc(count, sizeof *values);
    if (!values)
        return -1;
    double origin_ns = ordo_series_lead(series, narrowest(series, chosen, count < FIRST ? count : FIRST)).middle_ns;
    for (size_t i = 0; i < count; i++)
        values[i] = ordo_series_lead(series, chosen[i]).middle_ns - origin_ns;
    spread->lead = ordo_stats_spread(values, count);
    for (size_t i = 0; i < count; i++)
        values[i] = fabs(values[i]);
    ordo_stats_sort(values, count);
    spread->percentile75 = ordo_stats_percentile(values, count, 75);
    spread->percentile95 = ordo_stats_percentile(values, count, 95);
    spread->percentile99 = ordo_stats_percentile(values, count, 99);
    for (int i = 0; i < ORDO_SERIES_QUANTILES; i++)
        spread->quantiles_ns[i] = ordo_stats_percentile(values, count, i * 100.0 / (ORDO_SERIES_QUANTILES - 1));
    free(values);
    return 0;
}

static double noise_of(const double *at_ns, const double *lead_ns, size_t count)
{
    struct ordo_line line = ordo_stats_line(at_ns, lead_ns, count);
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += pow(lead_ns[i] - line.at_zero - line.slope * at_ns[i], 2);
    return count > 2 ? sqrt(squares / (double)(count - 2)) : 0;
}

static void find_spans(const struct ordo_phase *phase, struct ordo_series_stability *stability)
{
    stability->count = 0;
    for (size_t step = 1; 3 * step <= phase->count && stability->count < ORDO_SERIES_SPANS; step *= 2) {
        stability->spans[stability->count].span_s = (double)step * (double)phase->apart_ns / 1e9;
        stability->spans[stability->count].allan = ordo_allan_deviation(phase, step);
        stability->spans[stability->count].time_deviation_ns = ordo_time_deviation_ns(phase, step);
        stability->count++;
    }
}

int ordo_series_stability(const struct ordo_series *series, const size_t *chosen, size_t count, int64_t apart_ns,
                          struct ordo_series_stability *stability)
{
    struct ordo_lead first = ordo_series_lead(series, chosen[0]), last = ordo_series_lead(series, chosen[count - 1]);
    /* If many more samples are missing than were measured, the counter jumped, and the measured samples cannot be
     * used. */
    double room = fmin((last.to_s - first.from_s) * 1e9 / (double)apart_ns, 4.0 * (double)count) + 2;
    double *at_ns = calloc(count, sizeof *at_ns), *lead_ns = calloc(count, sizeof *lead_ns);
    double *even_ns = calloc((size_t)room, sizeof *even_ns);
    int failed = at_ns && lead_ns && even_ns ? 0 : -1;
    for (size_t i = 0; i < count && !failed; i++) {
        struct ordo_lead lead = ordo_series_lead(series, chosen[i]);
        at_ns[i] = (lead.from_s + lead.to_s) / 2 * 1e9;
        lead_ns[i] = lead.middle_ns;
    }
    if (!failed) {
        stability->noise_ns = noise_of(at_ns, lead_ns, count);
        size_t made = ordo_phase_even(at_ns, lead_ns, count, apart_ns, even_ns, (size_t)room);
        find_spans(&(struct ordo_phase){even_ns, made, apart_ns}, stability);
    }
    free(at_ns);
    free(lead_ns);
    free(even_ns);
    return failed;
}
