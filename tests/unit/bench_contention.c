/* The loops of the contention benchmark: their audits pass after correct trials and report each kind of damage; the
 * private work has the requested length. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/time.h"
#include "contention/loops.h"
#include "contention/work.h"

static struct contention shared;
static struct ordo_error error;

struct working {
    const struct bench_variant *variant;
    struct bench_worker worker;
    uint64_t ops;
};

static struct bench_variant open_loop(const char *algorithm)
{
    static const struct ordo handle;
    const struct contention_loop *loop = contention_loop_find(algorithm);
    cr_assert_not_null(loop, "no loop '%s'", algorithm);
    contention_set_up(&shared, &handle, 0);
    struct bench_variant variant = contention_variant(loop, &shared, "test");
    cr_assert_eq(variant.prepare(&shared, 2, &error), ORDO_OK);
    return variant;
}

static void *work_until_stopped(void *context)
{
    struct working *working = context;
    working->ops = working->variant->work(&working->worker);
    working->variant->leave(&working->worker);
    return NULL;
}

/* Lets two threads work for some milliseconds, while `disturb` is called repeatedly. Returns their operations. */
static uint64_t run_two_threads(const struct bench_variant *variant, void (*disturb)(int step))
{
    atomic_bool stop = false;
    struct working working[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        working[i] = (struct working){.variant = variant,
                                      .worker = {.stop = &stop, .index = i, .threads = 2, .context = &shared}};
        cr_assert_eq(pthread_create(&threads[i], NULL, work_until_stopped, &working[i]), 0);
    }
    for (int step = 0; step < 20; step++) {
        if (disturb)
            disturb(step);
        ordo_sleep_ns(500000);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    return working[0].ops + working[1].ops;
}

static void expect_complaint(const struct bench_variant *variant, const char *text)
{
    cr_assert_eq(variant->audit(&shared, &error), ORDO_E_MEASURE);
    cr_assert_not_null(strstr(error.text, text), "'%s' lacks '%s'", error.text, text);
}

Test(contention, every_audit_passes_after_a_correct_trial)
{
    for (const struct contention_loop *loop = contention_loops; loop->algorithm; loop++) {
        struct bench_variant variant = open_loop(loop->algorithm);
        cr_assert_gt(run_two_threads(&variant, NULL), 100, "%s", loop->algorithm);
        if (variant.audit)
            cr_assert_eq(variant.audit(&shared, &error), ORDO_OK, "%s: %s", loop->algorithm, error.text);
    }
}

Test(contention, the_counter_has_every_operation)
{
    static const char *const counters[] = {"add", "cas", "mutex", "ticket"};
    for (int i = 0; i < 4; i++) {
        struct bench_variant variant = open_loop(counters[i]);
        uint64_t ops = run_two_threads(&variant, NULL);
        cr_assert_eq(shared.value, ops, "%s", counters[i]);
    }
}

Test(contention, a_lost_increment_is_found)
{
    static const char *const counters[] = {"add", "cas", "mutex", "ticket"};
    for (int i = 0; i < 4; i++) {
        struct bench_variant variant = open_loop(counters[i]);
        (void)run_two_threads(&variant, NULL);
        shared.value--;
        expect_complaint(&variant, "the counter is");
    }
}

/* Moves the maximum far ahead, and back. */
static void move_maximum(int step)
{
    __atomic_store_n(&shared.value, step % 2 ? 0 : UINT64_MAX / 2, __ATOMIC_RELAXED);
}

Test(contention, a_time_that_goes_back_is_found)
{
    static const char *const clocks[] = {"monotone", "strict"};
    for (int i = 0; i < 2; i++) {
        struct bench_variant variant = open_loop(clocks[i]);
        for (int tries = 0; tries < 100 && variant.audit(&shared, &error) == ORDO_OK; tries++)
            (void)run_two_threads(&variant, move_maximum);
        expect_complaint(&variant, "not after the last time");
    }
}

/* Sets the maximum to the same value again and again, ahead of the clock. */
static void repeat_maximum(int step)
{
    (void)step;
    for (int i = 0; i < 1000; i++)
        __atomic_store_n(&shared.value, UINT64_MAX / 2, __ATOMIC_RELAXED);
}

Test(contention, a_monotone_clock_may_return_equal_times)
{
    struct bench_variant variant = open_loop("monotone");
    repeat_maximum(0);
    (void)run_two_threads(&variant, repeat_maximum);
    cr_assert_eq(variant.audit(&shared, &error), ORDO_OK, "%s", error.text);
}

Test(work, takes_the_time_that_was_requested)
{
    double best = INFINITY;
    for (int tries = 0; tries < 100 && best > 0.3; tries++) { /* other load may delay either measurement */
        double step_ns = contention_step_ns();
        uint64_t steps = contention_steps(100000, step_ns), value = 1;
        int64_t start_ns = ordo_raw_ns();
        for (int i = 0; i < 10; i++)
            value = contention_work(value, steps);
        best = fmin(best, fabs((double)(ordo_raw_ns() - start_ns) / 1e6 - 1));
    }
    cr_assert_leq(best, 0.3);
}

Test(work, of_0_ns_has_no_step)
{
    cr_assert_eq(contention_steps(0, 1.5), 0);
    cr_assert_eq(contention_work(7, 0), 7);
}

Test(work, long_work_checks_the_stop_flag_after_each_operation)
{
    cr_assert_eq(contention_batch(0), 16);
    cr_assert_eq(contention_batch(100), 8);
    cr_assert_eq(contention_batch(2000), 1);
    cr_assert_eq(contention_batch(CONTENTION_MOST_WORK_NS), 1);
}
