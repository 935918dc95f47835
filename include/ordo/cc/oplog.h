/* Oplog over a stamp, for objects that are changed often and read rarely. Each thread writes its changes to a log of
 * its own; a reader first applies all logs.
 *
 * After S. Boyd-Wickizer, M. F. Kaashoek, R. Morris, N. Zeldovich, "OpLog: a library for scaling update-heavy data
 * structures", MIT-CSAIL-TR-2014-019, and S. Kashyap et al., "A Scalable Ordering Primitive for Multicore Machines",
 * EuroSys 2018.
 *
 *     static void add(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
 *     {
 *         *(uint64_t *)object->state += entry->argument;
 *     }
 *     static const struct ordo_oplog_kind counter_kind = {ORDO_OPLOG_COMMUTE, add, NULL};
 *
 *     struct ordo_oplog oplog;                                 // one for all objects that are read together
 *     struct ordo_oplog_thread *t;                             // one for each thread
 *     ordo_oplog_create(&oplog, &options);
 *     ordo_oplog_thread_init(&oplog, &t);
 *     ordo_oplog_object_init(&object, &counter_kind, &count);
 *     ordo_oplog_append(t, &object, 0, 1);                     // writes nothing that is shared
 *     ordo_oplog_read_lock(t);                                 // all earlier appends are applied
 *     printf("%llu\n", (unsigned long long)count);
 *     ordo_oplog_read_unlock(t);
 *
 * The same program text runs on all stamps of stamp.h. The correctness argument, with the conditions C1 to C9, is in
 * <ordo/cc/oplog/argument.h>.
 *
 * WHAT A READER SEES
 *
 *  - A reader sees all objects of a domain as they were at one moment between the start and the end of
 *    ordo_oplog_read_lock: every operation that had returned before the start, no operation that began after the end,
 *    and with an operation everything that had returned before it began. Of two readers, one sees every operation that
 *    the other sees. Hence a domain is strictly serialisable (linearisable as one object): an operation happens as a
 *    whole at some moment between its call and its return.
 *
 *  - If the kind of an object requires it, operations are applied in the order of the moments at which they happen:
 *
 *      ORDO_OPLOG_COMMUTE  any order gives the same state. An operation gets no timestamp and does not wait.
 *      ORDO_OPLOG_TIMED    each operation gets a timestamp, and returns when every clock is past it, about the boundary
 *                          later. Appending threads share no word: for objects that many threads change at once.
 *      ORDO_OPLOG_ORDERED  each operation gets a timestamp certainly after the object's last timestamp. Operations
 *                          share a word of the object, and an operation that follows another within the boundary waits:
 *                          for objects that one thread at a time changes. The timestamps of an object's operations are
 *                          certainly ordered. If two operations are concurrent, a reader between them may apply the one
 *                          with the later timestamp first.
 *
 *  - With options.settle_later an operation on a TIMED object returns at once, and has happened when ordo_oplog_settle
 *    returns: one wait serves many operations. Settle before another thread can learn that the operations are done, for
 *    example before releasing a lock. Until then they are concurrent with the operations of other threads, although a
 *    reader may see them.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, TIMED operations may be applied
 *    in the wrong order; nothing else depends on the boundary. With `watch`, waits for the clock end with
 *    ORDO_E_DISRUPTED.
 *
 *  - The functions of a kind call no function of the domain. They run in any of its threads, one at a time.
 *
 *  - An object is not freed before all operations on it are applied or dropped, by ordo_oplog_read_lock,
 *    ordo_oplog_forget or ordo_oplog_destroy. No thread appends to an object that another thread takes out of use.
 *
 *  - A thread that reads does not append through another struct ordo_oplog_thread of the same domain, because it would
 *    wait for itself if that log is full.
 *
 *  - If a thread dies or is stopped while it reads, or while it makes room in a full log, readers wait for ever. If it
 *    dies or is stopped anywhere else in an append, no other thread waits for it. A signal handler does not use the
 *    struct ordo_oplog_thread of the thread that it interrupts. After fork the child does not use the domain.
 *
 * THE COST OF AN OPERATION
 *
 * An operation costs a load of a word that changes only when some thread reads, and the stores of the entry. It takes
 * no locked instruction, and reads no clock unless order is required. A log is bounded. If a thread finds its own log
 * full and the operations there commute, it applies only its own log, so that an object's state mostly stays in the
 * caches of the threads that change it. Otherwise it applies all logs, in order. No operation is ever lost or refused
 * for lack of room.
 *
 * ORDO_DEBUG=1 checks these promises and the conditions of oplog/argument.h while the program runs: doc/debugging.md.
 */
