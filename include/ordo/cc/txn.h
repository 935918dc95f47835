/* Transactions in memory: one interface to every engine, so that they can be exchanged and compared.
 *
 *     struct ordo_db *db;
 *     const struct ordo_db_engine *engine = ordo_db_engine_find("hekaton", "ordo");
 *     ordo_db_open(&db, engine, &(struct ordo_db_options){.boundary_ticks = ordo_boundary(&o), .memory = memory});
 *     ordo_table_add(db, &(struct ordo_table_spec){.record_bytes = 1000, .rows = 262144}, &table);
 *     ordo_worker_join(db, &worker);                     // in each thread
 *     do {
 *         ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE);
 *         code = ordo_txn_update(worker, table, 7, &record);
 *         if (code == ORDO_OK)
 *             ((struct account *)record)->balance += 5;
 *         code = code == ORDO_OK ? ordo_txn_commit(worker) : (ordo_txn_abort(worker), code);
 *     } while (code == ORDO_TXN_CONFLICT);
 *
 * A worker belongs to one thread and runs one transaction at a time; different workers run concurrently. Reads copy
 * records out of the database, and updates work on a private copy until the transaction commits. Keys are 64 bits; all
 * records of a table have one size.
 *
 * Calls that touch records return ORDO_OK, one of enum ordo_txn_outcome, or a negative code: ORDO_E_INVALID for a call
 * that the engine, the table or the transaction does not allow, ORDO_E_SYSTEM if out of memory. After ORDO_TXN_CONFLICT
 * and ORDO_E_SYSTEM the transaction is doomed: all its later calls return ORDO_TXN_CONFLICT, and its commit ends it as
 * an abort does. ORDO_E_DISRUPTED dooms it too, and all its later calls return ORDO_E_DISRUPTED. A call refused with
 * ORDO_E_INVALID may doom it or not, depending on the engine: abort it.
 *
 * The records that a transaction of silo or tictoc reads are consistent only if it commits: before the commit, do not
 * let a loop or an index depend on them alone. The other engines show the records of one moment, even to a transaction
 * that will not commit.
 *
 * Transactions are meant to be short: single-version engines search the records that the transaction wrote one by one,
 * and sort them by insertion, so that n written records cost n * n steps. In these engines a read of a missing key
 * costs as much as a write: an absent record is made and put into the index, so that the reader is validated like any
 * other, and is removed when the last transaction that met it ends; both steps lock the key's bucket, whose line may
 * hold a small record. Readers of a missing key do not disturb each other, or a later insert of the key.
 *
 * IF THE CLOCKS EXCEED THE BOUNDARY
 *
 * The stamps "ordo", "any" and "corrected" are right only if the clocks keep within the boundary (C1), and transactions
 * wait for clocks. With `watch`, the handle of the boundary, the database is over once the record is marked DISRUPTED:
 * every wait for the clock ends and no transaction begins; both return ORDO_E_DISRUPTED. The same happens, with or
 * without a watch, if a wait is for a time more than 2^32 ticks + B ahead, which no clock within the boundary has
 * returned. A transaction that returns this code leaves nothing: its writes are undone, its claims and locks are
 * dropped, and a transaction that waited for it goes on with the previous records. A transaction that waits for no
 * clock may still commit. Memory that is retired from then on is not reused before ordo_db_close, because clocks decide
 * when it may be. There is no way back: close the database.
 *
 * THREADS, SIGNALS, PROCESSES
 *
 * The only cancellation point in these calls (pthread_cancel) is the sleep of a worker with a backlog (`naps`), after
 * its transaction: a thread that ends there leaves its worker at rest, for another thread to leave in its place, and no
 * thread learns the outcome of the transaction. The memory and visitors that a program passes in must not be
 * cancellation points, and cancellation must not be asynchronous. If a thread ends within a transaction, its claims
 * stay until another thread that finds it dead calls ordo_txn_abort; if it ends within a call in any other way, as by
 * longjmp out of a handler, the database is unusable. A signal handler must not call anything here for a worker that
 * its thread may be using. After fork the child must not use the database: claims of threads that it does not have are
 * never dropped.
 *
 * Hekaton: P. Larson et al., "High-Performance Concurrency Control Mechanisms for Main-Memory Databases", VLDB 2012.
 * Silo: S. Tu et al., SOSP 2013. TicToc: X. Yu et al., SIGMOD 2016. Their timestamps: S. Kashyap et al., EuroSys 2018.
 */
