/* The homes of the records of the single-version engines: which records are in a bucket and which in its chain, and
 * when a home becomes vacant again. */
#include "cc/txn/single/occ.h"

#include "homes.h"

enum { SMALL = 32, LARGE = 33 };

static const struct ordo_db_engine engine = OCC_ENGINE;

static void open_table(void)
{
    open_table_of(&engine, SMALL, false);
}

static struct sv_record *find(uint64_t key)
{
    return (struct sv_record *)cc_hash_find(&table->hash, key);
}

static struct sv_record *home(void)
{
    return (struct sv_record *)cc_hash_bucket(&table->hash, keys[0]);
}

static bool is_at_home(uint64_t key)
{
    cr_assert_not_null(find(key));
    return find(key) == home();
}

static bool is_vacant(void)
{
    return cc_home_is_vacant(&home()->node, &home()->word);
}

static int read_key(struct ordo_worker *who, uint64_t key)
{
    char record[SMALL];
    return ordo_txn_read(who, table, key, record);
}

Test(txn_record, the_first_record_of_a_bucket_is_in_its_home)
{
    open_table();
    insert(keys[0]); /* the insert uses a copy, whose memory is then in the pool */
    int64_t before = blocks;
    insert(keys[0] + 1);
    cr_expect_eq(blocks, before, "a key in a vacant bucket takes no memory");
    insert(keys[1]);
    cr_expect_eq(blocks - before, 1, "the key takes a record of its own");
    cr_expect(is_at_home(keys[0]));
    cr_expect_not(is_at_home(keys[1]));
    expect_record(keys[0]);
    expect_record(keys[1]);
    close_table();
}

/* The content of a record begins at a multiple of 32 bytes. */
Test(txn_record, a_record_fills_its_home)
{
    open_table();
    insert(keys[0]);
    char *record = cc_record(table, find(keys[0]));
    cr_expect_eq((uintptr_t)record % 32, 0);
    cr_expect_eq(record + SMALL, (char *)(home() + 2), "the record reaches to the end of its home");
    close_table();
}

Test(txn_record, large_records_have_no_home)
{
    open_table_of(&engine, LARGE, false);
    cr_expect_eq(table->hash.width, 0);
    insert(keys[0]);
    insert(keys[1]);
    remove_key(keys[0]);
    expect_record(keys[1]);
    close_table();
}

/* While a transaction may still read a home, neither its former key nor another key gets it. */
Test(txn_record, a_vacated_home_is_not_reused_while_it_is_read)
{
    open_table();
    insert(keys[0]);
    begin(reader);
    cr_assert_eq(read_key(reader, keys[0]), ORDO_OK);
    remove_key(keys[0]);
    cr_expect_null(find(keys[0]));
    insert(keys[0]);
    insert(keys[1]);
    for (int times = 0; times < PATIENCE; times++)
        idle();
    cr_expect_not(is_at_home(keys[0]));
    cr_expect_not(is_at_home(keys[1]));
    cr_expect(home()->word & SV_DEAD, "a reader that holds the record finds it dead");
    cr_expect_eq(read_key(reader, keys[0]), ORDO_TXN_CONFLICT, "the reader has seen the earlier record");
    ordo_txn_abort(reader);
    wait_until_vacant(is_vacant);
    insert(keys[2]);
    cr_expect(is_at_home(keys[2]));
    for (unsigned i = 0; i < 3; i++)
        expect_record(keys[i]);
    close_table();
}

/* A key in the chain stays in the chain even if the home becomes vacant. */
Test(txn_record, a_key_keeps_its_place_in_the_chain)
{
    void *record;
    open_table();
    insert(keys[0]);
    insert(keys[1]);
    remove_key(keys[0]);
    wait_until_vacant(is_vacant);
    cr_expect_null(sv_create_at_home((struct cc_worker *)worker, table, keys[1]));
    begin(worker);
    cr_expect_eq(ordo_txn_insert(worker, table, keys[1], &record), ORDO_TXN_EXISTS);
    ordo_txn_abort(worker);
    cr_expect_not(is_at_home(keys[1]));
    remove_key(keys[1]);
    insert(keys[1]);
    cr_expect(is_at_home(keys[1]));
    close_table();
}

