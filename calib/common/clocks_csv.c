/* A comparison of clocks as CSV: one line for each clock; an interval takes two columns. */
#include "clocks_csv.h"

#include <math.h>

/* Writes a field. The field is empty if the value is not finite. */
static void write_field(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, ",%.9g", value);
    else
        fputc(',', stream);
}

static void range(FILE *stream, struct ordo_range value)
{
    write_field(stream, value.low);
    write_field(stream, value.high);
}

static void write_clock(const struct ordo_comparison *comparison, const struct ordo_clock_compared *clock, FILE *stream)
{
    struct ordo_across all = ordo_across_hull(clock, comparison->cpu_count);
    const char *entry = ordo_entry_name(clock->entry);
    fprintf(stream, "%s,%s", clock->source->name, entry ? entry : "");
    write_field(stream, clock->cost.median_ns);
    write_field(stream, clock->cost.percentile99_ns);
    write_field(stream, clock->step_ns);
    write_field(stream, clock->spread.lead.mean);
    write_field(stream, clock->spread.lead.deviation);
    write_field(stream, clock->spread.percentile75);
    write_field(stream, clock->spread.percentile95);
    write_field(stream, clock->spread.percentile99);
    write_field(stream, clock->stability.noise_ns);
    range(stream, clock->rate_ppm);
    range(stream, all.offset_ns);
    range(stream, all.drift_ppm);
    write_field(stream, all.backward_ns);
    fprintf(stream, ",%zu,%zu", clock->jumps.seen, clock->slews.seen);
    for (int purpose = 0; purpose < ORDO_PURPOSES; purpose++)
        fprintf(stream, ",%s", ordo_fit_name(clock->fitness[purpose].fit));
    fputc('\n', stream);
}

int clocks_write_csv(const struct ordo_comparison *comparison, FILE *stream)
{
    fputs(
        "clock,entry,read_ns,read_p99_ns,step_ns,offset_mean_ns,offset_sd_ns,offset_p75_ns,offset_p95_ns,offset_p99_ns,"
        "noise_sd_ns,rate_low_ppm,rate_high_ppm,across_low_ns,across_high_ns,drift_low_ppm,drift_high_ppm,"
        "backward_ns,jumps,slews",
        stream);
    for (int purpose = 0; purpose < ORDO_PURPOSES; purpose++)
        fprintf(stream, ",%s", ordo_purpose_name(purpose));
    fputc('\n', stream);
    for (int i = 0; i < comparison->clock_count; i++)
        write_clock(comparison, &comparison->clocks[i], stream);
    return ferror(stream) ? -1 : 0;
}
