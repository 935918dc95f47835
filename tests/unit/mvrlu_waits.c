/* What MV-RLU waits for with its own clock, and what it learns from that: on a clock that shows one tick more at each
 * look, so that no CPU is needed in time. */
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

uint64_t model_time(void)
{
    return ticks; /* for statistics: nothing may wait for this one */
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

static void change(struct number *n)
{
    ordo_mvrlu_reader_lock(t);
    struct number *copy = ordo_mvrlu_try_lock(t, n, sizeof *n);
    cr_assert_not_null(copy);
    copy->value++;
    cr_assert_eq(ordo_mvrlu_reader_unlock(t), 0);
}

static void finish(struct number *n)
{
    ordo_mvrlu_thread_finish(t);
    ordo_mvrlu_rest(&domain);
    ordo_mvrlu_discard(&domain, n);
    ordo_mvrlu_destroy(&domain);
}

Test(mvrlu_waits, two_collections_empty_the_log)
{
    start(0);
    struct number *n = make();
    change(n);
    ordo_mvrlu_collect(t); /* settles */
    cr_expect_eq(n->value, 1);
    ordo_mvrlu_collect(t);
    cr_expect(t->oldest.chunk == t->current && t->oldest.used == t->current->used, "and reclaims");
    finish(n);
}
