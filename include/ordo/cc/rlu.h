/* Read-Log-Update over a stamp: readers walk shared objects without locks while writers change several of them at once.
 *
 * After A. Matveev, N. Shavit, P. Felber, P. Marlier, "Read-Log-Update", SOSP 2015, with the clock of S. Kashyap et
 * al., "A Scalable Ordering Primitive for Multicore Machines", EuroSys 2018. A writer changes copies of objects in its
 * log, and stamps the copies with a time W when it commits. Sections whose time is certainly after W read ("steal") the
 * copies. When no other section is left, the writer copies them back to the objects. The times come from a stamp
 * (stamp.h). The correctness argument is in rlu/argument.h. rlu/list.h, rlu/hash.h and rlu/tree.h are sets of numbers.
 *
 *     struct ordo_rlu rlu;                                  // one for all objects that are changed together
 *     struct ordo_rlu_thread *t;                            // one for each thread
 *     ordo_rlu_create(&rlu, &options);
 *     ordo_rlu_thread_init(&rlu, &t);
 *     do {
 *         ordo_rlu_reader_lock(t);
 *         struct node *a = ordo_rlu_dereference(t, head);   // read *a
 *         struct node *copy = ordo_rlu_try_lock(t, a, sizeof *a);
 *         if (copy == NULL) {                               // another thread has locked a
 *             code = ordo_rlu_abort(t);                     // undoes the section
 *             continue;
 *         }
 *         ordo_rlu_assign(&copy->next, other);              // change *copy
 *         ordo_rlu_reader_unlock(t);                        // everything changed becomes visible at once
 *         code = ORDO_OK;
 *     } while (code == ORDO_LATER);
 *
 * A *link* is an object that consists of one pointer: it is one word and has no header. A section that follows a link
 * loads only that word. A node is a link followed by other members. These members do not change once a link points to
 * the node, and are read directly.
 *
 *     struct node { struct ordo_rlu_link next; uint64_t key; };
 *     struct node *n = ordo_rlu_follow(t, &before->next);      // read n->key: n is no copy
 *     void **next = ordo_rlu_try_lock_link(t, &before->next);  // NULL: abort
 *     struct node *fresh = ordo_rlu_alloc_node(t, sizeof *fresh);
 *     ordo_rlu_link_init(&fresh->next, n);                     // fresh->key = ...
 *     *next = fresh;
 *
 * WHAT A SECTION SEES
 *
 *  - A section sees a prefix of all commits in the order of their times: all changes of a commit or none, and with a
 *    commit everything it depends on. Of two sections, on any threads, one sees every commit that the other sees. A
 *    section sees every commit whose ordo_rlu_reader_unlock returned before the section started.
 *
 *  - A locked object cannot change under the section that locked it. An object that was only read can: if two sections
 *    each read an object that the other changes, both may commit (write skew). Lock each object that decides an update.
 *
 *  - With deferral (options.defer_commits > 1) a thread gathers its commits and makes them visible together, at a
 *    flush. Until the flush only this thread sees them, in addition to its prefix: if two threads each change an
 *    object, each may see its own change and not yet the other's. To other threads the promises above apply with
 *    "flushed" instead of "returned". A pending object, changed by a commit that is not flushed, stays locked; a thread
 *    that wants it makes the owner flush at the owner's next section. With ORDO_RLU_DEFER_AUTO each thread chooses the
 *    number of commits, after each flush; the promises are those of any fixed number >= 2.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, no promise above holds. With
 *    `watch` in the options, waits for a clock and commits end with ORDO_E_DISRUPTED once the watched record is marked.
 *
 *  - When a thread ends a section that tried to lock or to allocate, it holds no lock that any section takes or may
 *    wait for, because each commit and some aborts wait for sections. With deferral it holds no such lock at the start
 *    or the end of any section, because each may flush.
 *
 *  - The thread that begins a section ends it. If a thread dies, is cancelled (pthread_cancel) or leaves by longjmp in
 *    a section or in a call of this interface, every later commit waits for that thread for ever. Disable cancellation
 *    around sections: a commit that waits may sleep (select), which is a cancellation point.
 *
 *  - A signal handler does not use the struct ordo_rlu_thread of the thread that it interrupts. After fork the child
 *    does not use the domain: in the child the sections of the parent's other threads never end.
 *
 * COST
 *
 * A section costs an exchange and a load on the thread's own cache line. A dereference loads the object's header,
 * usually on the line that is read next, and takes no branch if the header is empty. Neither writes to a line that is
 * shared with other readers. The clock is read at a commit, and at the start of a section if another thread has
 * committed since this thread's last section: each commit marks every thread, at the cost of one contended exchange for
 * each thread. Deferral reduces the number of commits. A writer waits for sections, never for the boundary.
 *
 * ORDO_DEBUG=1 checks these promises and the conditions of rlu/argument.h while the program runs: doc/debugging.md.
 */
