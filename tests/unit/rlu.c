/* RLU without races: undo by an abort, the visibility of deferred changes, exhausted memory. One thread uses two struct
 * ordo_rlu_thread, which stand for two threads. */
#include <criterion/criterion.h>
#include <time.h>

#include <ordo/cc/rlu/hash.h>
#include <ordo/cc/rlu/tree.h>

#include "allocator.h"

struct number {
    uint64_t value;
};

static struct ordo_rlu rlu;
static struct ordo_rlu_thread *a, *b;

static void start(unsigned defer, unsigned sections)
{
    struct ordo_rlu_options options = {.boundary_ticks = 1000,
                                       .defer_commits = defer,
                                       .defer_sections = sections,
                                       .memory = {allocate, release, NULL}};
    allocated = 0;
    left = 1000000;
    cr_assert_eq(ordo_rlu_create(&rlu, &options), 0);
    cr_assert_eq(ordo_rlu_thread_init(&rlu, &a), 0);
    cr_assert_eq(ordo_rlu_thread_init(&rlu, &b), 0);
}

static void finish(void)
{
    ordo_rlu_thread_finish(a);
    ordo_rlu_thread_finish(b);
    ordo_rlu_destroy(&rlu);
    cr_assert_eq(allocated, 0, "%ld blocks were not released", allocated);
}

static struct number *make(uint64_t value)
{
    struct number *n = ordo_rlu_alloc(a, sizeof *n);
    n->value = value;
    return n;
}

static uint64_t see(struct ordo_rlu_thread *t, struct number *n)
{
    uint64_t value;
    cr_assert_eq(ordo_rlu_reader_lock(t), 0);
    value = ((struct number *)ordo_rlu_dereference(t, n))->value;
    ordo_rlu_reader_unlock(t);
    return value;
}

/* Begins a section after the clock was disrupted: retries until the time of the last flush has passed. */
static void begin_at_last(struct ordo_rlu_thread *t)
{
    for (int times = 0; ordo_rlu_reader_lock(t) != ORDO_OK; times++)
        cr_assert_lt(times, 1000000);
}

static int add(struct ordo_rlu_thread *t, struct number *n, uint64_t amount)
{
    struct number *copy;
    ordo_rlu_reader_lock(t);
    copy = ordo_rlu_try_lock(t, n, sizeof *n);
    if (!copy)
        return ordo_rlu_abort(t);
    copy->value += amount;
    ordo_rlu_reader_unlock(t);
    return ORDO_OK;
}

Test(rlu, an_infinite_or_zero_boundary_is_refused)
{
    struct ordo closed = ORDO_INIT(0, 0);
    struct ordo_rlu_options options = {.boundary_ticks = ordo_boundary(&closed)};
    cr_assert_eq(ordo_rlu_create(&rlu, &options), ORDO_E_INVALID);
    options.boundary_ticks = 0;
    cr_assert_eq(ordo_rlu_create(&rlu, &options), ORDO_E_INVALID, "forgotten");
    options.unsafe_boundary = 1;
    cr_assert_eq(ordo_rlu_create(&rlu, &options), ORDO_OK, "meant");
}

Test(rlu, the_boundary_can_be_raised_only_at_rest)
{
    start(8, 0);
    struct number *n = make(1);
    cr_assert_eq(ordo_rlu_raise(&rlu, 999), ORDO_E_INVALID);
    cr_assert_eq(ordo_rlu_raise(&rlu, 1000), ORDO_E_INVALID);
    cr_assert_eq(ordo_rlu_raise(&rlu, UINT64_MAX), ORDO_E_INVALID);
    ordo_rlu_reader_lock(b);
    cr_assert_eq(ordo_rlu_raise(&rlu, 2000), ORDO_E_INVALID, "in a section");
    ordo_rlu_reader_unlock(b);
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(ordo_rlu_raise(&rlu, 2000), ORDO_E_INVALID, "pending");
    cr_assert_eq(see(b, n), 1);
    ordo_rlu_flush(a);
    cr_assert_eq(ordo_rlu_raise(&rlu, 2000), ORDO_OK);
    cr_assert_eq(ordo_stamp_boundary(&rlu.stamp), 2000);
    cr_assert_eq(see(b, n), 2);
    cr_assert_eq(add(b, n, 1), 0);
    ordo_rlu_flush(b);
    cr_assert_eq(see(a, n), 3);
    ordo_rlu_discard(&rlu, n);
    finish();
}

