/* Oplog without races: refused calls, the application of operations, full logs, logs of threads that left, exhausted
 * memory, clocks that are not trusted. One thread uses several struct ordo_oplog_thread, which stand for several
 * threads. */
#include <criterion/criterion.h>

#include <ordo/cc/oplog.h>

#include "allocator.h"

enum { MOST = 4096 };

struct sequence {
    uint64_t values[MOST], times[MOST];
    int count, dropped;
};

static struct ordo_oplog oplog;
static struct ordo_oplog_thread *a, *b;
static struct sequence sequence;
static struct ordo_oplog_object object;

static void apply(struct ordo_oplog_object *o, const struct ordo_oplog_entry *entry)
{
    struct sequence *s = o->state;
    s->times[s->count] = entry->time;
    s->values[s->count++] = entry->argument;
}

static void drop(struct ordo_oplog_object *o, const struct ordo_oplog_entry *entry)
{
    (void)entry;
    ((struct sequence *)o->state)->dropped++;
}

static const struct ordo_oplog_kind kinds[] = {
    {ORDO_OPLOG_COMMUTE, apply, drop}, {ORDO_OPLOG_TIMED, apply, NULL}, {ORDO_OPLOG_ORDERED, apply, NULL}};

static void start(enum ordo_oplog_order order, size_t entries)
{
    struct ordo_oplog_options options = {
        .boundary_ticks = 1000, .log_entries = entries, .memory = {allocate, release, NULL}};
    allocated = 0;
    left = 1000000;
    memset(&sequence, 0, sizeof sequence);
    cr_assert_eq(ordo_oplog_create(&oplog, &options), 0);
    cr_assert_eq(ordo_oplog_thread_init(&oplog, &a), 0);
    cr_assert_eq(ordo_oplog_thread_init(&oplog, &b), 0);
    cr_assert_eq(ordo_oplog_object_init(&object, &kinds[order], &sequence), 0);
}

static void finish(void)
{
    cr_expect_eq(ordo_oplog_thread_finish(a), 0);
    cr_expect_eq(ordo_oplog_thread_finish(b), 0);
    ordo_oplog_destroy(&oplog);
    cr_expect_eq(allocated, 0, "%ld blocks were not released", allocated);
}

Test(oplog, a_domain_without_a_boundary_is_refused)
{
    struct ordo_oplog_options options = {0};
    cr_expect_eq(ordo_oplog_create(&oplog, &options), ORDO_E_INVALID);
    options.unsafe_boundary = 1;
    cr_expect_eq(ordo_oplog_create(&oplog, &options), ORDO_OK);
}

Test(oplog, a_domain_whose_handle_is_closed_is_refused)
{
    struct ordo closed = {0};
    struct ordo_oplog_options options = {.boundary_ticks = 1000, .watch = &closed};
    cr_expect_eq(ordo_oplog_create(&oplog, &options), ORDO_E_INVALID);
    options.watch = NULL;
    options.boundary_ticks = ordo_boundary(&closed);
    cr_expect_eq(ordo_oplog_create(&oplog, &options), ORDO_E_INVALID);
}

Test(oplog, the_size_of_a_log_is_a_power_of_two)
{
    struct ordo_oplog_options options = {.boundary_ticks = 1000};
    static const size_t wrong[] = {3, 1000, ((size_t)1 << 24) + 1, (size_t)1 << 25, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.log_entries = wrong[i];
        cr_expect_eq(ordo_oplog_create(&oplog, &options), ORDO_E_INVALID, "%zu", wrong[i]);
    }
}

