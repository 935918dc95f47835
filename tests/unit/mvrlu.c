/* MV-RLU without races: undo by an abort, the versions that a long reader retains, a full log, exhausted memory. One
 * thread uses two struct ordo_mvrlu_thread, which stand for two threads. */
#include <criterion/criterion.h>

#include <ordo/cc/mvrlu/hash.h>
#include <ordo/cc/mvrlu/tree.h>

#include "allocator.h"
#include "base/random.h"

enum { BOUNDARY = 1000, LOG = 4 * (int)ORDO_MVRLU_CHUNK_BYTES };

struct number {
    uint64_t value;
};

static struct ordo_mvrlu domain;
static struct ordo_mvrlu_thread *a, *b;

static void start_with_log(int own_clock, unsigned defer, size_t log_bytes)
{
    struct ordo_mvrlu_options options = {.boundary_ticks = BOUNDARY,
                                         .defer_commits = defer,
                                         .defer_sections = 20,
                                         .log_bytes = log_bytes,
                                         .collect_commits = 1,
                                         .own_clock = own_clock,
                                         .memory = {allocate, release, NULL}};
    allocated = 0;
    left = 1000000;
    cr_assert_eq(ordo_mvrlu_create(&domain, &options), 0);
    cr_assert_eq(ordo_mvrlu_thread_init(&domain, &a), 0);
    cr_assert_eq(ordo_mvrlu_thread_init(&domain, &b), 0);
}

static void start_deferring(int own_clock, unsigned defer)
{
    start_with_log(own_clock, defer, LOG);
}

static void start(int own_clock)
{
    start_deferring(own_clock, 0);
}

static void finish(void)
{
    ordo_mvrlu_thread_finish(a);
    ordo_mvrlu_thread_finish(b);
    ordo_mvrlu_destroy(&domain);
    cr_assert_eq(allocated, 0, "%ld blocks were not released", allocated);
}

static struct number *make(uint64_t value)
{
    struct number *n = ordo_mvrlu_alloc(a, sizeof *n);
    n->value = value;
    return n;
}

static uint64_t look(struct ordo_mvrlu_thread *t, struct number *n)
{
    return ((struct number *)ordo_mvrlu_dereference(t, n))->value;
}

static uint64_t see(struct ordo_mvrlu_thread *t, struct number *n)
{
    uint64_t value;
    ordo_mvrlu_reader_lock(t);
    value = look(t, n);
    ordo_mvrlu_reader_unlock(t);
    return value;
}

/* Adds to a number at the begin of an object of `bytes`, in the current section. Returns 0, or -1 if the section must
 * abort. */
static int add_to_large_in(struct ordo_mvrlu_thread *t, struct number *n, size_t bytes, uint64_t amount)
{
    struct number *copy = ordo_mvrlu_try_lock(t, n, bytes);
    if (!copy)
        return -1;
    copy->value += amount;
    return 0;
}

static int add_in(struct ordo_mvrlu_thread *t, struct number *n, uint64_t amount)
{
    return add_to_large_in(t, n, sizeof *n, amount);
}

static int add_to_large(struct ordo_mvrlu_thread *t, struct number *n, size_t bytes)
{
    int result;
    ORDO_MVRLU_SECTION(t, result, add_to_large_in(t, n, bytes, 1));
    return result;
}

static int add(struct ordo_mvrlu_thread *t, struct number *n, uint64_t amount)
{
    int result;
    ORDO_MVRLU_SECTION(t, result, add_in(t, n, amount));
    return result;
}

static void discard(struct number *n)
{
    ordo_mvrlu_rest(&domain);
    cr_expect_null(ordo_mvrlu_header_of(n)->copy);
    ordo_mvrlu_discard(&domain, n);
}

static void sees_what_was_committed_before(int own_clock)
{
    struct number *n;
    start(own_clock);
    n = make(1);
    ordo_mvrlu_reader_lock(b);
    cr_expect_eq(look(b, n), 1);
    cr_expect_eq(add(a, n, 1), 0);
    cr_expect_eq(add(a, n, 1), 0);
    cr_expect_eq(see(a, n), 3);
    cr_expect_eq(look(b, n), 1, "the view of a section does not change under it");
    ordo_mvrlu_reader_unlock(b);
    cr_expect_eq(see(b, n), 3, "a returned commit is visible");
    discard(n);
    finish();
}

Test(mvrlu, a_section_sees_the_commits_before_it)
{
    sees_what_was_committed_before(0);
}

Test(mvrlu, a_section_with_its_own_clock_sees_earlier_commits)
{
    sees_what_was_committed_before(1);
}

