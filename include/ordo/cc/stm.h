/* Software transactional memory over a stamp: threads read and write words of shared memory in transactions, each of
 * which happens as a whole or not at all.
 *
 * The algorithm is TL2 (D. Dice, O. Shalev, N. Shavit, "Transactional Locking II", DISC 2006), extended as in T.
 * Riegel, P. Felber, C. Fetzer, "A Lazy Snapshot Algorithm with Eager Validation", DISC 2006, with the clock of S.
 * Kashyap et al., "A Scalable Ordering Primitive for Multicore Machines", EuroSys 2018. Memory is striped over a table
 * of versioned locks. A transaction that reads stores nothing that other threads load, and its writes stay private
 * until it commits. To commit, it locks the stripes of its write set, takes a time, checks that its read set is
 * unchanged, writes the words, and unlocks the stripes with that time as their version.
 *
 *     struct ordo_stm stm;                                  // one for all words that are changed together
 *     struct ordo_stm_thread *t;                            // one for each thread
 *     ordo_stm_create(&stm, &options);
 *     ordo_stm_thread_init(&stm, &t);
 *
 *     static int move(struct ordo_stm_thread *t, void *argument)
 *     {
 *         struct move *m = argument;
 *         uint64_t from, to;
 *         int code;
 *         if ((code = ordo_stm_read(t, m->from, &from)) || (code = ordo_stm_read(t, m->to, &to)))
 *             return code;                                  // give up; ordo_stm_run retries if that helps
 *         if (from < m->amount)
 *             return 0;                                     // commits without a write
 *         if ((code = ordo_stm_write(t, m->from, from - m->amount)) ||
 *             (code = ordo_stm_write(t, m->to, to + m->amount)))
 *             return code;
 *         return 1;
 *     }
 *     moved = ordo_stm_run(t, 0, move, &m);                 // 1 or 0, or a negative code
 *
 * Calls fail by returning a code, not by longjmp: a body must return the code that a call returned to it. Sets and a
 * map are in stm/list.h, stm/hash.h, stm/skip.h and stm/tree.h. The same program text runs on all stamps of stamp.h.
 * The correctness argument, with the conditions C1 to C13, is in <ordo/cc/stm/argument.h>.
 *
 * WHAT A TRANSACTION SEES
 *
 *  - Opacity (R. Guerraoui, M. Kapalka, PPoPP 2008): all words that a transaction has read so far were in memory
 *    together at one moment since it began, even if the transaction is given up later. Hence no body ever works on a
 *    state that never existed. Committed transactions happen one after the other, in an order that agrees with real
 *    time.
 *
 *  - A call that returns a code other than 0 has read and written nothing, and every later call in the transaction
 *    returns a code other than 0 too.
 *
 *  - With ORDO_STM_READ_ONLY the caller promises that the transaction writes nothing. The transaction then keeps no
 *    read set. If it meets a word that is too new, it is run again, this time with a read set.
 *
 *  - With ORDO_STM_SNAPSHOT a read-only transaction reads the memory of its beginning, and does not run again, however
 *    long it lasts (unless it asks to be irrevocable). Meanwhile commits save overwritten values: about 80 bytes for
 *    each word and each snapshot that has begun. Its order comes from a counter of snapshots; the algorithm is ours.
 *
 *  - With ORDO_STM_ELASTIC a transaction keeps only its last two reads until its first write or ordo_stm_hold (P.
 *    Felber, V. Gramoli, R. Guerraoui, "Elastic Transactions", DISC 2009). Until then, only a word and the word read
 *    before it were in memory together, at moments that go forward. doc/stm.md says which searches may use this.
 *
 *  - Transactions nest flat: a transaction that begins within another is part of it, and commits with the outermost.
 *
 *  - A word that does not change while other threads can see it may be read as plain memory by a transaction that has
 *    found it, because freed memory is released only when no transaction can see it any more.
 *
 *  - After ordo_stm_irrevocable has returned 0 the transaction will not be run again, so that it may do things that
 *    cannot be undone. One transaction at a time is irrevocable. Meanwhile other transactions read; those that write
 *    wait at their commit until the irrevocable transaction ends. If a transaction had to begin again ORDO_STM_PATIENCE
 *    times in a row, it becomes irrevocable at its next beginning, so that other transactions cannot overtake it for
 *    ever. If several transactions wait to become irrevocable, their order is not specified.
 *
 *  - Privatisation: if a transaction makes memory unreachable for other threads, and its thread then reads or writes
 *    this memory as plain memory, the transaction must be begun with ORDO_STM_QUIESCE. Its commit then returns only
 *    when every transaction that began before has ended and its writes are done. ordo_stm_free does not need this flag.
 *    Publication needs no flag: a transaction that finds an object sees all plain writes that preceded the commit which
 *    made the object reachable.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, no promise above holds. With
 *    `watch` in the options, commits and waits for the clock end with ORDO_E_DISRUPTED once the watched record is
 *    marked.
 *
 *  - Words are aligned to 8 bytes. While words are shared, only these calls read and write them.
 *
 *  - The thread that begins a transaction ends it. If a thread dies, is cancelled or leaves by longjmp in a
 *    transaction, no memory is released any more; if this happens in a commit, other threads may wait for it for ever.
 *    A thread that is only stopped in a commit (SIGSTOP, preemption) blocks only transactions that want the same
 *    stripes.
 *
 *  - A signal handler does not use the struct ordo_stm_thread of the thread that it interrupts; after fork the child
 *    does not use the domain.
 *
 * The clock is read once for a commit that writes, when a transaction meets a word whose version is not certainly before
 * its begin, and at the thread's next ORDO_STM_FRESH beginnings. Other begins are times that were read earlier (C8). A
 * read costs two loads of the stripe and one of the word, and writes nothing that other threads read.
 *
 * ORDO_DEBUG=1 checks these promises and the conditions of stm/argument.h while the program runs: doc/debugging.md.
 */