#ifndef ORDO_CC_RLU_H
#define ORDO_CC_RLU_H

#include <ordo/cc/domain.h>
#include <ordo/cc/fetch.h>

#if defined ORDO_STAMP_BATCH || defined ORDO_STAMP_GV5 || defined ORDO_STAMP_DCTL
#error "RLU waits until time has passed, which such a counter does not do by itself: choose another stamp"
#endif

/** A value of defer_commits: each thread chooses the number itself, within defer_sections and defer_bytes. */
#define ORDO_RLU_DEFER_AUTO (~0U)

/** All zero: no deferral, malloc and free; valid for stamps that need no boundary. */
struct ordo_rlu_options {
    uint64_t boundary_ticks; /* for the stamps ordo, any and corrected: ordo_boundary() of an open handle */
    /* The number of commits of a thread that are flushed together. 0 and 1: each commit at once; ORDO_RLU_DEFER_AUTO:
     * the number that costs least, at most ORDO_RLU_DEFER_MOST. */
    unsigned defer_commits;
    unsigned defer_sections; /* most sections from the first gathered commit to the flush; 0: 4096 */
    size_t defer_bytes;      /* most bytes of log that wait for a flush; 0: 1 MiB */
    int unsafe_boundary;     /* accepts boundary_ticks 0 for these stamps, WRONG unless there is one CPU: for tests */
    struct ordo_cc_memory memory; /* for objects and logs; all zero: malloc and free */
    /* The open handle that gave the boundary. It must not move, and stays open except during a raise. Once its record
     * is marked DISRUPTED, commits are refused, and so are sections that would have to wait for the clock: check the
     * codes of reader_lock and reader_unlock. NULL: not watched; a wait for the clock lasts until the clock has passed
     * the time. domain/boundary.h tells which handle each stamp needs. */
    const struct ordo *watch;
};

/** Counters since the creation of the domain. Times are in ticks of the hardware clock, under every stamp. */
struct ordo_rlu_statistics {
    /* sections started, aborted ones included; a section that had to flush first counts twice */
    uint64_t sections;
    uint64_t commits;        /* sections that changed something */
    uint64_t aborts;         /* sections that had to be repeated */
    uint64_t flushes;        /* flushes of at least one commit: equal to `commits` without deferral */
    uint64_t flushes_asked;  /* flushes at the start of a section, because another thread wanted a pending object */
    uint64_t steals;         /* dereferences that took another thread's copy */
    uint64_t helps;          /* times that a reader took for another thread's commit, also if they came too late */
    uint64_t clock_reads;    /* sections that had to read the clock */
    uint64_t boundary_waits; /* sections that read the clock and had to wait for the boundary */
    uint64_t boundary_wait_ticks;
    uint64_t reader_waits; /* sections that a committer waited for */
    uint64_t reader_wait_ticks;
    uint64_t yields;    /* CPU yields while waiting for a section or for a lock */
    uint64_t sleeps;    /* sleeps of 50 to 800 us while waiting for a section or for a lock */
    uint64_t log_bytes; /* memory of the logs: grows with the largest flush, and is freed by ordo_rlu_destroy */
};

/** The header in front of every object, and of every copy in a log. All zero: unlocked. */
struct ordo_rlu_header {
    void *copy; /* NULL: unlocked; ORDO_RLU_IS_COPY: the header is that of a copy; else the copy of the locked object */
};

/** A pointer that sections change: an object of one word, without a header. All zero: NULL. Its target has an even
 * address. */
struct ordo_rlu_link {
    struct ordo_rlu_header word; /* the target; if locked, the address of the copy + ORDO_RLU_LOCKED, which is odd */
};

/** A domain. Objects of one domain must not be used in sections of another. */
struct ordo_rlu;
/** A thread of a domain. */
struct ordo_rlu_thread;

/* ---- domains and threads ---- */

/** Starts a domain, before any other call for it.
 * 0: started
 * ORDO_E_INVALID: the stamp needs a boundary and has none (see unsafe_boundary); or as ordo_stamp_init */