Test(rlu, a_disrupted_record_keeps_pending_commits)
{
    struct ordo_record record = {.status = ORDO_RECORD_VALID};
    struct ordo handle = {.not_boundary = ~UINT64_C(1000), .record = &record}, closed = ORDO_INIT(0, 0);
    struct ordo_rlu_options options = {
        .boundary_ticks = 1000, .defer_commits = 8, .memory = {allocate, release, NULL}, .watch = &closed};
    struct ordo_rlu_statistics sum;
    struct number *fresh;
    left = 1000;
    cr_assert_eq(ordo_rlu_create(&rlu, &options), ORDO_E_INVALID, "a closed handle would never report a disruption");
    options.watch = &handle;
    cr_assert_eq(ordo_rlu_create(&rlu, &options), ORDO_OK);
    cr_assert_eq(ordo_rlu_thread_init(&rlu, &a), 0);
    cr_assert_eq(ordo_rlu_thread_init(&rlu, &b), 0);
    struct number *n = make(1);
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(see(b, n), 1);
    record.status = ORDO_RECORD_DISRUPTED;
    long before = allocated;
    cr_assert_eq(ordo_rlu_reader_lock(a), 0, "the section has nothing to wait for");
    ((struct number *)ordo_rlu_try_lock(a, n, sizeof *n))->value = 100;
    fresh = ordo_rlu_alloc(a, sizeof *fresh);
    cr_assert_not_null(ordo_rlu_try_lock(a, fresh, sizeof *fresh));
    cr_assert_eq(ordo_rlu_reader_unlock(a), ORDO_E_DISRUPTED);
    cr_assert_eq(allocated, before, "allocations of the aborted section are freed");
    cr_assert(see(a, n) == 2 && see(b, n) == 1, "a pending commit stays pending");
    ordo_rlu_flush(a);
    begin_at_last(b);
    cr_assert_eq(((struct number *)ordo_rlu_dereference(b, n))->value, 2);
    ordo_rlu_reader_unlock(b);
    cr_assert_eq(n->value, 2);
    cr_assert_null(ordo_rlu_header_of(n)->copy);
    ordo_rlu_statistics_read(&rlu, &sum);
    cr_assert(sum.commits == 1 && sum.aborts == 1 && sum.flushes == 1);
    for (int undone = 0; undone < 10000; undone++) {
        begin_at_last(a);
        cr_assert_not_null(ordo_rlu_try_lock(a, n, sizeof *n));
        cr_assert_eq(ordo_rlu_reader_unlock(a), ORDO_E_DISRUPTED);
    }
    uint64_t log_bytes = sum.log_bytes;
    ordo_rlu_statistics_read(&rlu, &sum);
    cr_assert_eq(sum.log_bytes, log_bytes, "undone copies do not make the log grow");
    ordo_rlu_discard(&rlu, n);
    finish();
}

Test(rlu, an_abort_undoes_only_its_section)
{
    start(8, 0);
    struct number *n = make(1), *m = make(10), *copy;
    cr_assert_eq(add(a, n, 1), 0);
    for (int i = 0; i < 4; i++) {
        ordo_rlu_reader_lock(a);
        if (i % 2) /* in every second round the section has locked another object before n */
            cr_assert_not_null(ordo_rlu_try_lock(a, m, sizeof *m));
        copy = ordo_rlu_try_lock(a, n, sizeof *n);
        cr_assert_eq(copy->value, 2);
        copy->value = 100;
        cr_assert_eq(ordo_rlu_try_lock(a, n, sizeof *n), copy, "a section has one copy of an object");
        copy = ordo_rlu_try_lock(a, m, sizeof *m);
        copy->value = 200;
        cr_assert(ordo_rlu_cmp_ptrs(copy, m) && !ordo_rlu_cmp_ptrs(copy, n) && !ordo_rlu_cmp_ptrs(copy, NULL));
        cr_assert_eq(ordo_rlu_free(a, copy), 0);
        cr_assert_not_null(ordo_rlu_alloc(a, 100));
        cr_assert_eq(ordo_rlu_abort(a), ORDO_LATER);
        cr_assert(see(a, n) == 2 && see(a, m) == 10);
    }
    cr_assert_eq(see(b, n), 1, "pending");
    ordo_rlu_flush(a);
    cr_assert(see(b, n) == 2 && n->value == 2);
    ordo_rlu_discard(&rlu, n);
    ordo_rlu_discard(&rlu, m);
    finish();
}

Test(rlu, an_abort_unlocks_allocations_before_freeing_them)
{
    struct ordo_rlu_list list;
    start(1, 0);
    ordo_rlu_list_init(&list);
    ordo_rlu_reader_lock(a);
    cr_assert_eq(ordo_rlu_list_add_in(a, &list, 5), 1);
    cr_assert_eq(ordo_rlu_list_add_in(a, &list, 6), 1, "the section locks the node that it just added");
    cr_assert_eq(ordo_rlu_abort(a), ORDO_LATER);
    cr_assert_eq(ordo_rlu_list_audit(&list), 0);
    finish();
}

Test(rlu, memory_behind_an_object_is_not_written)
{
    static const size_t sizes[] = {0, 1, 4, 12, 13, 8};
    volatile size_t too_large = SIZE_MAX; /* volatile, so that the compiler does not warn about the size */
    start(1, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t bytes = sizes[i];
        unsigned char *object = ordo_rlu_alloc(a, bytes + 8), *copy;
        memset(object, 'o', bytes);
        memset(object + bytes, 1, 8);
        ordo_rlu_reader_lock(a);
        copy = ordo_rlu_try_lock(a, object, bytes);
        cr_assert_not_null(copy);
        memset(copy, 'c', bytes);
        memset(object + bytes, 2,
               8); /* the memory behind the object belongs to another object, which changes in the meantime */
        ordo_rlu_reader_unlock(a);
        for (size_t k = 0; k < bytes + 8; k++)
            cr_assert_eq(object[k], k < bytes ? 'c' : 2, "size %zu, byte %zu", bytes, k);
        ordo_rlu_reader_lock(a);
        cr_assert_null(ordo_rlu_try_lock(a, object, too_large - i));
        cr_assert_eq(ordo_rlu_abort(a), ORDO_E_SYSTEM);
        cr_assert_null(ordo_rlu_alloc(a, too_large - i));
        ordo_rlu_discard(&rlu, object);
    }
    finish();
}

/* The rest of the log behind an object's copy is not written either. */
Test(rlu, memory_behind_a_copy_is_not_written)
{
    start(1, 0);
    for (size_t bytes = 8; bytes <= 64; bytes += 8) {
        unsigned char *object = ordo_rlu_alloc(a, bytes + 16), *copy;
        memset(object, 'o', bytes + 16);
        ordo_rlu_reader_lock(a);
        copy = ordo_rlu_try_lock(a, object, bytes);
        for (size_t k = 0; k < bytes + 16; k++) /* the log is new, so all of it is zero */
            cr_assert_eq(copy[k], k < bytes ? 'o' : 0, "size %zu, byte %zu", bytes, k);
        cr_assert_eq(ordo_rlu_abort(a), ORDO_LATER);
        ordo_rlu_discard(&rlu, object);
    }
    finish();
}