#ifndef ORDO_CC_OPLOG_H
#define ORDO_CC_OPLOG_H

#include <stddef.h>

#include <ordo/cc/domain.h>

/** A domain: objects that are read together. */
struct ordo_oplog;

/** A thread of a domain, with its log. */
struct ordo_oplog_thread;

struct ordo_oplog_object;

/** An operation in a log. The kind of the object defines `op` and `argument`. */
struct ordo_oplog_entry {
    uint64_t time; /* the timestamp, in ticks of the stamp; 0: the object's order is COMMUTE */
    struct ordo_oplog_object *object;
    uint64_t op;
    uint64_t argument;
};

enum ordo_oplog_order { ORDO_OPLOG_COMMUTE, ORDO_OPLOG_TIMED, ORDO_OPLOG_ORDERED };

/** The properties that objects of a kind share. `apply` performs an operation on object->state. `drop` is called
 * instead for a forgotten object, to release resources of the operation; it may be NULL. Both run in any of the
 * domain's threads, one at a time. They cannot fail, and call no function of the domain. */
struct ordo_oplog_kind {
    enum ordo_oplog_order order;
    void (*apply)(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry);
    void (*drop)(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry);
};

/** An object's handle. Appending threads read the handle, and the applying thread writes the state. Keep the handle and
 * the state on different cache lines. */
struct ordo_oplog_object {
    const struct ordo_oplog_kind *kind;
    void *state;
    uint64_t last;      /* ORDERED only: the time of the last operation */
    uint64_t forgotten; /* not 0: the object's operations are dropped */
};

/** One of several operations that happen together: ordo_oplog_append_all. */
struct ordo_oplog_operation {
    struct ordo_oplog_object *object;
    uint64_t op;
    uint64_t argument;
};

/** All zero: malloc and logs of 1024 operations; valid for stamps that need no boundary. */
struct ordo_oplog_options {
    uint64_t boundary_ticks; /* for the stamps ordo and any: ordo_boundary() of an open handle */
    size_t log_entries;      /* operations in a log, 32 bytes each: a power of two up to 2^24; 0: 1024 */
    int settle_later;        /* not 0: operations on TIMED objects happen at ordo_oplog_settle */
    /* accepts boundary_ticks 0 for these stamps, WRONG unless there is one CPU: for tests */
    int unsafe_boundary;
    struct ordo_cc_memory memory; /* for the logs; all zero: malloc and free */
    /* The open handle that gave the boundary, which must not move. Once its record is marked DISRUPTED, waits for the
     * clock end with ORDO_E_DISRUPTED. Waits for a time more than 2^32 ticks + B ahead end with it too. NULL: not
     * watched. The stamp any needs the handle inside a struct ordo_any, or a plain struct ordo. */
    const struct ordo *watch;
};

/** Counters of a domain. */
struct ordo_oplog_statistics {
    uint64_t appends;        /* operations appended */
    uint64_t applied;        /* operations applied or dropped */
    uint64_t dropped;        /* operations dropped, because their object was forgotten */
    uint64_t cuts;           /* times that all logs were applied, at least one of them not empty */
    uint64_t drains;         /* times that a thread applied its own log */
    uint64_t fulls;          /* times that a thread found its log full */
    uint64_t boundary_waits; /* operations, or settlements, that waited for the clock */
};

/* ---- domains and threads ---- */

/** Starts a domain, before any other call for it.
 * 0: started
 * ORDO_E_INVALID: the stamp needs a boundary and has none (see unsafe_boundary); log_entries is not a power of two up
 *     to 2^24; or as ordo_stamp_init */
static inline int ordo_oplog_create(struct ordo_oplog *oplog, const struct ordo_oplog_options *options);

/** Applies all pending operations, and frees the logs. Before the call all threads have finished; no other call for the
 * domain is concurrent. */
static inline void ordo_oplog_destroy(struct ordo_oplog *oplog);

