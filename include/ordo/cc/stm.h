/* Software transactional memory over a stamp: threads read and write words of shared memory in transactions, each of
 * which happens as a whole or not at all.
 *
 * TL2 after D. Dice, O. Shalev, N. Shavit, "Transactional Locking II", DISC 2006, extended as T. Riegel, P. Felber, C.
 * Fetzer, "A Lazy Snapshot Algorithm with Eager Validation", DISC 2006, with the clock of S. Kashyap et al., "A
 * Scalable Ordering Primitive for Multicore Machines", EuroSys 2018. Memory is striped over a table of versioned locks.
 * A transaction reads without a trace that others could see, and keeps its writes to itself. To commit it locks the
 * stripes of its write set, takes a time, checks that its read set is unchanged, writes, and unlocks the stripes with
 * that time as their version.
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
 *             return code;                                  // give up; it runs again if that helps
 *         if (from < m->amount)
 *             return 0;                                     // commits without a write
 *         if ((code = ordo_stm_write(t, m->from, from - m->amount)) ||
 *             (code = ordo_stm_write(t, m->to, to + m->amount)))
 *             return code;
 *         return 1;
 *     }
 *     moved = ordo_stm_run(t, 0, move, &m);                 // 1 or 0, or why it cannot be done
 *
 * No call leaves by longjmp: a body returns the code that a call returned to it. Sets and a map are in stm/list.h,
 * stm/hash.h, stm/skip.h and stm/tree.h. One program text runs on all stamps of stamp.h. Why it is correct: the
 * conditions C1 to C11 in <ordo/cc/stm/argument.h>.
 *
 * WHAT A TRANSACTION SEES
 *
 *  - Opacity (R. Guerraoui, M. Kapalka, PPoPP 2008): all words that any transaction has read up to any moment, even one
 *    that is given up later, were in memory together at one moment since it began. Hence no body ever works on a state
 *    that never existed. The transactions that commit happen one after the other, in an order that agrees with real
 *    time.
 *
 *  - A call that returns a code other than 0 has read and written nothing, and every later call of the transaction
 *    returns a code too.
 *
 *  - ORDO_STM_READ_ONLY promises that the transaction writes nothing. It then keeps no read set. If it meets a word
 *    that is too new, it cannot check that its earlier reads are still valid, and begins again, with a read set.
 *
 *  - Transactions nest flat: one that begins within another is part of it, and happens with the outermost.
 *
 *  - A word that is written once before it becomes visible, and never again while it is visible, may be read as plain
 *    memory by a transaction that has found it: freed memory stays until no transaction can still see it.
 *
 *  - ordo_stm_irrevocable: after its return the transaction will not be run again, so that it may do things that cannot
 *    be undone. One transaction at a time is irrevocable. Others read, and those that write wait at their commit until
 *    it ends. A transaction that had to begin again ORDO_STM_PATIENCE times in a row becomes irrevocable at its
 *    beginning, so that revocable transactions cannot overtake it for ever. Which of several waiting transactions
 *    becomes irrevocable first is not specified.
 *
 *  - Privatisation: a transaction that makes memory unreachable for others and is begun with ORDO_STM_QUIESCE returns
 *    from its commit once every transaction that began before has ended, with all its writes. From then on the memory
 *    belongs to the caller, to be read and written as plain memory. Without that flag it does not. ordo_stm_free does
 *    not need the flag. Publication needs nothing: plain writes before the commit that made an object reachable are
 *    seen by every transaction that finds the object.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, nothing here is promised. With
 *    `watch` in the options, commits and waits for the clock end with ORDO_E_DISRUPTED once the record is marked.
 *
 *  - Words are aligned, and while they are shared they are read and written by these calls only.
 *
 *  - The thread that begins a transaction ends it. If a thread dies, is cancelled or leaves by longjmp in a
 *    transaction, no memory is freed any more, and if this happens in a commit, others wait for it for ever. A thread
 *    that is only stopped in a commit (SIGSTOP, preemption) blocks only transactions that want the same stripes.
 *
 *  - A signal handler does not use the struct ordo_stm_thread of the thread that it interrupts; after fork the child
 *    does not use the domain.
 *
 * THE COST: WHEN THE CLOCK IS READ
 *
 * The clock is read once for a commit that writes. It is not read at every beginning: a time that the thread has read
 * earlier will do as the begin (C8), and is renewed only when the transaction meets a word that is not certainly older.
 * A thread that meets such a word reads the clock at its next ORDO_STM_FRESH beginnings, because a read-only
 * transaction that meets one begins again. A read costs two loads of the stripe and one of the word, and writes nothing
 * that others read.
 *
 * ORDO_DEBUG=1 checks these promises and the conditions of stm/argument.h while the program runs: doc/debugging.md.
 */
