/* Transactional memory without races: undo by an abort, nesting, the restrictions of a read-only transaction, exhausted
 * memory, snapshots, a withdrawn record, and the data structures, compared with a plain array. One thread uses two
 * struct ordo_stm_thread, which stand for two threads. */
#include <criterion/criterion.h>
#include <limits.h>

#include <ordo/cc/stm/hash.h>
#include <ordo/cc/stm/skip.h>
#include <ordo/cc/stm/tree.h>

#include "allocator.h"

static size_t largest; /* the largest request, in bytes */
static struct ordo_stm stm;
static struct ordo_stm_thread *a, *b;
static uint64_t x[4], y[4], z[4]; /* the first words are used; the others keep them in different stripes */
static struct ordo_record record;

static void begin(const struct ordo *watch)
{
    struct ordo_stm_options options = {
        .boundary_ticks = 100, .stripes = 64, .memory = {allocate, release, &largest}, .watch = watch};
    left = LONG_MAX;
    allocated = 0;
    x[0] = y[0] = z[0] = 0;
    cr_assert_eq(ordo_stm_create(&stm, &options), 0);
    cr_assert_eq(ordo_stm_thread_init(&stm, &a), 0);
    cr_assert_eq(ordo_stm_thread_init(&stm, &b), 0);
}

static void end(void)
{
    ordo_stm_thread_finish(a);
    ordo_stm_thread_finish(b);
    ordo_stm_destroy(&stm);
    cr_assert_eq(allocated, 0, "all memory is released");
}

static uint64_t look(struct ordo_stm_thread *t, uint64_t *word)
{
    uint64_t value = UINT64_MAX;
    cr_assert_eq(ordo_stm_read(t, word, &value), 0);
    return value;
}

static int set_both(struct ordo_stm_thread *t, void *value)
{
    int code = ordo_stm_write(t, x, *(uint64_t *)value);
    return code ? code : ordo_stm_write(t, y, *(uint64_t *)value);
}

static int undo(struct ordo_stm_thread *t, void *value)
{
    int code = set_both(t, value);
    return code || !ordo_stm_alloc(t, 24) ? code : ORDO_E_MISSING;
}

Test(stm, an_abort_undoes_everything)
{
    uint64_t seven = 7;
    begin(NULL);
    cr_assert_eq(ordo_stm_run(a, 0, set_both, &seven), 0);
    seven = 8;
    cr_assert_eq(ordo_stm_run(a, 0, undo, &seven), ORDO_E_MISSING);
    cr_assert(x[0] == 7 && y[0] == 7);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert_eq(ordo_stm_abort(a), ORDO_E_CANCELLED);
    end();
}

/* The words of the next test. Many words share their bit in the filter of the write set, because 89 is a Fibonacci
 * number and the hash is a multiplication with the golden ratio. */
static uint64_t spread[20 * 89];

static uint64_t *spread_at(uint64_t i)
{
    return &spread[i * 89];
}

/* Writes the first `count` words twice, and checks the values of all 20 words in the transaction. */
static void write_and_look(uint64_t count)
{
    for (uint64_t i = 0; i < 2 * count; i++) {
        cr_assert_eq(ordo_stm_write(a, spread_at(i % count), 100 * count + i), 0);
        cr_assert_eq(look(a, spread_at(i % count)), 100 * count + i);
    }
    cr_assert_eq(a->writes.count, count, "a word that is written twice is in the write set once");
    for (uint64_t i = 0; i < 20; i++)
        cr_assert_eq(look(a, spread_at(i)), i < count ? 100 * count + count + i : *spread_at(i));
}

Test(stm, a_write_set_of_any_size_holds_each_word_once)
{
    begin(NULL);
    for (uint64_t round = 0; round < 40; round++) { /* from 20 words to 1, and back */
        uint64_t count = round < 20 ? 20 - round : round - 19, aborts = round % 2;
        cr_assert_eq(ordo_stm_begin(a, 0), 0);
        write_and_look(count);
        cr_assert_eq(aborts ? ordo_stm_abort(a) : ordo_stm_commit(a), aborts ? ORDO_E_CANCELLED : 0);
        for (uint64_t i = 0; i < count && !aborts; i++)
            cr_assert_eq(*spread_at(i), 100 * count + count + i);
    }
    end();
}

