/* A deleted record whose anchor leaves the index while a reader is at the anchor. The reader has read the clock for its
 * begin, and was preempted before it announced itself. The engine is compiled into the test. The clock advances by one
 * tick at each read, and runs the other workers at two of the reader's reads of it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cc/txn/hekaton/engine.h"

enum { BOUNDARY = 1000, FILL = 150, DELETED = 500, BEHIND = 501 };

static const struct ordo_db_engine engine = HK_ENGINE;
static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *reader, *deleter, *inserter;
static uint64_t ticks = 10000000;
static void (*at_begin)(void), (*at_extension)(void);

static void let(void (**others)(void))
{
    void (*now)(void) = *others;
    *others = NULL;
    if (now)
        now();
}

uint64_t model_time(void)
{
    uint64_t shown = ++ticks;
    let(&at_begin);
    return shown;
}

uint64_t model_clock(void)
{
    let(&at_extension);
    return ++ticks;
}

static void begin(struct ordo_worker *worker)
{
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
}

static void commit(struct ordo_worker *worker)
{
    cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
}

static void put(struct ordo_worker *worker, uint64_t key, char letter)
{
    void *record;
    int code = ordo_txn_insert(worker, table, key, &record);
    if (code == ORDO_TXN_EXISTS)
        code = ordo_txn_update(worker, table, key, &record);
    cr_assert_eq(code, ORDO_OK);
    memset(record, letter, 8);
}

static void fill(char letter)
{
    for (uint64_t key = 0; key < FILL; key++)
        put(deleter, key, letter);
}

/* Lets the anchor of the deleted key leave the index. Then one transaction inserts the key again and writes key
 * BEHIND. */
static void bury_and_insert(void)
{
    for (int times = 0; times < 100 && hk_find(table, DELETED); times++)
        begin(deleter), commit(deleter);
    cr_assert_null(hk_find(table, DELETED), "nothing retains the anchor");
    begin(inserter);
    put(inserter, DELETED, 'i');
    put(inserter, BEHIND, 'i');
    commit(inserter);
    ticks += 10 * BOUNDARY;
}

/* Retires enough items before the deletion that a scan by the deleter does not remove the deletion at once. */
static void delete_and_look(void)
{
    struct cc_worker *worker = (struct cc_worker *)deleter;
    ticks += 10 * BOUNDARY;
    begin(deleter);
    fill('b');
    cr_assert_eq(ordo_txn_remove(deleter, table, DELETED), ORDO_OK);
    commit(deleter);
    ticks += 10 * BOUNDARY;
    for (int times = 0; times < 100 && worker->horizon <= hk_txn(worker)->last_end; times++)
        begin(deleter), commit(deleter);
    cr_assert_not_null(hk_find(table, DELETED));
    at_extension = bury_and_insert;
}

static void open_table(bool ordered, int external)
{
    struct ordo_db_options options = {.boundary_ticks = BOUNDARY, .workers = 3, .external_consistency = external};
    struct ordo_table_spec spec = {.record_bytes = 8, .rows = 1000, .ordered = ordered};
    cr_assert_eq(ordo_db_open(&db, &engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &reader), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &deleter), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &inserter), ORDO_OK);
    begin(deleter);
    fill('a');
    put(deleter, DELETED, 'a');
    put(deleter, BEHIND, 'a');
    commit(deleter);
    ticks += 10 * BOUNDARY;
    at_begin = delete_and_look;
    begin(reader);
}

static void close_table(void)
{
    ordo_worker_leave(reader);
    ordo_worker_leave(deleter);
    ordo_worker_leave(inserter);
    cr_expect_eq(ordo_db_audit(db, NULL), ORDO_OK);
    ordo_db_close(db);
}

static void read_both(int external)
{
    char deleted[8], behind[8];
    open_table(false, external);
    int code = ordo_txn_read(reader, table, DELETED, deleted);
    cr_expect_null(at_extension, "it extended");
    bool is_there = code == ORDO_OK;
    if (code != ORDO_TXN_CONFLICT)
        code = ordo_txn_read(reader, table, BEHIND, behind);
    code = ordo_txn_commit(reader);
    cr_expect(code == ORDO_TXN_CONFLICT || is_there == (behind[0] == 'i'), "the reader sees half of a transaction");
    close_table();
}

Test(txn_leaving, a_reader_sees_no_partial_reinsertion)
{
    read_both(0);
    read_both(1);
}

static int see(void *seen, uint64_t key, const void *record)
{
    memcpy((char *)seen + (key == BEHIND), record, 1);
    return 0;
}

Test(txn_leaving, a_scan_sees_no_partial_reinsertion)
{
    char seen[2] = "--";
    open_table(true, 0);
    (void)ordo_txn_scan(reader, table, DELETED, BEHIND, see, seen);
    cr_expect_null(at_extension, "it extended");
    int code = ordo_txn_commit(reader);
    cr_expect(code == ORDO_TXN_CONFLICT || (seen[0] == 'i') == (seen[1] == 'i'),
              "the reader sees half of a transaction");
    close_table();
}