static inline int ordo_rlu_create(struct ordo_rlu *rlu, const struct ordo_rlu_options *options);

/** Raises the boundary of a domain at rest, for example after ORDO_STATUS_SUPERSEDED. At rest: no thread is in a
 * section or has commits pending (ordo_rlu_flush), and no other call is made for the domain. Codes and waits: see
 * ordo_cc_boundary_raise. */
static inline int ordo_rlu_raise(struct ordo_rlu *rlu, uint64_t boundary_ticks);

/** Frees the threads' memory. Before the call all threads have finished, and the caller has discarded the objects. */
static inline void ordo_rlu_destroy(struct ordo_rlu *rlu);

/** Adds up the counters of all present and former threads; while threads run, the sums are not of one moment. */
static inline void ordo_rlu_statistics_read(struct ordo_rlu *rlu, struct ordo_rlu_statistics *sum);

/** Makes the calling thread a thread of the domain. Any number of threads may join, at any time; only this thread may
 * use the result, until ordo_rlu_thread_finish. Returns 0, or ORDO_E_SYSTEM: out of memory. */
static inline int ordo_rlu_thread_init(struct ordo_rlu *rlu, struct ordo_rlu_thread **result);

/** Flushes, and ends the thread's membership. Call it outside sections. Another thread may get the memory of `t`. */
static inline void ordo_rlu_thread_finish(struct ordo_rlu_thread *t);

/* ---- sections ---- */

/** Starts a section. Sections of a thread do not nest. If another thread has just committed, waits for the clock, up to
 * twice the boundary. With deferral, flushes first if another thread wants a pending object; otherwise waits for no
 * thread.
 * 0: started
 * ORDO_E_DISRUPTED, with a `watch` only: no section was started; do not dereference or unlock */
static inline int ordo_rlu_reader_lock(struct ordo_rlu_thread *t);

/** Ends a section and commits its changes: they become visible as a whole to all sections that start after the return
 * (with deferral: after the flush). A commit waits until sections that may need the old state have ended. Pointers from
 * dereference and try_lock are void afterwards.
 * 0: ended
 * ORDO_E_DISRUPTED, with a `watch` only: the section never happened. Pending commits of earlier sections stay pending,
 *     and are flushed as if this one had changed nothing. */
static inline int ordo_rlu_reader_unlock(struct ordo_rlu_thread *t);

/** Gives up a section that cannot go on: all its changes and allocations are undone. Must be called once after a
 * try_lock or an alloc returned NULL, and may be called at any time instead of ordo_rlu_reader_unlock.
 * ORDO_LATER: start again; the call has waited outside any section, longer after each abort in a row
 * ORDO_E_SYSTEM: out of memory
 * ORDO_E_INVALID: ordo_rlu_free refused an object */
ORDO_CC_SLOW int ordo_rlu_abort(struct ordo_rlu_thread *t);

/** Runs `call` in a section. A negative result aborts the section and is retried as long as ordo_rlu_abort returns
 * ORDO_LATER. `result` is the value of `call`, or, if nothing was committed, another code of ordo_rlu_abort or
 * ORDO_E_DISRUPTED. */
#define ORDO_RLU_SECTION(t, result, call) ORDO_RLU_SECTION_OF(ordo_rlu, t, result, call)

/** Commits pending sections; not in a section. A thread that will not start a section for a while calls this, so that
 * other threads can see its changes and lock its objects. Waits as a commit does. */
static inline void ordo_rlu_flush(struct ordo_rlu_thread *t);

/** Flushes if another thread has asked for it: cheap enough for any loop. */
static inline void ordo_rlu_poll(struct ordo_rlu_thread *t);

/* ---- objects ---- */

/** Returns this section's view of an object, valid until the section ends; `object` is not NULL, and may itself come
 * from dereference or try_lock. Pointers in the result point to objects: dereference each before reading through it any
 * field that is ever locked. After this section has locked the object, dereference it again to see the section's
 * changes. */
static inline void *ordo_rlu_dereference(struct ordo_rlu_thread *t, void *object);

/** Locks an object and returns a copy of its first `bytes`, aligned to 8 bytes. The section may change the copy until
 * it ends. A second lock of the object in a section returns the same copy. Lock each object always with the same size.
 * The bytes behind `bytes` are never copied: they must not change once the object is linked, and are read through the
 * original pointer, not through the result of dereference or try_lock.
 * NULL: another thread has locked it (a thread with a pending commit is asked to flush), or out of memory; call
 *     ordo_rlu_abort */