Test(stm, a_changed_word_fails_the_next_read)
{
    uint64_t value = 1, seen = 99;
    begin(NULL);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert_eq(look(a, x), 0);
    cr_assert_eq(ordo_stm_run(b, 0, set_both, &value), 0);
    cr_assert_eq(ordo_stm_read(a, y, &seen), ORDO_STM_AGAIN);
    cr_assert_eq(seen, 99, "nothing is read");
    cr_assert_eq(ordo_stm_write(a, y, 5), ORDO_STM_AGAIN);
    cr_assert_null(ordo_stm_alloc(a, 8));
    cr_assert_eq(ordo_stm_commit(a), ORDO_STM_AGAIN);
    cr_assert(!ordo_stm_active(a));
    end();
}

Test(stm, unchanged_reads_allow_an_extension_of_the_snapshot)
{
    struct ordo_stm_statistics sum;
    uint64_t value = 1;
    begin(NULL);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert_eq(look(a, x), 0);
    cr_assert(ordo_stm_begin(b, 0) == 0 && ordo_stm_write(b, y, value) == 0 && ordo_stm_commit(b) == 0);
    cr_assert_eq(look(a, y), 1);
    cr_assert_eq(ordo_stm_commit(a), 0);
    ordo_stm_statistics_read(&stm, &sum);
    cr_assert_eq(sum.extensions, 1);
    cr_assert_eq(sum.commits, 2);
    end();
}

Test(stm, a_transaction_that_read_a_changed_word_does_not_commit)
{
    uint64_t value = 3;
    begin(NULL);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert_eq(ordo_stm_write(a, y, look(a, x) + 1), 0);
    cr_assert_eq(ordo_stm_run(b, 0, set_both, &value), 0);
    cr_assert_eq(ordo_stm_commit(a), ORDO_STM_AGAIN);
    cr_assert_eq(y[0], 3);
    end();
}

Test(stm, nested_transactions_commit_together)
{
    uint64_t value = 4;
    int result;
    begin(NULL);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert_eq(ordo_stm_run(a, 0, set_both, &value), 0);
    cr_assert_eq(x[0], 0, "nothing is visible before the outermost commits");
    cr_assert_eq(look(a, x), 4);
    cr_assert_eq(ordo_stm_commit(a), 0);
    cr_assert(x[0] == 4 && y[0] == 4);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    ORDO_STM_ATOMICALLY(a, 0, result, undo(a, &value));
    cr_assert_eq(result, ORDO_E_MISSING);
    cr_assert_eq(ordo_stm_commit(a), ORDO_E_MISSING, "an aborted part aborts the whole transaction");
    end();
}

Test(stm, a_read_only_transaction_cannot_write)
{
    uint64_t value = 1;
    begin(NULL);
    cr_assert_eq(ordo_stm_run(a, ORDO_STM_READ_ONLY, set_both, &value), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_begin(a, ORDO_STM_READ_ONLY), 0);
    cr_assert_eq(ordo_stm_begin(a, 0), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_commit(a), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_free(a, &value), ORDO_E_INVALID, "no transaction is open");
    end();
}

Test(stm, an_irrevocable_transaction_never_runs_again)
{
    uint64_t value = 1;
    begin(NULL);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert_eq(look(a, x), 0);
    cr_assert_eq(ordo_stm_run(b, 0, set_both, &value), 0);
    cr_assert_eq(ordo_stm_irrevocable(a), ORDO_STM_AGAIN, "the read set has changed");
    cr_assert_eq(ordo_stm_abort(a), ORDO_STM_AGAIN);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert_eq(ordo_stm_irrevocable(a), 0, "a transaction may become irrevocable at its begin");
    cr_assert_eq(look(a, x), 1);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_READ_ONLY), 0, "other transactions may read");
    cr_assert_eq(look(b, x), 1);
    cr_assert_eq(ordo_stm_commit(b), 0);
    cr_assert_eq(ordo_stm_write(a, x, 2), 0);
    cr_assert_eq(ordo_stm_commit(a), 0);
    cr_assert_eq(ordo_stm_run(b, 0, set_both, &value), 0, "other transactions may write again");
    end();
}

/* Runs a transaction of `a` that requests to be irrevocable and ends with ORDO_STM_AGAIN. */
static void fail_and_want_the_token(void)
{
    uint64_t value = 1;
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    (void)look(a, x);
    cr_assert_eq(ordo_stm_run(b, 0, set_both, &value), 0);
    cr_assert_eq(ordo_stm_irrevocable(a), ORDO_STM_AGAIN);
    cr_assert_eq(ordo_stm_abort(a), ORDO_STM_AGAIN);
}

