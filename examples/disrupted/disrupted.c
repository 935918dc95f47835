/* Many threads at ORDO_E_DISRUPTED: the record was withdrawn, so the database of every thread is over. Each thread
 * stops at its first refused call; the last one out closes the database, and the program goes on in a new one, on a
 * counter, with the results that were acknowledged. An argument is the number of requests (default 10^9: until the
 * record is withdrawn, once). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <ordo/cc/txn.h>
#include <ordo/ordo.h>

enum { THREADS = 4, LATER = 20000 };

static struct ordo_db *db;
static struct ordo_table *table;
static atomic_long acknowledged; /* stands for the log that a real service restores a database from */
static atomic_long left;

/* Adds 1 to the record, and acknowledges the request once it is committed. Returns the code of the first failed call. */
static int serve(struct ordo_worker *worker)
{
    void *record;
    int code = ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE);
    if (code == ORDO_OK)
        code = ordo_txn_update(worker, table, 0, &record);
    if (code != ORDO_OK)
        return ordo_txn_abort(worker), code;
    ++*(long *)record;
    code = ordo_txn_commit(worker);
    atomic_fetch_add(&acknowledged, code == ORDO_OK);
    return code;
}

static void *run(void *outcome)
{
    struct ordo_worker *worker;
    int code = ordo_worker_join(db, &worker);
    if (code == ORDO_OK) {
        while (code == ORDO_OK && atomic_fetch_sub(&left, 1) > 0)
            while ((code = serve(worker)) == ORDO_TXN_CONFLICT)
                ; /* the same request again */
        ordo_worker_leave(worker);
    }
    *(int *)outcome = code; /* ORDO_E_DISRUPTED: nothing of the refused transaction has happened */
    return NULL;
}

/* Serves `requests` by all threads in the open database. Returns the first negative code of a thread, or ORDO_OK. */
static int serve_all(long requests)
{
    pthread_t threads[THREADS];
    int codes[THREADS], code = ORDO_OK;
    atomic_store(&left, requests);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, run, &codes[i]))
            abort();
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        code = code == ORDO_OK ? codes[i] : code;
    }
    return code;
}

/* Makes a database that begins with the acknowledged value, serves the requests, and prints the value at the end. */
static int run_all(const char *stamp, const struct ordo *o, long requests)
{
    struct ordo_db_options options = {.boundary_ticks = o ? ordo_boundary(o) : 0, .watch = o, .workers = THREADS + 1};
    struct ordo_table_spec spec = {.record_bytes = sizeof(long), .rows = 1};
    struct ordo_worker *first = NULL;
    long value;
    void *record;
    int code = ordo_db_open(&db, ordo_db_engine_find("hekaton", stamp), &options);
    if (code)
        return code;
    if (!(code = ordo_table_add(db, &spec, &table)) && !(code = ordo_worker_join(db, &first)) &&
        !(code = ordo_txn_begin(first, ORDO_TXN_SERIALIZABLE))) {
        if (!(code = ordo_txn_insert(first, table, 0, &record)))
            *(long *)record = atomic_load(&acknowledged), code = ordo_txn_commit(first);
        else
            ordo_txn_abort(first);
    }
    if (!code && !(code = serve_all(requests)) && !(code = ordo_txn_begin(first, ORDO_TXN_READ_ONLY))) {
        int read = ordo_txn_read(first, table, 0, &value);
        if (!(code = ordo_txn_commit(first)) && !(code = read))
            printf("%s: %ld, %ld acknowledged\n", stamp, value, atomic_load(&acknowledged));
    }
    if (first)
        ordo_worker_leave(first);
    ordo_db_close(db); /* also if a call was refused: the only remedy for a withdrawn record */
    return code;
}

int main(int argc, char **argv)
{
    struct ordo o;
    struct ordo_error error;
    if (ordo_open_error(&o, NULL, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    puts("serving"), fflush(stdout);
    int code = run_all("ordo", &o, argc > 1 ? atol(argv[1]) : 1000000000);
    if (code == ORDO_E_DISRUPTED) {
        puts("the record was withdrawn: going on with a counter");
        code = run_all("logical", NULL, LATER);
    }
    ordo_close(&o);
    return code != ORDO_OK;
}
