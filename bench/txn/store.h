/* A store: one engine with one stamp, loaded with one workload, from its first trial to its last; its clients, one to
 * a thread; and the interface of a workload.
 *
 * A workload draws the inputs of a transaction once and executes them until they commit, so that an engine that aborts
 * more does not get easier transactions. A transaction's changes of the tally are pending until it commits. */
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

/** What an execution returns beside 0 and the engine's codes: the workload itself gives this transaction up, and it is
 * not tried again. */
#define TXN_ROLLBACK 1000

enum txn_ahead { TXN_AHEAD_UPDATES, TXN_AHEAD_KEYS, TXN_AHEAD_NOTHING };
extern const char *const txn_ahead_words[]; /* [enum txn_ahead] */

struct txn_options {
    uint64_t rows;
    size_t record_bytes;
    uint32_t requests; /* of a transaction */
    uint32_t warehouses;
    double theta;
    unsigned read_percent; /* of the requests */
    bool snapshot;         /* isolation; else serialisable */
    bool readers_apart;    /* transactions that only read are READ_ONLY, because the long reader is READ_ONLY too */
    bool view;             /* ycsb looks at records in place */
    enum txn_ahead ahead;  /* what ycsb says before its first request */
    bool external_consistency;
    uint64_t boundary_ticks;
    const struct ordo *watch;     /* the handle of the boundary; NULL: none */
    const struct ordo *corrected; /* the clocks of the stamp corrected, with their boundary; NULL: it is not measured */
    const struct ordo *any;       /* the same of the stamp any */
    int clients;
};

/** Keys drawn in advance, so that a trial measures the engine and not the generator: every store of a workload is given
 * the same, and each client begins at another place. */
#define TXN_KEYS (UINT32_C(1) << 22)

struct txn_keys {
    uint32_t keys[TXN_KEYS];
};

/** What committed transactions did, for the checks. */
struct txn_tally {
    uint64_t updates, inserts, broken; /* broken: saw what no transaction may see */
    int64_t cents;
};

struct txn_client;

enum txn_request { TXN_READ, TXN_UPDATE, TXN_SCAN, TXN_INSERT };

struct txn_ycsb_input {
    uint64_t keys[TXN_MOST_REQUESTS];
    struct {
        enum txn_request kind;
        uint32_t length; /* of a scan, in keys */
    } requests[TXN_MOST_REQUESTS];
};

struct txn_smallbank_input {
    int kind;
    uint64_t from, to;
};

struct txn_tpcc_input {
    int (*execute)(struct txn_client *client);
    uint64_t district, customer_district; /* keys */
    int64_t cents;
    uint32_t warehouse, customer, lines;
    uint32_t items[15], suppliers[15], quantities[15];
};

struct txn_workload {
    const char *name;
    unsigned read_percent; /* unless --read-percent says otherwise; 0 if it has no meaning */
    bool scans;            /* needs an ordered index */
    int (*load)(struct txn_client *client, struct ordo_error *error);
    void (*draw)(struct txn_client *client);
    /* Runs between begin and commit. Returns 0, TXN_ROLLBACK, or the result of a call of the engine. */
    int (*execute)(struct txn_client *client);
    /* Checks the store, at rest, against the tally. */
    int (*check)(struct txn_client *client, struct ordo_error *error);
};

extern const struct txn_workload txn_ycsb_a, txn_ycsb_b, txn_ycsb_c, txn_ycsb_e, txn_ycsb_f, txn_tpcc, txn_smallbank;

/** What a client did in a trial. */
struct txn_work {
    uint64_t transactions, rollbacks; /* done, and of these given up by the workload */
    struct ordo_txn_counts counts;
    struct txn_tally tally;
    struct txn_latency latency; /* from one transaction's end to the next's, in ticks: with all its attempts */
    int code;                   /* of an engine that failed, not of a transaction */
};

/** On lines of its own: its thread writes it all the time. */
struct txn_client {
    _Alignas(128) struct txn_store *store;
    struct ordo_worker *worker; /* while its thread is joined */
    int index;
    bool read_only; /* the transaction that was drawn */
    struct txn_random random;
    uint64_t fresh;    /* the next number of txn_client_fresh */
    uint32_t next_key; /* of the store's */
    void *record;      /* room for one of the options' size */
    union {
        struct txn_ycsb_input ycsb;
        struct txn_smallbank_input smallbank;
        struct txn_tpcc_input tpcc;
    } input;
    struct txn_tally pending; /* the attempt's, until it commits */
    struct txn_work work;
};

/** The history of a store's transactions, on its way to a file. */
struct txn_recording;

struct txn_store {
    const struct ordo_db_engine *engine;
    const struct txn_workload *workload;
    const struct txn_options *options;
    struct ordo_db *db;
    struct ordo_table *tables[TXN_MOST_TABLES];
    size_t record_bytes[TXN_MOST_TABLES];
    const struct txn_keys *keys;
    void *shared;                    /* the workload's; freed with the store */
    struct txn_tally tally;          /* of all trials */
    struct txn_client *clients;      /* [options->clients], and one more, the keeper, for loads and checks */
    struct txn_recording *recording; /* or NULL */
};

/** Draws the keys; NULL when out of memory. For free(). */
struct txn_keys *txn_keys_draw(const struct txn_options *options);

/** Opens and loads a store. Close `*store` after an error too. */
int txn_store_open(struct txn_store *store, struct ordo_error *error);

void txn_store_close(struct txn_store *store);

/** The engine's structure and the workload's invariants, when no client is joined. */
int txn_store_check(struct txn_store *store, struct ordo_error *error);

/** Adds `from` to `to`. */
void txn_counts_add(struct ordo_txn_counts *to, const struct ordo_txn_counts *from);
void txn_tally_add(struct txn_tally *to, const struct txn_tally *from);

/** Joins the calling thread as this client, and ends that. */
int txn_client_join(struct txn_client *client, struct ordo_error *error);
void txn_client_leave(struct txn_client *client);

/** Draws transactions and brings each to its end, until `running` says no and at least one is done. How many; the error
 * of an engine that failed is in client->work. */
uint64_t txn_client_work(struct txn_client *client, bool (*running)(const void *context), const void *context);

/** For loads: adds a table for `rows` records, and inserts a record in a transaction of its own. */
int txn_store_table(struct txn_store *store, int table, size_t record_bytes, uint64_t rows, struct ordo_error *error);
int txn_load(struct txn_client *client, int table, uint64_t key, const void *record, struct ordo_error *error);

/** For checks: copies a record in a transaction of its own. `*found` is whether it is there; where `found` is NULL it
 * must be. */
int txn_inspect(struct txn_client *client, int table, uint64_t key, void *record, bool *found,
                struct ordo_error *error);

/** A key by the options' law. */
static inline uint64_t txn_client_key(struct txn_client *client)
{
    return client->store->keys->keys[client->next_key++ % TXN_KEYS];
}

/** A number that no client of the store gives twice. */
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