static uint64_t irrevocable_so_far(void)
{
    struct ordo_stm_statistics sum;
    ordo_stm_statistics_read(&stm, &sum);
    return sum.irrevocable;
}

Test(stm, a_transaction_inherits_nothing_from_a_dropped_one)
{
    uint64_t value = 2, before;
    begin(NULL);
    fail_and_want_the_token();
    before = irrevocable_so_far();
    cr_assert_eq(ordo_stm_run(a, 0, set_both, &value), 0);
    cr_assert_eq(irrevocable_so_far(), before, "a run does not inherit the request");
    fail_and_want_the_token();
    before = irrevocable_so_far();
    ordo_stm_drop(a);
    cr_assert(ordo_stm_begin(a, 0) == 0 && ordo_stm_commit(a) == 0);
    cr_assert_eq(irrevocable_so_far(), before, "a transaction after a drop does not inherit the request");
    fail_and_want_the_token();
    before = irrevocable_so_far();
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    ordo_stm_drop(a);
    cr_assert_eq(ordo_stm_commit(a), 0);
    cr_assert_eq(irrevocable_so_far(), before + 1, "a retry inherits the request");
    end();
}

Test(stm, a_failed_allocation_leaves_the_sizes_unchanged)
{
    begin(NULL);
    largest = 0;
    for (int i = 0; i < 8; i++) {
        left = 1; /* a written word may take three allocations */
        cr_assert_eq(ordo_stm_begin(a, 0), 0);
        cr_assert_eq(ordo_stm_write(a, x, 1), ORDO_E_SYSTEM);
        cr_assert_eq(ordo_stm_abort(a), ORDO_E_SYSTEM);
    }
    cr_assert(largest > 0 && largest <= 64 * sizeof(struct ordo_stm_entry),
              "no request is larger than that of a first word");
    end();
}

Test(stm, exhausted_memory_ends_only_the_transaction)
{
    static uint64_t many[1000];
    int code = 0;
    begin(NULL);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert(ordo_stm_write(a, &many[0], 1) == 0);
    for (left = 0; left < 3; left++) {
        long before = left;
        for (size_t i = 0; i < 1000 && !code; i++)
            code = ordo_stm_write(a, &many[i], i);
        cr_assert_eq(code, ORDO_E_SYSTEM);
        cr_assert_eq(ordo_stm_commit(a), ORDO_E_SYSTEM);
        cr_assert_eq(ordo_stm_begin(a, 0), 0);
        left = before;
        code = 0;
    }
    left = 0;
    cr_assert_null(ordo_stm_alloc(a, 8));
    cr_assert_eq(ordo_stm_abort(a), ORDO_E_SYSTEM);
    left = LONG_MAX;
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    for (size_t i = 0; i < 1000; i++)
        cr_assert_eq(ordo_stm_write(a, &many[i], i), 0);
    for (size_t i = 0; i < 1000; i++)
        cr_assert_eq(look(a, &many[i]), i);
    cr_assert_eq(ordo_stm_commit(a), 0);
    for (size_t i = 0; i < 1000; i++)
        cr_assert_eq(many[i], i);
    end();
}

Test(stm, a_withdrawn_record_stops_ordinary_commits)
{
    struct ordo handle = {.not_boundary = ~UINT64_C(100), .record = &record}, closed = {0};
    struct ordo_stm_options options = {.boundary_ticks = 100, .watch = &closed};
    uint64_t value = 1;
    cr_assert_eq(ordo_stm_create(&stm, &options), ORDO_E_INVALID, "a closed handle would never report a disruption");
    options = (struct ordo_stm_options){0};
    cr_assert_eq(ordo_stm_create(&stm, &options), ORDO_E_INVALID, "a boundary of 0 is refused");
    record.status = ORDO_RECORD_VALID;
    begin(&handle);
    cr_assert_eq(ordo_stm_run(a, 0, set_both, &value), 0);
    cr_assert_eq(ordo_stm_begin(b, 0), 0);
    cr_assert_eq(ordo_stm_irrevocable(b), 0);
    record.status = ORDO_RECORD_DISRUPTED;
    value = 2;
    cr_assert_eq(ordo_stm_run(a, 0, set_both, &value), ORDO_E_DISRUPTED);
    cr_assert_eq(ordo_stm_write(b, x, 3), 0);
    cr_assert_eq(ordo_stm_commit(b), 0, "an irrevocable transaction cannot be undone");
    cr_assert(x[0] == 3 && y[0] == 1);
    end();
}

