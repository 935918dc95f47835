/* Read-Log-Update over a stamp: readers walk shared objects without locks while writers change several of them at once.
 *
 * After A. Matveev, N. Shavit, P. Felber, P. Marlier, "Read-Log-Update", SOSP 2015, with the clock of S. Kashyap et
 * al., "A Scalable Ordering Primitive for Multicore Machines", EuroSys 2018. A writer works on copies in its log. To
 * commit it stamps them with a time W; sections that are certainly later than W use ("steal") the copies, and once no
 * earlier section is left the writer writes them back. The correctness argument is in rlu/argument.h. The stamps are in
 * stamp.h; one program text runs on all of them. rlu/list.h, rlu/hash.h and rlu/tree.h are sets of numbers.
 *
 *     struct ordo_rlu rlu;                                  // one for all objects that are changed together
 *     struct ordo_rlu_thread *t;                            // one for each thread
 *     ordo_rlu_create(&rlu, &options);
 *     ordo_rlu_thread_init(&rlu, &t);
 *     do {
 *         ordo_rlu_reader_lock(t);
 *         struct node *a = ordo_rlu_dereference(t, head);   // read *a
 *         struct node *copy = ordo_rlu_try_lock(t, a, sizeof *a);
 *         if (copy == NULL) {                               // another thread has it
 *             code = ordo_rlu_abort(t);                     // the section never happened
 *             continue;
 *         }
 *         ordo_rlu_assign(&copy->next, other);              // change *copy
 *         ordo_rlu_reader_unlock(t);                        // everything changed becomes visible at once
 *         code = ORDO_OK;
 *     } while (code == ORDO_LATER);
 *
 * A pointer alone can be an object, too: a *link*, which is one word and has no header in front. A section that follows
 * a link loads only that word. A node begins with a link; the rest of a node never changes once a link points to it,
 * and is read directly.
 *
 *     struct node { struct ordo_rlu_link next; uint64_t key; };
 *     struct node *n = ordo_rlu_follow(t, &before->next);      // n->key; n is no copy
 *     void **next = ordo_rlu_try_lock_link(t, &before->next);  // NULL: abort
 *     struct node *fresh = ordo_rlu_alloc_node(t, sizeof *fresh);
 *     ordo_rlu_link_init(&fresh->next, n);                     // fresh->key = ...
 *     *next = fresh;
 *
 * WHAT A SECTION SEES
 *
 *  - A prefix of all commits in the order of their times: all changes of a commit or none, and with a commit everything
 *    it depends on. The sets that two sections see are nested, whatever threads they are on. A commit that has returned
 *    from ordo_rlu_reader_unlock is seen by every section that starts later.
 *
 *  - A locked object cannot change under the section that locked it. An object that was only read can: two sections
 *    that each read an object that the other changes may both commit (write skew). Lock the objects that the decision
 *    rests on.
 *
 *  - With deferral (options.defer_commits > 1) the commits of a thread gather into one, which happens as a whole at its
 *    flush. Until then only the thread itself sees them, on top of its prefix: of two threads that each changed one
 *    object, each may see its own change and not yet the other's. For other threads the promise is as strong as above,
 *    with "flushed" for "returned". A pending object is locked; a thread that wants it makes the owner flush at the
 *    owner's next section. With ORDO_RLU_DEFER_AUTO each thread chooses the number of commits, after each flush; the
 *    promise is that of any fixed number from 2 on.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, nothing here is promised. With
 *    `watch` in the options, waits for a clock and commits end with ORDO_E_DISRUPTED once the record is marked.
 *
 *  - At the end of a section that tried to lock or to allocate, the thread holds no lock that any section takes or may
 *    wait for, because a commit waits for sections, and now and then an abort does too. With deferral the same is
 *    required at the start and the end of every section, a reader's too, because each may flush.
 *
 *  - The thread that begins a section ends it. If a thread dies, is cancelled (pthread_cancel) or leaves by longjmp in
 *    a section or in a call of this interface, every later commit waits for it for ever. Disable cancellation around
 *    sections: a commit that waits may sleep (select), which is a cancellation point.
 *
 *  - A signal handler does not use the struct ordo_rlu_thread of the thread that it interrupts. After fork the child
 *    does not use the domain: the sections of threads that the child does not have never end there.
 *
 * COST
 *
 * A section costs an exchange and a load on the thread's own line; a dereference loads the object's header, usually on
 * the line that is read next, and takes no branch if it is empty. Neither writes to anything shared. The clock is read
 * at a commit, and at the start of a section if another thread has committed since the last one: each commit marks
 * every thread, one contended exchange for each. Deferral reduces the number of commits. A writer waits for sections,
 * never for the boundary.
 *
 * ORDO_DEBUG=1 checks these promises and the conditions of rlu/argument.h while the program runs: doc/debugging.md.
 */
#ifndef ORDO_CC_RLU_H
#define ORDO_CC_RLU_H

#include <ordo/cc/domain.h>
#include <ordo/cc/fetch.h>

#if defined ORDO_STAMP_BATCH || defined ORDO_STAMP_GV5
#error "RLU waits until time has passed, which such a counter does not do by itself: choose another stamp"
#endif