#ifndef ORDO_CC_TXN_H
#define ORDO_CC_TXN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ordo/error.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the library's interface */

struct ordo; /* <ordo/ordo.h> */
struct ordo_db;
struct ordo_table;
struct ordo_history; /* <ordo/cc/history.h> */

/** The alignment in bytes of a record that an engine shows: as room for an insert, a copy for an update, a view, or to
 * the visitor of a scan. _Alignas and vector types of a record may require no more. Records of up to 32 bytes are
 * aligned to 32, the most that a type of that size can require. */
enum { ORDO_TXN_RECORD_ALIGN = 64 };

/** Results of a call that are not errors. */
enum ordo_txn_outcome {
    ORDO_TXN_ABSENT = 2,   /* there is no record of that key */
    ORDO_TXN_EXISTS = 3,   /* insert: there is a record already */
    ORDO_TXN_CONFLICT = 4, /* another transaction was in the way: abort, and begin again */
};

/** Returns "ok", "absent", "conflict" and the like for a result of a call here; for a negative code "disrupted" and the
 * like, which ordo_strerror describes in a sentence; "unknown" for any other number. Never NULL; thread-safe. */
const char *ordo_txn_outcome_name(int outcome);

/** The isolation of a transaction; `levels` of an engine is a set of these. Levels may be mixed in a database, but the
 * promises of SERIALIZABLE and READ_ONLY then hold only if every transaction that writes is SERIALIZABLE: a SNAPSHOT
 * writer does not validate its reads, and all transactions may see the skew that it leaves. */
enum ordo_txn_level {
    ORDO_TXN_SERIALIZABLE = 1,
    ORDO_TXN_SNAPSHOT = 2,  /* reads as of one moment; of two that write a record one commits; write skew is possible */
    ORDO_TXN_READ_ONLY = 4, /* serialisable and does not write. Hekaton: as of one moment, aborts only if uncertainty
                               is resolved by aborting; other engines: as SERIALIZABLE */
};

/** The action if two times are too close to be ordered. */
enum ordo_txn_uncertain {
    ORDO_UNCERTAIN_WAIT = 0,  /* wait a few boundaries at most, and go on if all reads are still valid */
    ORDO_UNCERTAIN_ABORT = 1, /* abort the transaction that cannot order them */
};

/** Counters of the ends and costs of transactions, for each worker: read them from its thread, or while it is idle. */
struct ordo_txn_counts {
    uint64_t commits;
    uint64_t aborts_write;      /* another transaction was writing the record */
    uint64_t aborts_validation; /* a read or a scan was no longer valid at the end */
    uint64_t aborts_uncertain;  /* times too close to be ordered */
    uint64_t aborts_disrupted;  /* a wait for the clock was in vain */
    uint64_t aborts_user;       /* ordo_txn_abort of a transaction that was not doomed, and out of memory or numbers */
    uint64_t extensions;        /* begins moved to a later time because a record was too new */
    uint64_t waits;             /* waits for the end of another transaction's commit or lock */
    uint64_t stamps;            /* timestamps taken, without those repeated in a wait */
    uint64_t commit_wait_ticks; /* waits for the clock between the end time and the end */
    uint64_t naps;              /* sleeps because a long transaction keeps memory from reuse */
    uint64_t versions_created, versions_reclaimed;
};

/** The source of memory of an engine or a recorder; all zero: aligned_alloc and free. `allocate` returns `bytes`
 * aligned to `align` (a power of two, at most 128), or NULL; `release` gets the same size. Both must be thread-safe. */
struct ordo_memory {
    void *(*allocate)(void *context, size_t align, size_t bytes);
    void (*release)(void *context, void *memory, size_t bytes);
    void *context;
};