#define TESTS_RLU(name) ordo_rlu_##name
#include "links.h"

Test(rlu, a_pending_link_is_visible_only_to_its_own_thread)
{
    struct ordo_rlu_link link = {{NULL}};
    start(8, 0);
    struct node *first = make_node(1), *second = make_node(2);
    point(a, &link, first);
    cr_assert(see_link(a, &link) == first && see_link(b, &link) == NULL);
    ordo_rlu_flush(a);
    cr_assert(see_link(b, &link) == first && ordo_rlu_link_at_rest(&link) == first);
    point(a, &link, second);
    point(a, &link, NULL);
    cr_assert(see_link(a, &link) == NULL && see_link(b, &link) == first);
    ordo_rlu_reader_lock(b);
    cr_assert_null(ordo_rlu_try_lock_link(b, &link));
    cr_assert_eq(ordo_rlu_abort(b), ORDO_LATER);
    cr_assert(ordo_rlu_link_is_locked(&link));
    cr_assert_null(see_link(a, &link), "a thread that was asked to flush flushes first");
    cr_assert(!ordo_rlu_link_is_locked(&link) && see_link(b, &link) == NULL);
    ordo_rlu_discard_node(&rlu, first);
    ordo_rlu_discard_node(&rlu, second);
    finish();
}

Test(rlu, an_abort_keeps_the_pending_link)
{
    struct ordo_rlu_link link = {{NULL}};
    start(8, 0);
    struct node *first = make_node(1);
    point(a, &link, first);
    ordo_rlu_reader_lock(a);
    *ordo_rlu_try_lock_link(a, &link) = NULL;
    cr_assert_null(ordo_rlu_follow(a, &link));
    cr_assert_eq(ordo_rlu_abort(a), ORDO_LATER);
    cr_assert(see_link(a, &link) == first && see_link(b, &link) == NULL);
    ordo_rlu_flush(a);
    cr_assert(see_link(b, &link) == first);
    ordo_rlu_discard_node(&rlu, first);
    finish();
}

/* An undone copy is kept for a while, because another section may have just found it, and needs its information about
 * the link. */
Test(rlu, copies_of_aborted_sections_are_kept_up_to_a_limit)
{
    struct ordo_rlu_link link = {{NULL}};
    struct ordo_rlu_statistics sum;
    void **first = NULL, **to;
    int aborts = 0;
    start(1, 0);
    cr_assert_null(see_link(b, &link));
    cr_assert_eq(b->mark, 0);
    for (;; aborts++) {
        ordo_rlu_reader_lock(a);
        to = ordo_rlu_try_lock_link(a, &link);
        cr_assert_not_null(to);
        cr_assert_eq(ordo_rlu_abort(a), ORDO_LATER);
        a->turn = 0; /* resets the backoff, so that the test does not wait */
        if (to == first || aborts == 1000)
            break;
        first = first ? first : to;
    }
    cr_assert(aborts > 50 && aborts < 1000, "%d aborts, in two logs", aborts);
    cr_assert_neq(b->mark, 0, "no thread was checked for reads of undone copies");
    ordo_rlu_statistics_read(&rlu, &sum);
    cr_assert(sum.flushes == 0 && sum.commits == 0 && sum.log_bytes <= 8 * ORDO_RLU_CHUNK_BYTES, "%zu bytes of logs",
              (size_t)sum.log_bytes);
    point(a, &link, &link);
    cr_assert_eq(see_link(b, &link), &link);
    finish();
}

Test(rlu, a_pending_commit_does_not_lift_the_limit_of_copies)
{
    struct ordo_rlu_link link = {{NULL}};
    struct ordo_rlu_statistics sum;
    start(1000, 0);
    a->rlu->options.defer_bytes = 3 * ORDO_RLU_CHUNK_BYTES;
    point(a, &link, &link);
    for (int aborts = 0; aborts < 1000; aborts++) {
        ordo_rlu_reader_lock(a);
        cr_assert_not_null(ordo_rlu_try_lock_link(a, &link));
        cr_assert_eq(ordo_rlu_abort(a), ORDO_LATER);
        a->turn = 0;
        if (aborts == 200)
            cr_assert_null(see_link(b, &link), "the undone copies are still few");
    }
    cr_assert_eq(see_link(b, &link), &link);
    ordo_rlu_statistics_read(&rlu, &sum);
    cr_assert(sum.flushes == 1 && sum.aborts == 1000);
    finish();
}

Test(rlu, only_a_node_with_a_locked_link_can_be_freed)
{
    struct ordo_rlu_link link = {{NULL}};
    start(8, 0);
    long before = allocated;
    struct node *node = make_node(1);
    point(a, &link, node);
    ordo_rlu_flush(a);
    ordo_rlu_reader_lock(a);
    cr_assert_eq(ordo_rlu_free_node(a, node), ORDO_E_INVALID);
    cr_assert_eq(ordo_rlu_abort(a), ORDO_E_INVALID);
    for (int undone = 1; undone >= 0; undone--) {
        ordo_rlu_reader_lock(a);
        *ordo_rlu_try_lock_link(a, &link) = *ordo_rlu_try_lock_link(a, &node->link);
        cr_assert_eq(ordo_rlu_free_node(a, node), ORDO_OK);
        if (undone) {
            cr_assert_eq(ordo_rlu_free_node(a, node), ORDO_E_INVALID, "twice");
            cr_assert_eq(ordo_rlu_abort(a), ORDO_E_INVALID);
        } else {
            ordo_rlu_reader_unlock(a);
        }
    }
    cr_assert(allocated == before + 1 && see_link(b, &link) == node && see_link(b, &node->link) == NULL);
    ordo_rlu_flush(a);
    cr_assert(allocated == before && see_link(b, &link) == NULL);
    finish();
}

