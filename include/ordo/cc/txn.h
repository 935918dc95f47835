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
 * A worker belongs to one thread and runs one transaction at a time; different workers run concurrently. Records are
 * copied out of the database by reads, and updates work on a private copy until the transaction commits. Keys are 64
 * bits, records of a table have one size.
 *
 * Calls that touch records answer ORDO_OK, one of enum ordo_txn_outcome, or a negative code: ORDO_E_INVALID for a call
 * that the engine, the table or the transaction does not allow, ORDO_E_SYSTEM when the allocator gave nothing. After
 * ORDO_TXN_CONFLICT and ORDO_E_SYSTEM the transaction is doomed: whatever it does next answers ORDO_TXN_CONFLICT, and
 * its commit ends it as an abort does. A call refused with ORDO_E_INVALID may doom it or not, depending on the engine:
 * abort it. ORDO_E_DISRUPTED dooms it too, and is the answer to whatever it does next.
 *
 * What a transaction of silo or tictoc reads belongs together only if it commits: before that, do not let a loop or an
 * index depend on it alone. The others show what was there at one moment, even to a transaction that will not commit.
 *
 * Transactions are meant to be short: single-version engines look a record up among those that the transaction wrote
 * one by one, and sort them by insertion, so that n written records cost n * n steps. In those, to read a key that is
 * not there costs as much as a write: an absent record is made and put into the index, so that the reader is validated
 * like any other, and taken out again when the last transaction that met it ends; both lock the key's bucket, on whose
 * line a small record may lie. Readers of a missing key do not disturb each other, or a later insert of it.
 *
 * WHEN THE CLOCKS DO NOT KEEP THE BOUNDARY
 *
 * The stamps "ordo", "any" and "corrected" are right only if the clocks keep within the boundary (C1), and transactions
 * wait for clocks. With `watch`, the handle that the boundary came from, the database is over once the record is marked
 * DISRUPTED: every wait for the clock ends, no transaction begins, and the answer to both is ORDO_E_DISRUPTED. The same
 * happens, with a watch or without, if a wait is for a time more than 2^32 ticks + B ahead, which no clock has returned
 * that keeps the boundary. A transaction that meets it leaves nothing: what it wrote is taken away, its claims and
 * locks are dropped, and a transaction that waited for it goes on with what was there before. One that waits for no
 * clock may still commit. Nothing that is retired from then on is used again before ordo_db_close, since clocks decide
 * when it may be. There is no way back: close the database.
 *
 * THREADS, SIGNALS, PROCESSES
 *
 * The one cancellation point in these calls (pthread_cancel) is the sleep of a worker with a backlog (`naps`), when its
 * transaction is over: a thread that ends there leaves its worker at rest, for others to leave in its place, and no
 * thread learns how the transaction ended. The memory and visitors that a program passes in must not be cancellation
 * points, and cancellation must not be asynchronous. A thread that ends within a transaction leaves its claims to the
 * thread that finds it dead (ordo_txn_abort); one that ends within a call in any other way, as by longjmp out of a
 * handler, leaves the database unusable. A signal handler must not call anything here for a worker that its thread may
 * be using. After fork the child must not use the database: claims of threads that it does not have are never dropped.
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
#pragma GCC visibility push(default) /* what the library offers */

struct ordo; /* <ordo/ordo.h> */
struct ordo_db;
struct ordo_table;
struct ordo_history; /* <ordo/cc/history.h> */

/** Records lie at multiples of so many bytes, wherever an engine shows one: as room for an insert, a copy for an
 * update, a view, or to the visitor of a scan. It is what _Alignas and vector types may ask of a record. Records of up to
 * 32 bytes lie at multiples of 32, which is as much as a type of that size can ask. */
enum { ORDO_TXN_RECORD_ALIGN = 64 };

/** Answers of a transaction that are not errors. */
enum ordo_txn_outcome {
    ORDO_TXN_ABSENT = 2,   /* there is no record of that key */
    ORDO_TXN_EXISTS = 3,   /* insert: there is one already */
    ORDO_TXN_CONFLICT = 4, /* another transaction was in the way: abort, and begin again */
};

/** "ok", "absent", "conflict" and the like for what a call here answers; for a negative code "disrupted" and the like,
 * which ordo_strerror says in a sentence. "unknown" for any other number. Never NULL; thread-safe. */
const char *ordo_txn_outcome_name(int outcome);

/** What a transaction is promised; `levels` of an engine is a set of these. Levels may be mixed in a database, but what
 * SERIALIZABLE and READ_ONLY promise then holds only if every transaction that writes is SERIALIZABLE: a SNAPSHOT
 * writer does not check what it read, and the skew that it may leave is seen by all. */
enum ordo_txn_level {
    ORDO_TXN_SERIALIZABLE = 1,
    ORDO_TXN_SNAPSHOT = 2,  /* reads as of one moment; of two that write a record one commits; write skew is possible */
    ORDO_TXN_READ_ONLY = 4, /* serialisable and does not write. Hekaton: as of one moment, aborts only if uncertainty
                               is resolved by aborting; other engines: as SERIALIZABLE */
};

