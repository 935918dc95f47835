/* A store: one engine with one stamp, loaded with one workload, from its first trial to its last; its clients, one to
 * a thread; and what a workload is.
 *
 * A workload draws the inputs of a transaction once and executes them until they commit, so that an engine that aborts
 * more does not get easier transactions. What a transaction would change in the tally is pending until it commits. */
#ifndef BENCH_TXN_STORE_H
#define BENCH_TXN_STORE_H

#include <ordo/cc/history.h>
#include <ordo/cc/txn.h>

#include "base/error.h"
#include "latency.h"
#include "random.h"

#define MVCC_MOST_TABLES 10
#define MVCC_MOST_REQUESTS 64

/** What an execution returns beside 0 and the engine's codes: the workload itself gives this transaction up, and it is
 * not tried again. */
#define MVCC_ROLLBACK 1000

struct mvcc_options {
    uint64_t rows;
    size_t record_bytes;
    uint32_t requests; /* of a transaction */
    uint32_t warehouses;
    double theta;
    unsigned read_percent; /* of the requests */
    bool snapshot;         /* isolation; else serialisable */
    bool external_consistency;
    uint64_t boundary_ticks;
    const struct ordo *watch; /* where the boundary came from; NULL: nowhere */
    int clients;
};

/** Keys drawn in advance, so that a trial measures the engine and not the generator: every store of a workload is given
 * the same, and each client begins at another place. */
#define MVCC_KEYS (UINT32_C(1) << 22)

struct mvcc_keys {
    uint32_t keys[MVCC_KEYS];
};

/** What committed transactions did, for the checks. */
struct mvcc_tally {
    uint64_t updates, inserts, broken; /* broken: saw what no transaction may see */
    int64_t cents;
};

struct mvcc_client;

enum mvcc_request { MVCC_READ, MVCC_UPDATE, MVCC_SCAN, MVCC_INSERT };

struct mvcc_ycsb_input {
    uint64_t keys[MVCC_MOST_REQUESTS];
    struct {
        enum mvcc_request kind;
        uint32_t length; /* of a scan, in keys */
    } requests[MVCC_MOST_REQUESTS];
};

struct mvcc_smallbank_input {
    int kind;
    uint64_t from, to;
};

struct mvcc_tpcc_input {
    int (*execute)(struct mvcc_client *client);
    uint64_t district, customer_district; /* keys */
    int64_t cents;
    uint32_t warehouse, customer, lines;
    uint32_t items[15], suppliers[15], quantities[15];
};

struct mvcc_workload {
    const char *name;
    unsigned read_percent; /* unless --read-percent says otherwise; 0 where it has no meaning */
    bool scans;            /* needs an ordered index */
    int (*load)(struct mvcc_client *client, struct ordo_error *error);
    void (*draw)(struct mvcc_client *client);
    /* Between begin and commit: 0, MVCC_ROLLBACK, or what a call of the engine returned. */
    int (*execute)(struct mvcc_client *client);
    /* Whether the store, at rest, is what the tally says. */
    int (*check)(struct mvcc_client *client, struct ordo_error *error);
};

extern const struct mvcc_workload mvcc_ycsb_a, mvcc_ycsb_b, mvcc_ycsb_c, mvcc_ycsb_e, mvcc_ycsb_f, mvcc_tpcc,
    mvcc_smallbank;

/** What a client did in a trial. */
struct mvcc_work {
    uint64_t transactions, rollbacks; /* done, and of these given up by the workload */
    struct ordo_txn_counts counts;
    struct mvcc_tally tally;
    struct mvcc_latency latency; /* from one transaction's end to the next's, in ticks: with all its attempts */
    int code;                    /* of an engine that failed, not of a transaction */
};