Test(oplog, an_object_kind_without_a_function_is_refused)
{
    static const struct ordo_oplog_kind nothing = {ORDO_OPLOG_COMMUTE, NULL, NULL},
                                        disorder = {(enum ordo_oplog_order)3, apply, NULL};
    start(ORDO_OPLOG_COMMUTE, 4);
    cr_expect_eq(ordo_oplog_object_init(&object, NULL, NULL), ORDO_E_INVALID);
    cr_expect_eq(ordo_oplog_append(a, &object, 0, 1), ORDO_E_INVALID);
    cr_expect_eq(ordo_oplog_object_init(&object, &nothing, NULL), ORDO_E_INVALID);
    cr_expect_eq(ordo_oplog_object_init(&object, &disorder, NULL), ORDO_E_INVALID);
    struct ordo_oplog_operation one = {&object, 0, 1};
    cr_expect_eq(ordo_oplog_append_all(a, &one, 1), ORDO_E_INVALID);
    finish();
}

Test(oplog, a_reader_applies_appended_operations)
{
    for (int order = ORDO_OPLOG_COMMUTE; order <= ORDO_OPLOG_ORDERED; order++) {
        start((enum ordo_oplog_order)order, 0);
        cr_expect_eq(ordo_oplog_append(a, &object, 0, 7), 0);
        cr_expect_eq(sequence.count, 0);
        ordo_oplog_read_lock(b);
        cr_expect_eq(sequence.count, 1);
        cr_expect_eq(sequence.values[0], 7);
        ordo_oplog_read_unlock(b);
        ordo_oplog_synchronise(b);
        cr_expect_eq(sequence.count, 1);
        finish();
    }
}

Test(oplog, a_reader_may_not_append)
{
    struct ordo_oplog_operation one = {&object, 0, 1};
    start(ORDO_OPLOG_COMMUTE, 4);
    ordo_oplog_read_lock(a);
    cr_expect_eq(ordo_oplog_append(a, &object, 0, 1), ORDO_E_INVALID);
    cr_expect_eq(ordo_oplog_append_all(a, &one, 1), ORDO_E_INVALID);
    cr_expect_eq(ordo_oplog_append(b, &object, 0, 2), 0, "other threads may append while their logs have room");
    cr_expect_eq(sequence.count, 0);
    ordo_oplog_read_unlock(a);
    finish();
    cr_expect_eq(sequence.count, 1);
}

Test(oplog, several_logs_are_merged_by_their_times)
{
    for (int order = ORDO_OPLOG_TIMED; order <= ORDO_OPLOG_ORDERED; order++) {
        struct ordo_oplog_thread *threads[3];
        start((enum ordo_oplog_order)order, 1024);
        threads[0] = a;
        threads[1] = b;
        cr_assert_eq(ordo_oplog_thread_init(&oplog, &threads[2]), 0);
        for (uint64_t i = 0; i < 600; i++)
            cr_assert_eq(ordo_oplog_append(threads[i * i % 7 % 3], &object, 0, i), 0);
        ordo_oplog_synchronise(a);
        cr_assert_eq(sequence.count, 600);
        for (int i = 0; i < 600; i++) {
            cr_assert_eq(sequence.values[i], (uint64_t)i);
            cr_assert(i == 0 || sequence.times[i] > sequence.times[i - 1] + (order == ORDO_OPLOG_ORDERED ? 1000 : 0));
        }
        (void)ordo_oplog_thread_finish(threads[2]);
        finish();
    }
}

Test(oplog, a_full_log_loses_nothing)
{
    struct ordo_oplog_statistics sum;
    for (int order = ORDO_OPLOG_COMMUTE; order <= ORDO_OPLOG_ORDERED; order++)
        for (size_t entries = 1; entries <= 8; entries *= 8) {
            start((enum ordo_oplog_order)order, entries);
            for (uint64_t i = 0; i < 1000; i++)
                cr_assert_eq(ordo_oplog_append(i % 3 ? a : b, &object, 0, i), 0);
            ordo_oplog_statistics_read(&oplog, &sum);
            cr_expect_eq(sum.appends, 1000);
            cr_expect_gt(sum.fulls, 0);
            cr_expect(order == ORDO_OPLOG_COMMUTE ? sum.drains > 0 : sum.cuts > 0);
            finish();
            cr_expect_eq(sequence.count, 1000);
        }
}

