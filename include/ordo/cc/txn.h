/* Transactions in memory: one interface to every engine, so that a program can exchange and compare engines.
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
 * records out of the database, and updates work on a private copy until the transaction commits. Keys have 64 bits; all
 * records of a table have the same size.
 *
 * Calls that access records return ORDO_OK, one of enum ordo_txn_outcome, or a negative code: ORDO_E_INVALID for a call
 * that the engine, the table or the transaction does not allow, ORDO_E_SYSTEM if out of memory. After ORDO_TXN_CONFLICT
 * or ORDO_E_SYSTEM the transaction is doomed: all its later calls return ORDO_TXN_CONFLICT, and its commit ends it as
 * an abort does. After ORDO_E_DISRUPTED it is doomed too, and all its later calls return ORDO_E_DISRUPTED. After
 * ORDO_E_INVALID abort the transaction, because some engines doom it and others do not.
 *
 * In silo and tictoc the records that a transaction reads are consistent only if it commits: before the commit, do not
 * rely on these records alone to bound a loop or an index. The other engines show the records of one moment, even to a
 * transaction that will not commit.
 *
 * Transactions should be short: single-version engines (all but hekaton) search the records that a transaction wrote
 * one by one, and sort them by insertion, so that n written records cost n * n steps. In these engines a read of a
 * missing key (not in a dense table) costs as much as a write: the engine adds an absent record to the index, so that the
 * read can be validated, and later removes it. Both steps lock the key's bucket, whose cache line may also hold a small
 * record. Readers of a missing key disturb neither each other nor a later insert of the key.
 *
 * IF THE CLOCKS EXCEED THE BOUNDARY
 *
 * The stamps "ordo", "any" and "corrected" are correct only if the clocks keep within the boundary (C1), and
 * transactions wait for clocks. With `watch`, the handle of the boundary, the database is unusable once the record is
 * marked DISRUPTED: waits for the clock and ordo_txn_begin return ORDO_E_DISRUPTED. The same happens, with or without a
 * watch, if a wait is for a time more than 2^32 ticks + B ahead, which no clock within the boundary has returned. A
 * transaction that gets this code has no effect: its writes are undone, its claims and locks are dropped, and
 * transactions that waited for it continue with the previous records. A transaction that waits for no clock may still
 * commit. Memory that is retired from then on is not reused before ordo_db_close, because its reuse depends on the
 * clocks. The only remedy is to close the database.
 *
 * THREADS, SIGNALS, PROCESSES
 *
 * The only cancellation point in these calls (pthread_cancel) is the sleep (`naps`) after a transaction of a worker
 * with much memory to reclaim. If a thread is cancelled there, no thread learns the outcome of the transaction, and
 * another thread must call ordo_worker_leave for the idle worker. The caller's memory functions and visitors must
 * contain no cancellation point, and cancellation must not be asynchronous. If a thread ends within a transaction, its
 * claims stay until another thread, which knows that it is dead, calls ordo_txn_abort. If a call ends in any other way,
 * such as longjmp out of a signal handler, the database is unusable. A signal handler must not make calls for a worker
 * that its thread may be using. After fork the child must not use the database, because claims of the parent's other
 * threads are never dropped there.
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

/** The alignment, in bytes, of every record to which an engine gives a pointer, in an insert, an update, a view or a
 * scan. A record's type may require at most this alignment. Records of up to 32 bytes are aligned to 32, the most that
 * a type of that size can require. */
enum { ORDO_TXN_RECORD_ALIGN = 64 };

/** Results of a call that are not errors. */
enum ordo_txn_outcome {
    ORDO_TXN_ABSENT = 2,   /* no record has this key */
    ORDO_TXN_EXISTS = 3,   /* insert: a record has this key already */
    ORDO_TXN_CONFLICT = 4, /* conflict with another transaction: abort, and begin again */
};

/** Returns the name of a result: "ok"; "absent", "conflict" and so on for an outcome; "disrupted" and so on for a
 * negative code, which ordo_strerror describes in a sentence; "unknown" for any other number. Never NULL. */
const char *ordo_txn_outcome_name(int outcome);

/** The isolation of a transaction; `levels` of an engine is a set of these flags. A database may mix levels, but
 * SERIALIZABLE and READ_ONLY then keep their promises only if every transaction that writes is SERIALIZABLE: a SNAPSHOT
 * writer does not validate its reads, and every transaction may see the resulting write skew. */
