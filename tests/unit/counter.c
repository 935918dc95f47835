#include <criterion/criterion.h>
#include <ordo/clock.h>
#include <pthread.h>
#include <string.h>

#include "machine/counter/counter.h"

/* Runs on a stack of the smallest size that a thread may have. */
static void *measure_granule(void *argument)
{
    struct ordo_granule *granule = argument;
    cr_assert_eq(ordo_granule_measure_by(ORDO_CLOCK_ID, granule, NULL), ORDO_OK);
    return NULL;
}

Test(counter, the_granule_is_positive_and_small)
{
    struct ordo_granule granule = {0};
    pthread_attr_t small;
    pthread_t thread;
    cr_assert_eq(pthread_attr_init(&small), 0);
    cr_assert_eq(pthread_attr_setstacksize(&small, 128 << 10), 0);
    cr_assert_eq(pthread_create(&thread, &small, measure_granule, &granule), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    (void)pthread_attr_destroy(&small);
    cr_assert_gt(granule.ticks, 0);
    cr_assert_lt(granule.ticks, 10000);
}

enum { MADE_UP = 9 };

/* Returns the granule of a counter whose successive readings have these differences, in two series. */
static struct ordo_granule granule_of(const uint64_t plain[MADE_UP - 1], const uint64_t varied[MADE_UP - 1])
{
    uint64_t first[MADE_UP] = {1000}, second[MADE_UP] = {1000};
    int64_t steps[MADE_UP];
    for (int i = 1; i < MADE_UP; i++) {
        first[i] = first[i - 1] + plain[i - 1];
        second[i] = second[i - 1] + varied[i - 1];
    }
    return ordo_granule_of(first, second, MADE_UP, steps);
}

Test(counter, the_granule_is_the_most_frequent_nonzero_step)
{
    struct ordo_granule fine =
        granule_of((uint64_t[]){7, 9, 7, 400, 7, 9, 7, 8}, (uint64_t[]){7, 8, 9, 10, 7, 8, 9, 10});
    cr_assert_eq(fine.ticks, 7);
    struct ordo_granule still =
        granule_of((uint64_t[]){0, 0, 0, 26, 0, 0, 25, 26}, (uint64_t[]){0, 0, 0, 0, 0, 0, 0, 0});
    cr_assert_eq(still.ticks, 26, "no step is 0: %lld", (long long)still.ticks);
    cr_assert(still.step_ticks == 26 && still.coarse);
    struct ordo_granule dead = granule_of((uint64_t[8]){0}, (uint64_t[8]){0});
    cr_assert(dead.ticks == 1 && dead.step_ticks == 1 && dead.coarse);
}

/* A read costs at least 20 ticks, even if the counter's step is smaller. The differences between the distances show the
 * step. */
Test(counter, a_slow_read_does_not_hide_the_step)
{
    static const uint64_t plain[] = {20, 20, 20, 20, 20, 20, 20, 20};
    struct ordo_granule two = granule_of(plain, (uint64_t[]){20, 22, 26, 30, 34, 22, 20, 26});
    cr_assert(two.step_ticks == 3 && !two.coarse, "a step of 2 gives at most 3, because a tick may be missing");
    struct ordo_granule one = granule_of(plain, (uint64_t[]){20, 21, 22, 23, 40, 41, 42, 43});
    cr_assert_eq(one.step_ticks, 18, "a difference of 1 proves nothing, the next one is 17");
    struct ordo_granule ten = granule_of(plain, (uint64_t[]){30, 40, 50, 31, 41, 51, 30, 40});
    cr_assert(ten.step_ticks == 10 && ten.coarse, "%lld", (long long)ten.step_ticks);
    struct ordo_granule far = granule_of(plain, (uint64_t[]){100, 200, 300, 400, 100, 200, 300, 400});
    cr_assert_eq(far.step_ticks, 20, "the step is never more than the cost of a reading");
}

Test(counter, the_moment_with_the_narrowest_bracket_is_kept)
{
    enum { COUNT = 4 };
    for (int at = 0; at < COUNT; at++) {
        struct ordo_bracket brackets[COUNT];
        struct ordo_record_moment moments[COUNT];
        for (int i = 0; i < COUNT; i++) {
            uint64_t begin = UINT64_MAX - 50 + (uint64_t)(100 * i); /* a counter may wrap */
            uint64_t width = i == at ? 10 : 90 - (uint64_t)i;
            brackets[i] = (struct ordo_bracket){begin, 0, begin + width};
            moments[i] = (struct ordo_record_moment){.before_ticks = begin, .after_ticks = begin + width};
            moments[i].suspended_low_ns =
                i == at ? -4000000 : i; /* in the narrowest moment, the thread lost its CPU after reading the counter */
            moments[i].suspended_high_ns = i == at ? 4000000 : COUNT + i;
        }
        struct ordo_record_moment narrowest = ordo_moment_narrowest(moments, COUNT);
        cr_assert_eq(ordo_bracket_narrowest(brackets, COUNT), &brackets[at]);
        cr_assert_eq(narrowest.before_ticks, moments[at].before_ticks);
        cr_assert_eq(narrowest.suspended_low_ns, at == COUNT - 1 ? COUNT - 2 : COUNT - 1);
        cr_assert_eq(narrowest.suspended_high_ns, at == 0 ? COUNT + 1 : COUNT);
    }
}

/* A counter of 2 GHz against a clock in nanoseconds: the interval contains the true rate, although the brackets are
 * wide. */
Test(counter, the_rate_interval_contains_the_true_rate)
{
    struct ordo_bracket first = {1000, 500, 1400}, last = {2000001000, 1000000600, 2000001300};
    double low_hz, high_hz;
    ordo_bracket_rate(&first, &last, 1000000000, &low_hz, &high_hz);
    cr_assert(low_hz < 2e9 && high_hz > 2e9);
    cr_assert_lt((high_hz - low_hz) / 2e9, 1e-6);
}

/* The reading errors: the counter is read before and after the clock, and the clock is late by up to one unit. */
Test(counter, reading_errors_determine_the_width_of_the_rate_interval)
{
    struct ordo_bracket first = {1000, 5, 1000}, last = {3000, 15, 3100};
    double low_hz, high_hz;
    ordo_bracket_rate(&first, &last, 100, &low_hz, &high_hz);
    cr_assert_float_eq(low_hz, 2000 * 100.0 / 11, 1e-9);
    cr_assert_float_eq(high_hz, 2100 * 100.0 / 9, 1e-9);
}

enum { FAST_READ = 37 };

static uint64_t reads;

/* A clock whose reads are slow, except one. */
static uint64_t read_slowly(void)
{
    for (volatile int turn = ++reads == FAST_READ ? 0 : 20000; turn > 0; turn--)
        ;
    return reads;
}

Test(counter, the_narrowest_bracket_is_returned)
{
    struct ordo_clock_source source = {.name = "slow", .read = read_slowly};
    struct ordo_bracket bracket = {0};
    for (int tries = 0; tries < 10 && bracket.units != FAST_READ; tries++) { /* an interrupt may hit the fast read */
        reads = 0;
        bracket = ordo_bracket_take(&source);
    }
    cr_assert_eq(bracket.units, FAST_READ);
}

/* True if only some machines have this clock. */
static bool is_rare(const struct ordo_clock_source *source)
{
    static const char *const rare[] = {"aux", "hyperv", "phc", "pvclock"};
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++)
        if (strcmp(source->name, rare[i]) == 0)
            return true;
    return false;
}