/* A read of a missing key uses the home for an absent record, and later leaves it. So does an aborted insert. */
Test(txn_record, an_absent_record_frees_its_home)
{
    void *record;
    open_table();
    begin(worker);
    cr_expect_eq(read_key(worker, keys[0]), ORDO_TXN_ABSENT);
    cr_expect(is_at_home(keys[0]));
    commit(worker);
    cr_expect_null(find(keys[0]));
    wait_until_vacant(is_vacant);
    begin(worker);
    cr_expect_eq(ordo_txn_insert(worker, table, keys[1], &record), ORDO_OK);
    cr_expect(is_at_home(keys[1]));
    ordo_txn_abort(worker);
    cr_expect_null(find(keys[1]));
    cr_expect_not(is_vacant(), "another transaction may have found the record");
    wait_until_vacant(is_vacant);
    close_table();
}

/* The validity of the new record begins when the validity of the last record in this home ended. */
Test(txn_record, a_reused_home_continues_the_version_of_its_last_record)
{
    open_table();
    insert(keys[0]);
    remove_key(keys[0]);
    uint64_t floor = table->floor;
    cr_assert_gt(floor, 0);
    wait_until_vacant(is_vacant);
    begin(worker);
    cr_expect_eq(read_key(worker, keys[0]), ORDO_TXN_ABSENT);
    cr_expect_eq(find(keys[0])->word, SV_ABSENT | floor);
    commit(worker);
    close_table();
}

/* A vacant home belongs to no key. For UINT64_MAX, which no record can have as its key, the engine searches the
 * chain. */
Test(txn_record, no_record_has_the_key_of_a_vacant_home)
{
    const uint64_t none = UINT64_MAX;
    const void *seen;
    void *record;
    open_table();
    int64_t before = ((struct cc_worker *)worker)->items;
    begin(worker);
    ordo_txn_prefetch(worker, table, &none, 1, 1);
    cr_expect_eq(read_key(worker, none), ORDO_TXN_ABSENT);
    cr_expect_eq(ordo_txn_view(worker, table, none, &seen), ORDO_TXN_ABSENT);
    cr_expect_eq(((struct cc_worker *)worker)->items, before + 2,
                 "the key takes an absent record, and a copy for the view");
    cr_expect_eq(ordo_txn_insert(worker, table, none, &record), ORDO_E_INVALID);
    ordo_txn_abort(worker);
    close_table();
}

Test(txn_record, the_audit_checks_the_buckets)
{
    struct ordo_error error;
    open_table();
    insert(keys[0]);
    home()->word |= SV_LOCK;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect(strstr(error.text, "a lock was left"), "%s", error.text);
    home()->word &= ~SV_LOCK;
    home()->node.key++;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect(strstr(error.text, "twice, or is not found"), "%s", error.text);
    home()->node.key--;
    close_table();
}

Test(txn_record, the_audit_finds_a_home_that_will_never_be_vacant)
{
    struct ordo_error error;
    open_table();
    home()->word = SV_DEAD;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect_str_eq(error.text, "1 homes of records were left, 0 wait to be vacant");
    home()->word = 0;
    close_table();
}

/* The record stays at its place, and its word goes up with every insert and every deletion. */
Test(txn_record, a_deleted_record_of_a_dense_table_stays_absent_at_its_place)
{
    open_dense(&engine, sizeof(uint64_t));
    struct sv_record *record = sv_at_place(table, 2);
    cr_expect_eq(record, (struct sv_record *)cc_place(&table->places, 2));
    for (int times = 0; times < 3; times++) {
        uint64_t before = record->word;
        cr_expect(before & SV_ABSENT);
        insert(2);
        cr_expect(!(record->word & SV_ABSENT) && record->word > (before & SV_VALUE));
        expect_record(2);
        remove_key(2);
        cr_expect(!(record->word & SV_DEAD), "it does not leave the index");
        cr_expect((record->word & SV_VALUE) > (before & SV_VALUE));
    }
    close_table();
}

Test(txn_record, the_audit_checks_the_places)
{
    struct ordo_error error;
    open_dense(&engine, sizeof(uint64_t));
    sv_at_place(table, 2)->word |= SV_LOCK;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect_str_eq(error.text, "table 0, key 2: a lock was left");
    sv_at_place(table, 2)->word &= ~SV_LOCK;
    sv_at_place(table, 2)->node.key++;
    cr_expect_eq(ordo_db_audit(db, &error), ORDO_E_MALFORMED);
    cr_expect_str_eq(error.text, "table 0, key 2: an entry has another key");
    sv_at_place(table, 2)->node.key--;
    close_table();
}
