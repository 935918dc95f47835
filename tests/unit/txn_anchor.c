/* The homes of hekaton's anchors: which anchors are in a bucket and which in its chain, and when a home becomes vacant
 * again. The engine is compiled into the test, on a clock that advances by one tick at each read. */
#include "cc/txn/hekaton/engine.h"

#include "homes.h"

static const struct ordo_db_engine engine = HK_ENGINE;

static void open_table(bool ordered)
{
    open_table_of(&engine, sizeof(uint64_t), ordered);
}

static void bury(uint64_t key)
{
    for (int times = 0; times < PATIENCE && hk_find(table, key); times++)
        idle();
    cr_assert_null(hk_find(table, key));
}

static struct hk_anchor *home(void)
{
    return (struct hk_anchor *)cc_hash_bucket(&table->hash, keys[0]);
}

static bool is_at_home(uint64_t key)
{
    struct hk_anchor *anchor = hk_find(table, key);
    cr_assert_not_null(anchor);
    cr_expect_eq(anchor->node.key, key);
    return anchor == home();
}

static bool is_vacant(void)
{
    return cc_home_is_vacant(&home()->node, &home()->writer);
}

Test(txn_anchor, the_first_anchor_of_a_bucket_is_in_its_home)
{
    open_table(false);
    insert(keys[0]);
    int64_t before = blocks;
    insert(keys[1]);
    cr_expect_eq(blocks - before, 2, "the key takes a version, and an anchor of its own");
    before = blocks;
    insert(keys[0] + 1);
    cr_expect_eq(blocks - before, 1, "a key in a vacant bucket takes a version alone");
    cr_expect(is_at_home(keys[0]));
    cr_expect_not(is_at_home(keys[1]));
    expect_record(keys[0]);
    expect_record(keys[1]);
    close_table();
}

/* While a transaction may still read a home, neither its former key nor another key gets it. */
Test(txn_anchor, a_vacated_home_is_not_reused_while_it_is_read)
{
    open_table(false);
    insert(keys[0]);
    remove_key(keys[0]);
    begin(reader); /* the reader may find the anchor, and holds it */
    cr_assert(is_at_home(keys[0]));
    bury(keys[0]);
    insert(keys[0]);
    insert(keys[1]);
    for (int times = 0; times < PATIENCE; times++)
        idle();
    cr_expect_not(is_at_home(keys[0]));
    cr_expect_not(is_at_home(keys[1]));
    cr_expect_eq(home()->writer, HK_DEAD);
    cr_expect(hk_head(home())->tomb, "a reader that holds the anchor finds a deletion");
    ordo_txn_abort(reader);
    wait_until_vacant(is_vacant);
    insert(keys[2]);
    cr_expect(is_at_home(keys[2]));
    for (unsigned i = 0; i < 3; i++)
        expect_record(keys[i]);
    close_table();
}

/* A key in the chain stays in the chain even if the home becomes vacant. */
Test(txn_anchor, a_key_keeps_its_place_in_the_chain)
{
    open_table(false);
    insert(keys[0]);
    insert(keys[1]);
    remove_key(keys[0]);
    bury(keys[0]);
    wait_until_vacant(is_vacant);
    cr_expect_null(hk_anchor_at_home((struct cc_worker *)worker, table, keys[1], NULL));
    void *record;
    begin(worker);
    cr_expect_eq(ordo_txn_insert(worker, table, keys[1], &record), ORDO_TXN_EXISTS);
    ordo_txn_abort(worker);
    cr_expect_not(is_at_home(keys[1]));
    remove_key(keys[1]);
    bury(keys[1]);
    insert(keys[1]);
    cr_expect(is_at_home(keys[1]));
    close_table();
}

Test(txn_anchor, an_aborted_insert_vacates_its_home)
{
    void *record;
    open_table(false);
    begin(worker);
    cr_assert_eq(ordo_txn_insert(worker, table, keys[0], &record), ORDO_OK);
    cr_expect(is_at_home(keys[0]));
    begin(reader); /* the reader may find the anchor, and holds it */
    ordo_txn_abort(worker);
    cr_expect_null(hk_find(table, keys[0]));
    insert(keys[1]);
    for (int times = 0; times < PATIENCE; times++)
        idle();
    cr_expect_not(is_at_home(keys[1]));
    cr_expect_eq(home()->writer, HK_DEAD);
    ordo_txn_abort(reader);
    wait_until_vacant(is_vacant);
    insert(keys[2]);
    cr_expect(is_at_home(keys[2]));
    expect_record(keys[1]);
    expect_record(keys[2]);
    close_table();
}