Test(mvrlu, an_abort_undoes_the_changes_that_the_section_saw)
{
    struct number *n, *copy;
    long before;
    start(0);
    n = make(1);
    before = allocated;
    ordo_mvrlu_reader_lock(a);
    copy = ordo_mvrlu_try_lock(a, n, sizeof *n);
    copy->value = 7;
    cr_expect_eq(look(a, n), 7);
    cr_expect_eq(ordo_mvrlu_dereference(a, copy), copy);
    cr_expect_eq(ordo_mvrlu_try_lock(a, n, sizeof *n), copy, "an object that is locked twice has one copy");
    cr_expect(ordo_mvrlu_cmp_ptrs(copy, n));
    cr_expect_eq(see(b, n), 1, "no other thread sees the changes");
    cr_assert_not_null(ordo_mvrlu_alloc(a, 100));
    cr_expect_eq(ordo_mvrlu_abort(a), ORDO_LATER);
    cr_expect_eq(allocated, before, "allocations of the section are freed");
    cr_expect_eq(see(a, n), 1);
    cr_expect_eq(add(b, n, 1), 0, "nothing stays locked");
    discard(n);
    finish();
}

Test(mvrlu, one_of_two_conflicting_sections_aborts)
{
    struct number *n;
    start(0);
    n = make(1);
    ordo_mvrlu_reader_lock(a);
    ordo_mvrlu_reader_lock(b);
    cr_expect_eq(add_in(a, n, 1), 0);
    cr_expect_eq(add_in(b, n, 1), -1, "it is locked");
    cr_expect_eq(ordo_mvrlu_abort(b), ORDO_LATER);
    ordo_mvrlu_reader_lock(b);
    cr_expect_eq(ordo_mvrlu_reader_unlock(a), ORDO_OK);
    cr_expect_eq(add_in(b, n, 1), -1, "the object was changed since the section began");
    cr_expect_eq(ordo_mvrlu_abort(b), ORDO_LATER);
    cr_expect_eq(add(b, n, 1), 0);
    cr_expect_eq(see(a, n), 3);
    discard(n);
    finish();
}

Test(mvrlu, a_version_that_every_section_sees_is_written_back)
{
    struct number *n;
    struct ordo_mvrlu_statistics sum;
    start(0);
    n = make(1);
    cr_expect_eq(add(a, n, 1), 0);
    cr_expect_not_null(ordo_mvrlu_header_of(n)->copy);
    ordo_mvrlu_reader_lock(b);
    ordo_mvrlu_collect(a);
    cr_expect_null(ordo_mvrlu_header_of(n)->copy, "a reader that sees the version does not prevent its write-back");
    cr_expect_eq(look(b, n), 2);
    cr_expect_eq(add(a, n, 1), 0);
    ordo_mvrlu_collect(a);
    cr_expect_not_null(ordo_mvrlu_header_of(n)->copy, "a reader that does not see the version prevents its write-back");
    cr_expect_eq(n->value, 2);
    ordo_mvrlu_reader_unlock(b);
    ordo_mvrlu_collect(a);
    ordo_mvrlu_collect(a);
    cr_expect_null(ordo_mvrlu_header_of(n)->copy);
    cr_expect_eq(n->value, 3);
    ordo_mvrlu_statistics_read(&domain, &sum);
    cr_expect_eq(sum.commits, 2);
    cr_expect_eq(sum.written_back, 2);
    discard(n);
    finish();
}

Test(mvrlu, a_long_section_fills_the_log_of_writers)
{
    struct number *n;
    struct ordo_mvrlu_statistics sum;
    int code, commits = 0;
    start(0);
    n = make(0);
    ordo_mvrlu_reader_lock(b);
    cr_expect_eq(look(b, n), 0);
    while ((code = add(a, n, 1)) == ORDO_OK)
        cr_assert_lt(++commits, LOG / 64);
    cr_expect_eq(code, ORDO_E_FULL);
    ordo_mvrlu_statistics_read(&domain, &sum);
    cr_expect_leq(sum.log_bytes, 2 * LOG);
    cr_expect_gt(sum.fulls, 0);
    cr_expect_eq(look(b, n), 0, "the reader is not disturbed");
    cr_expect_eq(see(a, n), (uint64_t)commits, "committed changes are not disturbed either");
    ordo_mvrlu_reader_unlock(b);
    for (int i = 0; i < LOG; i++)
        cr_assert_eq(add(a, n, 1), 0, "when the reader has ended the log never fills again");
    cr_expect_eq(see(b, n), (uint64_t)commits + LOG);
    discard(n);
    finish();
}