struct ordo_db_options {
    struct ordo_memory memory;
    uint64_t boundary_ticks;  /* ordo_boundary(&o) for the stamp "ordo", ordo_any_boundary(&a) for "any",
                                  ordo_boundary(&c.handle) of a struct ordo_corrected for "corrected"; others ignore it */
    const struct ordo *watch; /* &o, or NULL; must not move, open except during ordo_db_raise: domain/boundary.h */
    bool unsafe_boundary;     /* "ordo" with boundary 0, which is WRONG unless there is one CPU: for tests */
    enum ordo_txn_uncertain uncertain;
    bool external_consistency; /* a transaction that begins after another's commit returned sees it */
    unsigned workers;          /* the most that may be joined at a time; 0: 64 */
    bool history;              /* workers may record; deleted keys are kept until the close */
};

struct ordo_table_spec {
    size_t record_bytes; /* up to 2^20 */
    /** The expected number: sizes the hash index, which does not grow. More rows cost time only. The index takes 16 to
     * 32 bytes a row. In hekaton, without an order, it takes 128 to 256, and holds most of the records' anchors; in the
     * other engines, for records of at most 32 bytes, the same, and holds most of the records. Records and anchors
     * outside the index are not prefetched; with more rows than expected they are the majority. */
    uint64_t rows;
    bool ordered; /* keep an ordered index too, for scans; only if the engine `scans` */
};

/** Visits one record of a scan, in ascending order of keys; a result other than 0 ends the scan. `record` is valid
 * until the return. The function must not use the worker. */
typedef int ordo_txn_visit(void *context, uint64_t key, const void *record);

#include <ordo/cc/txn/engine.h>

/** All engines, with each of their stamps; the last item is NULL. */
extern const struct ordo_db_engine *const ordo_db_engines[];

/** Returns the engine of that name and stamp (NULL: without a stamp), or NULL. */
const struct ordo_db_engine *ordo_db_engine_find(const char *name, const char *stamp);

/** Opens an empty database. 0; ORDO_E_SYSTEM: out of memory; ORDO_E_INVALID: no boundary was given to the stamp "ordo",
 * "any" or "corrected" (see unsafe_boundary), it or `watch` orders nothing, `watch` is of another kind than the stamp,
 * the engine (tictoc) has no external consistency, or more than 65534 workers. */
static inline int ordo_db_open(struct ordo_db **db, const struct ordo_db_engine *engine,
                               const struct ordo_db_options *options)
{
    bool bounded = engine->stamp && (strcmp(engine->stamp, "ordo") == 0 || strcmp(engine->stamp, "any") == 0 ||
                                     strcmp(engine->stamp, "corrected") == 0);
    if (bounded && options->boundary_ticks == 0 && !options->unsafe_boundary)
        return ORDO_E_INVALID;
    return engine->open(db, engine, options);
}

/** Returns the engine of an open database. */
const struct ordo_db_engine *ordo_db_engine_of(const struct ordo_db *db);

/** Gives a larger boundary to an open database at rest, as after ORDO_STATUS_SUPERSEDED: no transaction is open, and no
 * other call is made for it; earlier calls of other threads happen before this one, their later calls after it. Every
 * commit of before is then certainly before every later transaction. Waits several times the new boundary. The watched
 * handle may be closed and reopened for it, in its place, while the database is at rest. Engines without a boundary
 * ignore it. 0; ORDO_E_DISRUPTED: the clocks disagree, the database is over; ORDO_E_INVALID: the boundary is not larger
 * than the present one, or is that of a handle that orders nothing, or a transaction is open, and nothing has changed.
 */
int ordo_db_raise(struct ordo_db *db, uint64_t boundary_ticks);

/** Frees all memory. No worker may be joined. */
void ordo_db_close(struct ordo_db *db);

/** Adds a table, which lives as long as the database. No other call for it may be concurrent. 0; ORDO_E_SYSTEM: out of
 * memory; ORDO_E_INVALID: the spec is out of range, `ordered` but the engine has no scans, or there are 64 tables. */
int ordo_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table);

/** Makes the calling thread a worker, with counts of 0; other workers may run. 0; ORDO_E_SYSTEM: out of memory;
 * ORDO_E_INVALID: all places are taken. */
int ordo_worker_join(struct ordo_db *db, struct ordo_worker **worker);