#ifndef ORDO_CC_STM_H
#define ORDO_CC_STM_H

#include <stddef.h>

#include <ordo/cc/domain.h>

#if defined ORDO_STAMP_BATCH
#error "a transaction waits until a version is in the past, which a batch does not let pass: choose another stamp"
#endif

/** The transaction was given up and can be run again. Not an ordo_code: calls in a transaction return it. */
#define ORDO_STM_AGAIN (-1000)

/** Flags of a transaction. */
enum { ORDO_STM_READ_ONLY = 1, ORDO_STM_QUIESCE = 2 };

enum {
    ORDO_STM_FRESH = 8,    /* beginnings that read the clock after a begin that was too early */
    ORDO_STM_PATIENCE = 64 /* attempts of a transaction before it becomes irrevocable */
};

/** A domain. Words of one domain are never used in transactions of another. */
struct ordo_stm;

/** A thread of a domain. */
struct ordo_stm_thread;

/** All zero: 2^16 stripes and malloc; valid for stamps that need no boundary. */
struct ordo_stm_options {
    uint64_t boundary_ticks;      /* of the stamps ordo and any: ordo_boundary() of an open handle */
    size_t stripes;               /* locks, of 8 bytes; rounded up to a power of two; 0: 65536; at most 2^28 */
    int unsafe_boundary;          /* ordo or any with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_cc_memory memory; /* for objects and accounts; all zero: malloc and free */
    /* The open handle of the boundary. It must not move, and stays open except during ordo_stm_raise. Once its record
     * is marked DISRUPTED, commits are refused, and so are waits for the clock. NULL: not watched. The stamp any needs
     * the handle inside a struct ordo_any, or a plain one. */
    const struct ordo *watch;
};

/** Counters of a domain. Times in ticks of the hardware clock, under every stamp. */
struct ordo_stm_statistics {
    uint64_t commits;              /* of outermost transactions, with or without a write */
    uint64_t updates;              /* of these, with a write */
    uint64_t aborts_locked;        /* given up because a stripe was locked */
    uint64_t aborts_changed;       /* given up because the read set has changed */
    uint64_t aborts_newer;         /* read-only, given up because a word was newer than the begin */
    uint64_t aborts_uncertain;     /* the same, because the order of the word and the begin was uncertain */
    uint64_t aborts_asked;         /* given up by the caller, or out of memory */
    uint64_t clock_reads;          /* at a beginning */
    uint64_t extensions;           /* begins that were renewed within a transaction, or attempts to */
    uint64_t extensions_uncertain; /* of these, because the order of a version and the begin was uncertain */
    uint64_t boundary_wait_ticks;  /* waits until the new begin was certainly later */
    uint64_t irrevocable;          /* transactions that became irrevocable, by request or after too many attempts */
    uint64_t quiesces;             /* waits for all others */
    uint64_t yields, sleeps;       /* CPU yields, and sleeps of 50 to 800 us, in waits for another thread */
    uint64_t freed;                /* objects freed */
};

/* ---- domains and threads ---- */

/** Starts a domain, before any other call for it.
 * 0: started
 * ORDO_E_INVALID: no boundary was given (see unsafe_boundary), its handle or `watch` orders nothing, the clock is about
 *     to wrap, or too many stripes
 * ORDO_E_SYSTEM: out of memory */
static inline int ordo_stm_create(struct ordo_stm *stm, const struct ordo_stm_options *options);

/** Frees the domain's memory, and freed objects; all threads have finished. The caller discards other objects before.
 */
static inline void ordo_stm_destroy(struct ordo_stm *stm);

/** Gives a larger boundary to a domain at rest, as after ORDO_STATUS_SUPERSEDED: no thread is in a transaction; earlier
 * calls of other threads happen before this one, their later calls after it. Waits several times the new boundary.
 * Stamps without a boundary ignore it.
 * 0: raised
 * ORDO_E_INVALID: the boundary is not larger than the present one, or is that of a handle that orders nothing, or the
 *     domain is not at rest; nothing has changed
 * ORDO_E_DISRUPTED: the clocks disagree */
static inline int ordo_stm_raise(struct ordo_stm *stm, uint64_t boundary_ticks);

/** Makes the calling thread a thread of the domain. Any number of threads may join, at any time; only this thread may
 * use the result, until ordo_stm_thread_finish.
 * 0: `*result` is the handle
 * ORDO_E_SYSTEM: out of memory */
static inline int ordo_stm_thread_init(struct ordo_stm *stm, struct ordo_stm_thread **result);

/** Ends the thread's membership, not in a transaction. Objects that it has freed and that must wait are released by the
 * next thread that gets its memory, or at the end of the domain. */
static inline void ordo_stm_thread_finish(struct ordo_stm_thread *t);

