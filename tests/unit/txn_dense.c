/* Dense tables: their keys, refused calls, and the memory of a table. The other promises of the engines are tested on dense tables too: TABLE=dense unit-txn. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/any.h>
#include <ordo/cc/txn.h>
#include <ordo/corrected.h>

enum { ROWS = 100, BYTES = 16, BOUNDARY = 1000, MOST_BYTES = 1100 };

static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *one, *two;
static int64_t outstanding_bytes;
static int64_t largest_bytes;        /* the largest block so far */
static size_t most_bytes = SIZE_MAX; /* larger blocks are refused */

static void *allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    if (bytes > most_bytes)
        return NULL;
    outstanding_bytes += (int64_t)bytes;
    largest_bytes = (int64_t)bytes > largest_bytes ? (int64_t)bytes : largest_bytes;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void release(void *context, void *memory, size_t bytes)
{
    (void)context;
    outstanding_bytes -= (int64_t)bytes;
    free(memory);
}

static const struct ordo *watch_of(const struct ordo_db_engine *engine)
{
    static const int64_t nothing[ORDO_CORRECTED_CPUS];
    static const struct ordo_corrected clocks = ORDO_CORRECTED_INIT(BOUNDARY, 1000000000, nothing);
    static const struct ordo_any any = ORDO_ANY_INIT(BOUNDARY, 1000000000, ORDO_ANY_COUNTER);
    if (engine->stamp && strcmp(engine->stamp, "any") == 0)
        return &any.handle;
    return engine->stamp && strcmp(engine->stamp, "corrected") == 0 ? &clocks.handle : NULL;
}

static void open_database(const struct ordo_db_engine *engine)
{
    struct ordo_db_options options = {
        .memory = {allocate, release, NULL}, .boundary_ticks = BOUNDARY, .watch = watch_of(engine)};
    cr_assert_eq(ordo_db_open(&db, engine, &options), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &one), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &two), ORDO_OK);
}

static void close_database(void)
{
    struct ordo_error error = {0};
    ordo_worker_leave(one);
    ordo_worker_leave(two);
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_OK, "%s", error.text);
    ordo_db_close(db);
    cr_expect_eq(outstanding_bytes, 0);
}

/* Runs a test on a dense table of each engine. */
static void each(size_t record_bytes, void (*test)(const struct ordo_db_engine *engine))
{
    const struct ordo_table_spec spec = {.record_bytes = record_bytes, .rows = ROWS, .dense = true};
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++) {
        open_database(*engine);
        cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
        test(*engine);
        close_database();
    }
}

static void begin(struct ordo_worker *worker)
{
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
}

static void insert(uint64_t key)
{
    void *record;
    begin(one);
    cr_assert_eq(ordo_txn_insert(one, table, key, &record), ORDO_OK);
    memset(record, (int)key, BYTES);
    cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
}

