/* A database, its tables and its workers, as far as all engines have them. The argument is in core.h. */
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
    CC_POOL = 512,              /* items of a table that a worker keeps; */
    CC_POOLS = 1 << 16,         /* and more, as long as it keeps no more than this and than have waited lately, */
    CC_LATELY = 1024,           /* transactions of a worker */
    CC_WORKERS = 64,            /* unless told */
    CC_HORIZON_LEAST = 4,       /* commits between two looks at the horizon, where much was retired since; */
    CC_HORIZON_MOST = 32,       /* where little was; both no fewer than there are places to look at */
    CC_HORIZON_BYTES = 1 << 15, /* much: what then comes back is still in a cache of the core's own */
    CC_BACKLOG = 1 << 16,       /* items that a worker may retire while one transaction lasts, before it slows down */
    CC_NAP_NS = 100000,         /* of a worker with that backlog; more with more */
    CC_PATIENCE = 64,           /* turns of waiting, without giving way, by who holds what others may wait for */
    CC_YIELDS = 32,             /* of who gave way, for the one that was in the way */
    CC_AHEAD = 1088,            /* bytes of a record that are fetched ahead, */
    CC_KEYS_AHEAD = 64,         /* of so many keys at once: `updates` has a bit for each; */
    CC_FIRST = 128              /* and so many bytes of each before more of any */
};

/* What is seldom called, kept out of what is called for each record. */
#define CC_SLOW static __attribute__((noinline, cold, unused))

#define CC_IDLE UINT64_C(0)
#define CC_ANNOUNCED UINT64_C(1)
/* Beside a time, one of three marks, or none: */
#define CC_SNAPSHOT (UINT64_C(1) << 63)      /* the transaction only reads what was valid at that time; */
#define CC_HAZARDS (UINT64_C(1) << 62)       /* it names the versions that it holds, also beside CC_ANNOUNCED; */
#define CC_FENCED (CC_SNAPSHOT | CC_HAZARDS) /* so does this one, and puts a fence behind each name */
/* Beside no time, which no snapshot has: the worker prunes, outside of a transaction. Minus infinity, as CC_ANNOUNCED, but for
 * other workers that prune. */
#define CC_PRUNES CC_SNAPSHOT

#define CC_FENCED_FOR_GOOD UINT64_MAX /* the last period: there is no fence for all threads */

struct ordo_table {
    struct cc_hash hash;
    struct cc_list list;
    size_t record_bytes;
    size_t record_at;  /* of an item's bytes: where the record begins */
    size_t item_bytes; /* of what the pools hold: a version, or a record */
    unsigned number;
    uint64_t floor; /* single-version engines: the last validity of a record that left the index */
    struct ordo_db *db;
};

/* Something that became unreachable at `end`. */
struct cc_retired {
    uint64_t end;
    uint64_t begin; /* the engine's */
    void *item;
    struct ordo_table *table;
    uintptr_t kind; /* the engine's */
};

/* First in, first out; the ends of one worker ascend, but for at most 2B, which delays but does not break. */
struct cc_queue {
    struct cc_retired *ring;
    uint64_t head, tail, mask;
    uint64_t pruned;  /* the engine's: how far the worker was when it last pruned */
    uint64_t most;    /* items that waited, lately */
    uint64_t records; /* that ever came: whole records, which wait for every transaction */
};

struct cc_pool {
    void *first; /* linked through the first word */
    unsigned count;
};

/* The oldest transactions, snapshots left out: what cannot be reclaimed while they last. */
struct cc_least {
    uint64_t versions; /* of those that do not name what they hold */
    uint64_t records;  /* of all */
};

/* The first part of an engine's worker; the transaction, on lines of its own, is the engine's. */
struct cc_worker {
    struct ordo_worker base;
    struct cc_queue queue;
    uint64_t horizon;       /* what ended before may be reclaimed */
    struct cc_least least;  /* when these were last seen to have gone on: when the oldest had begun, */
    uint64_t cuts;          /* the last round of pruning that had a number then, */
    uint64_t moved;         /* and the queue's tail, */
    uint64_t records_moved; /* and its records */
    uint64_t id;            /* of the present transaction, unique in the database and not 0: number << 16 | index + 1 */
    int64_t items;          /* taken less put back, by this worker */
    unsigned since;         /* commits since the horizon was looked for, */
    uint64_t seen_bytes;    /* and what had been retired by then */
    uint64_t retired_bytes; /* ever, as the items' sizes */
    int taken;              /* by a joined worker */
    enum ordo_txn_level level;
    bool opened, doomed; /* a transaction is open; whatever it does next is refused, as where none is open */
    int doom;            /* what a doomed transaction answers, where it is not ORDO_TXN_CONFLICT */
    struct cc_pool pools[CC_TABLES];
    uint64_t pooled; /* items in all of them */
    struct ordo_stamp_local stamp;
    /* CC_IDLE, CC_PRUNES, CC_ANNOUNCED, or the transaction's time, and marks; read by all */
    _Alignas(CC_LINE) uint64_t active;
    uint64_t walk;  /* the engine's: a snapshot's reader is on its way */
    uint64_t state; /* the engine's; read by whoever meets the transaction */
};

/* Of an engine: frees or puts away what is retired. Whether it is done with; otherwise it is asked again. */
typedef bool cc_free_item(struct cc_worker *worker, const struct cc_retired *retired);

struct ordo_db {
    const struct ordo_db_engine *engine; /* first, for lib/cc/txn/registry.c */
    struct ordo_db_options options;
    unsigned tables;
    struct ordo_table *table[CC_TABLES];
    struct cc_worker **places;
    unsigned places_used; /* places[0 .. places_used - 1] may be other than NULL */
    int disrupted;        /* for good */
    uint64_t fences; /* the engine's: periods, of which the odd ones are those of CC_FENCED; or CC_FENCED_FOR_GOOD */
    struct ordo_stamp stamp;
    uint64_t cuts;                 /* the engine's: the last number of a round of pruning */
    uint64_t era;                  /* the engine's: odd while snapshots begin */
    uint64_t last_begin, last_end; /* the engine's: the latest of workers that left */
};

#endif
