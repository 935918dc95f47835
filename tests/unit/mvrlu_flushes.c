/* The actions of other threads while an MV-RLU thread is preempted in a flush. The clock advances by one tick at each
 * read, and one read in the flush runs the other threads. */
#include <criterion/criterion.h>

#include <ordo/cc/mvrlu.h>

enum { BOUNDARY = 1000 };

struct number {
    uint64_t value;
};

static struct ordo_mvrlu domain;
static struct ordo_mvrlu_thread *owner, *stopped, *other;
static struct number *n;
static void *wanted_back; /* the address of n's memory, whose release the test notices */
static int freed, was_stopped, stops;
static uint64_t ticks = 1000000;

static void *take(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void give(void *context, void *what)
{
    (void)context;
    freed += what == wanted_back;
    free(what);
}

static int remove_it(void)
{
    if (!ordo_mvrlu_try_lock(other, n, sizeof *n))
        return -1;
    return ordo_mvrlu_free(other, n);
}

/* Frees n, and reclaims everything that can be reclaimed. Then the owner of the version below scans its log, and reads
 * this version. */
static void meanwhile(void)
{
    int result;
    ORDO_MVRLU_SECTION(other, result, remove_it());
    cr_assert_eq(result, 0);
    ordo_mvrlu_flush(other);
    for (int i = 0; i < 3; i++)
        ordo_mvrlu_collect(other);
    cr_expect_eq(freed, 0, "the stopped thread has yet to settle the version below");
    ordo_mvrlu_collect(owner); /* would read n, unless n was freed wrongly */
}

/* Reads the clock. Here the flushing thread is stopped: it has announced its commit, and has not yet read its time. */
static uint64_t look(void)
{
    int is_announced = stops && stopped->commit && stopped->commit->word == ORDO_MVRLU_ANNOUNCED;
    if (is_announced) {
        stops = 0;
        was_stopped = 1;
        meanwhile();
    }
    return ++ticks;
}

uint64_t model_clock(void)
{
    return look();
}

uint64_t model_clock_after_exchange(void)
{
    return look();
}

uint64_t model_clock_after(void)
{
    return look();
}

uint64_t model_clock_after_full(void)
{
    return look();
}

uint64_t model_clock_before(void)
{
    return look();
}

uint64_t model_time(void)
{
    return look();
}

static void add(struct ordo_mvrlu_thread *t)
{
    ordo_mvrlu_reader_lock(t);
    struct number *copy = ordo_mvrlu_try_lock(t, n, sizeof *n);
    cr_assert_not_null(copy);
    copy->value++;
    cr_assert_eq(ordo_mvrlu_reader_unlock(t), 0);
}

/* Asks the thread that has a pending version of n to flush. */
static void want(void)
{
    ordo_mvrlu_reader_lock(other);
    cr_assert_null(ordo_mvrlu_try_lock(other, n, sizeof *n));
    (void)ordo_mvrlu_abort(other);
}

static void by_flush(void)
{
    ordo_mvrlu_flush(stopped);
}

static void by_poll(void)
{
    want();
    ordo_mvrlu_poll(stopped);
}

static void before_a_section(void)
{
    want();
    ordo_mvrlu_reader_lock(stopped);
    (void)ordo_mvrlu_reader_unlock(stopped);
}

static void at_the_end_of_a_section(void)
{
    ordo_mvrlu_reader_lock(stopped);
    cr_assert_not_null(ordo_mvrlu_try_lock(stopped, n, sizeof *n));
    want();
    cr_assert_eq(ordo_mvrlu_reader_unlock(stopped), 0);
}

static void in_an_abort(void)
{
    ordo_mvrlu_reader_lock(stopped);
    want();
    (void)ordo_mvrlu_abort(stopped);
}

static void before_it_collects(void)
{
    want();
    ordo_mvrlu_collect(stopped);
}

static void at_its_end(void)
{
    ordo_mvrlu_thread_finish(stopped);
}

static void start(int own_clock)
{
    struct ordo_mvrlu_options options = {
        .boundary_ticks = BOUNDARY, .defer_commits = 16, .own_clock = own_clock, .memory = {take, give, NULL}};
    cr_assert_eq(ordo_mvrlu_create(&domain, &options), 0);
    cr_assert(!ordo_mvrlu_thread_init(&domain, &owner) && !ordo_mvrlu_thread_init(&domain, &stopped) &&
              !ordo_mvrlu_thread_init(&domain, &other));
    n = ordo_mvrlu_alloc(owner, sizeof *n);
    n->value = 0;
    wanted_back = ordo_mvrlu_header_of(n);
    freed = was_stopped = 0;
}

static void finish(void)
{
    ordo_mvrlu_rest(&domain);
    if (!freed)
        ordo_mvrlu_discard(&domain, n);
    for (struct ordo_cc_thread *t = ordo_cc_threads_walk(&domain.threads); t; t = t->next)
        if (ordo_cc_thread_is_used(t))
            ordo_mvrlu_thread_finish(ordo_mvrlu_thread_of(t));
    ordo_mvrlu_destroy(&domain);
}

/* Stops a thread in a flush. Below its pending version is a version of `owner`, which is therefore not settled. */
static void stop_in_a_flush(void (*flush)(void), int own_clock)
{
    start(own_clock);
    add(owner);
    ordo_mvrlu_flush(owner);
    add(stopped);
    stops = 1;
    flush();
    cr_expect(was_stopped);
    for (int i = 0; i < 3; i++)
        ordo_mvrlu_collect(other);
    cr_expect_eq(freed, 1, "no thread still needs the version");
    finish();
}

Test(mvrlu_flushes, a_removed_version_waits_for_the_version_below)
{
    void (*flushes[])(void) = {by_flush,           by_poll,   before_a_section, at_the_end_of_a_section, in_an_abort,
                               before_it_collects, at_its_end};
    for (size_t i = 0; i < sizeof flushes / sizeof *flushes; i++) {
        stop_in_a_flush(flushes[i], 0);
        stop_in_a_flush(flushes[i], 1);
    }
}

/* If another thread asks for a flush between two attempts, the thread still waits longer at the second attempt. */
Test(mvrlu_flushes, a_flush_does_not_reset_the_backoff)
{
    start(0);
    add(stopped);
    ordo_mvrlu_reader_lock(stopped);
    (void)ordo_mvrlu_abort(stopped);
    cr_expect_eq(stopped->turn, 1);
    want();
    ordo_mvrlu_reader_lock(stopped);
    cr_expect_eq(stopped->pending, 0, "the thread was asked to flush");
    (void)ordo_mvrlu_abort(stopped);
    cr_expect_eq(stopped->turn, 2);
    finish();
}
