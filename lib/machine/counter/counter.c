#include "machine/counter/counter.h"

#include <stdlib.h>
#include <string.h>

#include <ordo/record.h>

#include "base/minmax.h"
#include "base/quantile.h"

enum { READINGS = 10001, BRACKETS = 100 };

/* Takes consecutive readings, with a varying amount of work in between if `vary`. Each clock has a loop of its own,
 * because all instructions between two readings are part of the step. */
static inline __attribute__((always_inline)) void take_by(uint64_t (*read)(void), uint64_t *readings, bool vary)
{
    for (int i = 0; i < READINGS; i++) {
        for (volatile int turn = vary ? i % 16 : 0; turn > 0; turn--)
            ;
        readings[i] = read();
    }
}

static void take_readings(uint32_t clock, uint64_t *readings, bool vary)
{
    if (ordo_record_clock_is_kernels(clock))
        take_by(ordo_monotonic_relaxed, readings, vary);
    else
        take_by(ordo_clock_relaxed, readings, vary);
}

/* Collects the steps between consecutive readings that are not 0. Returns their number. */
static size_t find_steps(const uint64_t *readings, size_t count, int64_t *steps)
{
    size_t found = 0;
    for (size_t i = 1; i < count; i++)
        if (readings[i] > readings[i - 1])
            steps[found++] = (int64_t)(readings[i] - readings[i - 1]);
    return found;
}

/* A counter that moves by g at a time shows only multiples of g, up to a tick (10 ns are 26 ticks at 2.596 GHz, and now
 * and then 25). So two steps that differ by more than a tick differ by at least g - 1. Returns the smallest difference
 * of two such steps; 0 if there are none. */
static int64_t least_difference(int64_t *steps, size_t count)
{
    int64_t least = INT64_MAX;
    ordo_stats_sort_int(steps, count);
    for (size_t i = 1; i < count; i++)
        if (steps[i] - steps[i - 1] > 1 && steps[i] - steps[i - 1] < least)
            least = steps[i] - steps[i - 1];
    return least == INT64_MAX ? 0 : least;
}

struct ordo_granule ordo_granule_of(const uint64_t *plain, const uint64_t *varied, size_t count, int64_t *steps)
{
    enum { FINE = 3 };
    size_t found = find_steps(plain, count, steps);
    struct ordo_granule granule = {.ticks = found ? ordo_stats_mode(steps, found) : 1, .coarse = found + 1 < count};
    found = find_steps(varied, count, steps);
    int64_t apart = found ? least_difference(steps, found) : 0;
    granule.step_ticks = apart > 0 && apart < granule.ticks ? apart + 1 : granule.ticks;
    granule.coarse |= granule.step_ticks > FINE;
    return granule;
}

/* Not on the stack, because an embedding program's threads may have small stacks. */
struct readings {
    uint64_t plain[READINGS], varied[READINGS];
    int64_t steps[READINGS];
};

int ordo_granule_measure_by(uint32_t clock, struct ordo_granule *granule, struct ordo_error *error)
{
    struct readings *readings = malloc(sizeof *readings);
    if (!readings)
        return ordo_error_errno(error, "granule");
    take_readings(clock, readings->plain, false);
    take_readings(clock, readings->varied, true);
    *granule = ordo_granule_of(readings->plain, readings->varied, READINGS, readings->steps);
    free(readings);
    return ORDO_OK;
}

const struct ordo_bracket *ordo_bracket_narrowest(const struct ordo_bracket *brackets, int count)
{
    const struct ordo_bracket *best = brackets;
    for (const struct ordo_bracket *one = brackets; one < brackets + count; one++)
        if (one->after_ticks - one->before_ticks < best->after_ticks - best->before_ticks)
            best = one;
    return best;
}

struct ordo_bracket ordo_bracket_take_by(uint32_t clock, const struct ordo_clock_source *source)
{
    struct ordo_bracket brackets[BRACKETS];
    for (int i = 0; i < BRACKETS; i++) {
        brackets[i].before_ticks = ordo_record_clock_read(clock);
        brackets[i].units = source->read();
        brackets[i].after_ticks = ordo_record_clock_read(clock);
    }
    return *ordo_bracket_narrowest(brackets, BRACKETS);
}

struct ordo_bracket ordo_bracket_take(const struct ordo_clock_source *source)
{
    return ordo_bracket_take_by(ORDO_CLOCK_ID, source);
}

struct ordo_record_moment ordo_moment_narrowest(const struct ordo_record_moment *moments, int count)
{
    struct ordo_record_moment best = moments[0];
    int64_t low_ns = INT64_MIN, high_ns = INT64_MAX;
    for (const struct ordo_record_moment *one = moments; one < moments + count; one++) {
        if (one->after_ticks - one->before_ticks < best.after_ticks - best.before_ticks)
            best = *one;
        low_ns = ordo_max(low_ns, one->suspended_low_ns);
        high_ns = ordo_min(high_ns, one->suspended_high_ns);
    }
    best.suspended_low_ns = low_ns;
    best.suspended_high_ns = high_ns;
    return best;
}

int ordo_moment_take_by(uint32_t clock, struct ordo_record_moment *moment)
{
    struct ordo_record_moment moments[BRACKETS];
    for (int i = 0; i < BRACKETS; i++)
        if (ordo_record_now_by(clock, &moments[i]) != 0)
            return -1;
    *moment = ordo_moment_narrowest(moments, BRACKETS);
    return 0;
}

int ordo_moment_take(struct ordo_record_moment *moment)
{
    return ordo_moment_take_by(ORDO_CLOCK_ID, moment);
}

/* True if the source is on every machine, its unit is known, and a reading is exact to within this unit. */
static bool measures_rates(const struct ordo_clock_source *source)
{
    return source->unit_hz && !source->granule_units && !source->on_request;
}

int ordo_rate_sources(const struct ordo_clock_source *const *all, const struct ordo_clock_source **chosen, int room)
{
    int count = 0;
    for (int raw = 1; raw >= 0; raw--)
        for (int i = 0; all[i] && count < room; i++)
            if ((strcmp(all[i]->name, "monotonic_raw") == 0) == raw && measures_rates(all[i]))
                chosen[count++] = all[i];
    return count;
}

void ordo_bracket_rate(const struct ordo_bracket *first, const struct ordo_bracket *last, uint64_t unit_hz,
                       double *low_hz, double *high_hz)
{
    double units = (double)(last->units - first->units);
    *low_hz = (double)(last->before_ticks - first->after_ticks) * (double)unit_hz / (units + 1);
    *high_hz = (double)(last->after_ticks - first->before_ticks) * (double)unit_hz / (units - 1);
}
