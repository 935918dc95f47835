/* A store: one engine with one stamp and one workload, from its first trial to its last. Its clients: one for each
 * thread. The interface of a workload.
 *
 * A workload draws the input of a transaction once, and executes the transaction until it commits. An engine that
 * aborts more often therefore does not get easier transactions. A transaction's changes to the tally are pending until
 * it commits. */
#ifndef BENCH_TXN_STORE_H
#define BENCH_TXN_STORE_H

#include <ordo/cc/history.h>
#include <ordo/cc/txn.h>
#include <ordo/ordo.h>

#include "base/error.h"
#include "latency.h"
#include "random.h"

#define TXN_MOST_TABLES 10
#define TXN_MOST_REQUESTS 64

/** The result of an execution that the workload itself gives up; the transaction is not repeated. Other results are 0
 * and the codes of the engine. */
#define TXN_ROLLBACK 1000

enum txn_ahead { TXN_AHEAD_UPDATES, TXN_AHEAD_KEYS, TXN_AHEAD_NOTHING };
extern const char *const txn_ahead_words[]; /* indices: enum txn_ahead */

struct txn_options {
    uint64_t rows;
    size_t record_bytes;
    uint32_t requests; /* requests in a transaction */
    uint32_t warehouses;
    double theta;
    unsigned read_percent; /* share of reads among the requests */
    bool snapshot;         /* true: snapshot isolation; false: serialisable */
    bool readers_apart;    /* read-only transactions begin with READ_ONLY, as the long reader does */
    bool view;             /* ycsb reads records in place, without copying */
    enum txn_ahead ahead;  /* the prefetch hints of ycsb before its first request */
    bool dense;            /* the tables are dense: only if `dense` of the workload is true */
    bool external_consistency;
    uint64_t boundary_ticks;
    const struct ordo *watch;     /* handle of the boundary; NULL: none */
    const struct ordo *corrected; /* handle of the stamp corrected; NULL: not measured */
    const struct ordo *any;       /* handle of the stamp any; NULL: not measured */
    int clients;
};

/** Keys are drawn in advance, so that a trial measures the engine and not the generator. All stores of a workload use
 * the same keys; each client begins at another position. */
#define TXN_KEYS (UINT32_C(1) << 22)

struct txn_keys {
    uint32_t keys[TXN_KEYS];
};

/** The effects of committed transactions, for the checks. */
struct txn_tally {
    uint64_t updates, inserts, broken; /* broken: reads that no committed transaction may make */
    int64_t cents;
};

struct txn_client;

enum txn_request { TXN_READ, TXN_UPDATE, TXN_SCAN, TXN_INSERT };

struct txn_ycsb_input {
    uint64_t keys[TXN_MOST_REQUESTS];
    struct {
        enum txn_request kind;
        uint32_t length; /* length of a scan, in keys */
    } requests[TXN_MOST_REQUESTS];
};

struct txn_smallbank_input {
    int kind;
    uint64_t from, to;
};

struct txn_tpcc_input {
    int (*execute)(struct txn_client *client);
    uint64_t district, customer_district; /* keys of districts */
    int64_t cents;
    uint32_t warehouse, customer, lines;
    uint32_t items[15], suppliers[15], quantities[15];
};

struct txn_workload {
    const char *name;
    unsigned read_percent; /* default of --read-percent; 0: it has no meaning here */
    bool scans;            /* the workload needs an ordered index */
    bool dense;            /* the keys of each table are 0 to rows - 1 */
    int (*load)(struct txn_client *client, struct ordo_error *error);
    void (*draw)(struct txn_client *client);
    /* Executes the operations between begin and commit. Returns 0, TXN_ROLLBACK, or the code of an engine's call. */
    int (*execute)(struct txn_client *client);
    /* Checks the store against the tally. No transaction runs. */
    int (*check)(struct txn_client *client, struct ordo_error *error);
};

extern const struct txn_workload txn_ycsb_a, txn_ycsb_b, txn_ycsb_c, txn_ycsb_e, txn_ycsb_f, txn_tpcc, txn_smallbank;

/** The work of a client in a trial. */
struct txn_work {
    uint64_t transactions, rollbacks; /* finished transactions, and how many of them rolled back */
    struct ordo_txn_counts counts;
    struct txn_tally tally;
    struct txn_latency latency; /* ticks from one transaction's end to the next's, with all attempts */
    int code;                   /* error of the engine; not the outcome of a transaction */
};

