/* The cache lines that an engine prefetches when a transaction names the keys that it will use: for writing if it will
 * update the key, otherwise for reading. The engines are compiled into the test, which records each prefetch instead of
 * executing it. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

enum { MANY = 4096 };

static struct fetch {
    const char *line;
    bool to_write;
} fetches[MANY];
static size_t fetched;
static bool noting;

static void note(const void *line, bool to_write)
{
    if (!noting)
        return;
    cr_assert_lt(fetched, MANY);
    fetches[fetched++] = (struct fetch){line, to_write};
}

#define ORDO_CC_FETCH_H /* in place of <ordo/cc/fetch.h> */
#define ordo_fetch_to_write(line) note(line, true)
#define __builtin_prefetch(line) note(line, false)
#include "cc/txn/hekaton/engine.h"
#include "cc/txn/single/occ.h"

enum { ROWS = 64, KEYS = 8, RECORD = 1000 };

static const struct ordo_db_engine hekaton = HK_ENGINE, occ = OCC_ENGINE;
static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *worker;
static uint64_t keys[ROWS];
static bool is_ordered; /* the table has an order */

/* True if each line of the memory, up to CC_AHEAD bytes, was prefetched in the mode `to_write`, and never in the other
 * mode. */
static bool was_fetched(const void *memory, size_t bytes, bool to_write)
{
    const char *first = memory;
    for (size_t at = 0; at < bytes && at < CC_AHEAD; at += 64) {
        bool found = false;
        for (size_t i = 0; i < fetched; i++)
            if (fetches[i].line == first + at) {
                if (fetches[i].to_write != to_write)
                    return false;
                found = true;
            }
        if (!found)
            return false;
    }
    return true;
}

static void update_from(int first)
{
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    for (int i = first; i < ROWS; i++) {
        void *record;
        int code = ordo_txn_insert(worker, table, keys[i], &record);
        if (code == ORDO_TXN_EXISTS)
            code = ordo_txn_update(worker, table, keys[i], &record);
        cr_assert_eq(code, ORDO_OK);
        memset(record, 'a', table->record_bytes);
    }
    cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
}

static void update_all(void)
{
    update_from(0);
}

/* Draws the keys: each in a different bucket or, if `shared`, all in one bucket. */
static void draw_keys(bool shared)
{
    for (uint64_t key = 0, count = 0; count < ROWS; key++) {
        bool met = false;
        for (uint64_t i = 0; i < count; i++)
            met |= cc_hash_bucket(&table->hash, key) == cc_hash_bucket(&table->hash, keys[i]);
        if (met == (shared && count > 0))
            keys[count++] = key;
    }
}

/* Opens the table, with memory in the worker's pool. */
static void open_table_of(const struct ordo_db_engine *engine, size_t record_bytes, bool shared)
{
    struct ordo_db_options options = {.boundary_ticks = 100, .workers = 2};
    struct ordo_table_spec spec = {.record_bytes = record_bytes, .rows = ROWS, .ordered = is_ordered};
    cr_assert_eq(ordo_db_open(&db, engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &worker), ORDO_OK);
    draw_keys(shared);
    for (int i = 0; i < 1000 && ((struct cc_worker *)worker)->pools[table->number].count < ROWS; i++)
        update_all();
}

static void open_table(const struct ordo_db_engine *engine, bool shared)
{
    open_table_of(engine, RECORD, shared);
}

static void close_table(void)
{
    ordo_worker_leave(worker);
    ordo_db_close(db);
}

static void hint(const uint64_t *told, unsigned count, uint64_t updates)
{
    fetched = 0;
    noting = true;
    ordo_txn_prefetch(worker, table, told, count, updates);
    noting = false;
}

/* Gives the hint in a transaction that stays open, so that the pool does not change before its end. */
static void tell(const uint64_t *told, unsigned count, uint64_t updates)
{
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    hint(told, count, updates);
}

static const uint64_t sets_of_updates[] = {0, 1, 0xa5, 0x80, 0xff};

/* Expects that exactly the first `count` items of the pool are prefetched for writing. */
static void expect_fresh(unsigned count)
{
    unsigned fresh = 0;
    for (void *item = ((struct cc_worker *)worker)->pools[table->number].first; item && fresh <= count; fresh++) {
        if (!was_fetched(item, table->item_bytes, true))
            break;
        CC_UNPOISON(item, sizeof item);
        void *after = *(void **)item;
        CC_POISON(item, sizeof item);
        item = after;
    }
    cr_expect_eq(fresh, count, "%u new versions of %u", fresh, count);
}

/* Expects that the record of a key's newest version is prefetched in the mode `to_write`, and that its header is
 * prefetched if `to_write` or if the anchor does not have the version's time. */