Test(rlu, an_abort_frees_the_allocated_nodes)
{
    struct ordo_rlu_link link = {{NULL}};
    volatile size_t too_large = SIZE_MAX;
    start(1, 0);
    long before = allocated;
    ordo_rlu_reader_lock(a);
    *ordo_rlu_try_lock_link(a, &link) = make_node(1);
    cr_assert_null(ordo_rlu_link_at_rest((struct ordo_rlu_link *)ordo_rlu_alloc_node(a, 0)));
    cr_assert_eq(allocated, before + 2);
    cr_assert_null(ordo_rlu_alloc_node(a, too_large));
    left = 0;
    cr_assert_null(ordo_rlu_alloc_node(a, sizeof(struct node)));
    cr_assert_eq(ordo_rlu_abort(a), ORDO_E_SYSTEM);
    cr_assert(allocated == before && see_link(a, &link) == NULL);
    finish();
}

Test(rlu, only_locked_objects_can_be_freed)
{
    start(8, 0);
    long before = allocated;
    struct number *n = make(1), *m = make(2), *fresh;
    cr_assert_eq(add(b, n, 1), 0);
    cr_assert_eq(add(a, m, 1), 0);
    ordo_rlu_reader_lock(a);
    cr_assert_eq(ordo_rlu_free(a, n), ORDO_E_INVALID,
                 "an object pending in another thread would be written after the free");
    cr_assert_eq(ordo_rlu_free(a, m), ORDO_E_INVALID, "an object locked by an earlier section is refused");
    fresh = ordo_rlu_alloc(a, sizeof *fresh);
    cr_assert_eq(ordo_rlu_free(a, fresh), ORDO_E_INVALID, "an object that is not locked is refused");
    cr_assert_not_null(ordo_rlu_try_lock(a, fresh, sizeof *fresh));
    cr_assert_eq(ordo_rlu_free(a, fresh), 0);
    cr_assert_eq(ordo_rlu_free(a, fresh), ORDO_E_INVALID, "twice");
    cr_assert_eq(ordo_rlu_abort(a), ORDO_E_INVALID, "the abort says that a retry would not help");
    cr_assert_eq(allocated, before + 2, "the aborted allocation is freed once");
    ordo_rlu_flush(b);
    for (int i = 0; i < 2; i++) {
        struct number *which = i ? m : n;
        ordo_rlu_reader_lock(a);
        cr_assert_eq(ordo_rlu_free(a, ordo_rlu_try_lock(a, which, sizeof *which)), 0);
        ordo_rlu_reader_unlock(a);
        cr_assert_eq(allocated, before + 2, "pending");
    }
    ordo_rlu_flush(a);
    cr_assert_eq(allocated, before, "a flush frees the objects");
    finish();
}

Test(rlu, a_conflict_flushes_a_pending_object)
{
    start(8, 0);
    struct number *n = make(1);
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert(see(a, n) == 3 && see(b, n) == 1);
    ordo_rlu_poll(a);
    cr_assert_eq(see(b, n), 1, "no thread asked for a flush");
    cr_assert_eq(add(b, n, 5), ORDO_LATER);
    cr_assert_eq(see(a, n), 3, "this section flushes first");
    cr_assert_eq(see(b, n), 3);
    cr_assert_eq(add(b, n, 5), 0);
    cr_assert_eq(add(a, n, 1), ORDO_LATER);
    ordo_rlu_poll(b);
    cr_assert_eq(see(a, n), 8);
    ordo_rlu_discard(&rlu, n);
    finish();
}

Test(rlu, a_flush_follows_after_the_configured_number_of_sections)
{
    start(8, 10);
    struct number *n = make(1);
    cr_assert_eq(add(a, n, 1), 0);
    for (int i = 0; i < 9; i++)
        cr_assert_eq(see(a, n), 2);
    cr_assert_eq(see(b, n), 1);
    cr_assert_eq(see(a, n), 2);
    cr_assert_eq(see(b, n), 2);
    for (int i = 0; i < 8; i++)
        cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(see(b, n), 10, "the flush also comes after `defer_commits` commits");
    cr_assert_eq(add(a, n, 1), 0);
    ordo_rlu_thread_finish(a);
    cr_assert_eq(see(b, n), 11, "the flush also comes at the end of the thread");
    cr_assert_eq(ordo_rlu_thread_init(&rlu, &a), 0);
    ordo_rlu_discard(&rlu, n);
    finish();
}

Test(rlu, a_log_grows_for_large_sections)
{
    enum { COUNT = 3000, BYTES = 100000 };
    static struct number *numbers[COUNT];
    struct ordo_rlu_statistics sum;
    start(1, 0);
    char *big = ordo_rlu_alloc(a, BYTES);
    memset(big, 'a', BYTES);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = make((uint64_t)i);
    for (int round = 1; round <= 3; round++) {
        ordo_rlu_reader_lock(a);
        for (int i = 0; i < COUNT; i++) {
            ((struct number *)ordo_rlu_try_lock(a, numbers[i], sizeof(struct number)))->value++;
            if (i == 700)
                memset(ordo_rlu_try_lock(a, big, BYTES), 'a' + round, BYTES);
        }
        ordo_rlu_reader_unlock(a);
        for (int i = 0; i < COUNT; i++)
            cr_assert_eq(numbers[i]->value, (uint64_t)(i + round));
        cr_assert(big[0] == 'a' + round && big[BYTES - 1] == 'a' + round);
    }
    ordo_rlu_statistics_read(&rlu, &sum);
    cr_assert(sum.commits == 3 && sum.flushes == 3 && sum.log_bytes > BYTES);
    for (int i = 0; i < COUNT; i++)
        ordo_rlu_discard(&rlu, numbers[i]);
    ordo_rlu_discard(&rlu, big);
    finish();
}

