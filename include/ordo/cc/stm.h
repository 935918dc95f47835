/* Software transactional memory over a stamp: threads read and write words of shared memory in transactions, each of
 * which happens as a whole or not at all.
 *
 * TL2 after D. Dice, O. Shalev, N. Shavit, "Transactional Locking II", DISC 2006, extended as T. Riegel, P. Felber, C.
 * Fetzer, "A Lazy Snapshot Algorithm with Eager Validation", DISC 2006, with the clock of S. Kashyap et al., "A Scalable
 * Ordering Primitive for Multicore Machines", EuroSys 2018. Memory is striped over a table of versioned locks. A
 * transaction reads without a trace that others could see, and keeps its writes to itself. To commit it locks the
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
 * stm/hash.h, stm/skip.h and stm/tree.h. Which stamp: see stamp.h. All are one program text. Why it is correct: the
 * conditions C1 to C11 in <ordo/cc/stm/argument.h>.
 *
 * WHAT A TRANSACTION SEES
 *
 *  - Opacity (R. Guerraoui, M. Kapalka, PPoPP 2008): all words that any transaction has read up to any moment, one that
 *    is given up later included, stood in memory together at one moment since it began. So no body ever works on a state
 *    that never was. The transactions that commit happen one after the other, in an order that agrees with real time.
 *
 *  - A call that returns a code other than 0 has read and written nothing, and every later one of the transaction
 *    returns a code too.
 *
 *  - ORDO_STM_READ_ONLY promises that nothing is written. Such a transaction keeps no read set. If it meets a word that
 *    is too new, it cannot check that the others still stand, and begins again, with a read set.
 *
 *  - Transactions nest flat: one that begins within another is part of it, and happens with the outermost.
 *
 *  - A word that is written once before it becomes visible, and never again while it is, may be read as plain memory by a
 *    transaction that has found it: freed memory stays until no transaction can still see it.
 *
 *  - ordo_stm_irrevocable: from its return on the transaction will not be run again, so that it may do things that cannot
 *    be undone. One transaction at a time is irrevocable. Others read, and those that write wait at their commit until it
 *    ends. A transaction that had to begin again ORDO_STM_PATIENCE times in a row becomes irrevocable at its beginning:
 *    so none is passed for ever by those that are not. Which of several that wait becomes so first is not said.
 *
 *  - Privatisation: a transaction that makes memory unreachable for others and is begun with ORDO_STM_QUIESCE returns
 *    from its commit once every transaction that began before has ended, with all its writes. From then on the
 *    memory is the caller's, to be read and written as plain memory. Without that flag it is not. ordo_stm_free does not
 *    need it. Publication needs nothing: plain writes before the commit that made an object reachable are seen by every
 *    transaction that finds the object.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, nothing here is promised. With
 *    `watch` in the options, commits and waits for the clock end with ORDO_E_DISRUPTED once the record is marked.
 *
 *  - Words are aligned, and while they are shared they are read and written by these calls only.
 *
 *  - The thread that begins a transaction ends it. If a thread dies, is cancelled or leaves by longjmp in a transaction,
 *    no memory is freed any more, and if that happens in a commit, others wait for it for ever. One that is only stopped
 *    in a commit (SIGSTOP, preemption) keeps only those waiting that want the same stripes.
 *
 *  - A signal handler does not use the struct ordo_stm_thread of the thread that it interrupts; after fork the child
 *    does not use the domain.
 *
 * THE COST: WHEN THE CLOCK IS READ
 *
 * Once for a commit that writes. Not at every beginning: a time that the thread has read earlier will do as its begin
 * (C8), and is renewed only when the transaction meets a word that is not certainly older. A thread that often meets
 * such words reads the clock at its next ORDO_STM_FRESH beginnings, because a read-only transaction that meets one
 * begins again. A read costs two loads of the stripe and one of the word; nothing is written that others read.
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
    ORDO_STM_FRESH = 8,    /* beginnings that read the clock after one that was too early */
    ORDO_STM_PATIENCE = 64 /* attempts of a transaction before it becomes irrevocable */
};

/** A domain: words of one are never reached by transactions of another. */
struct ordo_stm;

/** A thread of a domain. */
struct ordo_stm_thread;

