/* Pruning while another thread is preempted in its own round of pruning. The engine is compiled into the test. */
#include <criterion/criterion.h>

#define ORDO_STAMP_LOGICAL
#include "cc/txn/hekaton/engine.h"

static const struct ordo_db_engine engine = HK_ENGINE;

enum { RECORDS = 10, UPDATES = 20000, RECORD_BYTES = 64 };

static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *writer, *reader, *stopped;

static void write_all(char letter)
{
    void *record;
    cr_assert_eq(ordo_txn_begin(writer, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    for (uint64_t key = 0; key < RECORDS; key++) {
        int code = ordo_txn_insert(writer, table, key, &record);
        if (code == ORDO_TXN_EXISTS)
            code = ordo_txn_update(writer, table, key, &record);
        cr_assert_eq(code, ORDO_OK);
        memset(record, letter, RECORD_BYTES);
    }
    cr_assert_eq(ordo_txn_commit(writer), ORDO_OK);
}

static void open_all(void)
{
    struct ordo_db_options options = {.workers = 3};
    struct ordo_table_spec spec = {.record_bytes = RECORD_BYTES, .rows = RECORDS};
    cr_assert_eq(ordo_db_open(&db, &engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &writer), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &reader), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &stopped), ORDO_OK);
}

static void close_all(void)
{
    ordo_worker_leave(writer);
    ordo_worker_leave(reader);
    ordo_worker_leave(stopped);
    cr_expect_eq(ordo_db_audit(db, NULL), ORDO_OK);
    ordo_db_close(db);
}

static int64_t waiting(void)
{
    const struct cc_queue *queue = &((struct cc_worker *)writer)->queue;
    return (int64_t)(queue->tail - queue->head);
}

static void announce(uint64_t announcement)
{
    __atomic_store_n(&((struct cc_worker *)stopped)->active, announcement, __ATOMIC_SEQ_CST);
}

static bool is_full_of(const char *record, char letter)
{
    for (int i = 0; i < RECORD_BYTES; i++)
        if (record[i] != letter)
            return false;
    return true;
}

/* Makes updates during a snapshot, while another worker announces `announcement`. Returns the number of waiting
 * versions. */
static int64_t waiting_during(uint64_t announcement)
{
    char record[RECORD_BYTES];
    open_all();
    write_all('a');
    cr_assert_eq(ordo_txn_begin(reader, ORDO_TXN_READ_ONLY), ORDO_OK);
    cr_expect_eq(ordo_txn_read(reader, table, 3, record), ORDO_OK);
    announce(announcement);
    for (int i = 0; i < UPDATES / RECORDS; i++)
        write_all((char)('b' + i % 20));
    int64_t result = waiting();
    cr_expect_eq(ordo_txn_read(reader, table, 3, record), ORDO_OK);
    cr_expect(is_full_of(record, 'a'));
    announce(CC_IDLE);
    cr_expect_eq(ordo_txn_commit(reader), ORDO_OK);
    close_all();
    return result;
}

Test(txn_prune, a_worker_prunes_while_another_worker_prunes)
{
    cr_expect_lt(waiting_during(CC_IDLE), 2000);
    cr_expect_lt(waiting_during(CC_PRUNES), 2000);
}

Test(txn_prune, pruning_waits_for_transactions_without_a_timestamp)
{
    cr_expect_gt(waiting_during(CC_ANNOUNCED), UPDATES - 2000);
}

/* Versions that are old enough to be freed wait for the end of another worker's round, because the round walks over all
 * versions that its oldest snapshot needs. */
Test(txn_prune, versions_are_not_freed_during_another_workers_pruning)
{
    open_all();
    write_all('a');
    announce(CC_PRUNES);
    for (int i = 0; i < 200; i++)
        write_all('b');
    cr_expect_eq(waiting(), 200 * RECORDS);
    announce(CC_IDLE);
    for (int i = 0; i < 200; i++)
        write_all('c');
    cr_expect_lt(waiting(), 200 * RECORDS);
    close_all();
}

enum { DELETED = 200, FIRST_DELETED = 100 };

/* Executes transactions that only read, so that the workers reclaim. */
static void read_often(struct ordo_worker *worker, int times)
{
    char record[RECORD_BYTES];
    for (int i = 0; i < times; i++) {
        cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
        cr_assert_eq(ordo_txn_read(worker, table, 0, record), ORDO_OK);
        cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
    }
}

static void insert_deleted(struct ordo_worker *worker)
{
    void *record;
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    for (uint64_t key = FIRST_DELETED; key < FIRST_DELETED + DELETED; key++) {
        cr_assert_eq(ordo_txn_insert(worker, table, key, &record), ORDO_OK);
        memset(record, 'd', RECORD_BYTES);
    }
}

static void remove_deleted(void)
{
    cr_assert_eq(ordo_txn_begin(writer, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    for (uint64_t key = FIRST_DELETED; key < FIRST_DELETED + DELETED; key++)
        cr_assert_eq(ordo_txn_remove(writer, table, key), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(writer), ORDO_OK);
}

static int64_t kept_by(const struct ordo_worker *worker)
{
    return (int64_t)(worker->counts.versions_created - worker->counts.versions_reclaimed);
}

/* A deletion cannot end its wait while another transaction has the claim of the record. A round of pruning that meets
 * the waiting deletion later must not mistake it for one whose record was written again. */
Test(txn_prune, a_deletion_that_met_a_claim_is_still_reclaimed)
{
    open_all();
    write_all('a');
    insert_deleted(writer);
    cr_assert_eq(ordo_txn_commit(writer), ORDO_OK);
    remove_deleted();
    insert_deleted(stopped); /* holds the claims */
    cr_assert_eq(ordo_txn_begin(reader, ORDO_TXN_READ_ONLY), ORDO_OK);
    read_often(writer, 2000);
    ordo_txn_abort(stopped);
    for (int i = 0; i < 800; i++)
        write_all('b');
    cr_assert_eq(ordo_txn_commit(reader), ORDO_OK);
    for (int i = 0; i < 100; i++) {
        read_often(writer, 100);
        read_often(stopped, 100);
    }
    cr_expect_eq(kept_by(writer) + kept_by(reader) + kept_by(stopped), RECORDS);
    close_all();
}
