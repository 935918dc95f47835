/* The largest identity of a transaction in hekaton, which shares its word with two bits of status. The engine is
 * compiled into the test, which sets a worker's identity close to the limit. */
#include <criterion/criterion.h>

#define ORDO_STAMP_LOGICAL
#include "cc/txn/hekaton/engine.h"

static const struct ordo_db_engine engine = HK_ENGINE;

Test(limits, hekaton_refuses_identities_too_large_for_its_word)
{
    struct ordo_db_options options = {.workers = 2};
    struct ordo_table_spec spec = {.record_bytes = 8, .rows = 1};
    struct ordo_table *table;
    struct ordo_worker *worker, *other;
    struct ordo_db *db;
    void *record;
    unsigned begun = 0;
    cr_assert_eq(ordo_db_open(&db, &engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &worker), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &other), ORDO_OK);
    struct cc_worker *place = (struct cc_worker *)worker;
    place->id |= UINT64_C(0x3ffffffffffd) << 16;
    while (begun < 10 && ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE) == ORDO_OK) {
        int code = begun ? ordo_txn_update(worker, table, 1, &record) : ordo_txn_insert(worker, table, 1, &record);
        cr_assert_eq(code, ORDO_OK);
        cr_expect_eq(hk_status_of(db, place->id), HK_ACTIVE, "the transaction does not find its own status");
        cr_assert_eq(ordo_txn_begin(other, ORDO_TXN_SERIALIZABLE), ORDO_OK);
        cr_expect_eq(ordo_txn_update(other, table, 1, &record), ORDO_TXN_CONFLICT);
        ordo_txn_abort(other);
        cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
        begun++;
    }
    cr_expect_eq(begun, 2);
    cr_expect_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_E_INVALID);
    cr_expect_eq(ordo_txn_begin(other, ORDO_TXN_SERIALIZABLE), ORDO_OK, "another worker has identities of its own");
    ordo_txn_abort(other);
    ordo_worker_leave(worker);
    ordo_worker_leave(other);
    cr_expect_eq(ordo_db_audit(db, NULL), ORDO_OK);
    ordo_db_close(db);
}