Test(mvrlu, an_object_larger_than_the_log_is_refused)
{
    void *large;
    start(0);
    large = ordo_mvrlu_alloc(a, LOG);
    ordo_mvrlu_reader_lock(a);
    cr_expect_null(ordo_mvrlu_try_lock(a, large, LOG));
    cr_expect_eq(a->code, ORDO_E_FULL);
    (void)ordo_mvrlu_abort(a);
    ordo_mvrlu_discard(&domain, large);
    finish();
}

Test(mvrlu, a_log_of_one_chunk_is_reused)
{
    static const unsigned defers[] = {0, 64, ORDO_RLU_DEFER_AUTO};
    for (int i = 0; i < 6; i++) {
        start_with_log(i / 3, defers[i % 3], ORDO_MVRLU_CHUNK_BYTES);
        struct number *n = make(0);
        for (int k = 0; k < 1000; k++)
            cr_assert_eq(add(a, n, 1), 0, "case %d, commit %d", i, k);
        ordo_mvrlu_flush(a);
        cr_expect_eq(see(b, n), 1000);
        discard(n);
        finish();
    }
}

/* A log of four chunks, all of which small objects have used, must find space for a larger object again. */
Test(mvrlu, small_chunks_make_room_for_a_larger_one)
{
    enum { LARGE = (int)ORDO_MVRLU_CHUNK_BYTES * 3 / 2 };
    struct ordo_mvrlu_statistics sum;
    start(0);
    struct number *small = make(0), *large = ordo_mvrlu_alloc(a, LARGE);
    memset(large, 0, LARGE);
    for (int i = 0; i < 3; i++) {
        ordo_mvrlu_reader_lock(b);
        while (add(a, small, 1) == 0)
            ;
        ordo_mvrlu_reader_unlock(b);
        for (int k = 0; k < 10; k++)
            cr_assert_eq(add_to_large(a, large, LARGE), 0, "round %d, commit %d", i, k);
        ordo_mvrlu_statistics_read(&domain, &sum);
        cr_expect_leq(sum.log_bytes, LOG + ORDO_MVRLU_CHUNK_BYTES, "%lu bytes", (unsigned long)sum.log_bytes);
    }
    cr_expect_eq(see(b, large), 30);
    discard(small);
    discard(large);
    finish();
}

/* Runs ten sections on the same objects: up to 4, of random sizes, which together take a quarter of the log. */
static void change_a_quarter(size_t log_bytes, uint64_t *random)
{
    enum { MOST = 4, MORE = 112 };
    struct number *objects[MOST];
    size_t bytes[MOST], room = log_bytes / 4;
    int count = 0, result, tries;
    for (; count < MOST && room >= MORE + sizeof(struct number); count++) {
        size_t most = room - MORE, least = sizeof(struct number);
        bytes[count] = ordo_random_next(random) % 3 ? least + ordo_random_next(random) % (most - least + 1) : most;
        room -= bytes[count] + MORE;
        objects[count] = ordo_mvrlu_alloc(a, bytes[count]);
        memset(objects[count], 0, bytes[count]);
    }
    for (int turn = 0; turn < 10; turn++) {
        tries = 0;
        do {
            ordo_mvrlu_reader_lock(a);
            result = 0;
            for (int i = 0; i < count && result == 0; i++)
                result = add_to_large_in(a, objects[i], bytes[i], 1);
            result = result ? ordo_mvrlu_abort(a) : ordo_mvrlu_reader_unlock(a);
            cr_assert(result == 0 || result == ORDO_LATER, "%zu bytes of log: %d", log_bytes, result);
            cr_assert_lt(++tries, 4, "%zu bytes of log", log_bytes);
        } while (result);
    }
    ordo_mvrlu_rest(&domain);
    for (int i = 0; i < count; i++) {
        cr_expect_eq(objects[i]->value, 10);
        ordo_mvrlu_discard(&domain, objects[i]);
    }
}

Test(mvrlu, a_section_can_always_use_a_quarter_of_the_log)
{
    static const int chunks[] = {1, 2, 3, 5, 12, 32};
    uint64_t random = 1;
    for (int i = 0; i < 24; i++) {
        size_t log_bytes = (size_t)chunks[i / 4] * ORDO_MVRLU_CHUNK_BYTES;
        start_with_log(i & 1, i & 2 ? 64 : 0, log_bytes);
        domain.options.collect_commits = 16;
        for (int k = 0; k < 100; k++)
            change_a_quarter(log_bytes, &random);
        finish();
    }
}

/* Runs `sections` sections after a collection, then commits once. Returns the number of collections that this commit
 * causes. */