/* Until the reader has ended, no other key gets the home. */
Test(txn_anchor, an_uncommitted_insert_occupies_its_home)
{
    void *record;
    open_table(false);
    begin(reader);
    cr_assert_eq(ordo_txn_insert(reader, table, keys[0], &record), ORDO_OK);
    insert(keys[1]);
    cr_expect(is_at_home(keys[0]));
    cr_expect_not(is_at_home(keys[1]));
    ordo_txn_abort(reader);
    expect_record(keys[1]);
    close_table();
}

/* A vacant home belongs to no key. UINT64_MAX, which no record can have as its key, is not found in it either. */
Test(txn_anchor, no_record_has_the_key_of_a_vacant_home)
{
    static const enum ordo_txn_level levels[] = {ORDO_TXN_SERIALIZABLE, ORDO_TXN_SNAPSHOT, ORDO_TXN_READ_ONLY};
    const uint64_t none = UINT64_MAX;
    uint64_t bytes;
    void *record;
    const void *seen;
    open_table(false);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        cr_assert_eq(ordo_txn_begin(worker, levels[i]), ORDO_OK);
        ordo_txn_prefetch(worker, table, &none, 1, 1);
        cr_expect_eq(ordo_txn_read(worker, table, none, &bytes), ORDO_TXN_ABSENT);
        cr_expect_eq(ordo_txn_view(worker, table, none, &seen), ORDO_TXN_ABSENT);
        if (levels[i] != ORDO_TXN_READ_ONLY) {
            cr_expect_eq(ordo_txn_update(worker, table, none, &record), ORDO_TXN_ABSENT);
            cr_expect_eq(ordo_txn_remove(worker, table, none), ORDO_TXN_ABSENT);
        }
        cr_expect_eq(ordo_txn_commit(worker), ORDO_OK);
    }
    begin(worker);
    cr_expect_eq(ordo_txn_insert(worker, table, none, &record), ORDO_E_INVALID);
    ordo_txn_abort(worker);
    close_table();
}

Test(txn_anchor, anchors_of_an_ordered_table_have_no_home)
{
    open_table(true);
    insert(keys[0]);
    insert(keys[1]);
    cr_expect_not(is_at_home(keys[0]));
    cr_expect_not(is_at_home(keys[1]));
    expect_record(keys[0]);
    expect_record(keys[1]);
    close_table();
}

Test(txn_anchor, the_audit_checks_the_buckets)
{
    struct ordo_error error;
    open_table(false);
    insert(keys[0]);
    home()->writer = 1;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect(strstr(error.text, "a claim was left"), "%s", error.text);
    home()->writer = 0;
    home()->node.key++;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect(strstr(error.text, "twice, or is not found"), "%s", error.text);
    home()->node.key--;
    close_table();
}

Test(txn_anchor, the_audit_finds_a_home_that_will_never_be_vacant)
{
    struct ordo_error error;
    open_table(false);
    home()->writer = HK_DEAD;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect_str_eq(error.text, "1 homes of anchors were left, 0 wait to be vacant");
    home()->writer = 0;
    close_table();
}

static bool is_empty(void)
{
    return !hk_at_place(table, 2)->head;
}

/* The anchor stays at its place, whatever happens to its record. */
Test(txn_anchor, a_deleted_record_of_a_dense_table_leaves_an_empty_anchor)
{
    open_dense(&engine, sizeof(uint64_t));
    cr_expect(is_empty());
    for (int times = 0; times < 3; times++) {
        insert(2);
        expect_record(2);
        cr_expect_eq(hk_find(table, 2), hk_at_place(table, 2));
        remove_key(2);
        cr_expect_not(is_empty(), "the deletion waits");
        wait_until_vacant(is_empty);
    }
    close_table();
}

Test(txn_anchor, the_audit_checks_the_places)
{
    struct ordo_error error;
    open_dense(&engine, sizeof(uint64_t));
    struct hk_anchor *anchor = hk_at_place(table, 2);
    anchor->writer = 1;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect_str_eq(error.text, "table 0, key 2: a claim was left");
    anchor->writer = 0;
    anchor->inlined = 7;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect_str_eq(error.text, "table 0, key 2: a missing record has a time, or its deletions wait");
    anchor->inlined = HK_TAG;
    anchor->node.key++;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect_str_eq(error.text, "table 0, key 2: an entry has another key");
    anchor->node.key--;
    insert(3);
    struct hk_version *head = hk_at_place(table, 3)->head;
    hk_at_place(table, 3)->head = NULL;
    hk_at_place(table, 3)->inlined = HK_TAG;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect_str_eq(error.text, "0 versions are reachable or retired, 1 were taken");
    hk_at_place(table, 3)->head = head;
    hk_at_place(table, 3)->inlined = head->begin;
    close_table();
}
