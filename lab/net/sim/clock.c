#include "lab/net/sim/clock.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/random.h"

static const double crossing_s = 10;
enum { NOISE_CUT = 4, KNOTS_MOST = 8192 };

struct ordo_net_clock_options ordo_net_clock_defaults(void)
{
    return (struct ordo_net_clock_options){
        .offset_ns = 100000,
        .skew_ppb = 20000,
        .walk_ppb = 5,
        .swing_ppb = 50,
        .swing_period_s = 300,
        .granule_ns = 8,
        .noise_ns = 4,
        .outlier_chance = 0.001,
        .outlier_ns = 1000,
    };
}

double ordo_net_clock_rate_ppb(const struct ordo_net_clock_options *options)
{
    return options->skew_ppb + options->walk_ppb + options->swing_ppb;
}

double ordo_net_clock_change_ppb(const struct ordo_net_clock_options *options)
{
    return 2 * (options->walk_ppb + options->swing_ppb);
}

struct ordo_net_stamp_error ordo_net_clock_stamp_error(const struct ordo_net_clock_options *options)
{
    int64_t outlier_ps = options->outlier_chance > 0 ? options->outlier_ns * 1000 : 0;
    int64_t noise_ps = ordo_max((int64_t)ceil(NOISE_CUT * options->noise_ns * 1000), outlier_ps) + 1;
    return (struct ordo_net_stamp_error){noise_ps + options->granule_ns * 1000, noise_ps};
}

static double symmetric(uint64_t *random)
{
    return 2 * ordo_random_unit(random) - 1;
}

/* Returns the rate of the swing, a cosine, in the middle of the time from a knot to the next. */
static double swing(const struct ordo_net_clock *clock, int knot, double phase)
{
    const struct ordo_net_clock_options *options = clock->options;
    if (options->swing_ppb == 0)
        return 0;
    double turns = (knot + 0.5) * (double)clock->knot_ps / (options->swing_period_s * 1e12);
    return options->swing_ppb * 1e-9 * cos(phase + 2 * M_PI * turns);
}

/* Computes the rate and the gain at each knot. The steps of the random walk are uniform, and the walls reflect the
 * walk. Over crossing_s, the sum of the steps has the variance wall^2. */
static void bend(struct ordo_net_clock *clock, double wall, uint64_t *random)
{
    double step = wall * sqrt(3 * (double)clock->knot_ps / (crossing_s * 1e12)), walk = wall * symmetric(random);
    double phase = 2 * M_PI * ordo_random_unit(random), gained_ps = 0;
    for (int i = 0; i < clock->knots; i++) {
        clock->gained_ps[i] = gained_ps;
        clock->rate[i] = clock->skew + walk + swing(clock, i, phase);
        gained_ps += clock->rate[i] * (double)clock->knot_ps;
        walk += step * symmetric(random);
        if (fabs(walk) > wall)
            walk = copysign(fmax(2 * wall - fabs(walk), 0), walk);
    }
}

int ordo_net_clock_make(struct ordo_net_clock *clock, const struct ordo_net_clock_options *options, int host,
                        uint64_t seed, int64_t true_ps, struct ordo_error *error)
{
    uint64_t random = seed ^ (uint64_t)(host + 1) << 32;
    *clock = (struct ordo_net_clock){.options = options};
    clock->offset_ps = (int64_t)(symmetric(&random) * (double)options->offset_ns * 1000);
    clock->skew = symmetric(&random) * options->skew_ppb * 1e-9;
    clock->step_ps = options->step_ns && options->step_host == host ? options->step_ns * 1000 : 0;
    clock->knot_ps = ordo_max(true_ps / KNOTS_MOST + 1, INT64_C(10000000000));
    clock->knots = (int)(true_ps / clock->knot_ps) + 2;
    clock->gained_ps = calloc((size_t)clock->knots, 2 * sizeof *clock->gained_ps);
    if (!clock->gained_ps)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "the clock of host %d: out of memory", host);
    clock->rate = clock->gained_ps + clock->knots;
    bend(clock, options->walk_ppb * 1e-9, &random);
    clock->random = ordo_random_next(&random);
    return ORDO_OK;
}

void ordo_net_clock_free(struct ordo_net_clock *clock)
{
    free(clock->gained_ps);
    clock->gained_ps = NULL;
}

int64_t ordo_net_clock_at(const struct ordo_net_clock *clock, int64_t true_ps)
{
    int64_t knot = ordo_min(true_ps / clock->knot_ps, clock->knots - 1);
    double gained_ps = clock->gained_ps[knot] + clock->rate[knot] * (double)(true_ps - knot * clock->knot_ps);
    int64_t shown_ps = true_ps + clock->offset_ps + (int64_t)floor(gained_ps);
    return true_ps >= clock->options->step_at_true_ns * 1000 ? shown_ps + clock->step_ps : shown_ps;
}

/* Returns a nearly normal value of deviation 1: the scaled sum of four uniform values. Its largest value is 2 *
 * sqrt(3), which is within NOISE_CUT. */
static double normal(uint64_t *random)
{
    uint64_t bits = ordo_random_next(random);
    double sum =
        (double)(bits & 0xffff) + (double)(bits >> 16 & 0xffff) + (double)(bits >> 32 & 0xffff) + (double)(bits >> 48);
    return (sum / 65535 - 2) * 1.7320508075688772;
}

static double noise_ps(struct ordo_net_clock *clock)
{
    const struct ordo_net_clock_options *options = clock->options;
    if (options->outlier_chance > 0 && ordo_random_unit(&clock->random) < options->outlier_chance)
        return symmetric(&clock->random) * (double)options->outlier_ns * 1000;
    return normal(&clock->random) * options->noise_ns * 1000;
}

int64_t ordo_net_clock_stamp(struct ordo_net_clock *clock, int64_t true_ps)
{
    int64_t granule_ps = clock->options->granule_ns * 1000;
    int64_t shown_ps = ordo_net_clock_at(clock, true_ps) + (int64_t)noise_ps(clock), above_ps = shown_ps % granule_ps;
    return shown_ps - (above_ps < 0 ? above_ps + granule_ps : above_ps);
}