enum ordo_txn_level {
    ORDO_TXN_SERIALIZABLE = 1,
    ORDO_TXN_SNAPSHOT = 2, /* reads one moment; of two writers of a record one commits; write skew is possible */
    /* As SERIALIZABLE, without writes. In hekaton it reads one moment, and aborts only with ORDO_UNCERTAIN_ABORT. */
    ORDO_TXN_READ_ONLY = 4,
};

/** What a transaction does if two times are too close to be ordered. */
enum ordo_txn_uncertain {
    ORDO_UNCERTAIN_WAIT = 0,  /* waits a few boundaries at most, and continues if all reads are still valid */
    ORDO_UNCERTAIN_ABORT = 1, /* aborts */
};

/** Counters of the outcomes and costs of a worker's transactions. Read them from its thread, or while it is idle. */
struct ordo_txn_counts {
    uint64_t commits;
    uint64_t aborts_write;      /* another transaction was writing the record */
    uint64_t aborts_validation; /* a read or a scan was no longer valid at the end */
    uint64_t aborts_uncertain;  /* two times were too close to be ordered */
    uint64_t aborts_disrupted;  /* a wait for the clock returned ORDO_E_DISRUPTED */
    uint64_t aborts_user;       /* ordo_txn_abort of a transaction that was not doomed; out of memory; out of numbers */
    uint64_t extensions;        /* times that a begin was moved later, because a record was too new */
    uint64_t waits;             /* waits for another transaction's commit to end or its lock to be released */
    uint64_t stamps;            /* timestamps taken, not counting repeated reads in a wait */
    uint64_t commit_wait_ticks; /* waits for the clock between taking the end time and the end */
    uint64_t naps;              /* sleeps, because a long transaction prevents the reuse of memory */
    uint64_t versions_created, versions_reclaimed;
};

/** The memory functions of an engine or a recorder; all zero: aligned_alloc and free. `allocate` returns `bytes`
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
    const struct ordo *watch; /* &o, or NULL; must not move; open except during ordo_db_raise: domain/boundary.h */
    bool unsafe_boundary;     /* accepts boundary 0, which is WRONG unless there is one CPU: for tests */
    enum ordo_txn_uncertain uncertain;
    bool external_consistency; /* a transaction sees each commit that returned before it began */
    unsigned workers;          /* largest number of workers joined at a time; 0: 64 */
    bool history;              /* workers may have recorders (history.h); deleted keys are kept until the close */
};

struct ordo_table_spec {
    size_t record_bytes; /* up to 2^20 */
    /** The expected number of records, which sizes the hash index. The index does not grow; more rows only cost time.
     * It takes 128 to 256 bytes a row, and holds most anchors or records itself, in unordered tables of hekaton and in
     * tables of the other engines with records of at most 32 bytes. Otherwise it takes 16 to 32 bytes a row. Records
     * and anchors outside the index are not prefetched; with more rows than expected most are outside. */
    uint64_t rows;
    bool ordered; /* adds an ordered index, for scans; only if `scans` of the engine is true */
    /** The keys are 0 to rows - 1, at least one: an array without an index (ordo_txn(3)). Other keys: ORDO_E_INVALID. */
    bool dense;
};

/** Visits one record of a scan; keys ascend. A result other than 0 ends the scan. `record` is valid until the function
 * returns. The function must not use the worker. */
typedef int ordo_txn_visit(void *context, uint64_t key, const void *record);

#include <ordo/cc/txn/engine.h>

/** All engines, with each of their stamps; the last item is NULL. */
extern const struct ordo_db_engine *const ordo_db_engines[];

/** Returns the engine of that name and stamp (NULL: without a stamp), or NULL. */
const struct ordo_db_engine *ordo_db_engine_find(const char *name, const char *stamp);

/** Opens an empty database. 0: opened; ORDO_E_SYSTEM: out of memory; ORDO_E_INVALID: the stamp "ordo", "any" or
 * "corrected" got no boundary (see unsafe_boundary), the boundary's handle or `watch` orders nothing, the stamp does
 * not accept `watch`, external_consistency with tictoc, or more than 65534 workers. */
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

/** Raises the boundary of a database at rest, for example after ORDO_STATUS_SUPERSEDED: no transaction is open, and
 * earlier and later calls of other threads are ordered before and after this call. All earlier commits are then
 * certainly before every later transaction. Waits several times the new boundary. Before the call, while the database
 * is at rest, the watched handle may be closed and reopened at its address. Engines without a boundary do nothing. 0:
 * raised; ORDO_E_DISRUPTED: the clocks disagree, close the database; ORDO_E_INVALID: the new boundary is not larger
 * than the present boundary, or its handle orders nothing, or a transaction is open; nothing has changed. */
