/* The waits of MV-RLU with its own clock, and how it adapts to their length. The clock advances by one tick at each
 * read, so that preemption does not affect the test. */
#include <criterion/criterion.h>

#include <ordo/cc/mvrlu.h>

enum { BOUNDARY = 1000 };

static uint64_t ticks = 1000000;

uint64_t model_clock(void)
{
    return ++ticks;
}

uint64_t model_clock_after_exchange(void)
{
    return ++ticks;
}

uint64_t model_clock_after(void)
{
    return ++ticks;
}

uint64_t model_clock_after_full(void)
{
    return ++ticks;
}

uint64_t model_clock_before(void)
{
    return ++ticks;
}

uint64_t model_time(void)
{
    return ticks; /* the relaxed read serves statistics, so it takes no time */
}

struct number {
    uint64_t value;
};

static struct ordo_mvrlu domain;
static struct ordo_mvrlu_thread *t;

static void start(unsigned defer)
{
    struct ordo_mvrlu_options options = {.boundary_ticks = BOUNDARY, .own_clock = 1, .defer_commits = defer};
    cr_assert_eq(ordo_mvrlu_create(&domain, &options), 0);
    cr_assert_eq(ordo_mvrlu_thread_init(&domain, &t), 0);
}

static struct number *make(void)
{
    struct number *n = ordo_mvrlu_alloc(t, sizeof *n);
    n->value = 0;
    return n;
}

/* Changes the number in a section. Returns the time before unlock. */
static uint64_t change(struct number *n)
{
    uint64_t end;
    ordo_mvrlu_reader_lock(t);
    struct number *copy = ordo_mvrlu_try_lock(t, n, sizeof *n);
    cr_assert_not_null(copy);
    copy->value++;
    end = ticks;
    cr_assert_eq(ordo_mvrlu_reader_unlock(t), 0);
    return end;
}

/* Changes the number `count` times, with pauses of `pause` ticks. Returns the share of the time that was spent in
 * unlock, in millionths. */
static uint64_t share_of_flushes(struct number *n, int count, uint64_t pause)
{
    uint64_t began = ticks, flushing = 0, flushes;
    for (int i = 0; i < count; i++) {
        flushes = t->statistics.flushes;
        uint64_t before = change(n);
        if (t->statistics.flushes > flushes)
            flushing += ticks - before;
        ticks += pause;
    }
    return flushing * 1000000 / (ticks - began);
}

static void finish(struct number *n)
{
    ordo_mvrlu_thread_finish(t);
    ordo_mvrlu_rest(&domain);
    ordo_mvrlu_discard(&domain, n);
    ordo_mvrlu_destroy(&domain);
}

Test(mvrlu_waits, two_collections_reclaim_the_whole_log)
{
    start(0);
    struct number *n = make();
    (void)change(n);
    ordo_mvrlu_collect(t); /* settles */
    cr_expect_eq(n->value, 1);
    ordo_mvrlu_collect(t);
    cr_expect(t->oldest.chunk == t->current && t->oldest.used == t->current->used,
              "the second collection reclaims the log");
    finish(n);
}

/* A flush waits for about 2 boundaries. */
Test(mvrlu_waits, an_adaptive_thread_counts_its_flush_waits)
{
    enum { MOST = ORDO_RLU_DEFER_MOST, SHARE = ORDO_MVRLU_DEFER_SHARE };
    start(ORDO_RLU_DEFER_AUTO);
    struct number *n = make();
    (void)share_of_flushes(n, 10000, 10);
    cr_expect_eq(t->group.most, MOST, "%u: flushes take most of the time, with any number", t->group.most);
    (void)share_of_flushes(n, 10000, (uint64_t)2 * BOUNDARY * SHARE / 20);
    uint64_t share = share_of_flushes(n, 10000, (uint64_t)2 * BOUNDARY * SHARE / 20);
    cr_expect(share > 900000 / SHARE && share < 1100000 / SHARE, "%lu millionths", (unsigned long)share);
    cr_expect(t->group.most >= 18 && t->group.most <= 21, "%u in place of 20", t->group.most);
    (void)share_of_flushes(n, 10000, (uint64_t)4 * BOUNDARY * SHARE);
    cr_expect_eq(t->group.most, 1, "%u: flushes take less than their share", t->group.most);
    (void)change(n);
    ordo_mvrlu_flush(t);
    cr_expect_eq(t->group.most, 1);
    for (int i = 0; i < 1000; i++) {
        (void)change(n);
        ordo_mvrlu_flush(t);
    }
    cr_expect_eq(t->group.most, 2, "%u: one more than it gets to", t->group.most);
    finish(n);
}