static void expect_newest(struct hk_anchor *anchor, bool to_write)
{
    struct hk_version *head = hk_head(anchor);
    bool header = was_fetched(head, sizeof *head, to_write);
    cr_expect(was_fetched(cc_record(table, head), RECORD, to_write), "record of key %ju", (uintmax_t)anchor->node.key);
    cr_expect_eq(header, to_write || !hk_tells(anchor), "header of key %ju", (uintmax_t)anchor->node.key);
    cr_expect(header || !was_fetched(head, sizeof *head, !to_write));
}

/* True if a hint prefetched the line in the mode `to_write`. */
static bool was_asked_for(const void *line, bool to_write)
{
    for (size_t i = 0; i < fetched; i++)
        if (fetches[i].line == line && fetches[i].to_write == to_write)
            return true;
    return false;
}

/* Expects that hekaton prefetches everything of each key, for writing if its bit in `updates` is set, and memory for as
 * many new versions as there are updates. The anchors are in their buckets. */
static void hekaton_fetches(uint64_t updates)
{
    tell(keys, KEYS, updates);
    for (unsigned i = 0; i < KEYS; i++) {
        struct hk_anchor *anchor = hk_find(table, keys[i]);
        cr_expect_eq((void *)anchor, (void *)cc_hash_bucket(&table->hash, keys[i]), "of key %u", i);
        cr_expect(was_fetched(anchor, 1, updates >> i & 1), "anchor of key %u, updates %jx", i, (uintmax_t)updates);
        expect_newest(anchor, updates >> i & 1);
    }
    expect_fresh((unsigned)__builtin_popcountll(updates));
    ordo_txn_abort(worker);
}

Test(txn_fetch, hekaton_prefetches_updated_records_for_writing)
{
    open_table(&hekaton, false);
    for (size_t i = 0; i < sizeof sets_of_updates / sizeof *sets_of_updates; i++)
        hekaton_fetches(sets_of_updates[i]);
    close_table();
}

