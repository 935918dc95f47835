/* For tests into which an engine is compiled: a table of few buckets, keys that share a bucket, two workers, and
 * counted memory. The clock advances by one tick at each read. Include this header after the engine. */
#ifndef UNIT_PLACES_H
#define UNIT_PLACES_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { BOUNDARY = 1000, SHARING = 4, PATIENCE = 100 };

static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *worker, *reader;
static uint64_t ticks = 10000000;
static uint64_t keys[SHARING]; /* keys of the same bucket */
static int64_t blocks, bytes_out;

uint64_t model_time(void)
{
    return ++ticks;
}

uint64_t model_clock(void)
{
    return ++ticks;
}

static void *take_memory(void *context, size_t align, size_t bytes)
{
    (void)context;
    blocks++;
    bytes_out += (int64_t)bytes;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void give_memory(void *context, void *memory, size_t bytes)
{
    (void)context;
    blocks--;
    bytes_out -= (int64_t)bytes;
    free(memory);
}

static void begin(struct ordo_worker *who)
{
    cr_assert_eq(ordo_txn_begin(who, ORDO_TXN_SERIALIZABLE), ORDO_OK);
}

static void commit(struct ordo_worker *who)
{
    cr_assert_eq(ordo_txn_commit(who), ORDO_OK);
}

static void open_spec(const struct ordo_db_engine *engine, const struct ordo_table_spec *spec)
{
    struct ordo_db_options options = {
        .memory = {take_memory, give_memory, NULL}, .boundary_ticks = BOUNDARY, .workers = 2};
    cr_assert_eq(ordo_db_open(&db, engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &worker), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &reader), ORDO_OK);
}

/* Opens a dense table of SHARING keys. */
static void open_dense(const struct ordo_db_engine *engine, size_t record_bytes)
{
    open_spec(engine, &(struct ordo_table_spec){.record_bytes = record_bytes, .rows = SHARING, .dense = true});
}

static void open_table_of(const struct ordo_db_engine *engine, size_t record_bytes, bool ordered)
{
    open_spec(engine, &(struct ordo_table_spec){.record_bytes = record_bytes, .rows = 1, .ordered = ordered});
    uint64_t key = 0;
    for (unsigned count = 0; count < SHARING; key++)
        if (cc_hash_bucket(&table->hash, key) == cc_hash_bucket(&table->hash, 0))
            keys[count++] = key;
}

static void close_table(void)
{
    struct ordo_error error = {0};
    ordo_worker_leave(worker);
    ordo_worker_leave(reader);
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_OK, "%s", error.text);
    ordo_db_close(db);
    cr_expect_eq(blocks, 0);
    cr_expect_eq(bytes_out, 0);
}

static void insert(uint64_t key)
{
    void *record;
    begin(worker);
    cr_assert_eq(ordo_txn_insert(worker, table, key, &record), ORDO_OK);
    memcpy(record, &key, sizeof key);
    commit(worker);
}

static void remove_key(uint64_t key)
{
    ticks += 10 * BOUNDARY;
    begin(worker);
    cr_assert_eq(ordo_txn_remove(worker, table, key), ORDO_OK);
    commit(worker);
    ticks += 10 * BOUNDARY;
}

/* Lets the worker reclaim everything that it may. */
static void idle(void)
{
    ticks += 10 * BOUNDARY;
    ((struct cc_worker *)worker)->since = CC_HORIZON_MOST;
    begin(worker);
    commit(worker);
}

static void wait_until_vacant(bool (*is_vacant)(void))
{
    for (int times = 0; times < PATIENCE && !is_vacant(); times++)
        idle();
    cr_assert(is_vacant());
}

static void expect_record(uint64_t key)
{
    uint64_t record[8] = {UINT64_MAX};
    begin(worker);
    cr_expect_eq(ordo_txn_read(worker, table, key, record), ORDO_OK);
    cr_expect_eq(record[0], key);
    commit(worker);
}

#endif
