/* A comparison of clocks as JSON. */
#include "clocks_json.h"

#include <math.h>

#include "clocks_utc.h"

static void put_range(struct ordo_json *object, const char *key, struct ordo_range range)
{
    ordo_json_put_reals(object, key, range.low, range.high);
}

static struct ordo_json spread_json(const struct ordo_series_spread *spread)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "mean_ns", spread->lead.mean);
    ordo_json_put_real(&object, "sd_ns", spread->lead.deviation);
    ordo_json_put_real(&object, "p75_ns", spread->percentile75);
    ordo_json_put_real(&object, "p95_ns", spread->percentile95);
    ordo_json_put_real(&object, "p99_ns", spread->percentile99);
    return object;
}

static struct ordo_json stability_of(const struct ordo_series_stability *stability)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < stability->count; i++) {
        struct ordo_json object = ordo_json_object();
        ordo_json_put_real(&object, "span_s", stability->spans[i].span_s);
        ordo_json_put_real(&object, "allan", stability->spans[i].allan);
        ordo_json_put_real(&object, "tdev_ns", stability->spans[i].time_deviation_ns);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json events_of(const struct ordo_comparison *comparison, const struct ordo_series_events *events,
                                  const char *change)
{
    struct ordo_json array = ordo_json_array();
    for (size_t i = 0; i < events->seen && i < ORDO_SERIES_EVENTS; i++) {
        const struct ordo_series_event *event = &events->events[i];
        struct ordo_json object = ordo_json_object();
        char from[40], to[40];
        clocks_format_utc(comparison, event->from_s, from);
        clocks_format_utc(comparison, event->to_s, to);
        ordo_json_put_reals(&object, "between_s", event->from_s, event->to_s);
        ordo_json_put_text(&object, "from_utc", from);
        ordo_json_put_text(&object, "to_utc", to);
        put_range(&object, change, event->change);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json across_of(const struct ordo_clock_compared *clock, int cpu_count)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i + 1 < cpu_count; i++) {
        const struct ordo_across *across = &clock->across[i];
        struct ordo_json object = ordo_json_object();
        ordo_json_put_int(&object, "cpu", across->cpu);
        put_range(&object, "offset_ns", across->offset_ns);
        put_range(&object, "drift_ppm", across->drift_ppm);
        ordo_json_put_real(&object, "backward_ns", across->backward_ns);
        ordo_json_put_bool(&object, "ordered", across->backward_ns <= 0);
        ordo_json_put_int(&object, "messages", (int64_t)across->messages);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json fitness_of(const struct ordo_clock_compared *clock)
{
    struct ordo_json object = ordo_json_object();
    for (int purpose = 0; purpose < ORDO_PURPOSES; purpose++) {
        struct ordo_json one = ordo_json_object();
        ordo_json_put_text(&one, "fit", ordo_fit_name(clock->fitness[purpose].fit));
        ordo_json_put_text(&one, "reason", clock->fitness[purpose].reason);
        ordo_json_put(&object, ordo_purpose_name(purpose), one);
    }
    return object;
}

static struct ordo_json clock_json(const struct ordo_comparison *comparison, const struct ordo_clock_compared *clock)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "clock", clock->source->name);
    ordo_json_put_text(&object, "unit", clock->source->unit_hz ? "ns" : "ticks");
    ordo_json_put_int(&object, "step_units", clock->cost.step_units);
    ordo_json_put_real(&object, "lag_ns", clock->step_ns);
    ordo_json_put_real(&object, "read_ns", clock->cost.median_ns);
    ordo_json_put_real(&object, "read_p99_ns", clock->cost.percentile99_ns);
    ordo_json_put_text(&object, "entry", ordo_entry_name(clock->entry));
    ordo_json_put_bool(&object, "steered", clock->source->steered);
    ordo_json_put_bool(&object, "settable", clock->source->settable);
    ordo_json_put_text(&object, "against", clock->against ? clock->against->name : NULL);
    ordo_json_put_int(&object, "samples", (int64_t)clock->samples);
    ordo_json_put(&object, "offset", spread_json(&clock->spread));
    ordo_json_put_real(&object, "noise_sd_ns", clock->stability.noise_ns);
    put_range(&object, "rate_ppm", clock->rate_ppm);
    ordo_json_put_real(&object, "rate_span_s", clock->rate_span_s);
    ordo_json_put(&object, "stability", stability_of(&clock->stability));
    ordo_json_put_int(&object, "jumps_seen", (int64_t)clock->jumps.seen);
    ordo_json_put(&object, "jumps", events_of(comparison, &clock->jumps, "change_ns"));
    ordo_json_put_int(&object, "slews_seen", (int64_t)clock->slews.seen);
    ordo_json_put(&object, "slews", events_of(comparison, &clock->slews, "change_ppm"));
    ordo_json_put(&object, "across", across_of(clock, comparison->cpu_count));
    ordo_json_put(&object, "fitness", fitness_of(clock));
    return object;
}

static struct ordo_json kernel_of(const struct ordo_kernel_discipline *kernel)
{
    if (!kernel->known)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put_bool(&object, "synchronised", kernel->synchronised);
    ordo_json_put_int(&object, "status_bits", kernel->status);
    ordo_json_put_real(&object, "frequency_ppm", kernel->frequency_ppm);
    ordo_json_put_int(&object, "offset_ns", kernel->offset_ns);
    ordo_json_put_int(&object, "maxerror_ns", kernel->maxerror_ns);
    ordo_json_put_int(&object, "esterror_ns", kernel->esterror_ns);
    ordo_json_put_int(&object, "tai_offset_s", kernel->tai_offset_s);
    return object;
}

static struct ordo_json chrony_of(const struct ordo_chrony *chrony)
{
    if (!chrony->found)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "reference", chrony->reference);
    ordo_json_put_int(&object, "stratum", chrony->stratum);
    ordo_json_put_real(&object, "system_offset_s", chrony->system_offset_s);
    ordo_json_put_real(&object, "last_offset_s", chrony->last_offset_s);
    ordo_json_put_real(&object, "rms_offset_s", chrony->rms_offset_s);
    ordo_json_put_real(&object, "frequency_ppm", chrony->frequency_ppm);
    ordo_json_put_real(&object, "skew_ppm", chrony->skew_ppm);
    ordo_json_put_real(&object, "root_delay_s", chrony->root_delay_s);
    ordo_json_put_real(&object, "root_dispersion_s", chrony->root_dispersion_s);
    ordo_json_put_text(&object, "leap", chrony->leap);
    return object;
}