static void commit_removal(uint64_t key)
{
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    cr_assert_eq(ordo_txn_remove(worker, table, key), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
}

static void expect_time_when_no_deletion_waits(void)
{
    struct hk_anchor *anchor = hk_find(table, keys[1]);
    for (int i = 0; i < 1000 && hk_tombs(anchor); i++)
        update_from(2);
    cr_assert(hk_tells(anchor), "no deletion waits any more");
    cr_expect_eq(anchor->inlined, hk_begin_of(hk_head(anchor)));
}

/* While deleted versions of a key wait for removal, its anchor contains the number of these versions, and no time. */
Test(txn_fetch, the_header_is_prefetched_if_the_anchor_has_no_time)
{
    open_table(&hekaton, false);
    update_all();
    cr_assert(hk_tells(hk_find(table, keys[1])));
    commit_removal(keys[1]);
    update_all();
    cr_assert_not(hk_tells(hk_find(table, keys[1])));
    hekaton_fetches(0);
    hekaton_fetches(0xa5);
    expect_time_when_no_deletion_waits();
    close_table();
}

/* During a snapshot, deletions leave their queue out of order: a deletion below a newer version is dropped. */
Test(txn_fetch, an_anchor_gets_its_time_back_during_a_snapshot)
{
    struct ordo_worker *reader;
    open_table(&hekaton, false);
    cr_assert_eq(ordo_worker_join(db, &reader), ORDO_OK);
    cr_assert_eq(ordo_txn_begin(reader, ORDO_TXN_READ_ONLY), ORDO_OK);
    commit_removal(keys[1]);
    update_all();
    expect_time_when_no_deletion_waits();
    cr_assert_eq(ordo_txn_commit(reader), ORDO_OK);
    ordo_worker_leave(reader);
    close_table();
}

/* If histories are recorded, a deletion does not wait to leave, because it stays for ever. */
Test(txn_fetch, an_anchor_ignores_a_deletion_that_stays)
{
    open_table(&hekaton, false);
    db->options.history = true;
    commit_removal(keys[1]);
    cr_expect_not(hk_tells(hk_find(table, keys[1])));
    cr_expect_eq(hk_tombs(hk_find(table, keys[1])), 0);
    close_table();
}

/* Reads a record whose header the test has falsified. The result is right only if the engine reads the anchor alone. */
static int read_beside_its_header(enum ordo_txn_level level)
{
    char record[RECORD];
    const void *seen;
    struct hk_version *head = hk_head(hk_find(table, keys[0]));
    cr_assert_eq(ordo_txn_begin(worker, level), ORDO_OK);
    head->tomb = 1;
    int code = ordo_txn_read(worker, table, keys[0], record);
    cr_expect_eq(ordo_txn_view(worker, table, keys[0], &seen), code);
    head->tomb = 0;
    cr_expect(code || record[0] == 'a');
    ordo_txn_abort(worker);
    return code;
}

Test(txn_fetch, a_reader_does_not_touch_the_header)
{
    /* The first level begins certainly after the committed versions; the others do not begin certainly before them. */
    static const enum ordo_txn_level levels[] = {ORDO_TXN_SNAPSHOT, ORDO_TXN_READ_ONLY, ORDO_TXN_SERIALIZABLE};
    open_table(&hekaton, false);
    update_all();
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        cr_expect_eq(read_beside_its_header(levels[i]), ORDO_OK, "level %u", (unsigned)levels[i]);
    commit_removal(keys[0]);
    update_all();
    cr_expect_eq(read_beside_its_header(ORDO_TXN_SERIALIZABLE), ORDO_TXN_ABSENT);
    close_table();
}

/* If an anchor is neither in its bucket nor the first of the chain, nothing is prefetched for reading; for an update
 * everything is prefetched. */
Test(txn_fetch, updates_in_shared_buckets_are_prefetched_for_writing)
{
    open_table(&hekaton, true);
    for (size_t i = 0; i < sizeof sets_of_updates / sizeof *sets_of_updates; i++) {
        tell(keys, KEYS, sets_of_updates[i]);
        for (unsigned k = 0; k < KEYS; k++) {
            struct hk_anchor *anchor = hk_find(table, keys[k]);
            bool to_write = sets_of_updates[i] >> k & 1;
            expect_newest(anchor, to_write);
            cr_expect(!to_write || was_asked_for(anchor, true));
        }
        ordo_txn_abort(worker);
    }
    close_table();
}

/* If the bucket holds another key's anchor, the key's own anchor is probably the first of the chain. */
Test(txn_fetch, the_first_anchor_of_the_chain_is_prefetched_once)
{
    open_table(&hekaton, true);
    uintptr_t *bucket = cc_hash_bucket(&table->hash, keys[0]);
    struct hk_anchor *first = (struct hk_anchor *)cc_hash_first(bucket);
    for (int to_write = 0; to_write <= 1; to_write++) {
        tell(&first->node.key, 1, (uint64_t)to_write);
        cr_expect(was_fetched(bucket, 1, to_write));
        cr_expect(was_fetched(first, 1, to_write));
        cr_expect_eq(fetched, to_write ? 2 + 2 * table->item_bytes / 64 : 2 + 16, "%zu lines", fetched);
        expect_newest(first, to_write);
        ordo_txn_abort(worker);
    }
    tell(keys, 1, 0);
    cr_expect_eq(fetched, 1 + 16, "%zu lines for an anchor in the bucket", fetched);
    ordo_txn_abort(worker);
    close_table();
}

/* An update does not write to the line of the bucket. */
Test(txn_fetch, buckets_of_an_ordered_table_are_prefetched_for_reading)
{
    is_ordered = true;
    open_table(&hekaton, false);
    tell(keys, KEYS, 0xa5);
    for (unsigned k = 0; k < KEYS; k++) {
        struct hk_anchor *anchor = hk_find(table, keys[k]);
        cr_expect(was_fetched(cc_hash_bucket(&table->hash, keys[k]), 1, false));
        cr_expect(was_fetched(anchor, 1, 0xa5 >> k & 1));
        expect_newest(anchor, 0xa5 >> k & 1);
    }
    ordo_txn_abort(worker);
    close_table();
}

Test(txn_fetch, occ_prefetches_the_buckets_of_large_records_for_reading)
{
    open_table(&occ, false);
    for (size_t i = 0; i < sizeof sets_of_updates / sizeof *sets_of_updates; i++) {
        tell(keys, KEYS, sets_of_updates[i]);
        for (unsigned k = 0; k < KEYS; k++) {
            uintptr_t *bucket = cc_hash_bucket(&table->hash, keys[k]);
            cr_expect(was_fetched(bucket, 1, false));
            cr_expect(was_fetched(cc_hash_first(bucket), table->item_bytes, sets_of_updates[i] >> k & 1));
        }
        ordo_txn_abort(worker);
    }
    close_table();
}

/* Expects that for each key only the line of its bucket is prefetched, because this line mostly contains the record or
 * its copy; for writing if the key will be updated. For hekaton also expects the lines of memory that new versions
 * need. This holds even if keys share a bucket, because the hint does not check the key. */
static void expect_buckets_alone(const struct ordo_db_engine *engine, uint64_t updates, bool shared)
{
    open_table_of(engine, 24, shared);
    tell(keys, KEYS, updates);
    for (unsigned k = 0; k < KEYS; k++)
        cr_expect(was_asked_for(cc_hash_bucket(&table->hash, keys[k]), updates >> k & 1), "%s, key %u", engine->name,
                  k);
    size_t fresh = engine == &hekaton ? (size_t)__builtin_popcountll(updates) * table->item_bytes / 64 : 0;
    cr_expect_eq(fetched, KEYS + fresh, "%s: %zu lines", engine->name, fetched);
    ordo_txn_abort(worker);
    close_table();
}

Test(txn_fetch, small_records_are_prefetched_with_their_buckets)
{
    for (size_t i = 0; i < sizeof sets_of_updates / sizeof *sets_of_updates; i++)
        for (int shared = 0; shared <= 1; shared++) {
            expect_buckets_alone(&hekaton, sets_of_updates[i], shared);
            expect_buckets_alone(&occ, sets_of_updates[i], shared);
        }
}

static size_t when_fetched(const char *line)
{
    for (size_t i = 0; i < fetched; i++)
        if (fetches[i].line == line)
            return i;
    cr_assert(false, "the line was not prefetched");
    return 0;
}

/* Returns the first byte of the memory that is prefetched for a key. */
static const char *begin_of(const struct ordo_db_engine *engine, uint64_t key, bool to_write)
{
    if (engine == &occ)
        return (const char *)cc_hash_first(cc_hash_bucket(&table->hash, key));
    struct hk_version *head = hk_head(hk_find(table, key));
    return to_write ? (const char *)head : cc_record(table, head);
}

static void expect_first_lines_first(const struct ordo_db_engine *engine, uint64_t updates)
{
    size_t first = 0, rest = SIZE_MAX;
    open_table(engine, false);
    update_all();
    tell(keys, KEYS, updates);
    for (unsigned k = 0; k < KEYS; k++) {
        const char *begin = begin_of(engine, keys[k], updates >> k & 1);
        for (size_t at = 0; at < CC_FIRST; at += 64)
            first = when_fetched(begin + at) > first ? when_fetched(begin + at) : first;
        rest = when_fetched(begin + CC_FIRST) < rest ? when_fetched(begin + CC_FIRST) : rest;
    }
    cr_expect_lt(first, rest);
    ordo_txn_abort(worker);
    close_table();
}

Test(txn_fetch, the_first_line_of_every_record_is_prefetched_first)
{
    expect_first_lines_first(&hekaton, 0xa5);
    expect_first_lines_first(&occ, 0xa5);
}

/* Expects that for an absent key only the bucket is prefetched, and for each other key `each` more lines. */
static void expect_lines(const struct ordo_db_engine *engine, size_t record_bytes, size_t each)
{
    open_table_of(engine, record_bytes, false);
    update_all();
    uint64_t absent = keys[ROWS - 1] + 1;
    while (cc_hash_next(&table->hash, cc_hash_bucket(&table->hash, absent), NULL))
        absent++;
    const uint64_t told[] = {keys[0], absent, keys[1]};
    tell(told, 3, 0);
    cr_expect_eq(fetched, 3 + 2 * each, "%zu lines for records of %zu bytes", fetched, record_bytes);
    ordo_txn_abort(worker);
    close_table();
}

Test(txn_fetch, exactly_the_lines_of_a_record_are_prefetched)
{
    expect_lines(&occ, 24, 0);
    expect_lines(&occ, 32, 0);
    expect_lines(&occ, 33, 2);
    expect_lines(&occ, 100, 3);
    expect_lines(&occ, RECORD, 17);
    expect_lines(&hekaton, 24, 0);
    expect_lines(&hekaton, 64, 1);
    expect_lines(&hekaton, 100, 2);
    expect_lines(&hekaton, RECORD, 16);
}

/* `updates` has bits for 64 keys, so nothing is prefetched for further keys. */
Test(txn_fetch, only_the_first_64_keys_are_prefetched)
{
    uint64_t many[CC_KEYS_AHEAD + 1];
    open_table(&hekaton, false);
    for (int i = 0; i <= CC_KEYS_AHEAD; i++)
        many[i] = keys[i == CC_KEYS_AHEAD];
    tell(many, CC_KEYS_AHEAD + 1, 0);
    cr_expect(was_fetched(hk_find(table, keys[0]), 1, false));
    cr_expect_not(was_fetched(hk_find(table, keys[1]), 1, false));
    ordo_txn_abort(worker);
    close_table();
    open_table(&occ, false);
    tell(many, CC_KEYS_AHEAD + 1, 0);
    cr_expect(was_fetched(cc_hash_bucket(&table->hash, keys[0]), 1, false));
    cr_expect_not(was_fetched(cc_hash_bucket(&table->hash, keys[1]), 1, false));
    ordo_txn_abort(worker);
    close_table();
}

/* Outside of a transaction nothing protects the records that a hint would read, so it prefetches nothing. */
static void outside(const struct ordo_db_engine *engine)
{
    open_table(engine, false);
    hint(keys, KEYS, UINT64_MAX);
    cr_expect_eq(fetched, 0);
    close_table();
}

Test(txn_fetch, nothing_is_prefetched_outside_a_transaction)
{
    outside(&hekaton);
    outside(&occ);
}