/** What to do when two times are too close to be ordered. */
enum ordo_txn_uncertain {
    ORDO_UNCERTAIN_WAIT = 0,  /* wait until they are, at most some boundaries, and go on if what was read still holds */
    ORDO_UNCERTAIN_ABORT = 1, /* abort the transaction that cannot tell */
};

/** Why transactions ended, and what they cost. Counted per worker: read them from its thread, or when it does nothing. */
struct ordo_txn_counts {
    uint64_t commits;
    uint64_t aborts_write;      /* another transaction was writing the record */
    uint64_t aborts_validation; /* what was read or scanned had changed by the end */
    uint64_t aborts_uncertain;  /* times too close to be ordered */
    uint64_t aborts_disrupted;  /* the clock was waited for in vain */
    uint64_t aborts_user; /* ordo_txn_abort of a transaction that was not doomed, and out of memory or of numbers */
    uint64_t extensions;  /* transactions moved to a later time because a record was too new */
    uint64_t waits;       /* for another transaction's commit or lock to end */
    uint64_t stamps;      /* timestamps taken, without repetitions while waiting */
    uint64_t commit_wait_ticks; /* waited for the clock between the end time and the end */
    uint64_t naps;              /* slept because a transaction that lasts long keeps memory from being used again */
    uint64_t versions_created, versions_reclaimed;
};

/** Where the memory of an engine or a recorder comes from; all zero: aligned_alloc and free. `allocate` gives `bytes` aligned
 * to `align` (a power of two, at most 128), or NULL; `release` gets the same size back. Both must be thread-safe. */
struct ordo_memory {
    void *(*allocate)(void *context, size_t align, size_t bytes);
    void (*release)(void *context, void *memory, size_t bytes);
    void *context;
};

struct ordo_db_options {
    struct ordo_memory memory;
    uint64_t boundary_ticks;  /* ordo_boundary(&o) for the stamp "ordo", ordo_any_boundary(&a) for "any",
                                  ordo_boundary(&c.handle) of a struct ordo_corrected for "corrected"; others ignore it */
    const struct ordo *watch; /* &o, which stays where it is, and open but for ordo_db_raise; NULL: none. Which handle a
                                 stamp takes: domain/boundary.h */
    bool unsafe_boundary;     /* "ordo" with boundary 0, which is WRONG unless there is one CPU: for tests */
    enum ordo_txn_uncertain uncertain;
    bool external_consistency; /* a transaction that begins after another's commit returned sees it */
    unsigned workers;          /* at most so many at a time; 0 is 64 */
    bool history;              /* workers may record: deleted keys are then remembered until the close */
};

struct ordo_table_spec {
    size_t record_bytes; /* up to 2^20 */
    /** Expected: sizes the hash index, which does not grow. Exceeding it costs time, no more. The index takes 16 to 32 bytes
     * for each; in hekaton, without an order, 128 to 256, in which most of the records' anchors lie; in the other
     * engines as much for records of at most 32 bytes, most of which lie in the index themselves. What does not is not
     * fetched ahead, and with more rows than expected that is most. */
    uint64_t rows;
    bool ordered; /* keep an ordered index too, for scans; only if the engine `scans` */
};

/** Called for each record of a scan in ascending order of keys; anything but 0 ends the scan. `record` lasts until it
 * returns. It must not use the worker. */
typedef int ordo_txn_visit(void *context, uint64_t key, const void *record);

#include <ordo/cc/txn/engine.h>

/** Every engine with every stamp it has, ending with NULL. */
extern const struct ordo_db_engine *const ordo_db_engines[];

/** The engine of that name and stamp (NULL for one without), or NULL. */
const struct ordo_db_engine *ordo_db_engine_find(const char *name, const char *stamp);

/** Opens an empty database. ORDO_E_INVALID: no boundary was given to the stamp "ordo", "any" or "corrected" (see
 * unsafe_boundary), it or `watch` orders nothing, `watch` is not of the stamp's kind, the engine (tictoc) has no external
 * consistency, or more than 65534 workers; ORDO_E_SYSTEM: no memory. */
static inline int ordo_db_open(struct ordo_db **db, const struct ordo_db_engine *engine,
                               const struct ordo_db_options *options)
{
    bool bounded = engine->stamp && (strcmp(engine->stamp, "ordo") == 0 || strcmp(engine->stamp, "any") == 0 ||
                                     strcmp(engine->stamp, "corrected") == 0);
    if (bounded && options->boundary_ticks == 0 && !options->unsafe_boundary)
        return ORDO_E_INVALID;
    return engine->open(db, engine, options);
}

/** The engine of an open database. */
const struct ordo_db_engine *ordo_db_engine_of(const struct ordo_db *db);