static uint64_t looks_after(int sections)
{
    struct ordo_mvrlu_statistics before, now;
    struct number *n;
    start(0);
    domain.options.collect_commits = 16;
    n = make(1);
    ordo_mvrlu_collect(a);
    ordo_mvrlu_statistics_read(&domain, &before);
    for (int i = 0; i < sections; i++)
        (void)see(a, n);
    cr_assert_eq(add(a, n, 1), 0);
    for (int i = 0; i < 2 * ORDO_MVRLU_SOON; i++)
        (void)see(a, n);
    ordo_mvrlu_statistics_read(&domain, &now);
    cr_expect_eq(now.written_back - before.written_back, now.collections - before.collections);
    ordo_mvrlu_rest(&domain);
    ordo_mvrlu_discard(&domain, n);
    finish();
    return now.collections - before.collections;
}

Test(mvrlu, a_thread_that_commits_rarely_writes_back_soon)
{
    cr_expect_eq(looks_after(ORDO_MVRLU_REST), 1);
    cr_expect_eq(looks_after(0), 0);
}

Test(mvrlu, free_refuses_unlocked_objects)
{
    struct number *n;
    long before;
    start(0);
    n = make(1);
    ordo_mvrlu_reader_lock(a);
    cr_expect_eq(ordo_mvrlu_free(a, n), ORDO_E_INVALID);
    cr_expect_eq(ordo_mvrlu_abort(a), ORDO_E_INVALID);
    before = allocated;
    ordo_mvrlu_reader_lock(b);
    ordo_mvrlu_reader_lock(a);
    cr_assert_not_null(ordo_mvrlu_try_lock(a, n, sizeof *n));
    cr_expect_eq(ordo_mvrlu_free(a, n), ORDO_OK);
    cr_expect_eq(ordo_mvrlu_free(a, n), ORDO_E_INVALID, "a second free of the object is refused");
    cr_expect_eq(ordo_mvrlu_reader_unlock(a), ORDO_OK);
    for (int i = 0; i < 3; i++)
        ordo_mvrlu_collect(a);
    cr_expect_eq(look(b, n), 1, "a section that may still reach the object finds it");
    cr_expect_eq(allocated, before);
    ordo_mvrlu_reader_unlock(b);
    for (int i = 0; i < 3; i++)
        ordo_mvrlu_collect(a);
    cr_expect_eq(allocated, before - 1);
    finish();
}

Test(mvrlu, exhausted_memory_is_an_error_without_effect)
{
    struct ordo_mvrlu_thread *c;
    struct ordo_mvrlu_hash hash;
    start(0);
    cr_assert_eq(ordo_mvrlu_hash_init(&domain, &hash, 3), 0);
    left = 0;
    cr_expect_eq(ordo_mvrlu_thread_init(&domain, &c), ORDO_E_SYSTEM);
    cr_expect_eq(ordo_mvrlu_hash_add(a, &hash, 1), ORDO_E_SYSTEM);
    left = 1;
    cr_expect_eq(ordo_mvrlu_thread_init(&domain, &c), ORDO_E_SYSTEM);
    left = 1000;
    cr_expect_eq(ordo_mvrlu_hash_add(a, &hash, 1), 1);
    cr_expect_eq(ordo_mvrlu_hash_contains(b, &hash, 1), 1);
    cr_expect_eq(ordo_mvrlu_hash_remove(b, &hash, 1), 1);
    ordo_mvrlu_rest(&domain);
    cr_expect_eq(ordo_mvrlu_hash_audit(&hash), 0);
    ordo_mvrlu_hash_destroy(&domain, &hash);
    finish();
}

Test(mvrlu, a_thread_reuses_the_log_of_a_finished_thread)
{
    struct number *n;
    struct ordo_mvrlu_thread *c;
    long before;
    start(0);
    n = make(1);
    before = allocated;
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(ordo_mvrlu_thread_init(&domain, &c), 0);
        cr_assert_eq(add(c, n, 1), 0);
        ordo_mvrlu_thread_finish(c);
    }
    cr_expect_leq(allocated, before + 3); /* one block for the thread, and two for the alternating chunks of its log */
    cr_expect_eq(see(a, n), 101);
    discard(n);
    finish();
}

/* An allocation that fails outside of a section does not make the next section fail. */
Test(mvrlu, an_allocation_failure_outside_a_section_fails_no_section)
{
    start(0);
    left = 0;
    cr_expect_null(ordo_mvrlu_alloc(a, 8));
    cr_expect_null(ordo_mvrlu_alloc(a, ORDO_MVRLU_LARGEST + 1));
    left = 1000000;
    ordo_mvrlu_reader_lock(a);
    cr_expect_eq(ordo_mvrlu_abort(a), ORDO_LATER);
    left = 0;
    ordo_mvrlu_reader_lock(a);
    cr_expect_null(ordo_mvrlu_alloc(a, 8));
    cr_expect_eq(ordo_mvrlu_abort(a), ORDO_E_SYSTEM, "a failure in the section is reported");
    finish();
}