#ifndef ORDO_CC_STM_H
#define ORDO_CC_STM_H

#include <stddef.h>

#include <ordo/cc/domain.h>
#include <ordo/cc/fetch.h>

#if defined ORDO_STAMP_BATCH
#error "a transaction waits until a version is in the past, which a batch does not let pass: choose another stamp"
#endif

/** The code of a call in a transaction that was given up and can be run again. It is not an ordo_code. */
#define ORDO_STM_AGAIN (-1000)

/** Flags of a transaction. */
enum { ORDO_STM_READ_ONLY = 1, ORDO_STM_QUIESCE = 2, ORDO_STM_SNAPSHOT = 4 | ORDO_STM_READ_ONLY, ORDO_STM_ELASTIC = 8 };

enum {
    ORDO_STM_FRESH = 8,    /* number of beginnings that read the clock after a begin was too early */
    ORDO_STM_PATIENCE = 64 /* number of attempts of a transaction before it becomes irrevocable */
};

/** A domain. Words of one domain must not be used in transactions of another. */
struct ordo_stm;

/** A thread of a domain. */
struct ordo_stm_thread;

/** All zero: 2^16 stripes and malloc; valid for stamps that need no boundary. */
struct ordo_stm_options {
    uint64_t boundary_ticks; /* for the stamps ordo and any: ordo_boundary() of an open handle */
    size_t stripes;          /* number of locks of 8 bytes, rounded up to a power of two, at most 2^28; 0: 65536 */
    /* accepts boundary_ticks 0 for these stamps, WRONG unless there is one CPU: for tests */
    int unsafe_boundary;
    struct ordo_cc_memory memory; /* for objects, stripes, and read and write sets; all zero: malloc and free */
    /* The open handle that gave the boundary. It must not move, and stays open except during ordo_stm_raise. Once its
     * record is marked DISRUPTED, commits and waits for the clock are refused. NULL: not watched. The stamp any needs
     * the handle inside a struct ordo_any, or a plain struct ordo. */
    const struct ordo *watch;
};

/** Counters of a domain. Times in ticks of the hardware clock, under every stamp. */
struct ordo_stm_statistics {
    uint64_t commits;          /* outermost transactions that committed, with or without a write */
    uint64_t updates;          /* outermost transactions that committed with a write */
    uint64_t aborts_locked;    /* transactions given up because a stripe was locked */
    uint64_t aborts_changed;   /* transactions given up because the read set had changed */
    uint64_t aborts_newer;     /* given up because a word was newer than the begin: read-only ones, or with dctl any */
    uint64_t aborts_uncertain; /* the same because the order of a word and the begin was uncertain */
    uint64_t aborts_asked;     /* transactions given up by the caller, or for a code other than ORDO_STM_AGAIN */
    uint64_t clock_reads;      /* beginnings that read the clock */
    uint64_t extensions;       /* attempts to renew the begin within a transaction */
    uint64_t extensions_uncertain; /* attempts because the order of a version and the begin was uncertain */
    uint64_t boundary_wait_ticks;  /* time of waits until the new begin was certainly later */
    uint64_t irrevocable;          /* transactions that became irrevocable, by request or after too many attempts */
    uint64_t quiesces;             /* waits for all other transactions (ordo_stm_quiesce) */
    uint64_t yields, sleeps;       /* CPU yields, and sleeps of 50 to 800 us, in waits for another thread */
    uint64_t freed;                /* objects released after ordo_stm_free */
    uint64_t snapshots;            /* transactions begun as snapshots */
    uint64_t saved, reads_saved;   /* overwritten values that were saved for snapshots, and reads of such values */
};