Test(oplog, a_full_log_of_commuting_operations_applies_no_other_log)
{
    start(ORDO_OPLOG_COMMUTE, 2);
    cr_assert_eq(ordo_oplog_append(b, &object, 0, 9), 0);
    for (uint64_t i = 0; i < 3; i++)
        cr_assert_eq(ordo_oplog_append(a, &object, 0, i), 0);
    cr_expect_eq(sequence.count, 2);
    cr_expect_eq(sequence.values[0], 0, "the other log is left alone");
    finish();
    cr_expect_eq(sequence.count, 4);
}

Test(oplog, a_group_of_operations_is_appended_atomically)
{
    struct ordo_oplog_operation many[5];
    start(ORDO_OPLOG_TIMED, 4);
    for (uint64_t i = 0; i < 5; i++)
        many[i] = (struct ordo_oplog_operation){&object, 0, i};
    cr_expect_eq(ordo_oplog_append_all(a, many, 5), ORDO_E_INVALID, "more operations than a log holds are refused");
    cr_expect_eq(ordo_oplog_append(a, &object, 0, 10), 0);
    cr_expect_eq(ordo_oplog_append_all(a, many, 4), 0);
    cr_expect_eq(ordo_oplog_append_all(a, many, 0), 0);
    ordo_oplog_synchronise(b);
    cr_assert_eq(sequence.count, 5);
    for (int i = 1; i < 5; i++) {
        cr_expect_eq(sequence.values[i], (uint64_t)(i - 1));
        cr_expect_eq(sequence.times[i], sequence.times[1]);
    }
    struct ordo_oplog_object ordered;
    cr_assert_eq(ordo_oplog_object_init(&ordered, &kinds[ORDO_OPLOG_ORDERED], &sequence), 0);
    many[1].object = &ordered;
    cr_expect_eq(ordo_oplog_append_all(a, many, 2), ORDO_E_INVALID, "each object has its own last time");
    ordo_oplog_synchronise(b);
    cr_expect_eq(sequence.count, 5);
    finish();
}

Test(oplog, a_log_outlives_its_thread)
{
    struct ordo_oplog_thread *c;
    start(ORDO_OPLOG_TIMED, 8);
    for (uint64_t i = 0; i < 3; i++)
        cr_assert_eq(ordo_oplog_append(a, &object, 0, i), 0);
    cr_assert_eq(ordo_oplog_thread_finish(a), 0);
    cr_assert_eq(ordo_oplog_thread_init(&oplog, &c), 0);
    cr_expect_eq(c, a, "the log is used again, with its contents");
    cr_assert_eq(ordo_oplog_append(c, &object, 0, 3), 0);
    cr_assert_eq(ordo_oplog_thread_finish(c), 0);
    ordo_oplog_synchronise(b);
    cr_assert_eq(sequence.count, 4);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(sequence.values[i], (uint64_t)i);
    cr_assert_eq(ordo_oplog_thread_init(&oplog, &a), 0);
    finish();
}

Test(oplog, pending_operations_of_a_removed_object_are_dropped)
{
    for (int order = ORDO_OPLOG_COMMUTE; order <= ORDO_OPLOG_ORDERED; order++) {
        struct sequence other = {.count = 0};
        struct ordo_oplog_object gone;
        struct ordo_oplog_statistics sum;
        start((enum ordo_oplog_order)order, 8);
        cr_assert_eq(ordo_oplog_object_init(&gone, &kinds[order], &other), 0);
        for (uint64_t i = 0; i < 3; i++) {
            cr_assert_eq(ordo_oplog_append(a, &object, 0, i), 0);
            cr_assert_eq(ordo_oplog_append(b, &gone, 0, i), 0);
        }
        ordo_oplog_forget(a, &gone);
        memset(&gone, 0xff, sizeof gone); /* no log refers to the removed object */
        cr_expect_eq(other.count, 0);
        cr_expect_eq(other.dropped, kinds[order].drop ? 3 : 0);
        cr_expect_eq(sequence.count, 3);
        ordo_oplog_statistics_read(&oplog, &sum);
        cr_expect_eq(sum.dropped, 3);
        finish();
    }
}