Test(mvrlu, wrong_options_and_boundaries_are_refused)
{
    struct ordo_mvrlu other;
    struct ordo_mvrlu_options options = {.boundary_ticks = 0};
    struct number *n;
    cr_expect_eq(ordo_mvrlu_create(&other, &options), ORDO_E_INVALID);
    options.unsafe_boundary = 1;
    cr_expect_eq(ordo_mvrlu_create(&other, &options), ORDO_OK);
    options.log_bytes = ORDO_MVRLU_CHUNK_BYTES - 1;
    cr_expect_eq(ordo_mvrlu_create(&other, &options), ORDO_E_INVALID);
    options.log_bytes++;
    cr_expect_eq(ordo_mvrlu_create(&other, &options), ORDO_OK);
    start(0);
    n = make(1);
    cr_expect_eq(add(a, n, 1), 0);
    ordo_mvrlu_reader_lock(b);
    cr_expect_eq(ordo_mvrlu_raise(&domain, 2 * BOUNDARY), ORDO_E_INVALID, "b is in a section");
    ordo_mvrlu_reader_unlock(b);
    cr_expect_eq(n->value, 1);
    cr_expect_eq(ordo_mvrlu_raise(&domain, BOUNDARY), ORDO_E_INVALID);
    cr_expect_eq(n->value, 2, "the version is written back even so");
    cr_expect_eq(ordo_mvrlu_raise(&domain, 2 * BOUNDARY), ORDO_OK);
    cr_expect_eq(see(b, n), 2);
    discard(n);
    finish();
}

Test(mvrlu, a_disrupted_record_undoes_commits)
{
    static struct ordo_record record;
    struct ordo handle = {.not_boundary = ~(uint64_t)BOUNDARY, .record = &record};
    struct ordo_mvrlu_options options = {.boundary_ticks = BOUNDARY, .watch = &handle};
    struct number *n;
    record.status = ORDO_RECORD_VALID;
    cr_assert_eq(ordo_mvrlu_create(&domain, &options), 0);
    cr_assert_eq(ordo_mvrlu_thread_init(&domain, &a), 0);
    n = make(1);
    cr_expect_eq(add(a, n, 1), 0);
    __atomic_store_n(&record.status, ORDO_RECORD_DISRUPTED, __ATOMIC_RELAXED);
    cr_expect_eq(add(a, n, 1), ORDO_E_DISRUPTED);
    cr_expect_eq(see(a, n), 2);
    ordo_mvrlu_thread_finish(a);
    discard(n);
    ordo_mvrlu_destroy(&domain);
}

static void pending_commits_are_seen_after_their_flush(int own_clock)
{
    struct ordo_mvrlu_statistics sum;
    struct number *n;
    start_deferring(own_clock, 8);
    n = make(0);
    for (uint64_t i = 1; i < 8; i++) {
        cr_assert_eq(add(a, n, 1), 0);
        cr_assert(see(a, n) == i && see(b, n) == 0);
    }
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(see(b, n), 8, "the flush comes after `defer_commits` commits");
    cr_assert_eq(add(a, n, 1), 0);
    for (int i = 0; i < 19; i++)
        cr_assert(see(a, n) == 9 && see(b, n) == 8);
    (void)see(a, n);
    cr_assert_eq(see(b, n), 9, "the flush comes after `defer_sections` sections");
    cr_assert_eq(add(a, n, 1), 0);
    ordo_mvrlu_poll(a);
    cr_assert_eq(see(b, n), 9, "no thread asked for a flush");
    ordo_mvrlu_flush(a);
    cr_assert_eq(see(b, n), 10);
    a->domain->options.defer_bytes = 1;
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert_eq(see(b, n), 11, "the flush comes at `defer_bytes` bytes of log");
    a->domain->options.defer_bytes = LOG;
    cr_assert_eq(add(a, n, 1), 0);
    ordo_mvrlu_statistics_read(&domain, &sum);
    cr_assert(sum.commits == 12 && sum.flushes == 4);
    ordo_mvrlu_thread_finish(a);
    cr_assert_eq(see(b, n), 12, "the flush comes at the end of the thread");
    cr_assert_eq(ordo_mvrlu_thread_init(&domain, &a), 0);
    cr_assert_eq(add(a, n, 1), 0);
    ordo_mvrlu_rest(&domain);
    cr_assert(n->value == 13 && a->pending == 0, "at rest");
    discard(n);
    finish();
}

Test(mvrlu, pending_commits_are_seen_after_their_flush)
{
    pending_commits_are_seen_after_their_flush(0);
    pending_commits_are_seen_after_their_flush(1);
}

