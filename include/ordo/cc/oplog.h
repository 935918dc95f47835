/* Oplog over a stamp: objects that are changed often and read rarely. A change goes to a log of the thread's own; a
 * reader applies all logs first.
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
 * One program text runs on all stamps of stamp.h. Why it is correct: the conditions C1 to C9 in
 * <ordo/cc/oplog/argument.h>.
 *
 * WHAT A READER SEES
 *
 *  - All objects of a domain as they were at one moment between the start and the end of ordo_oplog_read_lock: every
 *    operation that had returned before, none that began later, and with an operation everything that had returned
 *    before it began. The states that two readers see are nested. Hence a domain is strictly serialisable (linearisable
 *    as one object): an operation happens as a whole at some moment between its call and its return.
 *
 *  - Operations that happen at different moments are applied to an object in their order, if its kind requires it:
 *
 *      ORDO_OPLOG_COMMUTE  any order gives the same state. An operation takes no time and does not wait.
 *      ORDO_OPLOG_TIMED    each operation takes a time, and returns when that time is over on every clock: about the
 *                          boundary later. Nothing is shared: for an object that many threads change at once.
 *      ORDO_OPLOG_ORDERED  each operation takes a time certainly after the object's last one. Operations share the
 *                          object's word, and one that follows another within the boundary waits: for objects of which
 *                          each is changed by one thread at a time. The times of its operations are certainly ordered;
 *                          of two concurrent operations a reader between them may apply the later one first.
 *
 *  - With options.settle_later an operation on a TIMED object returns at once, and has happened when ordo_oplog_settle
 *    returns: one wait for many operations. Settle before another thread may learn that they are done, as before a lock
 *    is released. Until then they are concurrent with the operations of other threads, though a reader may see them.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, TIMED operations may be applied
 *    in the wrong order; nothing else depends on it. With `watch`, waits for the clock end with ORDO_E_DISRUPTED.
 *
 *  - The functions of a kind call nothing of the domain. They run in any thread, one at a time.
 *
 *  - An object stays until all operations on it are applied, by ordo_oplog_read_lock, ordo_oplog_forget or
 *    ordo_oplog_destroy. No thread appends to an object that another thread takes out of use.
 *
 *  - A thread that reads does not append through another handle of the same domain: a full log would wait for itself.
 *
 *  - A thread that dies or is stopped while it reads, or while it makes room in a full log, holds up readers for ever;
 *    one that dies or is stopped anywhere else in an append holds up no other thread. A signal handler does not use the
 *    struct ordo_oplog_thread of the thread that it interrupts. After fork the child does not use the domain.
 *
 * THE COST OF AN OPERATION
 *
 * A load of a word that changes only when some thread reads, and the stores of the entry: no locked instruction, and no
 * clock unless order is required. A log is bounded. A thread that finds its own log full applies it: only its own, if
 * the operations there commute, so that a state is mostly touched by the threads that change it; otherwise all logs, in
 * order. No operation is ever lost or refused for lack of room.
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
    uint64_t time; /* ticks of the stamp; 0: its object commutes */
    struct ordo_oplog_object *object;
    uint64_t op;
    uint64_t argument;
};

enum ordo_oplog_order { ORDO_OPLOG_COMMUTE, ORDO_OPLOG_TIMED, ORDO_OPLOG_ORDERED };

/** The properties that objects of a kind share. `apply` carries an operation out on object->state. `drop` is called
 * instead for a forgotten object, to release resources of the operation; it may be NULL. Neither calls anything of the
 * domain; they run in any of its threads, one at a time, and cannot fail. */
struct ordo_oplog_kind {
    enum ordo_oplog_order order;
    void (*apply)(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry);
    void (*drop)(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry);
};

/** An object's handle. Appenders read it; the applier writes the state. Keep the two on different cache lines. */
struct ordo_oplog_object {
    const struct ordo_oplog_kind *kind;
    void *state;
    uint64_t last;      /* ORDERED only: the time of the last operation */
    uint64_t forgotten; /* its operations are dropped */
};

/** An operation of a group that happens together: ordo_oplog_append_all. */
struct ordo_oplog_operation {
    struct ordo_oplog_object *object;
    uint64_t op;
    uint64_t argument;
};

/** All zero: malloc and logs of 1024 operations; valid for stamps that need no boundary. */
struct ordo_oplog_options {
    uint64_t boundary_ticks;      /* of the stamps ordo and any: ordo_boundary() of an open handle */
    size_t log_entries;           /* operations that a log holds, a power of two up to 2^24; 0: 1024. 32 bytes each */
    int settle_later;             /* operations on TIMED objects happen at ordo_oplog_settle */
    int unsafe_boundary;          /* ordo or any with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_cc_memory memory; /* of logs; all zero: malloc and free */
    /* The open handle of the boundary, which must not move. Once its record is marked DISRUPTED, waits for the clock
     * end with ORDO_E_DISRUPTED; so do waits for a time more than 2^32 ticks + B ahead. NULL: not watched. The stamp
     * any needs the handle inside a struct ordo_any, or a plain one. */
    const struct ordo *watch;
};