static inline void *ordo_rlu_try_lock(struct ordo_rlu_thread *t, void *object, size_t bytes);

/** Prefetches an object that the section has read and will lock. Before it locks several objects, call this for each:
 * their lines are then fetched concurrently. */
static inline void ordo_rlu_will_lock(void *object);

/** Stores a pointer to an object into a field of a copy, or of a new object: `where` is the field's address, `object`
 * may be NULL, or come from dereference or try_lock. A plain assignment could store a pointer to a copy, which is void
 * after the section. */
static inline void ordo_rlu_assign(void *where, void *object);

/** True if two pointers show the same object; either may be NULL, or come from dereference or try_lock. */
static inline int ordo_rlu_cmp_ptrs(void *a, void *b);

/** Returns a new object of `bytes`, aligned to 8 bytes, with undefined content; NULL if out of memory. Write to it
 * freely until a pointer to it is committed. If called in a section, an abort frees the object, and after NULL the
 * section must be aborted. If called outside a section, the object stays until it is freed. */
static inline void *ordo_rlu_alloc(struct ordo_rlu_thread *t, size_t bytes);

/** Frees an object that this section has locked and unlinked, once no section can reach it. The lock keeps another
 * thread's pending copy from being written into freed memory, so even an object that the section itself allocated must
 * be locked.
 * 0: it will be freed
 * ORDO_E_INVALID: this section has not locked it, or has freed it already; call ordo_rlu_abort, which returns the same
 *     code, because a retry would not help */
static inline int ordo_rlu_free(struct ordo_rlu_thread *t, void *object);

/** Frees an object at once, outside sections. No other thread can reach it, as when a structure is destroyed. */
static inline void ordo_rlu_discard(struct ordo_rlu *rlu, void *object);

/* ---- links, and nodes, which begin with one ---- */

/** Sets a link that no other thread can reach, because no pointer to it is committed yet. */
static inline void ordo_rlu_link_init(struct ordo_rlu_link *link, void *to);

/** Returns the target of a link as this section sees it, including its own change; valid until the section ends. */
static inline void *ordo_rlu_follow(struct ordo_rlu_thread *t, const struct ordo_rlu_link *link);

/** As ordo_rlu_try_lock, for a link: returns the address of the target, to be changed by a plain assignment until the
 * section ends. The assigned value must not be a pointer from dereference or try_lock. */
static inline void **ordo_rlu_try_lock_link(struct ordo_rlu_thread *t, struct ordo_rlu_link *link);

/** As ordo_rlu_will_lock, for a link. */
static inline void ordo_rlu_will_lock_link(struct ordo_rlu_link *link);

/** As ordo_rlu_alloc: returns a new node of `bytes`, whose link is NULL; the rest is undefined. */
static inline void *ordo_rlu_alloc_node(struct ordo_rlu_thread *t, size_t bytes);

/** As ordo_rlu_free, for a node whose link this section has locked. */
static inline int ordo_rlu_free_node(struct ordo_rlu_thread *t, void *node);

/** As ordo_rlu_discard, for a node. */
static inline void ordo_rlu_discard_node(struct ordo_rlu *rlu, void *node);

/** True if a link is locked. Call it only in a domain at rest: no thread is in a section or has commits pending, and
 * under MV-RLU ordo_mvrlu_rest has returned. */
static inline int ordo_rlu_link_is_locked(const struct ordo_rlu_link *link);

/** Returns the target of a link that is not locked, in a domain at rest. */
static inline void *ordo_rlu_link_at_rest(const struct ordo_rlu_link *link);

/* Each part uses the parts above it. */
/* clang-format off */
#define ORDO_CC_RLU_ROOMS
#include <ordo/cc/rlu/argument.h>
#include <ordo/cc/rlu/types.h>
#include <ordo/cc/rlu/object.h>
#include <ordo/cc/rlu/log.h>
#include <ordo/cc/rlu/defer.h>
#include <ordo/cc/rlu/commit.h>
#include <ordo/cc/rlu/section.h>
#include <ordo/cc/rlu/read.h>
#include <ordo/cc/rlu/lock.h>
#include <ordo/cc/rlu/link.h>
#include <ordo/cc/rlu/thread.h>
#undef ORDO_CC_RLU_ROOMS
/* clang-format on */

#endif