Test(mvrlu, an_abort_keeps_pending_commits)
{
    struct number *n, *m, *seen, *copy;
    start_deferring(0, 8);
    n = make(0);
    m = make(10);
    cr_assert_eq(add(a, n, 1), 0);
    long before = allocated;
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(ordo_mvrlu_reader_lock(a), 0);
        seen = ordo_mvrlu_dereference(a, n);
        copy = ordo_mvrlu_try_lock(a, seen, sizeof *n);
        cr_assert(copy != seen && copy->value == 1, "the section has a version of its own");
        cr_assert_eq(ordo_mvrlu_try_lock(a, n, sizeof *n), copy, "a section has one version of an object");
        cr_assert(ordo_mvrlu_dereference(a, seen) == copy && ordo_mvrlu_dereference(a, n) == copy);
        copy->value = 100;
        cr_assert_not_null(ordo_mvrlu_try_lock(a, m, sizeof *m));
        cr_assert_eq(ordo_mvrlu_free(a, m), 0);
        cr_assert_not_null(ordo_mvrlu_alloc(a, 50));
        cr_assert_eq(ordo_mvrlu_abort(a), ORDO_LATER);
        cr_assert(see(a, n) == 1 && see(a, m) == 10 && see(b, n) == 0 && allocated == before);
    }
    cr_assert_eq(ordo_mvrlu_reader_lock(a), 0);
    cr_assert_eq(ordo_mvrlu_free(a, n), ORDO_E_INVALID, "locked by an earlier section");
    cr_assert_eq(ordo_mvrlu_abort(a), ORDO_E_INVALID);
    cr_assert_eq(add(a, n, 1), 0);
    ordo_mvrlu_flush(a);
    cr_assert(see(b, n) == 2 && see(b, m) == 10);
    discard(n);
    discard(m);
    finish();
}

Test(mvrlu, a_conflict_flushes_a_pending_object)
{
    struct number *n;
    start_deferring(0, ORDO_RLU_DEFER_AUTO);
    n = make(0);
    a->group.most = 8;
    cr_assert_eq(add(a, n, 1), 0);
    ordo_mvrlu_reader_lock(b);
    cr_assert_eq(add_in(b, n, 5), -1);
    cr_assert_eq(ordo_mvrlu_abort(b), ORDO_LATER);
    cr_assert_eq(see(b, n), 0, "the flush was requested, but has not happened yet");
    cr_assert_eq(see(a, n), 1, "this section flushes first");
    cr_assert(see(b, n) == 1 && a->group.most == 4);
    b->group.most = 8;
    cr_assert_eq(add(b, n, 5), 0);
    ordo_mvrlu_reader_lock(a);
    cr_assert_eq(add_in(a, n, 1), -1);
    cr_assert_eq(ordo_mvrlu_abort(a), ORDO_LATER);
    ordo_mvrlu_poll(b);
    cr_assert_eq(see(a, n), 6);
    cr_assert_eq(add(a, n, 1), 0);
    cr_assert(a->pending == 1 && see(b, n) == 6, "the request was already served");
    discard(n);
    finish();
}

/* a's log contains a version of n, which b's pending version of n retains. */
Test(mvrlu, a_full_log_flushes_pending_commits)
{
    struct number *n, *m;
    int result, tries;
    start_deferring(0, 1000000);
    b->domain->options.defer_sections = 1000000;
    n = make(0);
    m = make(0);
    cr_assert_eq(add(a, n, 1), 0);
    ordo_mvrlu_flush(a);
    cr_assert_eq(add(b, n, 1), 0);
    for (tries = 0; !b->asked && tries < 10000; tries++) {
        ordo_mvrlu_reader_lock(a);
        result = add_in(a, m, 1);
        if (result == 0)
            ordo_mvrlu_reader_unlock(a);
        else
            cr_assert_eq(ordo_mvrlu_abort(a), ORDO_LATER);
    }
    cr_assert_eq(b->asked, 1);
    cr_assert_eq(see(b, n), 2);
    cr_assert_eq(b->pending, 0);
    for (tries = 0; tries < 10000; tries++)
        cr_assert_eq(add(a, m, 1), 0);
    discard(n);
    discard(m);
    finish();
}

Test(mvrlu, a_disrupted_record_keeps_pending_commits)
{
    struct ordo_record record = {.status = ORDO_RECORD_VALID};
    struct ordo handle = {.not_boundary = ~UINT64_C(1000), .record = &record};
    struct number *n;
    start_deferring(0, 8);
    domain.stamp.watch = &handle;
    n = make(0);
    cr_assert_eq(add(a, n, 1), 0);
    record.status = ORDO_RECORD_DISRUPTED;
    cr_assert_eq(add(a, n, 1), ORDO_E_DISRUPTED);
    cr_assert(see(a, n) == 1 && see(b, n) == 0);
    ordo_mvrlu_flush(a);
    cr_assert_eq(see(b, n), 1);
    discard(n);
    finish();
}