Test(stm, a_larger_boundary_is_accepted_only_at_rest)
{
    uint64_t value = 1;
    begin(NULL);
    cr_assert_eq(ordo_stm_begin(a, 0), 0);
    cr_assert_eq(ordo_stm_raise(&stm, 200), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_commit(a), 0);
    cr_assert_eq(ordo_stm_raise(&stm, 100), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_raise(&stm, 200), 0);
    cr_assert_eq(ordo_stm_run(b, 0, set_both, &value), 0);
    end();
}

Test(stm, freed_memory_stays_while_a_transaction_can_see_it)
{
    uint64_t *object, word = 0, root[4] = {0};
    begin(NULL);
    object = ordo_stm_alloc(a, sizeof *object);
    *object = 5;
    root[0] = (uintptr_t)object;
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_READ_ONLY), 0);
    cr_assert_eq(ordo_stm_read(b, root, &word), 0);
    long before = allocated;
    cr_assert(ordo_stm_begin(a, 0) == 0 && ordo_stm_write(a, root, 0) == 0 && ordo_stm_free(a, object) == 0 &&
              ordo_stm_commit(a) == 0);
    for (int i = 0; i < 10; i++)
        ordo_stm_collect(a);
    cr_assert_eq(*(uint64_t *)(uintptr_t)word, 5);
    cr_assert_eq(ordo_stm_commit(b), 0);
    before = allocated;
    ordo_stm_quiesce(a);
    cr_assert_eq(allocated, before - 1);
    end();
}

/* Sets x and y to a value, by the thread a. */
static void set(uint64_t value)
{
    cr_assert_eq(ordo_stm_run(a, 0, set_both, &value), 0);
}

Test(stm, a_snapshot_reads_the_memory_of_its_beginning)
{
    struct ordo_stm_statistics sum;
    struct ordo_stm_thread *c;
    begin(NULL);
    cr_assert_eq(ordo_stm_thread_init(&stm, &c), 0);
    set(7);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    set(8);
    set(9);
    cr_assert_eq(ordo_stm_begin(c, ORDO_STM_SNAPSHOT), 0);
    set(10);
    cr_assert(look(b, x) == 7 && look(c, x) == 9 && look(b, y) == 7 && look(c, y) == 9);
    cr_assert_eq(ordo_stm_commit(b), 0);
    set(11);
    cr_assert(look(c, x) == 9 && look(c, x) == 9);
    cr_assert_eq(ordo_stm_commit(c), 0);
    ordo_stm_statistics_read(&stm, &sum);
    cr_assert(sum.snapshots == 2 && sum.saved == 4 && sum.reads_saved == 6, "a word is saved once for each snapshot");
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    cr_assert_eq(look(b, x), 11);
    cr_assert_eq(ordo_stm_commit(b), 0);
    ordo_stm_thread_finish(c);
    end();
}

Test(stm, a_snapshot_only_reads)
{
    begin(NULL);
    set(7);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    cr_assert_eq(look(b, x), 7);
    cr_assert_eq(ordo_stm_commit(b), 0);
    cr_assert_eq(ordo_stm_begin(b, 0), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_abort(b), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    cr_assert_eq(ordo_stm_write(b, x, 1), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_commit(b), ORDO_E_INVALID);
    cr_assert_eq(stm.begun, stm.ended, "a snapshot that is given up has ended");
    end();
}

Test(stm, an_irrevocable_snapshot_reads_the_present_memory)
{
    begin(NULL);
    set(7);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    set(8);
    cr_assert_eq(ordo_stm_irrevocable(b), 0, "it has read nothing");
    cr_assert_eq(look(b, x), 8);
    cr_assert_eq(ordo_stm_commit(b), 0);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    cr_assert_eq(look(b, x), 8);
    set(9);
    cr_assert_eq(ordo_stm_irrevocable(b), ORDO_STM_AGAIN);
    cr_assert_eq(ordo_stm_abort(b), ORDO_STM_AGAIN);
    ordo_stm_drop(b);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    set(8);
    cr_assert_eq(look(b, x), 9, "a saved value");
    cr_assert_eq(ordo_stm_irrevocable(b), ORDO_STM_AGAIN, "it has read a saved value");
    cr_assert_eq(ordo_stm_abort(b), ORDO_STM_AGAIN);
    set(9);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    cr_assert_eq(look(b, x), 9);
    cr_assert_eq(ordo_stm_commit(b), 0);
    end();
}

Test(stm, a_snapshot_that_misses_a_value_says_so)
{
    begin(NULL);
    set(7);
    left = 0;
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), ORDO_E_SYSTEM);
    cr_assert(!ordo_stm_active(b));
    left = LONG_MAX;
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    left = 0;
    set(8);
    left = LONG_MAX;
    set(9);
    uint64_t value = 0;
    cr_assert_eq(ordo_stm_read(b, x, &value), ORDO_E_SYSTEM);
    cr_assert_eq(ordo_stm_commit(b), ORDO_E_SYSTEM);
    cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
    set(10);
    cr_assert_eq(look(b, x), 9);
    cr_assert_eq(ordo_stm_commit(b), 0);
    end();
}