/* ---- domains and threads ---- */

/** Starts a domain, before any other call for it.
 * 0: started
 * ORDO_E_INVALID: the stamp needs a boundary and has none (see unsafe_boundary); too many stripes; or as
 *     ordo_stamp_init
 * ORDO_E_SYSTEM: out of memory */
static inline int ordo_stm_create(struct ordo_stm *stm, const struct ordo_stm_options *options);

/** Frees the domain's memory, including objects that were freed in it. Before the call all threads have finished, and
 * the caller has discarded all other objects. */
static inline void ordo_stm_destroy(struct ordo_stm *stm);

/** Raises the boundary of a domain at rest, for example after ORDO_STATUS_SUPERSEDED. At rest: no thread is in a
 * transaction. The caller orders this call after earlier calls of other threads, and before their later calls. Waits
 * several times the new boundary. With stamps without a boundary nothing happens.
 * 0: raised
 * ORDO_E_INVALID: the new boundary is not larger than the present boundary, or comes from a handle that orders nothing,
 *     or the domain is not at rest; nothing has changed
 * ORDO_E_DISRUPTED: the clocks disagree */
static inline int ordo_stm_raise(struct ordo_stm *stm, uint64_t boundary_ticks);

/** Makes the calling thread a thread of the domain. Any number of threads may join, at any time; only this thread may
 * use the result, until ordo_stm_thread_finish.
 * 0: `*result` is the handle
 * ORDO_E_SYSTEM: out of memory */
static inline int ordo_stm_thread_init(struct ordo_stm *stm, struct ordo_stm_thread **result);

/** Ends the thread's membership. Call it outside transactions. Objects that the thread has freed or values that it has
 * saved, and that other transactions may still see, are released by the next owner of `t`, or by ordo_stm_destroy. */
static inline void ordo_stm_thread_finish(struct ordo_stm_thread *t);

/** Adds up the counters of all present and former threads; while threads run, the sums are not of one moment. */
static inline void ordo_stm_statistics_read(struct ordo_stm *stm, struct ordo_stm_statistics *sum);

/* ---- transactions ---- */

/** Runs a body in a transaction, and repeats this while an outermost transaction ends with ORDO_STM_AGAIN. The body may
 * run many times, so it must have no effects except through the calls of this interface. The body returns a number >= 0 to
 * commit, or the code that a call returned to it, or a negative code of its own to undo everything. ordo_stm_run
 * returns the body's result if the body committed or undid the transaction; otherwise the transaction never happened:
 * ORDO_E_SYSTEM: out of memory
 * ORDO_E_DISRUPTED: the clocks disagree
 * ORDO_E_INVALID: the body wrote in a read-only transaction
 * within an outer transaction, ORDO_STM_AGAIN or any code with which the outer one must end: return it from the body */
static inline int ordo_stm_run(struct ordo_stm_thread *t, unsigned flags, int (*body)(struct ordo_stm_thread *, void *),
                               void *argument);

/** As ordo_stm_run, with an expression `call` of type int as the body. Sets `result` as ordo_stm_finish does. Within an
 * outer transaction that must be run again, `result` is ORDO_STM_AGAIN: return it. */
#define ORDO_STM_ATOMICALLY(t, flags, result, call)                                                                    \
    do {                                                                                                               \
        ordo_stm_drop(t);                                                                                              \
        do {                                                                                                           \
            (result) = ordo_stm_begin(t, flags);                                                                       \
            if ((result) == ORDO_OK)                                                                                   \
                (result) = ordo_stm_finish(t, (call));                                                                 \
        } while ((result) == ORDO_STM_AGAIN && !ordo_stm_active(t));                                                   \
    } while (0)

/** Begins a transaction, or a nested one if this thread is in a transaction. `flags`: ORDO_STM_*.
 * 0: begun
 * ORDO_E_SYSTEM: out of memory for a snapshot
 * Otherwise: a nested transaction was not begun, because the outer transaction was given up, or is read-only and the
 *     nested one is not; codes as ordo_stm_write */