static struct ordo_json ptp_of(const struct ordo_ptp *ptp)
{
    if (!ptp->found)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "master_offset_ns", ptp->master_offset_ns);
    ordo_json_put_real(&object, "mean_path_delay_ns", ptp->mean_path_delay_ns);
    ordo_json_put_int(&object, "steps_removed", ptp->steps_removed);
    ordo_json_put_bool(&object, "grandmaster_present", ptp->grandmaster_present);
    ordo_json_put_text(&object, "grandmaster", ptp->grandmaster);
    return object;
}

static struct ordo_json namespace_of(const struct ordo_time_namespace *space)
{
    if (!space->known)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put(&object, "name", ordo_json_text(space->name));
    ordo_json_put_int(&object, "monotonic_shift_ns", space->monotonic_ns);
    ordo_json_put_int(&object, "boottime_shift_ns", space->boottime_ns);
    return object;
}

static struct ordo_json discipline_of(const struct ordo_discipline *discipline)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put(&object, "kernel", kernel_of(&discipline->kernel));
    ordo_json_put(&object, "chronyd", chrony_of(&discipline->chrony));
    ordo_json_put(&object, "ptp4l", ptp_of(&discipline->ptp));
    return object;
}

static struct ordo_json cpus_of(const struct ordo_comparison *comparison)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < comparison->cpu_count; i++)
        ordo_json_add(&array, ordo_json_int(comparison->cpus[i]));
    return array;
}

static struct ordo_json clocks_of(const struct ordo_comparison *comparison)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < comparison->clock_count; i++)
        ordo_json_add(&array, clock_json(comparison, &comparison->clocks[i]));
    return array;
}

int clocks_write_json(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream)
{
    struct ordo_json document = ordo_json_document("ordo-clocks/1");
    char begin[40];
    clocks_format_utc(comparison, 0, begin);
    ordo_json_put_real(&document, "seconds", comparison->seconds);
    ordo_json_put_int(&document, "sample_interval_ns", comparison->apart_ns);
    ordo_json_put_text(&document, "begin_utc", begin);
    ordo_json_put_int(&document, "begin_raw_ns", comparison->begin_raw_ns);
    ordo_json_put(&document, "cpus", cpus_of(comparison));
    ordo_json_put_int(&document, "reference_cpu", comparison->cpus[0]);
    put_range(&document, "tick_hz", comparison->tick_hz);
    ordo_json_put(&document, "discipline", discipline_of(&comparison->discipline));
    ordo_json_put(&document, "time_namespace", namespace_of(&comparison->discipline.time_namespace));
    if (ranks.json)
        ordo_json_put(&document, "ranks", ordo_json_share(ranks.json));
    ordo_json_put(&document, "clocks", clocks_of(comparison));
    return ordo_json_write(&document, stream);
}
