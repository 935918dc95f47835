/* A database, its tables and its workers, as far as all engines share them. The argument is in core.h. */
#ifndef ORDO_CC_TXN_CORE_TYPES_H
#define ORDO_CC_TXN_CORE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ordo/cc/domain/invariant.h>
#include <ordo/cc/stamp.h>
#include <ordo/cc/txn.h>

#include "cc/txn/index.h"

enum {
    CC_LINE = 128,
    CC_TABLES = 64,             /* of a database */
    CC_POOL = 512,              /* items of a table that a worker keeps in its pool; */
    CC_POOLS = 1 << 16,         /* more if all its pools hold no more than this, nor than have waited lately, */
    CC_LATELY = 1024,           /* transactions of the worker for which "lately" lasts */
    CC_WORKERS = 64,            /* by default */
    CC_HORIZON_LEAST = 4,       /* commits between two scans for the horizon, if many bytes were retired; */
    CC_HORIZON_MOST = 32,       /* if few were; in both cases at least the number of places to scan */
    CC_HORIZON_BYTES = 1 << 15, /* this counts as many: it still fits in a core's own cache */
    CC_BACKLOG = 1 << 16,       /* items that a worker may retire during one transaction before it slows down */
    CC_NAP_NS = 100000,         /* sleep of a worker with that backlog, longer with more */
    CC_PATIENCE = 64,           /* turns of waiting, without yielding, while holding claims or locks */
    CC_YIELDS = 32,             /* of a transaction that gave way, for the one in its way */
    CC_AHEAD = 1088,            /* bytes of a record that are prefetched, */
    CC_KEYS_AHEAD = 64,         /* keys that are prefetched at once: `updates` has a bit for each; */
    CC_FIRST = 128              /* bytes of each that are prefetched before more of any */
};

/* A function that is seldom called, kept out of the code that runs for each record. */
#define CC_SLOW static __attribute__((noinline, cold, unused))

#define CC_IDLE UINT64_C(0)
#define CC_ANNOUNCED UINT64_C(1)
/* An announced time has one of three marks, or none: */
#define CC_SNAPSHOT (UINT64_C(1) << 63)      /* the transaction reads only versions valid at that time; */
#define CC_HAZARDS (UINT64_C(1) << 62)       /* it names the versions that it holds; also with CC_ANNOUNCED; */
#define CC_FENCED (CC_SNAPSHOT | CC_HAZARDS) /* it does so too, with a fence after each name */
/* The mark of a snapshot without a time, which no snapshot has: the worker prunes, outside of a transaction. Minus
 * infinity, like CC_ANNOUNCED, except for other workers that prune. */
#define CC_PRUNES CC_SNAPSHOT

#define CC_FENCED_FOR_GOOD UINT64_MAX /* the last period: the kernel has no fence for all threads */

struct ordo_table {
    struct cc_hash hash;
    struct cc_list list;
    size_t record_bytes;
    size_t record_at;  /* offset of the record in an item */
    size_t item_bytes; /* size of an item in the pools: a version, or a record */
    unsigned number;
    uint64_t floor; /* single-version engines: the last validity of the records that left the index */
    struct ordo_db *db;
};

/* An item that became unreachable at `end`. */
struct cc_retired {
    uint64_t end;
    uint64_t begin; /* the engine's */
    void *item;
    struct ordo_table *table;
    uintptr_t kind; /* the engine's */
};

/* First in, first out. The ends of one worker ascend, but for at most 2B, which may delay an item and does no harm. */
struct cc_queue {
    struct cc_retired *ring;
    uint64_t head, tail, mask;
    uint64_t pruned;  /* the engine's: the worker's progress when it last pruned */
    uint64_t most;    /* items that have waited at once, lately */
    uint64_t records; /* whole records that ever came; they wait for every transaction */
};

struct cc_pool {
    void *first; /* linked through the first word */
    unsigned count;
};

/* The oldest transactions, without snapshots: the items that cannot be reclaimed while they last. */
struct cc_least {
    uint64_t versions; /* begin of the oldest that does not name its versions */
    uint64_t records;  /* begin of the oldest of all */
};

/* The first part of an engine's worker; the transaction, on lines of its own, is the engine's. */
struct cc_worker {
    struct ordo_worker base;
    struct cc_queue queue;
    uint64_t horizon;       /* items that ended before it may be reclaimed */
    struct cc_least least;  /* at the last scan that saw these go on: the begin of the oldest, */
    uint64_t cuts;          /* the last round of pruning that had a number, */
    uint64_t moved;         /* the queue's tail, */
    uint64_t records_moved; /* and the queue's records */
    uint64_t id;            /* of the present transaction, unique in the database and not 0: number << 16 | index + 1 */
    int64_t items;          /* taken minus put back, by this worker */
    unsigned since;         /* commits since the last scan for the horizon, */
    uint64_t seen_bytes;    /* and the bytes retired by then */
    uint64_t retired_bytes; /* in all, by the items' sizes */
    int taken;              /* by a worker that has joined */
    enum ordo_txn_level level;
    bool opened, doomed; /* opened: a transaction is open; doomed: its calls are refused, as if none were open */
    int doom;            /* the answer of a doomed transaction, unless it is ORDO_TXN_CONFLICT */
    struct cc_pool pools[CC_TABLES];
    uint64_t pooled; /* items in all pools */
    struct ordo_stamp_local stamp;
    /* CC_IDLE, CC_PRUNES, CC_ANNOUNCED, or the transaction's time, and marks; read by all */
    _Alignas(CC_LINE) uint64_t active;
    uint64_t walk;  /* the engine's: not 0 while a snapshot walks */
    uint64_t state; /* the engine's; read by transactions that meet this one */
};

/* The engine's: frees a retired item, or puts it in a pool. False: it is to be called again later. */
typedef bool cc_free_item(struct cc_worker *worker, const struct cc_retired *retired);

struct ordo_db {
    const struct ordo_db_engine *engine; /* first, for lib/cc/txn/registry.c */
    struct ordo_db_options options;
    unsigned tables;
    struct ordo_table *table[CC_TABLES];
    struct cc_worker **places;
    unsigned places_used; /* places from this one on are NULL */
    int disrupted;        /* for good */
    uint64_t fences; /* the engine's: the present period, symmetric if odd (hekaton/fence.h), or CC_FENCED_FOR_GOOD */
    struct ordo_stamp stamp;
    uint64_t cuts;                 /* the engine's: the last number of a round of pruning */
    uint64_t era;                  /* the engine's: odd while snapshots may begin */
    uint64_t last_begin, last_end; /* the engine's: the latest of workers that left */
};

#endif
