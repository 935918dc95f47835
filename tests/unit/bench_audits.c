/* The audits of the transaction benchmark: they report nothing after correct transactions, and report each kind of
 * damage. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "txn/store.h"
#include "txn/tpcc_rows.h"

#define ROWS 500
#define DISTRICT tpcc_district_key(1, 3)
#define LAST_ORDER tpcc_order_key(DISTRICT, TPCC_FIRST_ORDERS)

static struct txn_options options = {
    .rows = ROWS, .record_bytes = 64, .requests = 4, .warehouses = 1, .theta = 0.5, .read_percent = 50, .clients = 1};
static struct txn_store store;
static struct ordo_error error;

static bool running(const void *done)
{
    int *left = *(int *const *)done;
    return --*left > 0;
}

/* Opens a store and runs some transactions in it. */
static void open_store(const struct txn_workload *workload)
{
    int left = 1000, *counter = &left;
    store = (struct txn_store){.engine = ordo_db_engine_find("hekaton", "logical"),
                               .workload = workload,
                               .options = &options,
                               .keys = txn_keys_draw(&options)};
    cr_assert_not_null(store.engine);
    cr_assert_eq(txn_store_open(&store, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(txn_client_join(&store.clients[0], &error), ORDO_OK);
    cr_assert_gt(txn_client_work(&store.clients[0], running, &counter), 500);
    txn_tally_add(&store.tally, &store.clients[0].work.tally);
    txn_client_leave(&store.clients[0]);
    cr_assert_eq(txn_store_check(&store, &error), ORDO_OK, "%s", error.text);
}

/* Expects that the audit reports `text`. */
static void must_complain(const char *text)
{
    cr_assert_eq(txn_store_check(&store, &error), ORDO_E_MEASURE);
    cr_assert_not_null(strstr(error.text, text), "'%s' lacks '%s'", error.text, text);
    txn_store_close(&store);
    free((void *)store.keys);
}

/* Adds to the 64-bit word at `offset` of a record. */
static void damage(int table, uint64_t key, size_t offset, int64_t add)
{
    struct txn_client *client = &store.clients[0];
    void *record;
    cr_assert_eq(txn_client_join(client, &error), ORDO_OK);
    cr_assert_eq(ordo_txn_begin(client->worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    cr_assert_eq(txn_update(client, table, key, &record), ORDO_OK);
    *(int64_t *)((char *)record + offset) += add;
    cr_assert_eq(ordo_txn_commit(client->worker), ORDO_OK);
    txn_client_leave(client);
}

/* Inserts a record of zeros, or removes one. */
static void add_or_remove(int table, uint64_t key, bool add)
{
    struct txn_client *client = &store.clients[0];
    void *record = NULL;
    cr_assert_eq(txn_client_join(client, &error), ORDO_OK);
    cr_assert_eq(ordo_txn_begin(client->worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
    cr_assert_eq(add ? txn_insert(client, table, key, &record)
                     : ordo_txn_remove(client->worker, store.tables[table], key),
                 ORDO_OK);
    if (record)
        memset(record, 0, store.record_bytes[table]);
    cr_assert_eq(ordo_txn_commit(client->worker), ORDO_OK);
    txn_client_leave(client);
}

Test(ycsb, a_torn_record_is_found)
{
    open_store(&txn_ycsb_a);
    damage(0, 7, options.record_bytes - sizeof(int64_t), 1);
    must_complain("torn");
}

Test(ycsb, a_lost_update_is_found)
{
    open_store(&txn_ycsb_f);
    damage(0, 7, 0, -1);
    damage(0, 7, options.record_bytes - sizeof(int64_t), -1);
    must_complain("were updated");
}

Test(ycsb, a_lost_insert_is_found)
{
    open_store(&txn_ycsb_e);
    store.tally.inserts++;
    must_complain("new rows");
}

Test(ycsb, a_record_with_a_wrong_key_is_found)
{
    open_store(&txn_ycsb_a);
    damage(0, 7, sizeof(int64_t), 1);
    must_complain("torn");
}

Test(ycsb, a_torn_record_of_two_words_is_found)
{
    options.record_bytes = 16;
    open_store(&txn_ycsb_a);
    damage(0, 7, 8, 1);
    must_complain("torn");
}

Test(ycsb, a_lost_update_of_a_one_word_record_is_found)
{
    options.record_bytes = 8;
    open_store(&txn_ycsb_f);
    damage(0, 7, 0, -1);
    must_complain("were updated");
}

Test(ycsb, a_one_word_record_with_a_wrong_key_is_found)
{
    options.record_bytes = 8;
    open_store(&txn_ycsb_a);
    damage(0, 7, 0, (int64_t)1 << 32);
    must_complain("torn");
}

Test(smallbank, a_missing_cent_is_found)
{
    open_store(&txn_smallbank);
    damage(1, 7, 0, -1);
    must_complain("cents");
}

Test(tpcc, condition_1_finds_a_wrong_year_to_date_sum)
{
    open_store(&txn_tpcc);
    damage(TPCC_DISTRICT, DISTRICT, offsetof(struct tpcc_district, ytd_cents), 1);
    must_complain("condition 1: warehouse 1");
}

Test(tpcc, condition_2_finds_an_order_above_the_next_number, .disabled = ORDO_TESTS_BRIEF)
{
    open_store(&txn_tpcc);
    add_or_remove(TPCC_ORDER, LAST_ORDER + 100, true);
    must_complain("condition 2: warehouse 1, district 3");
}

Test(tpcc, condition_2_finds_a_new_order_row_without_its_order_row, .disabled = ORDO_TESTS_BRIEF)
{
    open_store(&txn_tpcc);
    add_or_remove(TPCC_NEW_ORDER, LAST_ORDER + 100, true);
    must_complain("condition 2: warehouse 1, district 3");
}

Test(tpcc, condition_3_finds_a_gap_in_the_new_orders, .disabled = ORDO_TESTS_BRIEF)
{
    open_store(&txn_tpcc);
    add_or_remove(TPCC_NEW_ORDER, LAST_ORDER - 1, false);
    must_complain("condition 3: warehouse 1, district 3");
}

Test(tpcc, condition_4_finds_a_missing_order_line, .disabled = ORDO_TESTS_BRIEF)
{
    open_store(&txn_tpcc);
    add_or_remove(TPCC_ORDER_LINE, tpcc_line_key(LAST_ORDER, 1), false);
    must_complain("condition 4: warehouse 1, district 3");
}
