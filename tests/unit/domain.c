/* The domain below the engines of include/ordo/cc: memory, the registry of threads, waiting, statistics, the
 * boundary. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <time.h>

/* Runs once, right after a load, as if another thread ran in between. */
static void (*meanwhile)(void);

static inline void meet(void)
{
    void (*once)(void) = meanwhile;
    if (!once)
        return;
    meanwhile = NULL;
    once();
}

#define __atomic_load_n(at, order)                                                                                     \
    __extension__({                                                                                                    \
        __typeof__(__atomic_load_n(at, order)) loaded = __atomic_load_n(at, order);                                    \
        meet();                                                                                                        \
        loaded;                                                                                                        \
    })
#include <ordo/cc/domain.h>

#include "allocator.h"

struct engine_thread {
    uint64_t run;
    struct ordo_cc_thread common;
    char rest[200];
};

static const struct ordo_cc_memory memory = {allocate, release, NULL}, plain;
static struct ordo_cc_threads threads;

static struct ordo_cc_thread *make(void)
{
    struct ordo_cc_thread *t =
        ordo_cc_thread_make(&memory, sizeof(struct engine_thread), offsetof(struct engine_thread, common));
    if (t)
        ordo_cc_thread_join(&threads, t);
    return t;
}

static void empty(struct ordo_cc_thread *t)
{
    struct engine_thread *around = ordo_cc_thread_around(t, offsetof(struct engine_thread, common));
    cr_expect_eq(&around->common, t);
}

static int runs(const struct ordo_cc_thread *t)
{
    const struct engine_thread *around = ordo_cc_thread_around(t, offsetof(struct engine_thread, common));
    return around->run == 1;
}

static void begin(void)
{
    allocated = 0;
    left = 1000;
    threads.first = NULL;
}

static void end(void)
{
    for (struct ordo_cc_thread *t = ordo_cc_threads_walk(&threads); t; t = t->next)
        if (ordo_cc_thread_is_used(t))
            ordo_cc_thread_leave(t);
    ordo_cc_threads_destroy(&threads, &memory, empty);
    cr_expect_eq(allocated, 0);
    cr_expect_null(threads.first);
}

Test(domain, aligned_memory_is_zeroed_and_starts_on_a_line)
{
    void *raw;
    begin();
    for (size_t alignment = 64; alignment <= 128; alignment *= 2) {
        char *start = ordo_cc_allocate_aligned(&memory, 1000, alignment, &raw);
        cr_assert_eq((uintptr_t)start % alignment, 0);
        for (int i = 0; i < 1000; i++)
            cr_assert_eq(start[i], 0);
        ordo_cc_release(&memory, raw);
    }
    cr_expect_eq(allocated, 0);
    ordo_cc_release(&memory, NULL);
    cr_expect_eq(allocated, 0, "NULL is ignored");
    cr_assert_not_null(raw = ordo_cc_allocate(&plain, 8));
    ordo_cc_release(&plain, raw);
}

Test(domain, only_a_thread_that_left_is_reused)
{
    begin();
    cr_assert_null(ordo_cc_thread_reuse(&threads));
    struct ordo_cc_thread *a = make(), *b = make();
    cr_assert(ordo_cc_thread_is_used(a) && ordo_cc_thread_is_used(b));
    cr_assert_null(ordo_cc_thread_reuse(&threads));
    ordo_cc_thread_leave(a);
    cr_assert_not(ordo_cc_thread_is_used(a));
    cr_assert_eq(ordo_cc_thread_reuse(&threads), a);
    cr_assert_null(ordo_cc_thread_reuse(&threads));
    cr_assert_eq(ordo_cc_threads_scan(&threads), b);
    cr_assert_eq(b->next, a);
    end();
}

Test(domain, a_thread_without_memory_is_not_made)
{
    begin();
    left = 0;
    cr_assert_null(make());
    left = 1;
    struct ordo_cc_thread *t =
        ordo_cc_thread_make(&memory, sizeof(struct engine_thread), offsetof(struct engine_thread, common));
    cr_assert_not_null(t);
    cr_assert_eq((uintptr_t)ordo_cc_thread_around(t, offsetof(struct engine_thread, common)) % 128, 0);
    ordo_cc_thread_discard(&memory, t);
    cr_assert_null(ordo_cc_threads_walk(&threads));
    end();
}

static struct ordo_cc_thread *taken;

