/* Ticks to nanoseconds and back, against exact arithmetic in 128 bits. */
#include <criterion/criterion.h>

#include "model.h"

typedef unsigned __int128 wide;

enum { NS_PER_S = 1000000000 };

/* Slow and fast counters, awkward ratios, and the highest rate that a record may have. */
static const uint64_t rates[] = {1,          3,          1000,       32768,      19200000,   24000000,
                                 62500000,   999999999,  1000000000, 1000000001, 2596000000, 2596000001,
                                 3000000000, 4294967291, 9999999967, 18000000000};

enum { RATES = sizeof rates / sizeof *rates };

static uint64_t saturated(wide value)
{
    return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static uint64_t exact_ns(uint64_t ticks, uint64_t hz)
{
    return saturated((wide)ticks * NS_PER_S / hz);
}

static uint64_t exact_ticks(uint64_t ns, uint64_t hz)
{
    return saturated(((wide)ns * hz + NS_PER_S - 1) / NS_PER_S);
}

static struct ordo handle_at(uint64_t hz)
{
    struct ordo o = ORDO_INIT(1, hz);
    return o;
}

static void check(uint64_t span, uint64_t hz)
{
    struct ordo o = handle_at(hz);
    uint64_t ns = ordo_ticks_to_ns(&o, span), ticks = ordo_ns_to_ticks(&o, span);
    cr_assert_eq(ns, exact_ns(span, hz), "%ju ticks at %ju Hz", (uintmax_t)span, (uintmax_t)hz);
    cr_assert_eq(ticks, exact_ticks(span, hz), "%ju ns at %ju Hz", (uintmax_t)span, (uintmax_t)hz);
    /* There and back: a span of ticks never becomes longer, a span of nanoseconds never becomes shorter. */
    if (ns < UINT64_MAX)
        cr_assert_leq(ordo_ns_to_ticks(&o, ns), span);
    if (ticks < UINT64_MAX)
        cr_assert_geq(ordo_ticks_to_ns(&o, ticks), span);
    if (hz <= NS_PER_S && ns < UINT64_MAX)
        cr_assert_eq(ordo_ns_to_ticks(&o, ns), span);
    if (hz >= NS_PER_S && ticks < UINT64_MAX)
        cr_assert_eq(ordo_ticks_to_ns(&o, ticks), span);
}

Test(conversion, conversion_is_exact_for_small_and_whole_spans)
{
    for (int i = 0; i < RATES; i++)
        for (uint64_t span = 0; span <= 2000; span++) {
            check(span, rates[i]);
            check(span * NS_PER_S, rates[i]);
            check(span * rates[i], rates[i]);
        }
}

Test(conversion, conversion_is_exact_at_both_ends_of_the_range)
{
    for (int i = 0; i < RATES; i++)
        for (uint64_t back = 0; back <= 100; back++) {
            check(UINT64_MAX - back, rates[i]);
            check(UINT64_MAX / NS_PER_S * rates[i] + back - 50, rates[i]);
            check(UINT64_MAX / rates[i] * NS_PER_S + back - 50, rates[i]);
        }
}

Test(conversion, conversion_is_exact_for_random_spans)
{
    uint64_t seed = 1;
    for (int n = 0; n < 200000; n++) {
        uint64_t span = model_random(&seed) >> model_random(&seed) % 64;
        check(span, rates[model_random(&seed) % RATES]);
        check(span, 1 + model_random(&seed) % 18000000000);
    }
}

Test(conversion, conversion_is_0_if_the_rate_is_unknown)
{
    struct ordo o = handle_at(0);
    cr_expect_eq(ordo_ticks_to_ns(&o, 12345), 0);
    cr_expect_eq(ordo_ns_to_ticks(&o, 12345), 0);
    cr_expect_eq(ordo_ns_to_ticks(&o, UINT64_MAX), 0);
}