Test(stm, saved_values_are_released_when_no_snapshot_needs_them)
{
    static uint64_t many[1000];
    long before = 0;
    begin(NULL);
    for (int round = 0; round < 3; round++) {
        cr_assert_eq(ordo_stm_begin(b, ORDO_STM_SNAPSHOT), 0);
        for (size_t i = 0; i < 1000; i++) {
            cr_assert_eq(ordo_stm_begin(a, 0), 0);
            cr_assert_eq(ordo_stm_write(a, &many[i], i), 0);
            cr_assert_eq(ordo_stm_commit(a), 0);
        }
        cr_assert_geq(allocated, 1000);
        cr_assert_eq(ordo_stm_commit(b), 0);
        for (uint64_t i = 0; i < 300; i++)
            set(i);
        cr_assert_lt(allocated, 100, "later commits release them");
        cr_assert(!round || allocated == before);
        before = allocated;
    }
    end();
}

/* Sets a word in a transaction of thread b. */
static void change(uint64_t *word)
{
    cr_assert_eq(ordo_stm_begin(b, 0), 0);
    cr_assert_eq(ordo_stm_write(b, word, look(b, word) + 1), 0);
    cr_assert_eq(ordo_stm_commit(b), 0);
}

/* Begins an elastic transaction that reads x and y, then changes `word`, and z so that the next read renews the begin. */
static void begin_search(unsigned flags, uint64_t *word)
{
    cr_assert_eq(ordo_stm_begin(a, ORDO_STM_ELASTIC | flags), 0);
    cr_assert_eq(look(a, x) + look(a, y), 0);
    change(word);
    change(z);
}

Test(stm, an_elastic_search_goes_on_if_an_earlier_word_changes)
{
    for (unsigned flags = 0; flags <= ORDO_STM_READ_ONLY; flags++) {
        begin(NULL);
        begin_search(flags, x);
        cr_assert_eq(look(a, z), 1);
        cr_assert_eq(ordo_stm_commit(a), 0);
        end();
    }
}

Test(stm, an_elastic_search_ends_if_its_last_read_changes)
{
    uint64_t value;
    begin(NULL);
    begin_search(0, y);
    cr_assert_eq(ordo_stm_read(a, z, &value), ORDO_STM_AGAIN);
    cr_assert_eq(ordo_stm_begin(a, ORDO_STM_ELASTIC), ORDO_STM_AGAIN, "no part of it begins");
    cr_assert_eq(ordo_stm_abort(a), ORDO_STM_AGAIN);
    end();
}

/* Ends the elastic part of a transaction in one of several ways. */
static int hold(int way)
{
    switch (way) {
    case 0:
        return ordo_stm_hold(a);
    case 1:
        return ordo_stm_begin(a, 0) ? -1 : ordo_stm_commit(a);
    case 2:
        return ordo_stm_irrevocable(a);
    default:
        return ordo_stm_write(a, z, 7);
    }
}

Test(stm, the_last_two_reads_stand_from_the_hold_on)
{
    for (int way = 0; way < 4; way++) {
        for (int second = 0; second < 2; second++) {
            begin(NULL);
            cr_assert_eq(ordo_stm_begin(a, ORDO_STM_ELASTIC), 0);
            cr_assert_eq(look(a, z) + look(a, x) + look(a, y), 0);
            change(second ? y : x);
            if (hold(way) == 0)
                cr_assert_eq(ordo_stm_write(a, z, 7), 0);
            cr_assert_eq(ordo_stm_commit(a), ORDO_STM_AGAIN, "way %d", way);
            cr_assert_eq(z[0], 0);
            ordo_stm_drop(a);
            end();
        }
    }
}

