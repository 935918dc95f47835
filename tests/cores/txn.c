/* Transactions: the history of each engine goes to the checker after every round. Each record has its balance twice, so
 * that a torn record is seen, and the balances have a constant sum. */
#include <ordo/cc/history.h>
#include <ordo/cc/txn.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum { INITIAL = 1000, MOST_THREADS = 2048 };

struct account {
    int64_t balance, again;
};

static struct ordo_db *db;
static struct ordo_table *accounts;
static struct ordo_history *histories[MOST_THREADS];
static struct ordo_history_checker *checker;

/* With a boundary that is too small, released memory may be in use. */
static void *allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void keep(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)memory;
    (void)bytes;
}

static void judge(void)
{
    struct ordo_history_report report;
    struct ordo_error error;
    if (ordo_db_audit(db, &error))
        oracle_blame(error.text);
    if (ordo_history_cut(histories, (unsigned)oracle_plan.threads, ordo_history_check, checker))
        oracle_blame("the history is not well-formed");
    if (ordo_history_finish(checker, &report))
        oracle_blame("the history does not end");
    oracle_result.operations = report.committed;
    if (report.anomalies)
        oracle_blame(report.first_text);
}

static int look(struct ordo_worker *worker, uint64_t *random)
{
    struct account seen;
    int code = ordo_txn_read(worker, accounts, oracle_draw(random) % oracle_plan.items, &seen);
    if (!code && seen.balance != seen.again && !oracle_plan.expect)
        oracle_blame("a transaction has read a torn record");
    return code;
}

static int change(struct ordo_worker *worker, uint64_t key, int64_t amount)
{
    void *record;
    int code = ordo_txn_update(worker, accounts, key, &record);
    if (code)
        return code;
    struct account *account = record;
    account->balance += amount;
    account->again = account->balance;
    return 0;
}

static int transfer(struct ordo_worker *worker, uint64_t *random)
{
    uint64_t from = oracle_draw(random) % oracle_plan.items;
    uint64_t to = (from + 1 + oracle_draw(random) % (oracle_plan.items - 1)) % oracle_plan.items;
    int64_t amount = (int64_t)(oracle_draw(random) % 50);
    int code = change(worker, from, -amount);
    return code ? code : change(worker, to, amount);
}

/* Reads records, and rewrites another one unchanged: this provokes write skew. */
static int look_and_touch(struct ordo_worker *worker, uint64_t *random)
{
    int code = look(worker, random);
    code = code ? code : look(worker, random);
    return code ? code : change(worker, oracle_draw(random) % oracle_plan.items, 0);
}

static int only_look(struct ordo_worker *worker, uint64_t *random)
{
    int code = 0;
    for (int i = 0; i < 4 && !code; i++)
        code = look(worker, random);
    return code;
}

static void do_transaction(struct ordo_worker *worker, uint64_t *random)
{
    uint64_t kind = oracle_draw(random) % 8;
    int code = ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE);
    if (code) {
        oracle_blame("a transaction could not begin");
        return;
    }
    code = kind < 3 ? transfer(worker, random) : kind < 6 ? look_and_touch(worker, random) : only_look(worker, random);
    if (code)
        ordo_txn_abort(worker);
    else
        (void)ordo_txn_commit(worker);
    if (code < 0)
        oracle_blame("a call has failed");
}

static void work(int number)
{
    struct ordo_worker *worker;
    static const struct ordo_memory usual;
    uint64_t random = oracle_plan.seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(number + 1);
    if (ordo_worker_join(db, &worker) || ordo_history_create(&histories[number], worker, &usual))
        abort();
    do {
        for (uint64_t i = 0; i < oracle_plan.each; i++)
            do_transaction(worker, &random);
        oracle_rest(judge);
    } while (!oracle_is_over());
    ordo_worker_leave(worker);
}

static int fill(void)
{
    struct ordo_worker *worker;
    void *record;
    if (ordo_worker_join(db, &worker) || ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        return -1;
    for (uint64_t key = 0; key < oracle_plan.items; key++) {
        if (ordo_txn_insert(worker, accounts, key, &record))
            return -1;
        *(struct account *)record = (struct account){INITIAL, INITIAL};
    }
    int code = ordo_txn_commit(worker);
    ordo_worker_leave(worker);
    return code;
}

static int add_up(void)
{
    struct ordo_worker *worker;
    struct account seen;
    int64_t sum = 0;
    if (ordo_worker_join(db, &worker) || ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        return -1;
    for (uint64_t key = 0; key < oracle_plan.items; key++) {
        if (ordo_txn_read(worker, accounts, key, &seen))
            return -1;
        sum += seen.balance;
    }
    if (!oracle_plan.expect && (ordo_txn_commit(worker) || sum != (int64_t)oracle_plan.items * INITIAL))
        oracle_blame("the sum of all accounts has changed");
    return 0;
}

static const struct ordo_db_engine *find_engine(void)
{
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        if (strcmp((*engine)->name, oracle_plan.engine) == 0 &&
            strcmp((*engine)->stamp ? (*engine)->stamp : "-", oracle_plan.stamp) == 0)
            return *engine;
    return NULL;
}

int oracle_txn(void)
{
    const struct ordo_db_engine *engine = find_engine();
    struct ordo_db_options options = {
        .boundary_ticks = oracle_plan.boundary, .workers = (unsigned)oracle_plan.threads + 1, .history = true};
    struct ordo_table_spec spec = {.record_bytes = sizeof(struct account), .rows = oracle_plan.items};
    if (oracle_plan.expect)
        options.memory = (struct ordo_memory){allocate, keep, NULL};
    checker = ordo_history_checker_create();
    if (!engine || !checker || ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &accounts) || fill() ||
        ordo_history_head(ORDO_TXN_SERIALIZABLE, engine->strict, ordo_history_check, checker))
        return -1;
    oracle_run_threads(work);
    return oracle_plan.expect ? 0 : add_up();
}
