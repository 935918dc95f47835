/* The largest time of tictoc, which has 46 bits in a record's word. The engine is compiled into the test, which starts
 * a table close to the limit. */
#include <criterion/criterion.h>

#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/tictoc.h"

static const struct ordo_db_engine engine = TICTOC_ENGINE;

static struct ordo_table *table;
static struct ordo_worker *worker;

static int write_value(uint64_t key, uint64_t value)
{
    void *record;
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    int code = ordo_txn_update(worker, table, key, &record);
    if (code == ORDO_TXN_ABSENT)
        code = ordo_txn_insert(worker, table, key, &record);
    cr_assert_eq(code, ORDO_OK);
    memcpy(record, &value, sizeof value);
    return ordo_txn_commit(worker);
}

static uint64_t read_value(uint64_t key)
{
    uint64_t value = 0;
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_READ_ONLY), ORDO_OK);
    cr_expect_eq(ordo_txn_read(worker, table, key, &value), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(worker), ORDO_OK);
    return value;
}

Test(limits, tictoc_refuses_times_too_large_for_its_word)
{
    struct ordo_db_options options = {.workers = 1};
    struct ordo_table_spec spec = {.record_bytes = 8, .rows = 1};
    struct ordo_db *db;
    uint64_t last = 0;
    int code = ORDO_OK;
    cr_assert_eq(ordo_db_open(&db, &engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &worker), ORDO_OK);
    cr_expect_eq(write_value(2, 100), ORDO_OK);
    table->floor = SV_VALUE - 4;
    for (uint64_t value = 1; value < 20 && code == ORDO_OK; value++) {
        code = write_value(1, value);
        last = code ? last : value;
        cr_expect_eq(read_value(1), last, "after %ju", (uintmax_t)value);
    }
    cr_expect_eq(code, ORDO_E_INVALID);
    cr_expect_eq(last, 4);
    cr_expect_eq(write_value(1, 5), ORDO_E_INVALID, "the record stays refused for good");
    cr_expect_eq(write_value(2, 101), ORDO_OK, "a younger record has times left");
    cr_expect_eq(worker->counts.aborts_validation, 0);
    ordo_worker_leave(worker);
    cr_expect_eq(ordo_db_audit(db, NULL), ORDO_OK);
    ordo_db_close(db);
}