static inline int ordo_stm_begin(struct ordo_stm_thread *t, unsigned flags);

/** Commits. A nested transaction only ends, and nothing is visible yet. Waits for an irrevocable transaction and, with
 * ORDO_STM_QUIESCE, for all transactions that began before; never for the boundary.
 * 0: the transaction happened, at a moment within this call, or before the call if it wrote nothing
 * ORDO_STM_AGAIN: it never happened, and has ended; begin again, or call ordo_stm_drop
 * Otherwise: it never happened, and has ended; the code is that of an earlier call in it, or ORDO_E_DISRUPTED if the
 *     watched record is marked so */
static inline int ordo_stm_commit(struct ordo_stm_thread *t);

/** Gives the transaction up: nothing of it happened. If it is nested, the outer transaction is given up too, and must
 * be ended as well. Returns the code for which the transaction had been given up already, or ORDO_E_CANCELLED. */
ORDO_CC_SLOW int ordo_stm_abort(struct ordo_stm_thread *t);

/** Ends a transaction whose body returned `result`: if `result` >= 0, commits the transaction and returns `result`;
 * otherwise gives it up. Returns ORDO_STM_AGAIN if it should be run again, or a negative code for which it never
 * happened. */
static inline int ordo_stm_finish(struct ordo_stm_thread *t, int result);

/** Declares that a transaction that ended with ORDO_STM_AGAIN will not be run again: the thread's next transaction
 * inherits neither its number of attempts nor its request to be irrevocable. ordo_stm_run calls it before its first
 * attempt. No effect within a transaction. */
static inline void ordo_stm_drop(struct ordo_stm_thread *t);

/** True if this thread is in a transaction. */
static inline int ordo_stm_active(const struct ordo_stm_thread *t);

/** Makes the transaction irrevocable: it will not be run again. Waits for the commits of other threads. The caller may
 * still abort the transaction.
 * 0: it is irrevocable; later calls in it may still return ORDO_E_SYSTEM
 * Otherwise: codes as ordo_stm_read; after ORDO_STM_AGAIN the transaction is irrevocable from its next beginning on */
ORDO_CC_SLOW int ordo_stm_irrevocable(struct ordo_stm_thread *t);

/** Ends the elastic part, if there is one: from the last two reads on, all reads stand. Codes as ordo_stm_read. */
ORDO_CC_SLOW int ordo_stm_hold(struct ordo_stm_thread *t);

/** Waits until every transaction that began before has ended and its writes are done, and releases freed objects. Do
 * not call it in a transaction, or while the thread holds a resource that a transaction may wait for. */
ORDO_CC_SLOW void ordo_stm_quiesce(struct ordo_stm_thread *t);

/* ---- words ---- */

/** Reads a word.
 * 0: `*value` is its value
 * Otherwise the transaction is given up, and `*value` is unchanged; return the code from the body, or call
 * ordo_stm_abort:
 * ORDO_STM_AGAIN: run it again
 * ORDO_E_SYSTEM: out of memory
 * ORDO_E_DISRUPTED: the clocks disagree */
static inline int ordo_stm_read(struct ordo_stm_thread *t, const uint64_t *word, uint64_t *value);

/** Writes a word. No other thread sees the new value before the commit.
 * 0: written
 * ORDO_E_INVALID: the transaction is read-only
 * Otherwise: as ordo_stm_read */
static inline int ordo_stm_write(struct ordo_stm_thread *t, uint64_t *word, uint64_t value);

/* ---- objects ---- */

/** Returns a new object of `bytes` with undefined content, aligned as by malloc. It may be written as plain memory
 * until a pointer to it is committed. An abort frees it. Outside a transaction it stays until it is freed. NULL: out of
 * memory; the transaction is given up (ordo_stm_abort returns ORDO_E_SYSTEM). */
static inline void *ordo_stm_alloc(struct ordo_stm_thread *t, size_t bytes);

/** Frees an object that this transaction has made unreachable, after the transaction has committed and when no other
 * transaction can see the object any more.
 * 0: it will be freed
 * ORDO_E_INVALID: not in a transaction, or the transaction is read-only
 * Otherwise: as ordo_stm_read */
static inline int ordo_stm_free(struct ordo_stm_thread *t, void *object);

/** Frees an object at once. No other thread can reach it, as when a structure is destroyed. */
static inline void ordo_stm_discard(struct ordo_stm *stm, void *object);

#include <ordo/cc/stm/argument.h>

#endif