/* After a large section only the first chunks of the log are in use. A commit must not visit the chunks behind the
 * current one. */
Test(rlu, a_large_section_does_not_slow_later_small_ones)
{
    enum { COUNT = 20000 };
    static struct number *numbers[COUNT];
    struct ordo_rlu_chunk *chunk;
    start(1, 0);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = make(0);
    for (int round = 0; round < 2; round++) {
        ordo_rlu_reader_lock(a);
        for (int i = 0; i < COUNT; i++)
            cr_assert_not_null(ordo_rlu_try_lock(a, numbers[i], sizeof(struct number)));
        ordo_rlu_reader_unlock(a);
    }
    cr_assert_eq(add(a, numbers[0], 1), 0);
    cr_assert_eq(add(a, numbers[0], 1), 0);
    for (int i = 0; i < 2; i++) { /* a commit that visits the second chunk would follow an invalid pointer */
        chunk = a->logs[i].first->next;
        a->logs[i].first->next = (struct ordo_rlu_chunk *)16;
        cr_assert_eq(add(a, numbers[0], 1), 0);
        cr_assert_eq(add(a, numbers[0], 1), 0);
        cr_assert_eq(add(a, numbers[0], 1), 0);
        a->logs[i].first->next = chunk;
    }
    for (int i = 0; i < COUNT; i++)
        ordo_rlu_discard(&rlu, numbers[i]);
    finish();
}

Test(rlu, a_section_sees_its_own_change_through_any_pointer)
{
    start(8, 0);
    struct number *n = make(0), *m = make(5), *pending, *copy;
    cr_assert_eq(add(a, n, 1), 0);
    ordo_rlu_reader_lock(a);
    pending = ordo_rlu_dereference(a, n);
    cr_assert(pending != n && pending->value == 1);
    copy = ordo_rlu_try_lock(a, pending, sizeof *n);
    copy->value = 2;
    cr_assert_eq(ordo_rlu_dereference(a, n), copy);
    cr_assert_eq(ordo_rlu_dereference(a, pending), copy);
    cr_assert_eq(ordo_rlu_dereference(a, copy), copy);
    cr_assert(ordo_rlu_cmp_ptrs(pending, copy) && ordo_rlu_cmp_ptrs(n, pending) && ordo_rlu_cmp_ptrs(NULL, NULL));
    cr_assert(!ordo_rlu_cmp_ptrs(n, m) && !ordo_rlu_cmp_ptrs(pending, m) && !ordo_rlu_cmp_ptrs(NULL, pending));
    ordo_rlu_reader_unlock(a);
    ordo_rlu_flush(a);
    cr_assert_eq(n->value, 2);
    ordo_rlu_discard(&rlu, n);
    ordo_rlu_discard(&rlu, m);
    finish();
}

Test(rlu, an_allocation_failure_outside_a_section_fails_no_section)
{
    start(1, 0);
    left = 0;
    cr_assert_null(ordo_rlu_alloc(a, 8));
    ordo_rlu_reader_lock(a);
    cr_assert_eq(ordo_rlu_abort(a), ORDO_LATER);
    ordo_rlu_reader_lock(a);
    cr_assert_null(ordo_rlu_alloc(a, 8));
    cr_assert_eq(ordo_rlu_abort(a), ORDO_E_SYSTEM);
    finish();
}

Test(rlu, the_size_of_the_log_limits_deferral)
{
    struct ordo_rlu_statistics sum;
    start(1000, 0);
    struct number *n = make(0);
    a->rlu->options.defer_bytes = 10 * ordo_rlu_record_bytes(sizeof *n);
    for (int i = 0; i < 9; i++)
        cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(see(b, n), 0);
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(see(b, n), 10, "the flush comes when the log is full");
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(add(b, n, 1), ORDO_LATER);
    cr_assert_eq(see(a, n), 11);
    cr_assert_eq(add(b, n, 1), 0);
    cr_assert_eq(add(a, n, 1), ORDO_LATER);
    cr_assert_eq(n->value, 11);
    ordo_rlu_poll(b);
    cr_assert_eq(n->value, 12, "asked");
    ordo_rlu_statistics_read(&rlu, &sum);
    cr_assert(sum.commits == 12 && sum.flushes == 3 && sum.flushes_asked == 1 && sum.aborts == 2);
    ordo_rlu_discard(&rlu, n);
    finish();
}

/* Simulates `flushes` flushes of `took` ticks each. Before each flush the group gathers its current number of commits,
 * one every `commit` ticks. Returns the number at the end. */
static unsigned adapt(struct ordo_rlu_group *group, int flushes, uint64_t took, uint64_t commit)
{
    uint64_t now = group->flushed;
    for (int i = 0; i < flushes; i++) {
        now += commit * group->most + took;
        ordo_rlu_group_adapt(group, group->most, 0, now - took, now);
        cr_assert(group->flushed == now && group->most >= 1 && group->most <= ORDO_RLU_DEFER_MOST);
    }
    return group->most;
}

