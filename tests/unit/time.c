/* Sleeping, the raw clock, and intervals. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sys/time.h>

#include "base/interval.h"
#include "base/time.h"

static volatile sig_atomic_t interruptions;

static void interrupt(int number)
{
    (void)number;
    interruptions++;
}

Test(time, a_signal_does_not_shorten_a_sleep)
{
    const int64_t sleep_ns = 60000000;
    struct sigaction action = {.sa_handler = interrupt};
    struct itimerval every = {.it_interval.tv_usec = 10000, .it_value.tv_usec = 10000}, never = {0};
    cr_assert_eq(sigaction(SIGALRM, &action, NULL), 0);
    cr_assert_eq(setitimer(ITIMER_REAL, &every, NULL), 0);
    int64_t begin_ns = ordo_raw_ns();
    ordo_sleep_ns(sleep_ns);
    int64_t slept_ns = ordo_raw_ns() - begin_ns;
    cr_assert_eq(setitimer(ITIMER_REAL, &never, NULL), 0);
    cr_assert_gt(interruptions, 0, "nothing was interrupted");
    /* The sleep uses a clock that is steered by at most 500 ppm; the raw clock is not steered. */
    cr_assert_geq(slept_ns, sleep_ns - sleep_ns / 1000, "slept for %lld ns", (long long)slept_ns);
}

Test(time, sleeping_until_a_past_time_returns_at_once)
{
    int64_t begin_ns = ordo_raw_ns();
    ordo_sleep_ns(0);
    ordo_sleep_ns(-1);
    ordo_sleep_ns(INT64_MIN);
    cr_assert_lt(ordo_raw_ns() - begin_ns, 1000000000);
}

Test(interval, an_intersection_is_inside_both_intervals)
{
    struct ordo_interval both = ordo_interval_intersect((struct ordo_interval){-5, 7}, (struct ordo_interval){2, 9});
    struct ordo_interval none = ordo_interval_intersect((struct ordo_interval){-5, 1}, (struct ordo_interval){2, 9});
    cr_assert(both.low == 2 && both.high == 7);
    cr_assert_gt(none.low, none.high, "the intervals contradict each other");
}