/** All zero is 2^16 stripes and malloc, and valid for stamps that need no boundary. */
struct ordo_stm_options {
    uint64_t boundary_ticks;      /* of the stamps ordo and any: ordo_boundary() of an open handle */
    size_t stripes;               /* locks, of 8 bytes; rounded up to a power of two; 0: 65536; at most 2^28 */
    int unsafe_boundary;          /* ordo or any with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_cc_memory memory; /* of objects and accounts; all zero: malloc and free */
    /* The open handle of the boundary, which must not move, and stays open but for ordo_stm_raise. Once its record is
     * marked DISRUPTED, commits are refused, and so are waits for the clock. NULL: not watched. The stamp any needs the
     * handle inside a struct ordo_any, or a plain one. */
    const struct ordo *watch;
};

/** Counters of a domain. Times in ticks of the hardware clock, under every stamp. */
struct ordo_stm_statistics {
    uint64_t commits;              /* of outermost transactions, those without a write included */
    uint64_t updates;              /* of those, with a write */
    uint64_t aborts_locked;        /* given up because a stripe was locked */
    uint64_t aborts_changed;       /* because the read set has changed */
    uint64_t aborts_newer;         /* read-only ones, because a word was newer than the begin */
    uint64_t aborts_uncertain;     /* the same, but its order to the begin could not be known */
    uint64_t aborts_asked;         /* by the caller, or for want of memory */
    uint64_t clock_reads;          /* at a beginning */
    uint64_t extensions;           /* begins that were renewed in the midst of a transaction, or tried to be */
    uint64_t extensions_uncertain; /* of those, because of a version whose order to the begin could not be known */
    uint64_t boundary_wait_ticks;  /* until the new begin was certainly later */
    uint64_t irrevocable;          /* transactions that became so, by wish or for want of luck */
    uint64_t quiesces;             /* waits for all others */
    uint64_t yields, sleeps;       /* turns given up, or slept 50 to 800 us, in a wait for another thread */
    uint64_t freed;                /* objects given back */
};

/* ---- domains and threads ---- */

/** Starts a domain, before any other call for it.
 * 0: started.
 * ORDO_E_INVALID: no boundary was given (see unsafe_boundary), its handle or `watch` orders nothing, the clock is about to
 *     wrap, or too many stripes.
 * ORDO_E_SYSTEM: out of memory. */
static inline int ordo_stm_create(struct ordo_stm *stm, const struct ordo_stm_options *options);

/** Frees the domain's memory, and freed objects; all threads have finished. Other objects are the caller's to discard. */
static inline void ordo_stm_destroy(struct ordo_stm *stm);

/** Gives a larger boundary to a domain at rest, as after ORDO_STATUS_SUPERSEDED: no thread is in a transaction; earlier
 * calls of other threads happen before this one, and this one before their next. Waits some of the new boundaries.
 * Stamps without a boundary ignore it.
 * 0: raised.
 * ORDO_E_INVALID: the boundary is not larger than the present one, or is that of a handle that orders nothing, or the
 *     domain is not at rest; nothing has changed.
 * ORDO_E_DISRUPTED: the clocks disagree. */
static inline int ordo_stm_raise(struct ordo_stm *stm, uint64_t boundary_ticks);

/** Makes the calling thread one of the domain. Any number at any time; only this thread may use the result, until
 * ordo_stm_thread_finish.
 * 0: `*result` is the handle.
 * ORDO_E_SYSTEM: out of memory. */
static inline int ordo_stm_thread_init(struct ordo_stm *stm, struct ordo_stm_thread **result);

/** Ends that, not in a transaction. Objects that it has freed and that must wait are given back by the next thread that
 * has its memory, or at the end. */
static inline void ordo_stm_thread_finish(struct ordo_stm_thread *t);

/** Adds up all threads, present and former. May be called any time; the numbers are then not of one moment. */
static inline void ordo_stm_statistics_read(struct ordo_stm *stm, struct ordo_stm_statistics *sum);

/* ---- transactions ---- */

/** Runs a body in a transaction, again and again until it need not be run again. The body has no effect but by the calls
 * of this interface, since it may run many times; it returns a number that is not negative to commit, the code that a
 * call returned, or a negative one of its own to undo all. Returns the body's result when it was committed or undone;
 * otherwise the transaction never happened:
 * ORDO_E_SYSTEM: out of memory.
 * ORDO_E_DISRUPTED: the clocks disagree.
 * ORDO_E_INVALID: it wrote and is read-only. */
static inline int ordo_stm_run(struct ordo_stm_thread *t, unsigned flags, int (*body)(struct ordo_stm_thread *, void *),
                               void *argument);

/** The same with an expression `call` of type int. `result`: as ordo_stm_finish. Within another transaction that must be
 * run again it is ORDO_STM_AGAIN: return it. */