static void take(void)
{
    taken = ordo_cc_thread_reuse(&threads);
}

static void take_soon(void)
{
    meanwhile = take; /* the next load reads `used` */
}

Test(domain, a_thread_that_another_caller_took_is_not_reused)
{
    begin();
    ordo_cc_thread_leave(make());
    meanwhile = take_soon; /* runs after the list is loaded */
    cr_assert_null(ordo_cc_thread_reuse(&threads));
    cr_assert_not_null(taken);
    cr_assert_null(meanwhile);
    end();
}

enum { THREADS = 2, ROUNDS = 100000 };

static unsigned crowds;

/* Takes the only thread record repeatedly, and checks each time that it has no other owner. The pauses let the checks
 * of the two threads overlap. */
static void *own(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct ordo_cc_thread *t;
        for (unsigned turns = 0; !(t = ordo_cc_thread_reuse(&threads)); turns++)
            if (turns > 1000)
                (void)sched_yield();
        struct engine_thread *around = ordo_cc_thread_around(t, offsetof(struct engine_thread, common));
        if (__atomic_add_fetch(&around->run, 1, __ATOMIC_RELAXED) != 1)
            __atomic_add_fetch(&crowds, 1, __ATOMIC_RELAXED);
        ordo_clock_pause();
        __atomic_sub_fetch(&around->run, 1, __ATOMIC_RELAXED);
        ordo_cc_thread_leave(t);
        for (int pauses = i % 8; pauses > 0; pauses--)
            ordo_clock_pause();
    }
    return unused;
}

Test(domain, a_thread_has_one_owner_at_a_time)
{
    pthread_t thread[THREADS];
    begin();
    ordo_cc_thread_leave(make());
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, own, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        (void)pthread_join(thread[i], NULL);
    cr_assert_eq(crowds, 0);
    end();
}

Test(domain, a_wait_spins_then_yields_then_naps_ever_longer)
{
    static const struct ordo_cc_patience patience = {3, 0, 2, 1000, 2};
    uint64_t yields = 0, sleeps = 0;
    unsigned turn = 0;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (unsigned i = 0; i < 9; i++) {
        cr_assert_eq(turn, i < 7 ? i : 7);
        turn = ordo_cc_wait_turn(&patience, turn, &yields, &sleeps);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    cr_expect_eq(yields, 2);
    cr_expect_eq(sleeps, 4);
    cr_expect_geq((double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) * 1e-6, 1 + 2 + 4 + 4);
    cr_expect_eq(ordo_cc_wait_turn(&patience, 1000000, NULL, NULL), 7, "a thread's own counts are optional");
}

Test(domain, statistics_of_threads_add_up)
{
    uint64_t sum[3] = {1, 0, 0};
    const uint64_t one[3] = {1, 2, 3};
    uint64_t two = 5;
    ordo_cc_count(&two, 2);
    cr_expect_eq(ordo_cc_counted(&two), 7);
    ordo_cc_add_up(sum, one, sizeof sum);
    ordo_cc_add_up(sum, one, sizeof sum);
    cr_expect(sum[0] == 3 && sum[1] == 4 && sum[2] == 6);
}

Test(domain, a_boundary_is_required_and_changes_only_at_rest)
{
    struct ordo_stamp stamp;
    begin();
    cr_expect_eq(ordo_cc_boundary_begin(&stamp, 0, 0, NULL), ORDO_E_INVALID);
    cr_expect_eq(ordo_cc_boundary_begin(&stamp, 0, 1, NULL), ORDO_OK);
    cr_expect_eq(ordo_cc_boundary_begin(&stamp, 1000, 0, NULL), ORDO_OK);
    struct engine_thread *t = ordo_cc_thread_around(make(), offsetof(struct engine_thread, common));
    t->run = 1;
    cr_expect_eq(ordo_cc_boundary_raise(&stamp, &threads, runs, 2000), ORDO_E_INVALID);
    cr_expect_eq(ordo_stamp_boundary(&stamp), 1000);
    t->run = 2;
    cr_expect_eq(ordo_cc_boundary_raise(&stamp, &threads, runs, 2000), ORDO_OK);
    cr_expect_eq(ordo_stamp_boundary(&stamp), 2000);
    cr_expect_eq(ordo_cc_boundary_raise(&stamp, &threads, runs, 2000), ORDO_E_INVALID);
    end();
}
