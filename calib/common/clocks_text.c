/* A comparison of clocks as text. */
#include "clocks_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clocks_utc.h"

/* Formats a time in ns, with about four digits. */
static const char *span(double ns, char text[24])
{
    double size = fabs(ns);
    if (!isfinite(ns))
        (void)snprintf(text, 24, "-");
    else if (size < 9999.5)
        (void)snprintf(text, 24, size < 99.95 ? "%.1f" : "%.0f", ns);
    else
        (void)snprintf(text, 24,
                       size < 1e7    ? "%.4gu"
                       : size < 1e10 ? "%.4gm"
                                     : "%.4gs",
                       ns / (size < 1e7    ? 1e3
                             : size < 1e10 ? 1e6
                                           : 1e9));
    return text;
}

/* Formats "low to high", with `digits` digits after the decimal point. */
static const char *interval(struct ordo_range range, int digits, char text[48])
{
    if (!isfinite(range.low) || !isfinite(range.high))
        return "not bounded";
    (void)snprintf(text, 48, "%+.*f to %+.*f", digits, range.low, digits, range.high);
    return text;
}

static void write_head(const struct ordo_comparison *comparison, FILE *stream)
{
    char cpus[128], begin[40];
    double tick_hz = (comparison->tick_hz.low + comparison->tick_hz.high) / 2;
    ordo_topology_format_cpus(comparison->cpus, comparison->cpu_count, cpus, sizeof cpus);
    clocks_format_utc(comparison, 0, begin);
    fprintf(stream, "%g s from %s on, a reading every %g ms on cpu %u; CPUs %s\n", comparison->seconds, begin,
            (double)comparison->apart_ns / 1e6, comparison->cpus[0], cpus);
    fprintf(stream, "the counter runs at %.6f MHz of monotonic_raw, to %.3f ppm\n", tick_hz / 1e6,
            (comparison->tick_hz.high - comparison->tick_hz.low) / 2 / tick_hz * 1e6);
}

static void write_prices(const struct ordo_comparison *comparison, FILE *stream)
{
    fprintf(stream, "\n%-17s %8s %8s %7s %8s  %s\n", "a reading", "ns", "99%", "by", "step", "");
    for (int i = 0; i < comparison->clock_count; i++) {
        const struct ordo_clock_compared *clock = &comparison->clocks[i];
        const char *entry = ordo_entry_name(clock->entry);
        char median[24], last[24];
        fprintf(stream, "%-17s %8s %8s %7s %8lld  %s\n", clock->source->name, span(clock->cost.median_ns, median),
                span(clock->cost.percentile99_ns, last), entry ? entry : "?", (long long)clock->cost.step_units,
                clock->source->title);
    }
}

static void write_time(const struct ordo_comparison *comparison, FILE *stream)
{
    fprintf(stream, "\n%-17s %8s %8s %8s %8s %8s  %-24s %s\n", "offset, ns", "mean", "sd", "75%", "95%", "99%",
            "rate, ppm", "noise");
    for (int i = 0; i < comparison->clock_count; i++) {
        const struct ordo_clock_compared *clock = &comparison->clocks[i];
        const struct ordo_series_spread *spread = &clock->spread;
        char words[6][24], rate[48];
        fprintf(stream, "%-17s %8s %8s %8s %8s %8s  %-24s %s\n", clock->source->name, span(spread->lead.mean, words[0]),
                span(spread->lead.deviation, words[1]), span(spread->percentile75, words[2]),
                span(spread->percentile95, words[3]), span(spread->percentile99, words[4]),
                interval(clock->rate_ppm, 3, rate), span(clock->stability.noise_ns, words[5]));
    }
}

/* Writes the deviations for every third averaging time: 1, 8, 64, ... samples. */
static void write_stability(const struct ordo_comparison *comparison, FILE *stream)
{
    enum { EACH = 3 };
    const struct ordo_series_stability *longest = NULL;
    for (int i = 0; i < comparison->clock_count; i++)
        if (!longest || comparison->clocks[i].stability.count > longest->count)
            longest = &comparison->clocks[i].stability;
    fprintf(stream, "\n%-17s", "Allan, tdev in ns");
    for (int i = 0; longest && i < longest->count; i += EACH)
        fprintf(stream, "  %10.3g s     ", longest->spans[i].span_s);
    for (int i = 0; i < comparison->clock_count; i++) {
        const struct ordo_series_stability *own = &comparison->clocks[i].stability;
        fprintf(stream, "\n%-17s", comparison->clocks[i].source->name);
        for (int j = 0; j < own->count; j += EACH) {
            char deviation[24];
            fprintf(stream, "  %8.1e %7s", own->spans[j].allan, span(own->spans[j].time_deviation_ns, deviation));
        }
    }
    fprintf(stream, "\n");
}

