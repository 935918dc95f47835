/* A bank: tellers transfer money between accounts, while an auditor adds up all accounts as of one moment. The total
 * never changes. An argument names the stamp: ordo (the default), logical, batch. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/cc/txn.h>
#include <ordo/ordo.h>

enum { ACCOUNTS = 1000, EACH = 100, TRANSFERS = 20000, TELLERS = 2 };

static struct ordo_db *db;
static struct ordo_table *accounts;
static atomic_int working = TELLERS;

static int transfer(struct ordo_worker *worker, uint64_t from, uint64_t to, long amount)
{
    void *payer, *payee; /* private copies until the commit */
    int code = ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE);
    if (code == ORDO_OK)
        code = ordo_txn_update(worker, accounts, from, &payer);
    if (code == ORDO_OK)
        code = ordo_txn_update(worker, accounts, to, &payee);
    if (code != ORDO_OK)
        return ordo_txn_abort(worker), code;
    *(long *)payer -= amount;
    *(long *)payee += amount;
    return ordo_txn_commit(worker);
}

static void *teller(void *first)
{
    struct ordo_worker *worker;
    uint64_t at = (uintptr_t)first;
    if (ordo_worker_join(db, &worker) == ORDO_OK) {
        for (int i = 0; i < TRANSFERS; i++, at = (at * 31 + 17) % ACCOUNTS)
            while (transfer(worker, at, (at + 1) % ACCOUNTS, i % 10) == ORDO_TXN_CONFLICT)
                ; /* another transaction was in the way: begin again */
        ordo_worker_leave(worker);
    }
    atomic_fetch_sub(&working, 1);
    return NULL;
}

static int add_up(struct ordo_worker *worker, long *total)
{
    int code = ordo_txn_begin(worker, ORDO_TXN_READ_ONLY);
    long balance = *total = 0;
    for (uint64_t i = 0; code == ORDO_OK && i < ACCOUNTS; i++, *total += balance)
        code = ordo_txn_read(worker, accounts, i, &balance);
    return code == ORDO_OK ? ordo_txn_commit(worker) : (ordo_txn_abort(worker), code);
}

int main(int argc, char **argv)
{
    const struct ordo_db_engine *engine = ordo_db_engine_find("hekaton", argc > 1 ? argv[1] : "ordo");
    struct ordo_db_options options = {.workers = TELLERS + 1};
    struct ordo_table_spec spec = {.record_bytes = sizeof(long), .rows = ACCOUNTS};
    struct ordo_worker *auditor;
    struct ordo o;
    pthread_t tellers[TELLERS];
    long total = 0, audits = 0, wrong = 0;
    void *balance;
    if (!engine || ordo_open(&o, NULL))
        return fprintf(stderr, "no such stamp, or no record (see ordo show)\n"), 1;
    options.boundary_ticks = ordo_boundary(&o);
    if (ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &accounts) || ordo_worker_join(db, &auditor))
        return 1;
    ordo_txn_begin(auditor, ORDO_TXN_SERIALIZABLE);
    for (uint64_t i = 0; i < ACCOUNTS && ordo_txn_insert(auditor, accounts, i, &balance) == ORDO_OK; i++)
        *(long *)balance = EACH;
    for (uintptr_t i = ordo_txn_commit(auditor) ? TELLERS : 0; i < TELLERS; i++)
        pthread_create(&tellers[i], NULL, teller, (void *)i);
    do {
        if (add_up(auditor, &total) == ORDO_OK)
            audits++, wrong += total != ACCOUNTS * EACH;
    } while (atomic_load(&working) || !audits);
    printf("%ld audits, %ld wrong, total %ld\n", audits, wrong, total);
    return wrong != 0;
}
