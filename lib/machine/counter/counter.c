#include "machine/counter/counter.h"

#include <string.h>

#include <ordo/record.h>

#include "base/quantile.h"

enum { STEPS = 10000, BRACKETS = 100 };

/* Non-zero steps between reads, with a varying amount of work in between if `vary`. */
static size_t take_steps(int64_t *steps, bool vary)
{
    size_t count = 0;
    uint64_t last = ordo_clock_relaxed();
    for (int i = 0; i < STEPS; i++) {
        for (volatile int turn = vary ? i % 16 : 0; turn > 0; turn--)
            ;
        uint64_t now = ordo_clock_relaxed();
        if (now > last)
            steps[count++] = (int64_t)(now - last);
        last = now;
    }
    return count;
}

/* A counter that moves by g at a time shows only multiples of g, give or take a tick (10 ns are 26 ticks at 2.596 GHz,
 * and now and then 25). So two different steps are at least g - 1 apart, if by more than a tick; 0 where there are no
 * two. */
static int64_t least_difference(int64_t *steps, size_t count)
{
    int64_t least = INT64_MAX;
    ordo_stats_sort_int(steps, count);
    for (size_t i = 1; i < count; i++)
        if (steps[i] - steps[i - 1] > 1 && steps[i] - steps[i - 1] < least)
            least = steps[i] - steps[i - 1];
    return least == INT64_MAX ? 0 : least;
}

struct ordo_granule ordo_granule_measure(void)
{
    enum { FINE = 3 };
    int64_t steps[STEPS];
    size_t count = take_steps(steps, false);
    struct ordo_granule granule = {.ticks = count ? ordo_stats_mode(steps, count) : 1, .coarse = count < STEPS};
    count = take_steps(steps, true);
    int64_t apart = count ? least_difference(steps, count) : 0;
    granule.step_ticks = apart > 0 && apart < granule.ticks ? apart + 1 : granule.ticks;
    granule.coarse |= granule.step_ticks > FINE;
    return granule;
}

struct ordo_bracket ordo_bracket_take(const struct ordo_clock_source *source)
{
    struct ordo_bracket best = {0, 0, UINT64_MAX};
    for (int i = 0; i < BRACKETS; i++) {
        struct ordo_bracket one;
        one.before_ticks = ordo_clock_read();
        one.units = source->read();
        one.after_ticks = ordo_clock_read();
        if (one.after_ticks - one.before_ticks < best.after_ticks - best.before_ticks)
            best = one;
    }
    return best;
}

int ordo_moment_take(struct ordo_record_moment *moment)
{
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < BRACKETS; i++) {
        struct ordo_record_moment one;
        if (ordo_record_now(&one) != 0)
            return -1;
        uint64_t width = one.after_ticks - one.before_ticks;
        if (width < narrowest) {
            narrowest = width;
            *moment = one;
        }
    }
    return 0;
}

/* Whether the source's unit is known, and read to within that unit. */
static bool measures_rates(const struct ordo_clock_source *source)
{
    return source->unit_hz && !source->granule_units;
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
