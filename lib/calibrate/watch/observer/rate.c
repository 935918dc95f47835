/* Observes the counter against CLOCK_MONOTONIC_RAW. Detects a common jump of all clocks, as after a restore of the
 * machine, and a change of rate. CLOCK_MONOTONIC_RAW is read between two readings of the counter; their difference is
 * the uncertainty. */
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/watch/observe.h"
#include "machine/counter/counter.h"

enum {
    READINGS = 8, /* the reading with the least uncertainty counts, because it was probably not interrupted */
    LEAST_APART_NS = 5000000, /* for closer sights, the time of the readings themselves would dominate */
};

#define JUMP_NS 1000000     /* 1 ms: neither a kernel's tick nor a wrong rate within seconds causes as much */
#define RATE_WINDOW_NS 10e9 /* in 10 s, WRONG_PPM causes 200 us, more than an interrupt during a reading takes */
#define JUMP_PER_NS 200e-6  /* ten times WRONG_PPM: a wrong rate counts as another rate, not as a jump */
#define WRONG_PPM 20.0      /* readers refuse a record whose rate is wrong by more than 1 ppm in the long run */

static void look_at_rate(struct ordo_sight *sight)
{
    struct ordo_record_moment moments[READINGS];
    int taken = 0;
    while (taken < READINGS && ordo_record_now(&moments[taken]) == 0)
        taken++;
    sight->clocks_read = taken > 0;
    if (taken > 0)
        sight->clocks = ordo_moment_narrowest(moments, taken);
}

/* Computes bounds `low` and `high`, in ns, of the counter's gain on CLOCK_MONOTONIC_RAW from one sight to another. */
static bool gained(const struct ordo_sight *from, const struct ordo_sight *to, double tick_hz, double *elapsed,
                   double *low, double *high)
{
    const struct ordo_record_moment *a = &from->clocks, *b = &to->clocks;
    if (!from->clocks_read || !to->clocks_read || a->raw_ns < 0 || b->raw_ns < 0)
        return false;
    *elapsed = (double)(b->raw_ns - a->raw_ns);
    *low = (double)(int64_t)(b->before_ticks - a->after_ticks) / tick_hz * 1e9 - *elapsed;
    *high = (double)(int64_t)(b->after_ticks - a->before_ticks) / tick_hz * 1e9 - *elapsed;
    return *elapsed >= LEAST_APART_NS;
}

static bool jumped(double elapsed, double low, double high, struct ordo_finding *finding)
{
    double tolerated = JUMP_NS + JUMP_PER_NS * elapsed;
    if (low <= tolerated && high >= -tolerated)
        return false;
    finding->event = "jump";
    finding->follow = ORDO_FOLLOW_DISRUPT;
    (void)snprintf(finding->text, sizeof finding->text,
                   "%s: jumped by %.3f ms against CLOCK_MONOTONIC_RAW within %.1f s (restored, migrated or suspended?)",
                   ORDO_CLOCK_NAME, (low > 0 ? low : high) / 1e6, elapsed / 1e9);
    return true;
}

static bool judge_rate(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                       double tick_hz, struct ordo_finding *finding)
{
    double elapsed, low, high;
    if (gained(before, now, tick_hz, &elapsed, &low, &high) && jumped(elapsed, low, high, finding))
        return true;
    if (!gained(base, now, tick_hz, &elapsed, &low, &high) || elapsed < RATE_WINDOW_NS)
        return false;
    double low_ppm = low / elapsed * 1e6, high_ppm = high / elapsed * 1e6;
    if (low_ppm <= WRONG_PPM && high_ppm >= -WRONG_PPM)
        return false;
    finding->event = "rate";
    finding->follow = ORDO_FOLLOW_RENEW;
    (void)snprintf(finding->text, sizeof finding->text,
                   "%s: runs %.1f to %.1f ppm faster than the record says, by CLOCK_MONOTONIC_RAW over %.0f s",
                   ORDO_CLOCK_NAME, low_ppm, high_ppm, elapsed / 1e9);
    return true;
}

const struct ordo_observer ordo_observer_rate = {.name = "rate", .look = look_at_rate, .judge = judge_rate};