/** Ends a worker that has no transaction. A worker that joins later begins after everything that this one committed and
 * saw, even if the same thread joins in another place. Memory that it cannot reclaim yet waits for the next worker in
 * its place, or the close. From its own thread, or after that has ended. */
static inline void ordo_worker_leave(struct ordo_worker *worker)
{
    worker->engine->leave(worker);
}

/** Checks the whole structure while no transaction runs: no lock is left, no version is without its record, and every
 * version is either current or waits to be reclaimed. 0; or ORDO_E_MALFORMED, and `error` describes the fault. */
int ordo_db_audit(struct ordo_db *db, struct ordo_error *error);

/** Begins a transaction. 0; ORDO_E_INVALID: one is open, the engine does not have that level, or (hekaton) 2^46 have
 * run in the worker's place; ORDO_E_DISRUPTED. */
static inline int ordo_txn_begin(struct ordo_worker *worker, enum ordo_txn_level level)
{
    return worker->engine->begin(worker, level);
}

/** A prefetch hint, inside a transaction: these records will be used soon (only the first 64 count). Bit i of `updates`
 * says that keys[i] will be updated or removed: its lines are then fetched for writing. A wrong hint costs only time.
 */
static inline void ordo_txn_prefetch(struct ordo_worker *worker, struct ordo_table *table, const uint64_t *keys,
                                     unsigned count, uint64_t updates)
{
    worker->engine->prefetch(worker, table, keys, count, updates);
}

/** Copies the record, with this transaction's own writes. ABSENT, CONFLICT: the content of `record` is undefined. */
static inline int ordo_txn_read(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void *record)
{
    return worker->engine->read(worker, table, key, record);
}

/** Shows the record of `key`, as ordo_txn_read copies it, until the transaction ends. Hekaton shows the version itself,
 * which never changes: nothing is copied, and of a long record only the lines that are read are fetched. The
 * single-version engines write in place, and therefore copy the record first, into a buffer of their own. A record that
 * the transaction itself has written is shown directly, until the transaction writes or removes it again. ORDO_OK;
 * ABSENT, CONFLICT: `*record` must not be used. */
static inline int ordo_txn_view(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, const void **record)
{
    return worker->engine->view(worker, table, key, record);
}

/** Gives a private copy of the record, to be changed in place until the commit; counts as a read. ABSENT, CONFLICT. */
static inline int ordo_txn_update(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void **record)
{
    return worker->engine->update(worker, table, key, record);
}

/** Gives room for a new record, to be filled completely until the commit. EXISTS, CONFLICT. */
static inline int ordo_txn_insert(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void **record)
{
    return worker->engine->insert(worker, table, key, record);
}

/** Deletes the record. ABSENT, CONFLICT. */
static inline int ordo_txn_remove(struct ordo_worker *worker, struct ordo_table *table, uint64_t key)
{
    return worker->engine->remove(worker, table, key);
}

/** Visits the records with keys in [first, last] of an ordered table, with this transaction's own writes. A
 * serialisable transaction commits only if no other transaction inserted or deleted in the part of the range that it
 * visited. CONFLICT; ORDO_E_INVALID: the table has no ordered index. */
static inline int ordo_txn_scan(struct ordo_worker *worker, struct ordo_table *table, uint64_t first, uint64_t last,
                                ordo_txn_visit *visit, void *context)
{
    return worker->engine->scan(worker, table, first, last, visit, context);
}

/** Commits, and ends the transaction in any case.
 * ORDO_OK: all of it has happened, at one moment
 * CONFLICT, ORDO_E_DISRUPTED: nothing of it has happened
 * ORDO_E_INVALID: the same, as in tictoc for ever once the times computed from the data have reached 2^46; or no
 *     transaction was open, and nothing has changed */
static inline int ordo_txn_commit(struct ordo_worker *worker)
{
    return worker->engine->commit(worker);
}

/** Ends the transaction and undoes it. Call it from the worker's thread, or after that thread has ended: a thread that
 * finds another one dead aborts its open transaction, and then leaves in its place. */
static inline void ordo_txn_abort(struct ordo_worker *worker)
{
    worker->engine->rollback(worker);
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