Test(stm, a_second_read_of_a_stripe_does_not_displace_the_read_before)
{
    begin(NULL);
    cr_assert_eq(ordo_stm_stripe(a, &y[0]), ordo_stm_stripe(a, &y[1]));
    cr_assert_eq(ordo_stm_begin(a, ORDO_STM_ELASTIC), 0);
    cr_assert_eq(look(a, x) + look(a, &y[0]) + look(a, &y[1]), 0);
    change(x);
    cr_assert_eq(ordo_stm_write(a, z, 7), 0);
    cr_assert_eq(ordo_stm_commit(a), ORDO_STM_AGAIN);
    ordo_stm_drop(a);
    end();
}

Test(stm, a_hold_without_memory_ends_the_transaction)
{
    begin(NULL);
    cr_assert_eq(ordo_stm_begin(a, ORDO_STM_ELASTIC), 0);
    cr_assert_eq(look(a, x) + look(a, y), 0);
    left = 0;
    cr_assert_eq(ordo_stm_hold(a), ORDO_E_SYSTEM);
    cr_assert_eq(ordo_stm_commit(a), ORDO_E_SYSTEM);
    left = LONG_MAX;
    end();
}

/* Defines a test that a structure behaves like an array of flags, and that its audit succeeds after every operation. */
#define AS_AN_ARRAY(name, structure) AS_AN_ARRAY_BY(name, structure, )
#define AS_AN_ARRAY_BY(name, structure, how)                                                                           \
    static char has[200];                                                                                              \
    uint64_t state = 88172645463325252u;                                                                               \
    int64_t count = 0;                                                                                                 \
    for (int i = 0; i < 20000; i++) {                                                                                  \
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;                                               \
        uint64_t key = (state >> 20) % 200, kind = (state >> 40) % 3;                                                  \
        int result = kind == 0   ? ordo_stm_##name##_add##how(a, &(structure), key)                                    \
                     : kind == 1 ? ordo_stm_##name##_remove##how(a, &(structure), key)                                 \
                                 : ordo_stm_##name##_contains##how(a, &(structure), key);                              \
        cr_assert_eq(result, kind == 0 ? !has[key] : has[key]);                                                        \
        count += kind == 0 ? result : kind == 1 ? -result : 0;                                                         \
        has[key] = kind == 0 ? 1 : kind == 1 ? 0 : has[key];                                                           \
        cr_assert_eq(ordo_stm_##name##_audit(&(structure)), count);                                                    \
    }

Test(stm, a_list_behaves_like_a_set)
{
    struct ordo_stm_list list = {0};
    begin(NULL);
    AS_AN_ARRAY(list, list)
    ordo_stm_list_clear(&stm, &list);
    end();
}

Test(stm, a_list_with_elastic_searches_behaves_like_a_set)
{
    struct ordo_stm_list list = {0};
    begin(NULL);
    AS_AN_ARRAY_BY(list, list, _elastic)
    ordo_stm_list_clear(&stm, &list);
    end();
}

Test(stm, a_hash_table_behaves_like_a_set)
{
    struct ordo_stm_hash hash;
    begin(NULL);
    cr_assert_eq(ordo_stm_hash_init(&stm, &hash, 0), ORDO_E_INVALID);
    cr_assert_eq(ordo_stm_hash_init(&stm, &hash, 7), 0);
    AS_AN_ARRAY(hash, hash)
    ordo_stm_hash_destroy(&stm, &hash);
    end();
}

Test(stm, a_skip_list_behaves_like_a_set)
{
    static struct ordo_stm_skip skip;
    begin(NULL);
    AS_AN_ARRAY(skip, skip)
    ordo_stm_skip_clear(&stm, &skip);
    end();
}

Test(stm, a_red_black_tree_behaves_like_a_map)
{
    struct ordo_stm_tree tree = {0};
    struct ordo_stm_tree_node *node = NULL;
    begin(NULL);
    AS_AN_ARRAY(tree, tree)
    (void)ordo_stm_tree_remove(a, &tree, 5);
    cr_assert(ordo_stm_begin(a, 0) == 0 && ordo_stm_tree_put_in(a, &tree, 5, 55) == 1 && ordo_stm_commit(a) == 0);
    cr_assert(ordo_stm_begin(a, 0) == 0 && ordo_stm_tree_find_in(a, &tree, 5, &node) == 0);
    cr_assert_eq(look(a, &node->value), 55);
    cr_assert_eq(ordo_stm_commit(a), 0);
    ordo_stm_tree_clear(&stm, &tree);
    end();
}