/** A client. It has cache lines of its own, because its thread writes it all the time. */
struct txn_client {
    _Alignas(128) struct txn_store *store;
    struct ordo_worker *worker; /* valid while the thread is joined */
    int index;
    bool read_only; /* the drawn transaction only reads */
    struct txn_random random;
    uint64_t fresh;    /* next number of txn_client_fresh() */
    uint32_t next_key; /* index of the next key in the store's keys */
    void *record;      /* buffer for one record */
    union {
        struct txn_ycsb_input ycsb;
        struct txn_smallbank_input smallbank;
        struct txn_tpcc_input tpcc;
    } input;
    struct txn_tally pending; /* effects of the current attempt, until it commits */
    struct txn_work work;
};

/** Writes the history of a store's transactions to a file. */
struct txn_recording;

struct txn_store {
    const struct ordo_db_engine *engine;
    const struct txn_workload *workload;
    const struct txn_options *options;
    struct ordo_db *db;
    struct ordo_table *tables[TXN_MOST_TABLES];
    size_t record_bytes[TXN_MOST_TABLES];
    const struct txn_keys *keys;
    void *shared;                    /* the workload's data; freed with the store */
    struct txn_tally tally;          /* sum over all trials */
    struct txn_client *clients;      /* [options->clients + 1]; the last is the keeper, which loads and checks */
    struct txn_recording *recording; /* NULL: the history is not recorded */
};

/** Draws the keys; release them with free(). Returns NULL if out of memory. */
struct txn_keys *txn_keys_draw(const struct txn_options *options);

/** Opens and loads a store. Close `*store` after an error, too. */
int txn_store_open(struct txn_store *store, struct ordo_error *error);

void txn_store_close(struct txn_store *store);

/** Checks the engine's structure and the workload's invariants. No client may be joined. */
int txn_store_check(struct txn_store *store, struct ordo_error *error);

/** Adds `from` to `to`. */
void txn_counts_add(struct ordo_txn_counts *to, const struct ordo_txn_counts *from);
void txn_tally_add(struct txn_tally *to, const struct txn_tally *from);

/** Join the calling thread as this client; leave. */
int txn_client_join(struct txn_client *client, struct ordo_error *error);
void txn_client_leave(struct txn_client *client);

/** Draws transactions and executes each until it commits or is given up. Stops when `running` returns false, but
 * finishes at least one transaction. Returns the number of transactions; if the engine failed, client->work has the
 * error. */
uint64_t txn_client_work(struct txn_client *client, bool (*running)(const void *context), const void *context);

/** For loading: txn_store_table() adds a table for `rows` records; txn_load() inserts a record in a transaction of its
 * own. */
int txn_store_table(struct txn_store *store, int table, size_t record_bytes, uint64_t rows, struct ordo_error *error);
int txn_load(struct txn_client *client, int table, uint64_t key, const void *record, struct ordo_error *error);

/** For checks: copies a record in a transaction of its own. Sets `*found` to false if the record is missing. If `found`
 * is NULL, a missing record is an error. */
int txn_inspect(struct txn_client *client, int table, uint64_t key, void *record, bool *found,
                struct ordo_error *error);

/** Returns the next drawn key. */
static inline uint64_t txn_client_key(struct txn_client *client)
{
    return client->store->keys->keys[client->next_key++ % TXN_KEYS];
}

/** Returns a number that is unique among all clients of the store. */
static inline uint64_t txn_client_fresh(struct txn_client *client)
{
    return client->fresh++ << 12 | (uint64_t)client->index;
}

static inline int txn_read(struct txn_client *client, int table, uint64_t key, void *record)
{
    return ordo_txn_read(client->worker, client->store->tables[table], key, record);
}

static inline int txn_view(struct txn_client *client, int table, uint64_t key, const void **record)
{
    return ordo_txn_view(client->worker, client->store->tables[table], key, record);
}

static inline int txn_update(struct txn_client *client, int table, uint64_t key, void **record)
{
    return ordo_txn_update(client->worker, client->store->tables[table], key, record);
}

static inline int txn_insert(struct txn_client *client, int table, uint64_t key, void **record)
{
    return ordo_txn_insert(client->worker, client->store->tables[table], key, record);
}

#endif