Test(oplog, out_of_memory_is_reported)
{
    struct ordo_oplog_thread *c;
    start(ORDO_OPLOG_COMMUTE, 8);
    for (left = 0; left < 2;) {
        long had = allocated, had_left = left;
        cr_expect_eq(ordo_oplog_thread_init(&oplog, &c), ORDO_E_SYSTEM);
        cr_expect_null(c);
        cr_expect_eq(allocated, had);
        left = had_left + 1;
    }
    finish();
}

Test(oplog, a_disrupted_record_ends_a_wait)
{
    static struct ordo_record record = {.status = ORDO_RECORD_VALID};
    const uint64_t hours = UINT64_C(1) << 44;
    struct ordo handle = {.not_boundary = ~hours, .record = &record};
    struct ordo_oplog_options options = {.boundary_ticks = hours, .watch = &handle};
    struct ordo_oplog_object timed;
    memset(&sequence, 0, sizeof sequence);
    cr_assert_eq(ordo_oplog_create(&oplog, &options), 0);
    cr_assert_eq(ordo_oplog_thread_init(&oplog, &a), 0);
    cr_assert_eq(ordo_oplog_object_init(&timed, &kinds[ORDO_OPLOG_TIMED], &sequence), 0);
    cr_assert_eq(ordo_oplog_object_init(&object, &kinds[ORDO_OPLOG_ORDERED], &sequence), 0);
    object.last = ordo_clock_read(); /* as if another thread had just changed the object */
    record.status = ORDO_RECORD_DISRUPTED;
    cr_expect_eq(ordo_oplog_append(a, &object, 0, 1), ORDO_E_DISRUPTED);
    cr_expect_eq(ordo_oplog_append(a, &timed, 0, 2), ORDO_E_DISRUPTED);
    cr_expect_eq(ordo_oplog_settle(a), ORDO_E_DISRUPTED);
    ordo_oplog_synchronise(a);
    cr_expect_eq(sequence.count, 1, "the first was not appended, the second was");
    cr_expect_eq(sequence.values[0], 2);
    cr_expect_eq(ordo_oplog_thread_finish(a), ORDO_E_DISRUPTED);
    ordo_oplog_destroy(&oplog);
}

Test(oplog, the_boundary_can_be_raised_only_at_rest)
{
    start(ORDO_OPLOG_TIMED, 8);
    cr_assert_eq(ordo_oplog_append(a, &object, 0, 1), 0);
    cr_expect_eq(ordo_oplog_raise(&oplog, 1000), ORDO_E_INVALID, "the boundary is not larger");
    ordo_oplog_read_lock(b);
    cr_expect_eq(ordo_oplog_raise(&oplog, 50000), ORDO_E_INVALID, "a thread reads");
    ordo_oplog_read_unlock(b);
    oplog.options.settle_later = 1;
    cr_assert_eq(ordo_oplog_append(a, &object, 0, 2), 0);
    cr_expect_eq(ordo_oplog_raise(&oplog, 50000), ORDO_E_INVALID, "a thread has not settled");
    cr_assert_eq(ordo_oplog_settle(a), 0);
    cr_expect_eq(ordo_oplog_raise(&oplog, 50000), 0);
    cr_expect_eq(ordo_stamp_boundary(&oplog.stamp), 50000);
    cr_assert_eq(ordo_oplog_append(b, &object, 0, 3), 0);
    ordo_oplog_synchronise(a);
    cr_assert_eq(sequence.count, 3);
    cr_expect_gt(sequence.times[2], sequence.times[1] + 50000);
    finish();
}