/** A value of defer_commits: each thread chooses for itself, within defer_sections and defer_bytes. */
#define ORDO_RLU_DEFER_AUTO (~0U)

/** All zero: no deferral, malloc and free; valid for stamps that need no boundary. */
struct ordo_rlu_options {
    uint64_t boundary_ticks; /* of the stamps ordo, any and corrected: ordo_boundary() of an open handle */
    /* The number of commits of a thread that are flushed together. 0 and 1: each commit at once; ORDO_RLU_DEFER_AUTO:
     * the number that costs least, at most ORDO_RLU_DEFER_MOST. */
    unsigned defer_commits;
    unsigned defer_sections;      /* at most, from the first of those commits to their flush; 0: 4096 */
    size_t defer_bytes;           /* of log, at most, that wait for a flush; 0: 1 MiB */
    int unsafe_boundary;          /* those stamps with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_cc_memory memory; /* for objects and logs; all zero: malloc and free */
    /* The open handle of the boundary. It must not move, and stays open except during a raise. Once its record is
     * marked DISRUPTED, commits are refused, and so are sections that would have to wait for the clock: check the codes
     * of reader_lock and reader_unlock. NULL: not watched; such a wait lasts until the clock has passed the time. Which
     * handle a stamp takes: domain/boundary.h. */
    const struct ordo *watch;
};

/** Counters since the creation of the domain. Times are in ticks of the hardware clock, under every stamp. */
struct ordo_rlu_statistics {
    uint64_t sections; /* started, aborted ones included; one that had to flush first counts twice */
    uint64_t commits;  /* sections that changed something */
    uint64_t aborts;   /* sections that had to be repeated */
    uint64_t flushes;  /* commits as others see them: equal to `commits` without deferral (not of undone changes) */
    uint64_t flushes_asked;  /* of these, at the start of a section, because another thread wanted a pending object */
    uint64_t steals;         /* dereferences that took another thread's copy */
    uint64_t helps;          /* commit times that a reader took for a committer, including those that came too late */
    uint64_t clock_reads;    /* sections that had to read the clock */
    uint64_t boundary_waits; /* of these, sections that waited for the boundary */
    uint64_t boundary_wait_ticks;
    uint64_t reader_waits; /* sections that a committer waited for */
    uint64_t reader_wait_ticks;
    uint64_t yields;    /* CPU yields while waiting for a section or for a lock */
    uint64_t sleeps;    /* sleeps of 50 to 800 us, likewise */
    uint64_t log_bytes; /* memory of the logs: as large as the largest flushes needed; not given back before the end */
};