Test(rlu, reads_of_pending_copies_reduce_deferral)
{
    struct ordo_rlu_group group;
    ordo_rlu_group_begin(&group, ORDO_RLU_DEFER_AUTO, ORDO_RLU_DEFER_SHARE);
    cr_assert(group.looks == 0 && group.looked == 0);
    for (int i = 0; i < 300; i++) {
        group.looks = group.most * ORDO_RLU_DEFER_LOOKS / 10;
        adapt(&group, 1, 1000, 100);
        cr_assert(i < 100 || (group.most >= 9 && group.most <= 12), "%u in place of 10", group.most);
        cr_assert_eq(group.looks, 0);
    }
    cr_assert_eq(adapt(&group, 200, 1000, 100), ORDO_RLU_DEFER_MOST, "no section reads pending copies");
    group.looks = 1000000000; /* a single burst of reads */
    adapt(&group, 1, 1000, 100);
    cr_assert_geq(group.most, ORDO_RLU_DEFER_MOST - 1);
    cr_assert_eq(adapt(&group, 50, 1000, 100), ORDO_RLU_DEFER_MOST);
    static const unsigned most[] = {1, ORDO_RLU_DEFER_MOST};
    for (int too_many = 1; too_many >= 0; too_many--) {
        for (int i = 0; i < 300; i++) {
            group.looks = ORDO_RLU_DEFER_LOOKS + too_many;
            adapt(&group, 1, 1000, 100);
        }
        cr_assert_eq(group.most, most[!too_many]);
    }
}

/* A section that reads a pending copy is counted, whichever thread has committed the copy. A section that reads a copy
 * of its own is not counted, because it would read this copy with any number of gathered commits. */
Test(rlu, reads_of_pending_copies_are_counted)
{
    start(ORDO_RLU_DEFER_AUTO, 0);
    struct number *n = make(0);
    a->group.most = 9;
    cr_assert_eq(add(a, n, 1), 0);
    unsigned own = a->group.looks, other = b->group.looks;
    cr_assert_eq(see(a, n), 1);
    cr_assert_eq(see(b, n), 0);
    cr_assert(a->group.looks == own + 1 && b->group.looks == other + 1);
    cr_assert_eq(ordo_rlu_reader_lock(a), ORDO_OK);
    struct number *copy = ordo_rlu_try_lock(a, n, sizeof *n);
    cr_assert(copy && ordo_rlu_dereference(a, n) == copy && ordo_rlu_dereference(a, copy) == copy);
    cr_assert_eq(ordo_rlu_abort(a), ORDO_LATER);
    cr_assert_eq(a->group.looks, own + 1);
    ordo_rlu_flush(a);
    cr_assert_eq(a->group.looks, 0);
    cr_assert_eq(see(b, n), 1);
    cr_assert_eq(b->group.looks, other + 1, "a read without a copy does not count");
    ordo_rlu_discard(&rlu, n);
    finish();
}

/* Looks up the key. Returns how many pending copies of other threads the lookup has read. */
static unsigned met_for(struct ordo_rlu_list *list, uint64_t key)
{
    unsigned before = b->group.looks;
    cr_expect_eq(ordo_rlu_list_contains(b, list, key), 1);
    return b->group.looks - before;
}

Test(rlu, a_lookup_reads_no_copy_of_the_found_node)
{
    struct ordo_rlu_list list;
    start(100, 1000);
    ordo_rlu_list_init(&list);
    for (uint64_t key = 1; key <= 4; key++)
        cr_assert_eq(ordo_rlu_list_add(a, &list, key), 1);
    ordo_rlu_flush(a);
    cr_assert_eq(ordo_rlu_list_remove(a, &list, 3), 1);
    cr_expect_eq(met_for(&list, 2), 0, "the copy of node 2 says nothing of its key");
    cr_expect_eq(met_for(&list, 3), 1, "the way to node 3 is the link of node 2");
    cr_expect_eq(met_for(&list, 4), 2);
    ordo_rlu_flush(a);
    cr_expect_eq(ordo_rlu_list_audit(&list), 3);
    ordo_rlu_list_clear(&rlu, &list);
    finish();
}

Test(rlu, an_adaptive_thread_limits_the_share_of_flush_time)
{
    enum { MOST = ORDO_RLU_DEFER_MOST };
    struct ordo_rlu_group group = {9, 9, 9, 999999, 9, 999999, 999999}; /* values that an earlier thread left */
    ordo_rlu_group_begin(&group, ORDO_RLU_DEFER_AUTO, 16);
    cr_assert_eq(group.most, 1, "at first");
    cr_assert_eq(adapt(&group, 100, 1000, 20000), 1, "flushes take 1/20");
    unsigned most = adapt(&group, 100, 1000, 2000);
    cr_assert(most >= 6 && most <= 8, "%u: 1/16 where it is 7 or 8", most);
    cr_assert_eq(adapt(&group, 200, 1000, 100), MOST);
    most = adapt(&group, 200, 3, 6);
    cr_assert(most >= 6 && most <= 12, "%u: a coarse clock gives nearly the same number", most);
    uint64_t now = group.flushed + UINT64_C(1000000000000);
    ordo_rlu_group_adapt(&group, group.most, 0, now - 3, now); /* the thread had no CPU for a long time */
    cr_assert_leq(most - group.most, 1);
    ordo_rlu_group_adapt(&group, group.most, 0, now + 1000,
                         now + 10); /* the thread moved to a CPU whose clock is behind */
    cr_assert_leq(most - group.most, 2);
    most = adapt(&group, 200, 3, 6);
    cr_assert(most >= 6 && most <= 12, "%u: the effects of the disturbances pass", most);
    ordo_rlu_group_adapt(&group, 1, 0, group.flushed + 1, group.flushed + 1000);
    cr_assert_leq(group.most, most,
                  "the thread did not gather that many commits: a larger number would change nothing");
    cr_assert_eq(adapt(&group, 200, 1000, 1000000), 1);
}

Test(rlu, a_conflict_reduces_deferral_at_once)
{
    start(ORDO_RLU_DEFER_AUTO, 0);
    struct number *n = make(0);
    a->group.most = 12;
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert(see(a, n) == 1 && see(b, n) == 0, "the commit is pending, as with any fixed number");
    cr_assert_eq(add(b, n, 1), ORDO_LATER);
    cr_assert_eq(see(a, n), 1, "the section flushes first");
    cr_assert(a->group.most == 6 && n->value == 1);
    struct ordo_rlu_group group = {.most = 7, .share = 16, .took = 1000000, .passed = 1};
    for (unsigned now = 7; now > 1; now -= now / 2) {
        cr_assert_eq(group.most, now);
        ordo_rlu_group_adapt(&group, now, 1, 0, 1000);
    }
    ordo_rlu_group_adapt(&group, 1, 1, 0, 1000);
    cr_assert_eq(group.most, 1);
    ordo_rlu_discard(&rlu, n);
    finish();
}