/** Gives a larger boundary to an open database, as after ORDO_STATUS_SUPERSEDED: while it is at rest, with no
 * transaction open, and nothing else is called for it (what other threads did before happens before this call, and what
 * they do next after it). Whatever was committed before is then certainly before every later transaction. Waits some of
 * the new boundaries. The handle that is watched may be closed and opened again for it, in its place, at the same time
 * of rest. Engines without a boundary ignore it.
 *
 * ORDO_E_INVALID: the boundary is not larger than the present one, or is that of a handle that orders nothing, or a
 * transaction is open, and nothing has changed; ORDO_E_DISRUPTED: the clocks disagree, the database is over. */
int ordo_db_raise(struct ordo_db *db, uint64_t boundary_ticks);

/** Gives all memory back. No worker may be joined. */
void ordo_db_close(struct ordo_db *db);

/** Adds a table, which lives as long as the database. Not concurrent with anything else on it. ORDO_E_INVALID: the spec is
 * out of range, or `ordered` where the engine has no scans, or there are 64 tables; ORDO_E_SYSTEM: no memory. */
int ordo_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table);

/** Makes the calling thread a worker, with counts of 0. Safe beside other workers. ORDO_E_INVALID: all places are taken;
 * ORDO_E_SYSTEM: no memory. */
int ordo_worker_join(struct ordo_db *db, struct ordo_worker **worker);

/** Ends a worker without a transaction. A worker that joins after that begins after what it committed and saw, the same
 * thread in another place as well. What it cannot reclaim yet waits for the next worker in its place, or the
 * close. From its own thread, or after that ended. */
static inline void ordo_worker_leave(struct ordo_worker *worker)
{
    worker->engine->leave(worker);
}

/** Checks the whole structure when no transaction runs: no lock is left, no version is without its record, and every
 * version is either current or waits to be reclaimed. ORDO_E_MALFORMED and a line that says what is wrong. */
int ordo_db_audit(struct ordo_db *db, struct ordo_error *error);

/** Begins a transaction. ORDO_E_INVALID: one is open, the engine does not have that level, or (hekaton) 2^46 have run
 * in the worker's place; ORDO_E_DISRUPTED. */
static inline int ordo_txn_begin(struct ordo_worker *worker, enum ordo_txn_level level)
{
    return worker->engine->begin(worker, level);
}

/** A hint that these records of a table will be used soon; only the first 64 are looked at. Bit i of `updates` says that
 * keys[i] will be updated or removed: its lines are then fetched to write, away from the other CPUs. What is said
 * wrongly costs time and nothing else. Inside a transaction. */
static inline void ordo_txn_prefetch(struct ordo_worker *worker, struct ordo_table *table, const uint64_t *keys,
                                     unsigned count, uint64_t updates)
{
    worker->engine->prefetch(worker, table, keys, count, updates);
}

/** Copies the record of `key` to `record`; what the transaction itself wrote is seen. ABSENT, CONFLICT. With any
 * answer but ORDO_OK, what is in `record` is undefined. */
static inline int ordo_txn_read(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void *record)
{
    return worker->engine->read(worker, table, key, record);
}

/** Gives the record of `key` to look at, until the transaction ends, as ordo_txn_read copies it. Hekaton shows the version
 * itself, which nobody changes: nothing is copied, and of a long record only what is looked at is fetched. The
 * single-version engines write in place, and copy the record first, into room of their own. One that the transaction has
 * written itself is shown as it is, and until the transaction writes or removes it again. ABSENT, CONFLICT: `*record` is
 * not to be used. */
static inline int ordo_txn_view(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, const void **record)
{
    return worker->engine->view(worker, table, key, record);
}

/** Gives a private copy of the record to be changed in place until the commit; the transaction has read it thereby.
 * ABSENT, CONFLICT. */
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

/** Visits the records with keys in [first, last] of an ordered table, what the transaction itself wrote included. A
 * serialisable transaction commits only if no other inserted or deleted in the part of the range that it visited.
 * CONFLICT; ORDO_E_INVALID: the table has no ordered index. */
static inline int ordo_txn_scan(struct ordo_worker *worker, struct ordo_table *table, uint64_t first, uint64_t last,
                                ordo_txn_visit *visit, void *context)
{
    return worker->engine->scan(worker, table, first, last, visit, context);
}

/** ORDO_OK: all of it is done, at one moment. CONFLICT, ORDO_E_DISRUPTED: nothing of it is; nor with ORDO_E_INVALID, as
 * in tictoc when the times that the data make up have reached 2^46, which is for good. The transaction is over in any
 * case; ORDO_E_INVALID if none is open changes nothing. */
static inline int ordo_txn_commit(struct ordo_worker *worker)
{
    return worker->engine->commit(worker);
}

/** Ends the transaction, of which nothing remains. From the worker's thread, or after that ended: a thread that finds a
 * thread dead ends what it left open so, and then leaves in its place. */
static inline void ordo_txn_abort(struct ordo_worker *worker)
{
    worker->engine->rollback(worker);
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