/** On lines of its own: its thread writes it all the time. */
struct mvcc_client {
    _Alignas(128) struct mvcc_store *store;
    struct ordo_worker *worker; /* while its thread is joined */
    int index;
    bool read_only; /* the transaction that was drawn */
    struct mvcc_random random;
    uint64_t fresh;    /* the next number of mvcc_client_fresh */
    uint32_t next_key; /* of the store's */
    void *record;      /* room for one of the options' size */
    union {
        struct mvcc_ycsb_input ycsb;
        struct mvcc_smallbank_input smallbank;
        struct mvcc_tpcc_input tpcc;
    } input;
    struct mvcc_tally pending; /* the attempt's, until it commits */
    struct mvcc_work work;
};

/** The history of a store's transactions, on its way to a file. */
struct mvcc_recording;

struct mvcc_store {
    const struct ordo_db_engine *engine;
    const struct mvcc_workload *workload;
    const struct mvcc_options *options;
    struct ordo_db *db;
    struct ordo_table *tables[MVCC_MOST_TABLES];
    size_t record_bytes[MVCC_MOST_TABLES];
    const struct mvcc_keys *keys;
    void *shared;                     /* the workload's; freed with the store */
    struct mvcc_tally tally;          /* of all trials */
    struct mvcc_client *clients;      /* [options->clients], and one more, the keeper, for loads and checks */
    struct mvcc_recording *recording; /* or NULL */
};

/** Draws the keys; NULL when out of memory. For free(). */
struct mvcc_keys *mvcc_keys_draw(const struct mvcc_options *options);

/** Opens and loads a store. `*store` is to be closed whatever the code. */
int mvcc_store_open(struct mvcc_store *store, struct ordo_error *error);

void mvcc_store_close(struct mvcc_store *store);

/** The engine's structure and the workload's invariants, when no client is joined. */
int mvcc_store_check(struct mvcc_store *store, struct ordo_error *error);

/** Adds `from` to `to`. */
void mvcc_counts_add(struct ordo_txn_counts *to, const struct ordo_txn_counts *from);
void mvcc_tally_add(struct mvcc_tally *to, const struct mvcc_tally *from);

/** Joins the calling thread as this client, and ends that. */
int mvcc_client_join(struct mvcc_client *client, struct ordo_error *error);
void mvcc_client_leave(struct mvcc_client *client);

/** Draws transactions and brings each to its end, until `running` says no and at least one is done. How many; the error
 * of an engine that failed is in client->work. */
uint64_t mvcc_client_work(struct mvcc_client *client, bool (*running)(const void *context), const void *context);

/** For loads: adds a table for `rows` records, and inserts a record in a transaction of its own. */
int mvcc_store_table(struct mvcc_store *store, int table, size_t record_bytes, uint64_t rows, struct ordo_error *error);
int mvcc_load(struct mvcc_client *client, int table, uint64_t key, const void *record, struct ordo_error *error);

/** For checks: copies a record in a transaction of its own. `*found` is whether it is there; where `found` is NULL it
 * must be. */
int mvcc_inspect(struct mvcc_client *client, int table, uint64_t key, void *record, bool *found,
                 struct ordo_error *error);

/** A key by the options' law. */
static inline uint64_t mvcc_client_key(struct mvcc_client *client)
{
    return client->store->keys->keys[client->next_key++ % MVCC_KEYS];
}

/** A number that no client of the store gives twice. */
static inline uint64_t mvcc_client_fresh(struct mvcc_client *client)
{
    return client->fresh++ << 12 | (uint64_t)client->index;
}

static inline int mvcc_read(struct mvcc_client *client, int table, uint64_t key, void *record)
{
    return ordo_txn_read(client->worker, client->store->tables[table], key, record);
}

static inline int mvcc_update(struct mvcc_client *client, int table, uint64_t key, void **record)
{
    return ordo_txn_update(client->worker, client->store->tables[table], key, record);
}

static inline int mvcc_insert(struct mvcc_client *client, int table, uint64_t key, void **record)
{
    return ordo_txn_insert(client->worker, client->store->tables[table], key, record);
}

#endif