int ordo_db_raise(struct ordo_db *db, uint64_t boundary_ticks);

/** Frees all memory. No worker may be joined. */
void ordo_db_close(struct ordo_db *db);

/** Adds a table, which lives as long as the database. No other call for the database may be concurrent. 0: added;
 * ORDO_E_SYSTEM: out of memory; ORDO_E_INVALID: the spec is out of range, `ordered` without scans, or 64 tables. */
int ordo_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table);

/** Makes the calling thread a worker, with counts of 0. Other workers may run meanwhile. 0: joined; ORDO_E_SYSTEM: out
 * of memory; ORDO_E_INVALID: options.workers workers are joined already. */
int ordo_worker_join(struct ordo_db *db, struct ordo_worker **worker);

/** Ends a worker that has no open transaction. Call it from the worker's thread, or after that thread has ended. A
 * worker that joins later begins after everything that this worker committed and saw. Memory that this worker cannot
 * reclaim yet is left to the next worker with the same index, or to the close. */
static inline void ordo_worker_leave(struct ordo_worker *worker)
{
    worker->engine->leave(worker);
}

/** Checks the whole structure while no transaction runs: no lock is held, no version is without its record, and every
 * version is either current or waits to be reclaimed. 0; ORDO_E_MALFORMED: `error` describes the fault. */
int ordo_db_audit(struct ordo_db *db, struct ordo_error *error);

/** Begins a transaction. 0: begun; ORDO_E_INVALID: the worker has an open transaction, the engine does not have this
 * level, or (hekaton) 2^46 transactions have run with the worker's index; ORDO_E_DISRUPTED. */
static inline int ordo_txn_begin(struct ordo_worker *worker, enum ordo_txn_level level)
{
    return worker->engine->begin(worker, level);
}

/** Prefetches records that the open transaction will use soon (at most the first 64 keys). If bit i of `updates` is
 * set, keys[i] will be updated or removed, and its lines are fetched for writing. A wrong hint costs only time. */
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

/** Gives a pointer to the record that ordo_txn_read would copy, valid until the transaction ends. In hekaton it points
 * to the version itself, which never changes: nothing is copied, and only the lines that the caller reads are fetched.
 * The single-version engines write in place, and therefore copy the record into a buffer of their own. If the
 * transaction itself has written the record, the pointer is valid only until the transaction writes or removes the
 * record again. ABSENT, CONFLICT: `*record` must not be used. */
static inline int ordo_txn_view(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, const void **record)
{
    return worker->engine->view(worker, table, key, record);
}

/** Gives a private copy of the record, to be changed until the commit; counts as a read. ABSENT, CONFLICT. */
static inline int ordo_txn_update(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void **record)
{
    return worker->engine->update(worker, table, key, record);
}

/** Gives memory for a new record, which the caller fills completely before the commit. EXISTS, CONFLICT. */
static inline int ordo_txn_insert(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void **record)
{
    return worker->engine->insert(worker, table, key, record);
}

/** Deletes the record. ABSENT, CONFLICT. */
static inline int ordo_txn_remove(struct ordo_worker *worker, struct ordo_table *table, uint64_t key)
{
    return worker->engine->remove(worker, table, key);
}

/** Visits the records of an ordered table, in hekaton also of a dense one, with keys in [first, last], including this
 * transaction's own writes. A serialisable transaction commits only if no other transaction inserted or deleted a key in
 * the part of the range that it visited. CONFLICT; ORDO_E_INVALID: the table has no such order. */
static inline int ordo_txn_scan(struct ordo_worker *worker, struct ordo_table *table, uint64_t first, uint64_t last,
                                ordo_txn_visit *visit, void *context)
{
    return worker->engine->scan(worker, table, first, last, visit, context);
}

/** Commits, and ends the transaction in any case.
 * ORDO_OK: all its writes have happened, at one moment
 * CONFLICT, ORDO_E_DISRUPTED: none of its writes has happened
 * ORDO_E_INVALID: none of its writes has happened (in tictoc at every commit once the computed times have reached
 *     2^46); or no transaction was open */
static inline int ordo_txn_commit(struct ordo_worker *worker)
{
    return worker->engine->commit(worker);
}

/** Undoes the transaction and ends it. Call it from the worker's thread. If that thread has died, another thread calls
 * it, and then ordo_worker_leave, for the worker. */
static inline void ordo_txn_abort(struct ordo_worker *worker)
{
    worker->engine->rollback(worker);
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
