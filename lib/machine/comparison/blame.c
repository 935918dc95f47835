/* Finds the clock that jumped. All clocks are read against the counter, so a jump of the counter appears as a jump of
 * all of them. */
#include <string.h>

#include "machine/comparison/comparison.h"

static struct ordo_range negative(struct ordo_range range)
{
    return (struct ordo_range){-range.high, -range.low};
}

static void turn_round(struct ordo_series_events *events)
{
    for (size_t i = 0; i < events->seen && i < ORDO_SERIES_EVENTS; i++)
        events->events[i].change = negative(events->events[i].change);
}

/* Returns the index in `events` of an event that may be the same as `one`, or -1. */
static int same_event(const struct ordo_series_events *events, const struct ordo_series_event *one)
{
    for (size_t i = 0; i < events->seen && i < ORDO_SERIES_EVENTS; i++) {
        const struct ordo_series_event *other = &events->events[i];
        if (other->from_s <= one->to_s && one->from_s <= other->to_s && other->change.low <= one->change.high &&
            one->change.low <= other->change.high)
            return (int)i;
    }
    return -1;
}

static void drop_event(struct ordo_series_events *events, size_t index)
{
    size_t kept = events->seen < ORDO_SERIES_EVENTS ? events->seen : ORDO_SERIES_EVENTS;
    memmove(&events->events[index], &events->events[index + 1], (kept - index - 1) * sizeof *events->events);
    events->seen--;
}

/* True if every clock whose jumps can be proved shows this jump. */
static bool all_saw(const struct ordo_comparison *comparison, const struct ordo_clock_compared *counter,
                    const struct ordo_series_event *event)
{
    for (int i = 0; i < comparison->clock_count; i++) {
        const struct ordo_clock_compared *clock = &comparison->clocks[i];
        if (clock != counter && !ordo_clock_is_coarse(clock->source) && same_event(&clock->jumps, event) < 0)
            return false;
    }
    return true;
}

static void drop_from_all(struct ordo_comparison *comparison, const struct ordo_series_event *event)
{
    for (int i = 0; i < comparison->clock_count; i++) {
        int same = same_event(&comparison->clocks[i].jumps, event);
        if (same >= 0)
            drop_event(&comparison->clocks[i].jumps, (size_t)same);
    }
}

void ordo_clock_blame_counter(struct ordo_comparison *comparison, struct ordo_clock_compared *counter,
                              const struct ordo_clock_compared *reference)
{
    struct ordo_series_events shown = reference->jumps, blamed = {0};
    for (size_t i = 0; i < shown.seen && i < ORDO_SERIES_EVENTS; i++)
        if (all_saw(comparison, counter, &shown.events[i])) {
            blamed.events[blamed.seen++] = shown.events[i];
            drop_from_all(comparison, &shown.events[i]);
        }
    counter->samples = reference->samples;
    counter->spread = reference->spread;
    counter->spread.lead.mean = -reference->spread.lead.mean;
    counter->stability = reference->stability;
    counter->rate_ppm = negative(reference->rate_ppm);
    counter->rate_span_s = reference->rate_span_s;
    counter->slews = reference->slews;
    turn_round(&counter->slews);
    counter->jumps = blamed;
    turn_round(&counter->jumps);
}
