#include "measure/counter.h"

#include <ordo/clock.h>

#include "stats/quantile.h"

enum { STEPS = 10000, BRACKETS = 100 };

struct ordo_granule ordo_granule_measure(void)
{
    static const int most = STEPS;
    int64_t steps[STEPS];
    size_t count = 0;
    struct ordo_granule granule = {0};
    uint64_t last = ordo_clock_relaxed();
    for (int i = 0; i < most; i++) {
        uint64_t now = ordo_clock_relaxed();
        int64_t step = (int64_t)(now - last);
        last = now;
        if (step == 0)
            granule.coarse = true;
        if (step > 0)
            steps[count++] = step;
    }
    granule.ticks = count ? ordo_stats_mode(steps, count) : 1;
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
