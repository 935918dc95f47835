/* Scan and retry: two agents sell the seats of a hall, always the first free one. A transaction scans the sold seats
 * for the first gap, and inserts it. If another agent was faster, the transaction ends with ORDO_TXN_CONFLICT, and runs
 * again with a new scan. No seat is sold twice, and none is left out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/cc/txn.h>
#include <ordo/ordo.h>

enum { SEATS = 2000, AGENTS = 2, SOLD_OUT = 1 };

static struct ordo_db *db;
static struct ordo_table *sold; /* key: the seat; record: the agent that sold it */
static atomic_long retries, failures;

/* Moves `next` over the sold seats in front; the first gap ends the scan. */
static int skip_sold(void *next, uint64_t seat, const void *agent)
{
    (void)agent;
    return seat != *(uint64_t *)next || ++*(uint64_t *)next == SEATS;
}

/* One attempt. The commit succeeds only if the scanned seats, and the gap behind them, are unchanged.
 * Returns ORDO_OK, SOLD_OUT, ORDO_TXN_CONFLICT, or a negative enum ordo_code. */
static int sell(struct ordo_worker *worker, long agent)
{
    uint64_t next = 0;
    void *record;
    int code = ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE);
    if (code == ORDO_OK)
        code = ordo_txn_scan(worker, sold, 0, SEATS - 1, skip_sold, &next);
    if (code == ORDO_OK && next < SEATS && (code = ordo_txn_insert(worker, sold, next, &record)) == ORDO_OK)
        *(long *)record = agent;
    if (code != ORDO_OK)
        return ordo_txn_abort(worker), code == ORDO_TXN_EXISTS ? ORDO_TXN_CONFLICT : code;
    code = ordo_txn_commit(worker);
    return code == ORDO_OK && next == SEATS ? SOLD_OUT : code; /* sold out only if that scan was valid */
}

static void *run_agent(void *number)
{
    struct ordo_worker *worker;
    int code = ordo_worker_join(db, &worker);
    if (code == ORDO_OK) {
        while ((code = sell(worker, (long)(intptr_t)number)) == ORDO_OK || code == ORDO_TXN_CONFLICT)
            atomic_fetch_add(&retries, code == ORDO_TXN_CONFLICT);
        ordo_worker_leave(worker);
    }
    atomic_fetch_add(&failures, code != SOLD_OUT); /* a negative code: no memory, or the record was withdrawn */
    return NULL;
}

int main(void)
{
    const struct ordo_db_engine *engine = ordo_db_engine_find("hekaton", "ordo");
    struct ordo o;
    struct ordo_error error;
    struct ordo_worker *worker;
    pthread_t agents[AGENTS];
    uint64_t count = 0;
    if (ordo_open_error(&o, NULL, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    struct ordo_db_options options = {.boundary_ticks = ordo_boundary(&o), .watch = &o, .workers = AGENTS + 1};
    struct ordo_table_spec spec = {.record_bytes = sizeof(long), .rows = SEATS, .ordered = true};
    if (ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &sold) || ordo_worker_join(db, &worker))
        return 1;
    for (intptr_t i = 0; i < AGENTS; i++)
        if (pthread_create(&agents[i], NULL, run_agent, (void *)(i + 1)))
            return 1;
    for (int i = 0; i < AGENTS; i++)
        pthread_join(agents[i], NULL);
    int code = ordo_txn_begin(worker, ORDO_TXN_READ_ONLY);
    if (code || ordo_txn_scan(worker, sold, 0, SEATS - 1, skip_sold, &count) || ordo_txn_commit(worker))
        return 1;
    printf("%llu of %d seats sold, %ld retries\n", (unsigned long long)count, SEATS, atomic_load(&retries));
    ordo_worker_leave(worker);
    ordo_db_close(db);
    return count != SEATS || atomic_load(&failures);
}