Test(counter, every_clock_source_returns_ascending_times)
{
    for (const struct ordo_clock_source *const *at = ordo_clock_sources; *at; at++) {
        uint64_t first = (*at)->read();
        if (is_rare(*at) && first == 0)
            continue;
        cr_assert_gt(first, 0, "%s", (*at)->name);
        cr_assert_geq(ordo_clock_source_call(*at), first, "programs that call %s read another clock", (*at)->name);
        cr_assert_geq((*at)->read(), first, "%s", (*at)->name);
        cr_assert_eq(ordo_clock_source_find((*at)->name), *at);
    }
    cr_assert_not_null(ordo_clock_source_find("monotonic_raw"));
    cr_assert_null(ordo_clock_source_find("sundial"));
}

Test(counter, a_device_without_a_clock_is_refused)
{
    struct ordo_error error;
    static const char *const others[] = {"/dev/null", "/dev/no-such-clock", "/etc/hostname", "/"};
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(ordo_clock_phc_open(others[i], &error), ORDO_E_MISSING);
        cr_assert_not_null(strstr(error.text, others[i]), "%s", error.text);
        cr_assert_eq(ordo_clock_source_find("phc")->read(), 0);
    }
}

/* CLOCK_MONOTONIC_RAW measures the rate for any number of clocks, in any order. */
Test(counter, the_rate_is_always_measured_by_monotonic_raw)
{
    enum { CLOCKS = 12, ROOM = 8 };
    const struct ordo_clock_source *raw = ordo_clock_source_find("monotonic_raw"), *all[CLOCKS + 1] = {NULL};
    const struct ordo_clock_source *chosen[ROOM] = {NULL};
    struct ordo_clock_source early = *raw, coarse = *raw, unknown = *raw;
    early.name = "another";
    coarse.name = "coarse";
    coarse.granule_units = 4000000;
    unknown.name = "unknown";
    unknown.unit_hz = 0;
    for (int i = 0; i < CLOCKS; i++)
        all[i] = i == CLOCKS - 1 ? raw : i == 3 ? &coarse : i == 5 ? &unknown : &early;
    cr_assert_eq(ordo_rate_sources(all, chosen, ROOM), ROOM);
    cr_assert_eq(chosen[0], raw);
    for (int i = 1; i < ROOM; i++)
        cr_assert_eq(chosen[i], &early);
    all[CLOCKS - 1] = NULL;
    cr_assert_eq(ordo_rate_sources(all, chosen, CLOCKS < ROOM ? CLOCKS : ROOM), ROOM);
    cr_assert_eq(chosen[0], &early, "without monotonic_raw the first of the list is first");
}