/** Counters of a domain. */
struct ordo_oplog_statistics {
    uint64_t appends;        /* operations */
    uint64_t applied;        /* of these */
    uint64_t dropped;        /* of these, because their object was forgotten */
    uint64_t cuts;           /* times that all logs were applied and at least one was not empty */
    uint64_t drains;         /* times that a thread applied its own log */
    uint64_t fulls;          /* times that a log was found full */
    uint64_t boundary_waits; /* operations, or settlements, that waited for the clock */
};

/* ---- domains and threads ---- */

/** Starts a domain, before any other call for it.
 * 0: started
 * ORDO_E_INVALID: no boundary was given (see unsafe_boundary), its handle or `watch` orders nothing, or log_entries is
 *     not a power of two up to 2^24 */
static inline int ordo_oplog_create(struct ordo_oplog *oplog, const struct ordo_oplog_options *options);

/** Applies all pending operations, and frees the logs; all threads have finished, and no other call is made for it. */
static inline void ordo_oplog_destroy(struct ordo_oplog *oplog);

/** Gives a larger boundary to a domain at rest, as after ORDO_STATUS_SUPERSEDED: no thread is in a call or reads, and
 * all have settled; earlier calls of other threads happen before this one, their later calls after it. Returns when
 * every time in the logs is over on every clock under the new boundary (C5). The watched handle may be closed and
 * reopened for it, in its place, while the domain is at rest. Stamps without a boundary ignore it.
 * 0: raised
 * ORDO_E_INVALID: the boundary is not larger than the present one, or is that of a handle that orders nothing, or the
 *     domain is not at rest; nothing has changed
 * ORDO_E_DISRUPTED: the clocks disagree; stop using the domain */
static inline int ordo_oplog_raise(struct ordo_oplog *oplog, uint64_t boundary_ticks);

/** Makes the calling thread a thread of the domain. Any number of threads may join, at any time; only this thread may
 * use the result, until ordo_oplog_thread_finish.
 * 0: `*result` is the handle
 * ORDO_E_SYSTEM: out of memory */
static inline int ordo_oplog_thread_init(struct ordo_oplog *oplog, struct ordo_oplog_thread **result);

/** Settles, with the codes of ordo_oplog_settle, and ends the thread's membership in any case. The log keeps its
 * operations until a reader applies them; another thread may get the log afterwards. */
static inline int ordo_oplog_thread_finish(struct ordo_oplog_thread *t);

/** Adds up the counters of all threads, present and former, at any time; the sums are then not of one moment. */
static inline void ordo_oplog_statistics_read(struct ordo_oplog *oplog, struct ordo_oplog_statistics *sum);

/* ---- objects ---- */

/** Makes an object of a kind, before any thread appends to it.
 * 0: made
 * ORDO_E_INVALID: the kind is NULL, has no `apply`, or an unknown order; ordo_oplog_append then refuses the object */
static inline int ordo_oplog_object_init(struct ordo_oplog_object *object, const struct ordo_oplog_kind *kind,
                                         void *state);

/** Takes an object out of use: its pending operations are dropped (see struct ordo_oplog_kind), and those of other
 * objects applied. Afterwards no log refers to it, and it may be freed. No thread appends to it any more, or begins to.
 * (To have its pending operations applied instead, call ordo_oplog_synchronise.) Not between read_lock and read_unlock.
 */
static inline void ordo_oplog_forget(struct ordo_oplog_thread *t, struct ordo_oplog_object *object);

/* ---- appending: not between read_lock and read_unlock ---- */

/** Appends an operation to the thread's log; the next reader applies it. Takes no lock and waits for no thread, unless
 * the log is full.
 * 0: appended; on a TIMED object it has also happened, unless options.settle_later
 * ORDO_E_INVALID: the thread is reading, or the object has no kind
 * ORDO_E_DISRUPTED, with a `watch` only: on an ORDERED object it was not appended; on a TIMED one it was, and its order
 *     is unknown */
static inline int ordo_oplog_append(struct ordo_oplog_thread *t, struct ordo_oplog_object *object, uint64_t op,
                                    uint64_t argument);

/** Appends `n` operations that happen together: a reader sees all of them or none. They share a time. Codes as
 * ordo_oplog_append; and
 * ORDO_E_INVALID: `n` is larger than a log, or an object is ORDERED; nothing was appended */
static inline int ordo_oplog_append_all(struct ordo_oplog_thread *t, const struct ordo_oplog_operation *operations,
                                        size_t n);

/** Waits until every operation of this thread on TIMED objects has happened: until their times are over on every clock.
 * 0: they have happened
 * ORDO_E_DISRUPTED: the clocks disagree, and the order of those operations is unknown */
static inline int ordo_oplog_settle(struct ordo_oplog_thread *t);

/* ---- reading ---- */

/** Applies all logs, and keeps them from being applied further until ordo_oplog_read_unlock: the states of all objects
 * may be read. Does not nest. Waits for other readers and synchronisers, never for an appender. Threads go on appending
 * meanwhile, as long as there is room. */
static inline void ordo_oplog_read_lock(struct ordo_oplog_thread *t);

/** Ends the reading, by the thread that began it. */
static inline void ordo_oplog_read_unlock(struct ordo_oplog_thread *t);

/** Applies all operations that were appended. Not between read_lock and read_unlock. */
static inline void ordo_oplog_synchronise(struct ordo_oplog_thread *t);

#include <ordo/cc/oplog/argument.h>

#endif