/* The time in which a thread waits for another thread's flush must not count as work between its own flushes; otherwise
 * the thread would gather no commits. */
Test(rlu, an_adaptive_thread_ignores_flushes_of_others)
{
    start(ORDO_RLU_DEFER_AUTO, 0);
    struct number *n = make(0);
    cr_assert_eq(ordo_rlu_raise(&rlu, 1000000), ORDO_OK);
    uint64_t flushed = a->group.flushed;
    /* The thread waits for the boundary, unless it loses its CPU for 0.4 ms. */
    for (uint64_t i = 1; a->statistics.boundary_waits == 0; i++) {
        cr_assert(i < 1000 && add(b, n, 1) == 0);
        ordo_rlu_flush(b); /* from its second flush on, the thread gathers more commits */
        cr_assert_eq(see(a, n), i);
    }
    cr_assert_eq(a->group.flushed - flushed, a->statistics.boundary_wait_ticks);
    ordo_rlu_discard(&rlu, n);
    finish();
}

/* This holds for any reading of the clock: the number starts from its least value, and each flush adds at most one
 * commit. */
Test(rlu, the_adaptive_number_of_deferred_commits_stays_in_range)
{
    struct ordo_rlu_statistics sum;
    start(ORDO_RLU_DEFER_AUTO, 50);
    struct number *n = make(0);
    for (unsigned i = 0; i < 10000; i++) {
        cr_assert_eq(add(a, n, 1), 0);
        cr_assert(a->pending < a->group.most && a->group.most >= 1 && a->group.most <= ORDO_RLU_DEFER_MOST);
    }
    ordo_rlu_flush(a);
    cr_assert_eq(add(a, n, 1), 0);
    for (int i = 0; i < 50; i++)
        (void)see(a, n);
    cr_assert_eq(a->pending, 0, "the flush comes after `defer_sections` sections");
    cr_assert_eq(see(b, n), 10001);
    ordo_rlu_statistics_read(&rlu, &sum);
    cr_assert(sum.commits == 10001 && sum.flushes >= 10001 / ORDO_RLU_DEFER_MOST);
    b->rlu->options.defer_bytes = 1;
    b->group.most = ORDO_RLU_DEFER_MOST;
    cr_assert_eq(add(b, n, 1), 0);
    cr_assert_eq(see(a, n), 10002, "the flush comes at `defer_bytes` bytes of log");
    ordo_rlu_thread_finish(a);
    cr_assert_eq(ordo_rlu_thread_init(&rlu, &a), 0);
    cr_assert_eq(a->group.most, 1, "another thread starts from 1");
    ordo_rlu_discard(&rlu, n);
    finish();
}

Test(rlu, only_adaptive_threads_change_the_number_of_deferred_commits)
{
    start(3, 0);
    struct number *n = make(0);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(add(a, n, 1), 0);
    cr_assert(a->group.most == 3 && a->pending == 1);
    ordo_rlu_flush(a);
    cr_assert_eq(a->group.most, 3);
    ordo_rlu_discard(&rlu, n);
    finish();
}

/* Runs one section that locks small and large objects, allocates and frees. Returns 1 if the section has committed,
 * otherwise 0. */
static int exchange(struct number **objects, size_t count, size_t bytes)
{
    struct number *copy, *added;
    ordo_rlu_reader_lock(a);
    for (size_t i = 0; i < count; i++) {
        copy = ordo_rlu_try_lock(a, objects[i], i % 2 ? bytes : sizeof *copy);
        if (!copy)
            break;
        copy->value += 1;
        if (i == 0)
            continue;
        added = ordo_rlu_alloc(a, i % 2 ? bytes : sizeof *copy);
        if (!added || !ordo_rlu_try_lock(a, added, sizeof *added))
            break;
        added->value = copy->value;
        cr_assert_eq(ordo_rlu_free(a, copy), 0);
        if (i == count - 1) {
            ordo_rlu_abort(a); /* all objects have been changed in the section */
            return 1;
        }
    }
    cr_assert_eq(ordo_rlu_abort(a), ORDO_E_SYSTEM);
    return 0;
}

Test(rlu, a_failed_allocation_leaves_no_effect)
{
    enum { COUNT = 6, BYTES = 20000 };
    struct number *objects[COUNT];
    int done = 0;
    for (long given = 0; !done; given++) {
        start(1, 0);
        for (int i = 0; i < COUNT; i++) {
            objects[i] = ordo_rlu_alloc(a, i % 2 ? BYTES : sizeof(struct number));
            objects[i]->value = (uint64_t)i;
        }
        left = given;
        done = exchange(objects, COUNT, BYTES);
        cr_assert(!done || given > COUNT, "the log has grown");
        left = 1000;
        for (int i = 0; i < COUNT; i++) {
            cr_assert(see(a, objects[i]) == (uint64_t)i && see(b, objects[i]) == (uint64_t)i);
            cr_assert_null(ordo_rlu_header_of(objects[i])->copy);
            cr_assert_eq(add(b, objects[i], 1), 0);
            ordo_rlu_discard(&rlu, objects[i]);
        }
        finish();
    }
}