#define ORDO_STM_ATOMICALLY(t, flags, result, call)                                                                    \
    do {                                                                                                               \
        ordo_stm_drop(t);                                                                                              \
        do {                                                                                                           \
            (result) = ordo_stm_begin(t, flags);                                                                       \
            if ((result) == ORDO_OK)                                                                                   \
                (result) = ordo_stm_finish(t, (call));                                                                 \
        } while ((result) == ORDO_STM_AGAIN && !ordo_stm_active(t));                                                   \
    } while (0)

/** Begins a transaction, or a part of the one that this thread is in. `flags`: ORDO_STM_*.
 * 0: begun.
 * Otherwise, in a transaction only, as ordo_stm_write: the outer one was given up, or is read-only and this one is not;
 *     nothing was begun. */
static inline int ordo_stm_begin(struct ordo_stm_thread *t, unsigned flags);

/** Commits. Within another transaction only that part ends, and nothing is visible yet. Waits for an irrevocable
 * transaction and, with ORDO_STM_QUIESCE, for all that began before; never for the boundary.
 * 0: the transaction happened, at a moment within this call or, if it wrote nothing, before.
 * ORDO_STM_AGAIN: it never did, and is ended; begin again, or call ordo_stm_drop.
 * Otherwise the same, with the code of a call in it; ORDO_E_DISRUPTED also if a watched record is marked so. */
static inline int ordo_stm_commit(struct ordo_stm_thread *t);

/** Gives the transaction up: nothing of it happened. Within another one, that is given up too, and must be ended as well.
 * Returns the code for which it was given up already, or ORDO_E_CANCELLED. */
ORDO_CC_SLOW int ordo_stm_abort(struct ordo_stm_thread *t);

/** Ends a transaction whose body returned `result`: commits it and returns `result` if that is not negative, and gives it
 * up otherwise. Returns ORDO_STM_AGAIN if it should be run again, or a negative code for which it never happened. */
static inline int ordo_stm_finish(struct ordo_stm_thread *t, int result);

/** Says that a transaction that ended with ORDO_STM_AGAIN will not be run again: the thread's next one inherits neither
 * its attempts nor its wish to be irrevocable. ordo_stm_run says so before its first attempt. No effect within a
 * transaction. */
static inline void ordo_stm_drop(struct ordo_stm_thread *t);

/** True if this thread is in a transaction. */
static inline int ordo_stm_active(const struct ordo_stm_thread *t);

/** Makes the transaction irrevocable: from here on it will not be run again. Waits for the commits of others. The caller
 * may still abort it.
 * 0: it is irrevocable.
 * Otherwise as ordo_stm_read: it runs again and is irrevocable from its next beginning. ORDO_E_SYSTEM may still follow. */
ORDO_CC_SLOW int ordo_stm_irrevocable(struct ordo_stm_thread *t);

/** Waits until every transaction that began before has ended, with all its writes, and gives back freed objects. Not in a
 * transaction, nor while a caller of this thread holds something that a transaction may wait for. */
ORDO_CC_SLOW void ordo_stm_quiesce(struct ordo_stm_thread *t);

/* ---- words ---- */

/** Reads a word.
 * 0: `*value` is it.
 * Otherwise the transaction is given up, and `*value` is as it was: return the code from the body, or call
 * ordo_stm_abort. ORDO_STM_AGAIN: run it again; ORDO_E_SYSTEM: out of memory; ORDO_E_DISRUPTED: the clocks disagree. */
static inline int ordo_stm_read(struct ordo_stm_thread *t, const uint64_t *word, uint64_t *value);

/** Writes a word: no other thread sees it before the commit.
 * 0: written. Otherwise as ordo_stm_read; ORDO_E_INVALID: the transaction is read-only. */
static inline int ordo_stm_write(struct ordo_stm_thread *t, uint64_t *word, uint64_t value);

/* ---- objects ---- */

/** Returns a new object of `bytes` with undefined content, aligned as malloc's. Until a pointer to it is committed it may
 * be written as plain memory. An abort frees it. NULL: out of memory, the transaction is given up (ordo_stm_abort says
 * so). Outside a transaction it stays until it is freed. */
static inline void *ordo_stm_alloc(struct ordo_stm_thread *t, size_t bytes);

/** Frees an object that this transaction has made unreachable, once it is committed and no transaction can still see
 * the object. 0, or as ordo_stm_read; ORDO_E_INVALID: not in a transaction, or it is read-only. */
static inline int ordo_stm_free(struct ordo_stm_thread *t, void *object);

/** Frees an object now: for one that no other thread can reach, as when a structure is taken down. */
static inline void ordo_stm_discard(struct ordo_stm *stm, void *object);

#include <ordo/cc/stm/argument.h>

#endif
