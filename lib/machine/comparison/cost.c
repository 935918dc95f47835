#include "machine/comparison/cost.h"

#include <stdlib.h>
#include <time.h>

#include <ordo/clock.h>

#include "base/quantile.h"
#include "base/spread.h"

enum { BLOCKS = 1001, BLOCK = 16, SINGLES = 5000, STEPS = 4001, FEW_STEPS = 5 };
enum { COST_NS = 15000000, STEP_NS = 20000000, COARSE_NS = 60000000 };

static int64_t now_ns(void)
{
    return (int64_t)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW);
}

/* Measures the ticks that `reads` readings take. Repeats this `blocks` times, or until the time is over. Returns the
 * number of measurements. */
static size_t take_readings(const struct ordo_clock_source *source, int reads, double *ticks, size_t blocks)
{
    int64_t begin_ns = now_ns();
    size_t count = 0;
    do {
        uint64_t begin = ordo_clock_read();
        for (int i = 0; i < reads; i++)
            (void)ordo_clock_source_call(source);
        ticks[count++] = (double)(int64_t)(ordo_clock_read() - begin);
    } while (count < blocks && (count % 16 || now_ns() - begin_ns < COST_NS));
    ordo_stats_sort(ticks, count);
    return count;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Returns the usual step of the clock. Collects nonzero steps for a fixed time; if the clock is coarse, until there are
 * a few. */
static int64_t usual_step(const struct ordo_clock_source *source)
{
    static _Thread_local int64_t steps[STEPS];
    size_t count = 0;
    int64_t begin_ns = now_ns(), spent_ns = 0;
    uint64_t last = ordo_clock_source_call(source);
    for (unsigned turn = 0; count < STEPS && spent_ns < (count < FEW_STEPS ? COARSE_NS : STEP_NS); turn++) {
        uint64_t now = ordo_clock_source_call(source);
        if (now > last)
            steps[count++] = (int64_t)(now - last);
        last = now;
        if (turn % 64 == 0)
            spent_ns = now_ns() - begin_ns;
    }
    return count ? ordo_stats_mode(steps, count) : 0;
}

struct ordo_clock_cost ordo_clock_cost_measure(const struct ordo_clock_source *source, double tick_hz)
{
    static _Thread_local double ticks[SINGLES];
    double ns = 1e9 / tick_hz;
    size_t count = take_readings(source, 0, ticks, BLOCKS);
    double empty = ordo_stats_percentile(ticks, count, 50);
    struct ordo_clock_cost cost;
    count = take_readings(source, BLOCK, ticks, BLOCKS);
    cost.median_ns = most(ordo_stats_percentile(ticks, count, 50) - empty, 0) / BLOCK * ns;
    count = take_readings(source, 1, ticks, SINGLES);
    cost.percentile99_ns = most(ordo_stats_percentile(ticks, count, 99) - empty, 0) * ns;
    cost.step_units = usual_step(source);
    return cost;
}