/** Adds up the counters of all threads, present and former, at any time; the sums are then not of one moment. */
static inline void ordo_stm_statistics_read(struct ordo_stm *stm, struct ordo_stm_statistics *sum);

/* ---- transactions ---- */

/** Runs a body in a transaction, again and again until it need not be run again. The body has no effect except by the
 * calls of this interface, because it may run many times. It returns a number that is not negative to commit, the code
 * that a call returned, or a negative code of its own to undo everything. Returns the body's result if it was committed
 * or undone; otherwise the transaction never happened:
 * ORDO_E_SYSTEM: out of memory
 * ORDO_E_DISRUPTED: the clocks disagree
 * ORDO_E_INVALID: it wrote and is read-only */
static inline int ordo_stm_run(struct ordo_stm_thread *t, unsigned flags, int (*body)(struct ordo_stm_thread *, void *),
                               void *argument);

/** As ordo_stm_run, with an expression `call` of type int. `result`: as ordo_stm_finish. In an outer transaction that
 * must be run again it is ORDO_STM_AGAIN: return it. */
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
 * Otherwise, nested only: as ordo_stm_write: the outer transaction was given up, or is read-only and this one is not;
 *     nothing was begun */
static inline int ordo_stm_begin(struct ordo_stm_thread *t, unsigned flags);

/** Commits. A nested transaction only ends, and nothing is visible yet. Waits for an irrevocable transaction and, with
 * ORDO_STM_QUIESCE, for all that began before; never for the boundary.
 * 0: the transaction happened, at a moment within this call or, if it wrote nothing, before
 * ORDO_STM_AGAIN: it never happened, and has ended; begin again, or call ordo_stm_drop
 * Otherwise: it never happened, and has ended; the code is that of an earlier call in it, or ORDO_E_DISRUPTED if the
 *     watched record is marked so */
static inline int ordo_stm_commit(struct ordo_stm_thread *t);

/** Gives the transaction up: nothing of it happened. If it is nested, the outer one is given up too, and must be ended
 * as well. Returns the code for which the transaction had been given up already, or ORDO_E_CANCELLED. */
ORDO_CC_SLOW int ordo_stm_abort(struct ordo_stm_thread *t);

/** Ends a transaction whose body returned `result`: commits it and returns `result` if that is not negative; otherwise
 * gives it up. Returns ORDO_STM_AGAIN if it should be run again, or a negative code for which it never happened. */
static inline int ordo_stm_finish(struct ordo_stm_thread *t, int result);

/** Declares that a transaction that ended with ORDO_STM_AGAIN will not be run again: the thread's next one inherits
 * neither its attempts nor its request to be irrevocable. ordo_stm_run calls it before its first attempt. No effect
 * within a transaction. */
static inline void ordo_stm_drop(struct ordo_stm_thread *t);

/** True if this thread is in a transaction. */
static inline int ordo_stm_active(const struct ordo_stm_thread *t);

/** Makes the transaction irrevocable: from here on it will not be run again. Waits for the commits of others. The
 * caller may still abort it.
 * 0: it is irrevocable
 * Otherwise: as ordo_stm_read; it runs again and is irrevocable from its next beginning. ORDO_E_SYSTEM may still follow
 */
ORDO_CC_SLOW int ordo_stm_irrevocable(struct ordo_stm_thread *t);

/** Waits until every transaction that began before has ended, with all its writes, and releases freed objects. Not in a
 * transaction, nor while a caller of this thread holds a resource that a transaction may wait for. */
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

/** Writes a word: no other thread sees it before the commit.
 * 0: written
 * ORDO_E_INVALID: the transaction is read-only
 * Otherwise: as ordo_stm_read */
static inline int ordo_stm_write(struct ordo_stm_thread *t, uint64_t *word, uint64_t value);

/* ---- objects ---- */

/** Returns a new object of `bytes` with undefined content, aligned as by malloc. It may be written as plain memory
 * until a pointer to it is committed. An abort frees it. Outside a transaction it stays until it is freed. NULL: out of
 * memory; the transaction is given up (ordo_stm_abort returns ORDO_E_SYSTEM). */
static inline void *ordo_stm_alloc(struct ordo_stm_thread *t, size_t bytes);

/** Frees an object that this transaction has made unreachable, once it is committed and no transaction can still see
 * the object.
 * 0: it will be freed
 * ORDO_E_INVALID: not in a transaction, or the transaction is read-only
 * Otherwise: as ordo_stm_read */
static inline int ordo_stm_free(struct ordo_stm_thread *t, void *object);

/** Frees an object now: an object that no other thread can reach, as when a structure is destroyed. */
static inline void ordo_stm_discard(struct ordo_stm *stm, void *object);

#include <ordo/cc/stm/argument.h>

#endif