Test(rlu, the_backoff_lasts_until_a_section_succeeds)
{
    start(8, 0);
    struct number *n = make(0);
    cr_assert_eq(add(a, n, 1), 0);
    ordo_rlu_reader_lock(a);
    ordo_rlu_abort(a);
    cr_assert_eq(add(b, n, 1), ORDO_LATER);
    ordo_rlu_reader_lock(a); /* flushes; the section is aborted below */
    cr_assert_eq(n->value, 1);
    ordo_rlu_abort(a);
    cr_assert_eq(a->turn, 2);
    (void)see(a, n);
    ordo_rlu_reader_lock(a);
    ordo_rlu_abort(a);
    cr_assert_eq(a->turn, 1);
    ordo_rlu_discard(&rlu, n);
    finish();
}

/* The limits are wide, because a nap ends only when the system wakes the thread. */
Test(rlu, naps_begin_short_and_double)
{
    struct ordo_rlu_statistics sum;
    struct timespec from, to;
    unsigned turn = ORDO_RLU_SPINS + ORDO_RLU_YIELDS;
    double shortest_us = 1e9;
    start(1, 0);
    for (int i = 0; i < 200; i++) {
        unsigned first = turn;
        clock_gettime(CLOCK_MONOTONIC, &from);
        ordo_rlu_wait_turn(&first, &a->statistics.yields, &a->statistics.sleeps);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double us = (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) * 1e-3;
        shortest_us = us < shortest_us ? us : shortest_us;
        cr_assert_eq(first, turn + 1);
    }
    cr_assert(shortest_us >= 50 && shortest_us < 500, "%g us", shortest_us);
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < 10; i++)
        ordo_rlu_wait_turn(&turn, &a->statistics.yields, &a->statistics.sleeps);
    clock_gettime(CLOCK_MONOTONIC, &to);
    cr_assert_geq((double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) * 1e-3,
                  50 + 100 + 200 + 400 + 6 * 800);
    ordo_rlu_statistics_read(&rlu, &sum);
    cr_assert_eq(sum.sleeps, 210);
    finish();
}

Test(rlu, a_conflict_without_deferral_requests_no_flush)
{
    start(1, 0);
    struct number *n = make(0);
    ordo_rlu_reader_lock(a);
    cr_assert_not_null(ordo_rlu_try_lock(a, n, sizeof *n));
    cr_assert_eq(add(b, n, 1), ORDO_LATER);
    cr_assert_eq(a->mark, 0);
    ordo_rlu_reader_unlock(a);
    ordo_rlu_discard(&rlu, n);
    finish();
}

Test(rlu, a_log_is_as_large_as_its_largest_commits)
{
    struct ordo_rlu_statistics sum;
    uint64_t largest = 0;
    start(1, 0);
    for (int round = 0; round < 50; round++) {
        for (size_t bytes = 64; bytes < 200000; bytes += bytes / 4 + (size_t)round * 8) {
            char *small = ordo_rlu_alloc(a, 9000), *object = ordo_rlu_alloc(a, bytes);
            ordo_rlu_reader_lock(a); /* the small object is locked sometimes before the large one, sometimes after it */
            if (bytes % 3)
                cr_assert_not_null(ordo_rlu_try_lock(a, small, 9000));
            cr_assert_not_null(ordo_rlu_try_lock(a, object, bytes));
            cr_assert_not_null(ordo_rlu_try_lock(a, small, 9000));
            ordo_rlu_reader_unlock(a);
            ordo_rlu_discard(&rlu, small);
            ordo_rlu_discard(&rlu, object);
        }
        ordo_rlu_statistics_read(&rlu, &sum);
        cr_assert(sum.log_bytes <= (largest ? 2 * largest : UINT64_MAX), "%lu bytes", (unsigned long)sum.log_bytes);
        if (round == 0)
            largest = sum.log_bytes;
    }
    cr_assert_lt(sum.log_bytes, 6 << 20);
    finish();
}

Test(rlu, exhausted_memory_is_an_error_without_effect)
{
    struct ordo_rlu_list list;
    struct ordo_rlu_tree tree;
    struct ordo_rlu_hash hash;
    struct ordo_rlu_thread *c = NULL;
    start(1, 0);
    ordo_rlu_list_init(&list);
    ordo_rlu_tree_init(&tree);
    cr_assert_eq(ordo_rlu_hash_init(&rlu, &hash, 0), ORDO_E_INVALID);
    for (long given = 0; given < 3; given++) {
        left = given;
        cr_assert_eq(ordo_rlu_thread_init(&rlu, &c), ORDO_E_SYSTEM);
    }
    left = 0;
    cr_assert_eq(ordo_rlu_hash_init(&rlu, &hash, 10), ORDO_E_SYSTEM);
    for (uint64_t key = 0; key < 1000; key++) {
        left = 0;
        cr_assert_eq(ordo_rlu_list_add(a, &list, key), ORDO_E_SYSTEM);
        cr_assert_eq(ordo_rlu_tree_add(a, &tree, key), ORDO_E_SYSTEM);
        left = 10;
        cr_assert_eq(ordo_rlu_list_add(a, &list, key), 1);
        cr_assert_eq(ordo_rlu_tree_add(a, &tree, key), 1);
        cr_assert_eq(ordo_rlu_list_audit(&list), (int64_t)key + 1);
    }
    cr_assert_eq(ordo_rlu_tree_audit(&tree), 1000);
    struct ordo_rlu_list_node *first = ordo_rlu_link_at_rest(&list.head), *second = ordo_rlu_link_at_rest(&first->link);
    second->key = 0;
    cr_assert_eq(ordo_rlu_list_audit(&list), ORDO_E_INVALID);
    tree.root.child[0]->key = 5000;
    cr_assert_eq(ordo_rlu_tree_audit(&tree), ORDO_E_INVALID);
    ordo_rlu_list_clear(&rlu, &list);
    ordo_rlu_tree_clear(&rlu, &tree);
    finish();
}