Test(mvrlu, a_tree_and_a_list_contain_the_expected_keys)
{
    struct ordo_mvrlu_tree tree;
    struct ordo_mvrlu_list list;
    start(0);
    ordo_mvrlu_tree_init(&tree);
    ordo_mvrlu_list_init(&list);
    for (uint64_t key = 0; key < 200; key++) {
        cr_assert_eq(ordo_mvrlu_tree_add(key & 1 ? a : b, &tree, key * 37 % 200), 1);
        cr_assert_eq(ordo_mvrlu_list_add(key & 1 ? a : b, &list, key * 37 % 200), 1);
    }
    for (uint64_t key = 0; key < 200; key += 2) {
        cr_assert_eq(ordo_mvrlu_tree_remove(key & 2 ? a : b, &tree, key), 1);
        cr_assert_eq(ordo_mvrlu_list_remove(key & 2 ? a : b, &list, key), 1);
    }
    for (uint64_t key = 0; key < 200; key++) {
        cr_assert_eq(ordo_mvrlu_tree_contains(a, &tree, key), (int)(key & 1));
        cr_assert_eq(ordo_mvrlu_list_contains(b, &list, key), (int)(key & 1));
    }
    ordo_mvrlu_rest(&domain);
    cr_expect_eq(ordo_mvrlu_tree_audit(&tree), 100);
    cr_expect_eq(ordo_mvrlu_list_audit(&list), 100);
    ordo_mvrlu_tree_clear(&domain, &tree);
    ordo_mvrlu_list_clear(&domain, &list);
    finish();
}

#define TESTS_RLU(name) ordo_mvrlu_##name
#include "links.h"

Test(mvrlu, a_section_follows_links_as_of_its_begin)
{
    struct ordo_mvrlu_thread *readers[3];
    struct ordo_rlu_link link = {{NULL}};
    start(0);
    struct node *nodes[3] = {NULL, make_node(1), make_node(2)};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(ordo_mvrlu_thread_init(&domain, &readers[i]), 0);
        if (i > 0)
            point(i == 1 ? a : b, &link, nodes[i]);
        cr_assert_eq(ordo_mvrlu_reader_lock(readers[i]), 0);
    }
    ordo_mvrlu_collect(a);
    ordo_mvrlu_collect(b);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(ordo_mvrlu_follow(readers[i], &link), nodes[i]);
    for (int i = 0; i < 3; i++) {
        ordo_mvrlu_reader_unlock(readers[i]);
        ordo_mvrlu_thread_finish(readers[i]);
    }
    cr_assert(ordo_rlu_link_is_locked(&link));
    ordo_mvrlu_collect(a);
    ordo_mvrlu_collect(b);
    cr_assert(!ordo_rlu_link_is_locked(&link) && ordo_rlu_link_at_rest(&link) == nodes[2]);
    ordo_mvrlu_discard_node(&domain, nodes[1]);
    ordo_mvrlu_discard_node(&domain, nodes[2]);
    finish();
}

Test(mvrlu, an_abort_restores_a_link)
{
    struct ordo_rlu_link link = {{NULL}};
    start_deferring(0, 8);
    struct node *first = make_node(1);
    for (int pending = 0; pending < 2; pending++) {
        if (pending)
            point(a, &link, first);
        ordo_mvrlu_reader_lock(a);
        *ordo_mvrlu_try_lock_link(a, &link) = &link;
        cr_assert_eq(ordo_mvrlu_follow(a, &link), &link);
        cr_assert_eq(ordo_mvrlu_abort(a), ORDO_LATER);
        cr_assert_eq(see_link(a, &link), pending ? first : NULL);
        cr_assert_null(see_link(b, &link));
    }
    ordo_mvrlu_reader_lock(b);
    cr_assert_null(ordo_mvrlu_try_lock_link(b, &link));
    cr_assert_eq(ordo_mvrlu_abort(b), ORDO_LATER);
    cr_assert_eq(see_link(a, &link), first, "a thread that was asked to flush flushes first");
    cr_assert_eq(see_link(b, &link), first);
    ordo_mvrlu_rest(&domain);
    cr_assert_eq(ordo_rlu_link_at_rest(&link), first);
    ordo_mvrlu_discard_node(&domain, first);
    finish();
}