static void remove_key(uint64_t key)
{
    begin(one);
    cr_assert_eq(ordo_txn_remove(one, table, key), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
}

static int read_key(uint64_t key)
{
    unsigned char record[MOST_BYTES] = {0};
    begin(one);
    int code = ordo_txn_read(one, table, key, record);
    cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
    cr_expect(code == ORDO_TXN_ABSENT || record[BYTES - 1] == key);
    return code;
}

/* ---- keys ---- */

static int call(int kind, uint64_t key)
{
    char copy[MOST_BYTES];
    const void *seen;
    void *record;
    switch (kind) {
    case 0:
        return ordo_txn_read(one, table, key, copy);
    case 1:
        return ordo_txn_view(one, table, key, &seen);
    case 2:
        return ordo_txn_update(one, table, key, &record);
    case 3:
        return ordo_txn_insert(one, table, key, &record);
    default:
        return ordo_txn_remove(one, table, key);
    }
}

static void keys_beyond(const struct ordo_db_engine *engine)
{
    static const uint64_t keys[] = {ROWS, ROWS + 1, 1000 * ROWS, UINT64_C(1) << 60, UINT64_MAX - 1, UINT64_MAX};
    insert(ROWS - 1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (int kind = 0; kind < 5; kind++) {
            uint64_t aborts = one->counts.aborts_user;
            begin(one);
            cr_expect_eq(call(kind, keys[i]), ORDO_E_INVALID, "%s: call %d of key %ju", engine->name, kind,
                         (uintmax_t)keys[i]);
            cr_expect_eq(call(0, ROWS - 1), ORDO_TXN_CONFLICT, "the transaction is doomed");
            cr_expect_neq(ordo_txn_commit(one), ORDO_OK);
            cr_expect_eq(one->counts.aborts_user, aborts + 1);
        }
    cr_expect_eq(read_key(ROWS - 1), ORDO_OK);
    cr_expect_eq(read_key(0), ORDO_TXN_ABSENT);
}

Test(txn_dense, keys_beyond_the_last_place_are_refused)
{
    each(BYTES, keys_beyond);
}

static void hints_beyond(const struct ordo_db_engine *engine)
{
    const uint64_t keys[] = {ROWS - 1, ROWS, UINT64_MAX, UINT64_C(1) << 58, 3};
    (void)engine;
    insert(3);
    begin(one);
    ordo_txn_prefetch(one, table, keys, 5, 0x15);
    ordo_txn_prefetch(one, table, keys, 5, 0);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    cr_expect_eq(read_key(3), ORDO_OK);
}

Test(txn_dense, prefetch_hints_ignore_keys_beyond_the_last_place)
{
    each(BYTES, hints_beyond);
    each(40 * BYTES, hints_beyond);
}

static void neighbours(const struct ordo_db_engine *engine)
{
    (void)engine;
    for (uint64_t key = 0; key < ROWS; key += 2)
        insert(key);
    for (uint64_t key = 0; key < ROWS; key++)
        cr_expect_eq(read_key(key), key % 2 ? ORDO_TXN_ABSENT : ORDO_OK);
    for (uint64_t key = 0; key < ROWS; key += 4)
        remove_key(key);
    for (uint64_t key = 0; key < ROWS; key++)
        cr_expect_eq(read_key(key), key % 4 == 2 ? ORDO_OK : ORDO_TXN_ABSENT);
    for (uint64_t key = 0; key < ROWS; key += 4)
        insert(key);
    cr_expect_eq(read_key(0), ORDO_OK);
}

Test(txn_dense, each_key_has_its_own_record)
{
    for (size_t bytes = BYTES; bytes <= 1040; bytes += bytes < 80 ? 8 : 320)
        each(bytes, neighbours);
}

/* ---- creation and memory ---- */

Test(txn_dense, a_table_that_cannot_be_made_is_refused)
{
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++) {
        struct ordo_table_spec spec = {.record_bytes = BYTES, .dense = true};
        open_database(*engine);
        cr_expect_eq(ordo_table_add(db, &spec, &table), ORDO_E_INVALID, "no row");
        spec.rows = (UINT64_C(1) << 36) + 1;
        cr_expect_eq(ordo_table_add(db, &spec, &table), ORDO_E_INVALID, "too many rows");
        spec.rows = UINT64_C(1) << 36;
        spec.record_bytes = 1 << 20;
        most_bytes = 1 << 24;
        int64_t before = outstanding_bytes;
        cr_expect_eq(ordo_table_add(db, &spec, &table), ORDO_E_SYSTEM, "no memory for 2^56 bytes");
        cr_expect_eq(outstanding_bytes, before);
        most_bytes = SIZE_MAX;
        spec = (struct ordo_table_spec){.record_bytes = BYTES, .rows = 1, .ordered = true, .dense = true};
        cr_expect_eq(ordo_table_add(db, &spec, &table), (*engine)->scans ? ORDO_OK : ORDO_E_INVALID);
        close_database();
    }
}

/* The bytes of an array are as documented (struct ordo_table_spec). */
static void expect_bytes(const struct ordo_db_engine *engine, size_t record_bytes)
{
    enum { MANY = 100000 };
    const struct ordo_table_spec spec = {.record_bytes = record_bytes, .rows = MANY, .dense = true};
    bool is_apart = engine->levels & ORDO_TXN_SNAPSHOT; /* the record is in a version */
    size_t row_bytes = is_apart || record_bytes <= 32 ? 64 : 64 + (record_bytes + 63) / 64 * 64;
    open_database(engine);
    largest_bytes = 0;
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_expect_eq(largest_bytes, (int64_t)(MANY * row_bytes), "%s, records of %zu bytes: %lld", engine->name,
                 record_bytes, (long long)largest_bytes);
    close_database();
}

Test(txn_dense, a_table_takes_the_documented_memory)
{
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        for (size_t bytes = 8; bytes <= 1032; bytes += bytes < 80 ? 8 : 120)
            expect_bytes(*engine, bytes);
}

/* Inserts and removes all keys, 20 times. Only the last deletions may still wait, for the clock or the counter. */
static void come_and_go(const struct ordo_db_engine *engine)
{
    for (int round = 0; round < 20; round++) {
        for (uint64_t key = 0; key < ROWS; key++)
            insert(key);
        for (uint64_t key = 0; key < ROWS; key++)
            remove_key(key);
        for (int i = 0; i < 300; i++)
            (void)read_key(5);
    }
    uint64_t kept = one->counts.versions_created - one->counts.versions_reclaimed;
    cr_expect_leq(kept, 3 * ROWS, "%s keeps %ju deleted records", engine->name, (uintmax_t)kept);
}

Test(txn_dense, deleted_records_are_reclaimed)
{
    each(BYTES, come_and_go);
    each(40 * BYTES, come_and_go);
}

/* ---- scans ---- */

struct seen {
    uint64_t count, first, last, until;
};

static int visit(void *context, uint64_t key, const void *record)
{
    struct seen *seen = context;
    cr_expect_eq(((const unsigned char *)record)[BYTES - 1], key);
    seen->first = seen->count++ ? seen->first : key;
    seen->last = key;
    return key >= seen->until;
}

static struct seen scan_keys(struct ordo_worker *worker, uint64_t first, uint64_t last, uint64_t until)
{
    struct seen seen = {.until = until};
    cr_expect_eq(ordo_txn_scan(worker, table, first, last, visit, &seen), ORDO_OK);
    return seen;
}

static void ranges(const struct ordo_db_engine *engine)
{
    if (!engine->scans)
        return;
    for (uint64_t key = 10; key < ROWS; key += 10)
        insert(key);
    begin(one);
    struct seen all = scan_keys(one, 0, UINT64_MAX, UINT64_MAX), beyond = scan_keys(one, ROWS, ROWS + 9, UINT64_MAX),
                part = scan_keys(one, 11, 40, UINT64_MAX), stopped = scan_keys(one, 0, ROWS, 50),
                none = scan_keys(one, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    cr_expect(all.count == 9 && all.first == 10 && all.last == 90);
    cr_expect(part.count == 3 && part.first == 20 && part.last == 40);
    cr_expect(stopped.count == 5 && stopped.last == 50);
    cr_expect(beyond.count == 0 && none.count == 0);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
}

Test(txn_dense, a_scan_finds_the_records_of_its_range)
{
    each(BYTES, ranges);
}

/* Another worker inserts a key into the range that was scanned, or behind its last visited key. */
static void phantom(const struct ordo_db_engine *engine)
{
    void *record;
    for (int inside = 0; inside < 2 && engine->scans; inside++) {
        insert(50 + (uint64_t)inside);
        begin(two);
        (void)scan_keys(two, 10, 90, 50);
        cr_assert_eq(ordo_txn_insert(two, table, (uint64_t)inside, &record), ORDO_OK);
        memset(record, inside, BYTES);
        insert(inside ? 20 : 60);
        cr_expect_eq(ordo_txn_commit(two), inside ? ORDO_TXN_CONFLICT : ORDO_OK);
    }
}

Test(txn_dense, a_scan_notices_an_insert_into_its_range)
{
    each(BYTES, phantom);
}
