/* The parts of a database, its tables and its workers that all engines share. Comments that begin with "engine:" are
 * about members that only the engine uses. The argument is in core.h. */
#ifndef ORDO_CC_TXN_CORE_TYPES_H
#define ORDO_CC_TXN_CORE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ordo/cc/domain/invariant.h>
#include <ordo/cc/stamp.h>
#include <ordo/cc/txn.h>

#include "cc/txn/places.h"

enum {
    CC_LINE = 128,
    CC_TABLES = 64,             /* tables of a database, at most */
    CC_POOL = 512,              /* items that each pool of a worker may always keep */
    CC_POOLS = 1 << 16,         /* items of all pools of a worker, at most; fewer if fewer have lately waited at once */
    CC_LATELY = 1024,           /* number of the worker's transactions that "lately" means */
    CC_WORKERS = 64,            /* default number of workers */
    CC_HORIZON_LEAST = 4,       /* commits between two scans for the horizon if many bytes were retired */
    CC_HORIZON_MOST = 32,       /* the same if few bytes were retired; in both cases at least the number of places */
    CC_HORIZON_BYTES = 1 << 15, /* "many" retired bytes: at least this number, which fits in a core's own cache */
    CC_BACKLOG = 1 << 16,       /* held-back items of a worker above which the worker slows down */
    CC_NAP_NS = 100000,         /* sleep of a worker for each CC_BACKLOG items of its backlog */
    CC_PATIENCE = 64,           /* steps of a wait, without yielding, while holding claims or locks */
    CC_YIELDS = 32,             /* times that a thread yields to the transaction that was in its way */
    CC_AHEAD = 1088,            /* bytes of an item that are prefetched, at most */
    CC_KEYS_AHEAD = 64,         /* keys that are prefetched at once: `updates` has a bit for each */
    CC_FIRST = 128              /* bytes of each item that are prefetched before the rest of any item */
};

/* A rarely called function, kept out of the code that runs for each record. */
#define CC_SLOW static __attribute__((noinline, cold, unused))

#define CC_IDLE UINT64_C(0)
#define CC_ANNOUNCED UINT64_C(1)
/* Marks of an announced time. They say what the transaction does: */
#define CC_SNAPSHOT (UINT64_C(1) << 63) /* it reads only versions that are valid at this time */
#define CC_HAZARDS (UINT64_C(1) << 62)  /* it names the versions that it holds; CC_ANNOUNCED may have this mark too */
#define CC_FENCED (CC_SNAPSHOT | CC_HAZARDS) /* it names its versions, and issues a fence after each name */
/* The announcement of a worker that prunes, outside of a transaction: a snapshot's mark with time 0, which no snapshot
 * has. Counts as minus infinity, like CC_ANNOUNCED, except for other workers that prune. */
#define CC_PRUNES CC_SNAPSHOT

#define CC_FENCED_FOR_GOOD UINT64_MAX /* value of `fences`: the last period; the kernel has no fence for all threads */

struct ordo_table {
    struct cc_places places; /* of a dense table, which has no hash index and no list */
    struct cc_hash hash;
    struct cc_list list;
    size_t record_bytes;
    size_t record_at;  /* offset of the record in an item */
    size_t item_bytes; /* size of an item in the pools: a version, or a record */
    unsigned number;
    uint64_t last_key; /* the largest key that a read may name: the last place, or UINT64_MAX */
    uint64_t floor;    /* single-version engines: the latest end of validity of all records that left the index */
    struct ordo_db *db;
};

/* An item that became unreachable at `end`. */
struct cc_retired {
    uint64_t end;
    uint64_t begin; /* engine: in Hekaton, the begin of a version or the number of its cut */
    void *item;
    struct ordo_table *table;
    uintptr_t kind; /* engine: the kind of the item */
};

/* A first-in, first-out queue. The ends of its items ascend, except that an end may be up to 2B below an earlier one.
 * This may delay an item, and does no harm. */
struct cc_queue {
    struct cc_retired *ring;
    uint64_t head, tail, mask;
    uint64_t pruned;  /* engine: the worker's progress when it last pruned */
    uint64_t most;    /* largest number of items that lately waited at once */
    uint64_t records; /* number of whole records ever queued; these wait for every transaction */
};

struct cc_pool {
    void *first; /* the items, linked through their first words */
    unsigned count;
};

/* The oldest transactions other than snapshots. They hold items back while they last. */
struct cc_least {
    uint64_t versions; /* begin of the oldest transaction that does not name its versions */
    uint64_t records;  /* begin of the oldest transaction */
};

/* The first part of an engine's worker. The engine adds the transaction, on cache lines of its own. */
struct cc_worker {
    struct ordo_worker base;
    struct cc_queue queue;
    uint64_t horizon;       /* items that ended before it may be reclaimed */
    struct cc_least least;  /* the oldest transactions, when a scan last saw them change */
    uint64_t cuts;          /* `cuts` of the database at that scan */
    uint64_t moved;         /* the queue's tail at that scan */
    uint64_t records_moved; /* the queue's `records` when a scan last saw `least.records` change */
    uint64_t id;            /* identity of the present transaction, unique and not 0: number << 16 | index + 1 */
    int64_t items;          /* items that this worker has taken, minus those that it has put back */
    unsigned since;         /* commits since the last scan for the horizon */
    uint64_t seen_bytes;    /* `retired_bytes` at that scan */
    uint64_t retired_bytes; /* total size of the items that were ever retired */
    int taken;              /* 1 while a thread that has joined owns this worker */
    enum ordo_txn_level level;
    bool opened, doomed; /* opened: a transaction is open; doomed: calls are refused, or no transaction is open */
    int doom;            /* the answer of a doomed transaction, unless it is ORDO_TXN_CONFLICT */
    struct cc_pool pools[CC_TABLES];
    uint64_t pooled; /* items in all pools */
    struct ordo_stamp_local stamp;
    /* The announcement, which all workers read: CC_IDLE; CC_PRUNES; or CC_ANNOUNCED or the transaction's time, with its
     * marks. */
    _Alignas(CC_LINE) uint64_t active;
    uint64_t walk;  /* engine: not 0 while a snapshot walks a chain */
    uint64_t state; /* engine: read by transactions that meet this one */
};

/* A function of the engine: frees a retired item, or puts it in a pool. False: not possible yet, call again later. */
typedef bool cc_free_item(struct cc_worker *worker, const struct cc_retired *retired);

struct ordo_db {
    const struct ordo_db_engine *engine; /* the first member, as in lib/cc/txn/registry.c */
    struct ordo_db_options options;
    unsigned tables;
    struct ordo_table *table[CC_TABLES];
    struct cc_worker **places;
    unsigned places_used; /* places from this one on are NULL */
    int disrupted;        /* once set, never cleared */
    uint64_t fences;      /* engine: the present period, symmetric if odd (hekaton/fence.h); or CC_FENCED_FOR_GOOD */
    struct ordo_stamp stamp;
    uint64_t cuts;                 /* engine: the last number given to a round of pruning */
    uint64_t era;                  /* engine: odd while snapshots may begin */
    uint64_t last_begin, last_end; /* engine: the latest begin and end of workers that have left */
};

#endif
