#include "measure/counter.h"

#include <ordo/clock.h>

#include "stats/quantile.h"

enum { STEPS = 10000, BRACKETS = 100 };

/* Non-zero steps between reads with `work` (0: none; else up to so many turns, varied) between them. */
static size_t take_steps(int64_t *steps, int work)
{
    size_t count = 0;
    uint64_t last = ordo_clock_relaxed();
    for (int i = 0; i < STEPS; i++) {
        for (volatile int turn = work ? i % work : 0; turn > 0; turn--)
            ;
        uint64_t now = ordo_clock_relaxed();
        if (now > last)
            steps[count++] = (int64_t)(now - last);
        last = now;
    }
    return count;
}

/* A counter whose every step is a multiple of the usual one, whatever happens in between, moves in such steps. (Within
 * a tick: a step of 10 ns is 26 ticks at 2.596 GHz, and now and then 25.) One that ticks finely shows the price of a
 * read instead. */
static bool moves_in_steps_of(int64_t granule, const int64_t *steps, size_t count)
{
    size_t multiples = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t rest = steps[i] % granule;
        multiples += rest <= 1 || granule - rest <= 1;
    }
    return multiples > count / 20 * 19;
}

struct ordo_granule ordo_granule_measure(void)
{
    enum { TURNS = 16 };
    int64_t steps[STEPS];
    size_t count = take_steps(steps, 0);
    struct ordo_granule granule = {.ticks = count ? ordo_stats_mode(steps, count) : 1, .coarse = count < STEPS};
    if (granule.ticks > 3)
        granule.coarse |= moves_in_steps_of(granule.ticks, steps, take_steps(steps, TURNS));
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

void ordo_bracket_rate(const struct ordo_bracket *first, const struct ordo_bracket *last, uint64_t unit_hz,
                       double *low_hz, double *high_hz)
{
    double units = (double)(last->units - first->units);
    *low_hz = (double)(last->before_ticks - first->after_ticks) * (double)unit_hz / (units + 1);
    *high_hz = (double)(last->after_ticks - first->before_ticks) * (double)unit_hz / (units - 1);
}