static void write_across(const struct ordo_comparison *comparison, FILE *stream)
{
    if (comparison->cpu_count < 2)
        return;
    fprintf(stream, "\n%-17s %-26s %-24s %8s %9s\n", "across CPUs", "offset, ns", "drift, ppm", "back, ns", "messages");
    for (int i = 0; i < comparison->clock_count; i++) {
        struct ordo_across all = ordo_across_hull(&comparison->clocks[i], comparison->cpu_count);
        char offset[48], drift[48], back[24];
        fprintf(stream, "%-17s %-26s %-24s %8s %9llu\n", comparison->clocks[i].source->name,
                interval(all.offset_ns, 0, offset), interval(all.drift_ppm, 3, drift), span(all.backward_ns, back),
                (unsigned long long)all.messages);
    }
}

static void write_events(const struct ordo_comparison *comparison, const struct ordo_clock_compared *clock,
                         const struct ordo_series_events *events, const char *what, double unit, const char *unit_name,
                         FILE *stream)
{
    for (size_t i = 0; i < events->seen && i < ORDO_SERIES_EVENTS; i++) {
        const struct ordo_series_event *event = &events->events[i];
        char change[48], to[40];
        struct ordo_range range = {event->change.low / unit, event->change.high / unit};
        clocks_format_utc(comparison, event->to_s, to);
        fprintf(stream, "%s: %s by %s %s between %.6f s and %.6f s, until %s\n", clock->source->name, what,
                interval(range, 3, change), unit_name, event->from_s, event->to_s, to);
    }
    if (events->seen > ORDO_SERIES_EVENTS)
        fprintf(stream, "%s: and %zu more times\n", clock->source->name, events->seen - ORDO_SERIES_EVENTS);
}

static void write_all_events(const struct ordo_comparison *comparison, FILE *stream)
{
    size_t seen = 0;
    for (int i = 0; i < comparison->clock_count; i++)
        seen += comparison->clocks[i].jumps.seen + comparison->clocks[i].slews.seen;
    fprintf(stream, "\n%s\n", seen ? "jumps and slews" : "no clock was seen to jump or to change its rate");
    for (int i = 0; i < comparison->clock_count; i++) {
        const struct ordo_clock_compared *clock = &comparison->clocks[i];
        write_events(comparison, clock, &clock->jumps, "jumped", 1e3, "us", stream);
        write_events(comparison, clock, &clock->slews, "changed its rate", 1, "ppm", stream);
    }
}

static void write_discipline(const struct ordo_discipline *discipline, FILE *stream)
{
    const struct ordo_kernel_discipline *kernel = &discipline->kernel;
    const struct ordo_chrony *chrony = &discipline->chrony;
    const struct ordo_time_namespace *space = &discipline->time_namespace;
    if (kernel->known)
        fprintf(stream, "\nkernel: %s, frequency %+.3f ppm, maxerror %.3f ms, TAI offset %d s\n",
                kernel->synchronised ? "synchronised" : "not synchronised", kernel->frequency_ppm,
                (double)kernel->maxerror_ns / 1e6, kernel->tai_offset_s);
    else
        fprintf(stream, "\nkernel: does not say how it steers its clocks\n");
    if (chrony->found)
        fprintf(stream, "chronyd: %s, stratum %d, offset %+.9f s (rms %.9f s), frequency %+.3f ppm, %s\n",
                chrony->reference, chrony->stratum, chrony->system_offset_s, chrony->rms_offset_s,
                chrony->frequency_ppm, chrony->leap);
    if (discipline->ptp.found)
        fprintf(stream, "ptp4l: %+.0f ns from its master, %d steps from the grandmaster\n",
                discipline->ptp.master_offset_ns, discipline->ptp.steps_removed);
    if (!chrony->found && !discipline->ptp.found)
        fprintf(stream, "neither chronyd nor ptp4l answers here\n");
    if (space->known)
        fprintf(stream, "%s: monotonic shifted by %.9f s, boottime by %.9f s\n",
                space->name[0] ? space->name : "time namespace", (double)space->monotonic_ns / 1e9,
                (double)space->boottime_ns / 1e9);
}

static void write_fitness(const struct ordo_comparison *comparison, FILE *stream)
{
    static const char *const titles[ORDO_PURPOSES] = {"to order events across cores", "to measure durations",
                                                      "to compare with other machines",
                                                      "to copy one model to all ranks of the node"};
    for (int purpose = 0; purpose < ORDO_PURPOSES; purpose++) {
        fprintf(stream, "\n%s\n", titles[purpose]);
        for (int i = 0; i < comparison->clock_count; i++) {
            const struct ordo_fitness *fitness = &comparison->clocks[i].fitness[purpose];
            fprintf(stream, "  %-17s %-8s %s\n", comparison->clocks[i].source->name, ordo_fit_name(fitness->fit),
                    fitness->reason);
        }
    }
}

int clocks_write_text(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream)
{
    write_head(comparison, stream);
    write_prices(comparison, stream);
    write_time(comparison, stream);
    write_stability(comparison, stream);
    write_across(comparison, stream);
    write_all_events(comparison, stream);
    write_discipline(&comparison->discipline, stream);
    write_fitness(comparison, stream);
    if (ranks.text)
        fprintf(stream, "\n%s", ranks.text);
    return ferror(stream) ? -1 : 0;
}