Test(mvrlu, only_a_node_with_a_locked_link_can_be_freed)
{
    struct ordo_rlu_link link = {{NULL}};
    volatile size_t too_large = SIZE_MAX;
    start(0);
    long before = allocated;
    struct node *node = make_node(1);
    point(a, &link, node);
    ordo_mvrlu_reader_lock(a);
    cr_assert_eq(ordo_mvrlu_free_node(a, node), ORDO_E_INVALID);
    cr_assert_eq(ordo_mvrlu_abort(a), ORDO_E_INVALID);
    ordo_mvrlu_reader_lock(a);
    *ordo_mvrlu_try_lock_link(a, &link) = *ordo_mvrlu_try_lock_link(a, &node->link);
    cr_assert_eq(ordo_mvrlu_free_node(a, node), ORDO_OK);
    cr_assert_eq(ordo_mvrlu_free_node(a, node), ORDO_E_INVALID, "twice");
    cr_assert_eq(ordo_mvrlu_abort(a), ORDO_E_INVALID);
    cr_assert(see_link(b, &link) == node && see_link(b, &node->link) == NULL);
    ordo_mvrlu_reader_lock(a);
    *ordo_mvrlu_try_lock_link(a, &link) = *ordo_mvrlu_try_lock_link(a, &node->link);
    cr_assert_eq(ordo_mvrlu_free_node(a, node), ORDO_OK);
    ordo_mvrlu_reader_unlock(a);
    ordo_mvrlu_rest(&domain);
    cr_assert(allocated == before && see_link(b, &link) == NULL);
    ordo_mvrlu_reader_lock(a);
    cr_assert_null(ordo_mvrlu_alloc_node(a, too_large));
    cr_assert_not_null(make_node(2));
    left = 0;
    cr_assert_null(ordo_mvrlu_alloc_node(a, sizeof *node));
    cr_assert_eq(ordo_mvrlu_abort(a), ORDO_E_SYSTEM);
    cr_assert_eq(allocated, before);
    finish();
}

/* a's log contains a version of the link, which b's pending version retains. */
Test(mvrlu, a_full_log_flushes_pending_links)
{
    struct ordo_rlu_link link = {{NULL}}, other = {{NULL}};
    void **to;
    start_deferring(0, 1000000);
    b->domain->options.defer_sections = 1000000;
    point(a, &link, &link);
    ordo_mvrlu_flush(a);
    point(b, &link, &other);
    for (int tries = 0; !b->asked && tries < 10000; tries++) {
        ordo_mvrlu_reader_lock(a);
        to = ordo_mvrlu_try_lock_link(a, &other);
        if (to)
            ordo_mvrlu_reader_unlock(a);
        else
            cr_assert_eq(ordo_mvrlu_abort(a), ORDO_LATER);
    }
    cr_assert_eq(b->asked, 1);
    cr_assert_eq(see_link(b, &link), &other);
    cr_assert_eq(b->pending, 0);
    finish();
}

/* Returns the number of versions, instead of original nodes, that a lookup of the key reads. */
static uint64_t taken_for(struct ordo_mvrlu_list *list, uint64_t key, int found)
{
    uint64_t before = b->statistics.steals;
    cr_expect_eq(ordo_mvrlu_list_contains(b, list, key), found);
    return b->statistics.steals - before;
}

Test(mvrlu, a_lookup_reads_no_version_of_the_found_node)
{
    struct ordo_mvrlu_thread *reader;
    struct ordo_mvrlu_list list;
    start(0);
    ordo_mvrlu_list_init(&list);
    for (uint64_t key = 1; key <= 4; key++)
        cr_assert_eq(ordo_mvrlu_list_add(a, &list, key), 1);
    ordo_mvrlu_rest(&domain);
    cr_assert_eq(ordo_mvrlu_thread_init(&domain, &reader), 0);
    cr_assert_eq(ordo_mvrlu_reader_lock(reader), 0);
    cr_assert_eq(ordo_mvrlu_list_remove(a, &list, 3), 1);
    cr_expect_eq(taken_for(&list, 2, 1), 0, "the version of node 2 says nothing of its key");
    cr_expect_eq(taken_for(&list, 3, 0), 1, "the version of node 2 leads past node 3");
    cr_expect_eq(taken_for(&list, 4, 1), 1);
    long before = allocated;
    ordo_mvrlu_collect(a);
    ordo_mvrlu_collect(a);
    cr_expect_eq(allocated, before, "a section may reach node 3");
    cr_expect_eq(ordo_mvrlu_list_contains_in(reader, &list, 3), 1);
    cr_assert_eq(ordo_mvrlu_reader_unlock(reader), 0);
    ordo_mvrlu_thread_finish(reader);
    ordo_mvrlu_rest(&domain);
    cr_expect_eq(allocated, before - 1, "no section reaches node 3");
    cr_expect_eq(ordo_mvrlu_list_audit(&list), 3);
    ordo_mvrlu_list_clear(&domain, &list);
    finish();
}