/** Raises the boundary of a domain at rest, for example after ORDO_STATUS_SUPERSEDED. At rest: no thread is in a call
 * or reads, and all threads have settled. The caller orders this call after earlier calls of other threads, and before
 * their later calls. Returns when every clock is past every timestamp in the logs under the new boundary (C5). Before
 * the call, while the domain is at rest, the watched handle may be closed and reopened at its address. With stamps
 * without a boundary nothing happens.
 * 0: raised
 * ORDO_E_INVALID: the new boundary is not larger than the present boundary, or comes from a handle that orders nothing,
 *     or the domain is not at rest; nothing has changed
 * ORDO_E_DISRUPTED: the clocks disagree; stop using the domain */
static inline int ordo_oplog_raise(struct ordo_oplog *oplog, uint64_t boundary_ticks);

/** Makes the calling thread a thread of the domain. Any number of threads may join, at any time; only this thread may
 * use the result, until ordo_oplog_thread_finish.
 * 0: `*result` is the handle
 * ORDO_E_SYSTEM: out of memory */
static inline int ordo_oplog_thread_init(struct ordo_oplog *oplog, struct ordo_oplog_thread **result);

/** Calls ordo_oplog_settle and returns its code; ends the thread's membership in any case. The log keeps its operations
 * until a reader applies them; another thread may get the log later. */
static inline int ordo_oplog_thread_finish(struct ordo_oplog_thread *t);

/** Adds up the counters of all present and former threads; while threads run, the sums are not of one moment. */
static inline void ordo_oplog_statistics_read(struct ordo_oplog *oplog, struct ordo_oplog_statistics *sum);

/* ---- objects ---- */

/** Makes an object of a kind, before any thread appends to it.
 * 0: made
 * ORDO_E_INVALID: the kind is NULL, has no `apply`, or an unknown order; ordo_oplog_append then refuses the object */
static inline int ordo_oplog_object_init(struct ordo_oplog_object *object, const struct ordo_oplog_kind *kind,
                                         void *state);

/** Takes an object out of use: drops its pending operations (see struct ordo_oplog_kind), and applies those of other
 * objects. Afterwards no log refers to the object, and it may be freed. No thread may append to it during the call or
 * later. To have its pending operations applied instead, call ordo_oplog_synchronise before. Do not call this between
 * read_lock and read_unlock.
 */
static inline void ordo_oplog_forget(struct ordo_oplog_thread *t, struct ordo_oplog_object *object);

/* ---- appending: do not call these between read_lock and read_unlock ---- */

/** Appends an operation to the thread's log; the next reader applies it. Takes no lock and waits for no thread, unless
 * the log is full.
 * 0: appended; on a TIMED object the operation has also happened, unless options.settle_later is set
 * ORDO_E_INVALID: the thread is reading, or the object has no kind
 * ORDO_E_DISRUPTED (see options.watch): on an ORDERED object nothing was appended; on a TIMED object the operation was
 *     appended, and its order is unknown */
static inline int ordo_oplog_append(struct ordo_oplog_thread *t, struct ordo_oplog_object *object, uint64_t op,
                                    uint64_t argument);

/** Appends `n` operations that happen together: a reader sees all of them or none. They share a timestamp. Codes as
 * ordo_oplog_append, and
 * ORDO_E_INVALID: `n` is larger than a log, or an object is ORDERED; nothing was appended */
static inline int ordo_oplog_append_all(struct ordo_oplog_thread *t, const struct ordo_oplog_operation *operations,
                                        size_t n);

/** Waits until every operation of this thread on TIMED objects has happened, because every clock is past its timestamp.
 * 0: they have happened
 * ORDO_E_DISRUPTED: the clocks disagree, and the order of those operations is unknown */
static inline int ordo_oplog_settle(struct ordo_oplog_thread *t);

/* ---- reading ---- */

/** Applies all logs. Until ordo_oplog_read_unlock no thread applies a log, so the states of all objects may be read.
 * Does not nest. Waits for other readers and synchronisers, never for an appending thread. Other threads can append
 * meanwhile, as long as their logs have room. */
static inline void ordo_oplog_read_lock(struct ordo_oplog_thread *t);

/** Ends the reading. Call it from the thread that began it. */
static inline void ordo_oplog_read_unlock(struct ordo_oplog_thread *t);

/** Applies all operations that have been appended. Do not call it between read_lock and read_unlock. */
static inline void ordo_oplog_synchronise(struct ordo_oplog_thread *t);

#include <ordo/cc/oplog/argument.h>

#endif