/** The header in front of every object, and of every copy in a log. All zero: unlocked. */
struct ordo_rlu_header {
    void *copy; /* NULL: unlocked; ORDO_RLU_IS_COPY: this is one */
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
 * ORDO_E_INVALID: no boundary was given (see unsafe_boundary), its handle or `watch` orders nothing, or the clock is
 *     about to wrap */
static inline int ordo_rlu_create(struct ordo_rlu *rlu, const struct ordo_rlu_options *options);

/** Gives a larger boundary to a domain at rest, as after ORDO_STATUS_SUPERSEDED: no thread is in a section or has
 * commits pending (ordo_rlu_flush), and no other call is made for it. Everything else, and the codes:
 * ordo_cc_boundary_raise. */
static inline int ordo_rlu_raise(struct ordo_rlu *rlu, uint64_t boundary_ticks);

/** Frees the threads' memory; all threads have finished. The caller discards the objects before. */
static inline void ordo_rlu_destroy(struct ordo_rlu *rlu);

/** Adds up the counters of all threads, present and former, at any time; the sums are then not of one moment. */
static inline void ordo_rlu_statistics_read(struct ordo_rlu *rlu, struct ordo_rlu_statistics *sum);

/** Makes the calling thread a thread of the domain. Any number of threads may join, at any time; only this thread may
 * use the result, until ordo_rlu_thread_finish. Returns 0, or ORDO_E_SYSTEM: out of memory. */
static inline int ordo_rlu_thread_init(struct ordo_rlu *rlu, struct ordo_rlu_thread **result);

/** Flushes, and ends the thread's membership; not in a section. Another thread may get its memory afterwards. */
static inline void ordo_rlu_thread_finish(struct ordo_rlu_thread *t);

/* ---- sections ---- */

/** Starts a section. Sections of a thread do not nest. Waits for the clock up to twice the boundary if another thread
 * has just committed, and never for another thread, except that with deferral it flushes first if another thread wants
 * a pending object.
 * 0: started
 * ORDO_E_DISRUPTED, with a `watch` only: there is no section; dereference and unlock nothing */
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
 * ORDO_LATER: start again (waits longer each time, outside any section)
 * ORDO_E_SYSTEM: out of memory
 * ORDO_E_INVALID: ordo_rlu_free refused an object */
ORDO_CC_SLOW int ordo_rlu_abort(struct ordo_rlu_thread *t);

/** Runs `call` in a section. A negative result aborts the section and is retried as long as ordo_rlu_abort returns
 * ORDO_LATER. `result` is the value of `call`; or another code of ordo_rlu_abort, or ORDO_E_DISRUPTED, and then nothing
 * happened. */
#define ORDO_RLU_SECTION(t, result, call) ORDO_RLU_SECTION_OF(ordo_rlu, t, result, call)

/** Commits pending sections; not in a section. A thread that will not start a section for a while calls this, so that
 * other threads can see its changes and lock its objects. Waits as a commit does. */
static inline void ordo_rlu_flush(struct ordo_rlu_thread *t);

/** Flushes if another thread has asked for it: cheap enough for any loop. */
static inline void ordo_rlu_poll(struct ordo_rlu_thread *t);

/* ---- objects ---- */

/** Returns this section's view of an object, valid until the section ends; `object` is not NULL, and may itself come
 * from dereference or try_lock. Pointers found in the result lead to objects again: dereference each before reading
 * through it any field that is ever locked. To see this section's changes to an object that it locks later, dereference
 * the object again. */
static inline void *ordo_rlu_dereference(struct ordo_rlu_thread *t, void *object);

/** Locks the first `bytes` of an object and returns a copy, aligned to 8 bytes, to be changed at will until the section
 * ends. An object that is locked twice in a section has one copy. Each object must be locked with one and the same
 * size. The rest is never copied: it must not change once the object is linked, and is read through the pointer that
 * was found, not through the result of dereference or try_lock.
 * NULL: another thread has it (if its commit is pending, the thread is asked to flush), or out of memory; call
 *     ordo_rlu_abort */
static inline void *ordo_rlu_try_lock(struct ordo_rlu_thread *t, void *object, size_t bytes);

/** A prefetch hint for a section that is going to lock several objects which it has read: if each is hinted first,
 * their lines are fetched concurrently. */
static inline void ordo_rlu_will_lock(void *object);

/** Stores a pointer to an object into a field of a copy, or of a new object: `where` is the field's address, `object`
 * may be NULL, or come from dereference or try_lock. A plain assignment would store a pointer that is void after the
 * section. */
static inline void ordo_rlu_assign(void *where, void *object);

/** True if two pointers show the same object; either may be NULL, or come from dereference or try_lock. */
static inline int ordo_rlu_cmp_ptrs(void *a, void *b);

/** Returns a new object of `bytes`, aligned to 8 bytes, with undefined content. Write to it freely until a pointer to
 * it is committed. In a section: an abort frees it; NULL means out of memory: abort. Outside a section: it stays until
 * it is freed. */
static inline void *ordo_rlu_alloc(struct ordo_rlu_thread *t, size_t bytes);

/** Frees an object that this section has locked and unlinked, once no section can reach it. The lock keeps another
 * thread's pending copy from being written into freed memory, so even an object that the section itself allocated must
 * be locked.
 * 0: it will be freed
 * ORDO_E_INVALID: this section has not locked it, or has freed it already; call ordo_rlu_abort, which returns the same
 *     code, because a retry would not help */
static inline int ordo_rlu_free(struct ordo_rlu_thread *t, void *object);

/** Frees an object now, not in a section: an object that no other thread can reach, as when a structure is destroyed.
 */
static inline void ordo_rlu_discard(struct ordo_rlu *rlu, void *object);

/* ---- links, and nodes, which begin with one ---- */

/** Sets a link that no other thread can reach, because no pointer to it is committed yet. */
static inline void ordo_rlu_link_init(struct ordo_rlu_link *link, void *to);

/** Returns the target of a link as this section sees it, with its own change, valid until the section ends. */
static inline void *ordo_rlu_follow(struct ordo_rlu_thread *t, const struct ordo_rlu_link *link);

/** As ordo_rlu_try_lock, of a link: returns the address of the target, to be changed by a plain assignment until the
 * section ends. The assigned value must not be a pointer from dereference or try_lock. */
static inline void **ordo_rlu_try_lock_link(struct ordo_rlu_thread *t, struct ordo_rlu_link *link);

/** As ordo_rlu_will_lock, of a link. */
static inline void ordo_rlu_will_lock_link(struct ordo_rlu_link *link);

/** As ordo_rlu_alloc: returns a new node of `bytes`, whose link is NULL; the rest is undefined. */
static inline void *ordo_rlu_alloc_node(struct ordo_rlu_thread *t, size_t bytes);

/** As ordo_rlu_free, of a node whose link this section has locked. */
static inline int ordo_rlu_free_node(struct ordo_rlu_thread *t, void *node);

/** As ordo_rlu_discard, of a node. */
static inline void ordo_rlu_discard_node(struct ordo_rlu *rlu, void *node);

/** True if a link is locked. For a domain at rest: no thread is in a section or has commits pending; of MV-RLU, after
 * ordo_mvrlu_rest. */
static inline int ordo_rlu_link_is_locked(const struct ordo_rlu_link *link);

/** Returns the target of a link that is not locked, in a domain at rest. */
static inline void *ordo_rlu_link_at_rest(const struct ordo_rlu_link *link);

/* Each room uses those above it. */
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
