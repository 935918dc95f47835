/* Multi-version Read-Log-Update over a stamp: RLU (rlu.h) whose writers never wait for readers.
 *
 * After J. Kim, A. Mathew, S. Kashyap, M. K. Ramanathan, C. Min, "MV-RLU: Scaling Read-Log-Update with
 * Multi-Versioning", ASPLOS 2019. RLU keeps one copy of an object, so a commit waits until no section needs the object
 * as it was. Here an object has a chain of versions, newest first, each with its commit's time, and a section takes the
 * first one that is certainly before its own time. A commit only stamps its versions. Their owner writes them back to
 * the object later, many at once, and reclaims its log in the same way. The correctness argument is in
 * mvrlu/argument.h; mvrlu/list.h, mvrlu/hash.h and mvrlu/tree.h are sets of numbers.
 *
 *     struct ordo_mvrlu domain;                             // one for all objects that are changed together
 *     struct ordo_mvrlu_thread *t;                          // one for each thread
 *     ordo_mvrlu_create(&domain, &options);
 *     ordo_mvrlu_thread_init(&domain, &t);
 *     ORDO_MVRLU_SECTION(t, result, change(t, object));     // or lock, dereference, try_lock, unlock as in rlu.h
 *     ordo_mvrlu_thread_finish(t);
 *     ordo_mvrlu_rest(&domain);                             // all threads have finished: writes all changes back
 *
 * WHAT A SECTION SEES
 *
 *  - A prefix of all commits in the order of their times, as with RLU: all changes of a commit or none, and with a
 *    commit everything it depends on. The sets that two sections see are nested. A commit that has returned from
 *    ordo_mvrlu_reader_unlock is seen by every section that starts later.
 *
 *  - A locked object stays as the section sees it: of two sections that change an object one aborts. An object that was
 *    only read can change: two sections that each read an object that the other changes may both commit (write skew).
 *
 *  - With deferral (options.defer_commits > 1, or ORDO_RLU_DEFER_AUTO) the commits of a thread gather into one, with
 *    the contract of rlu.h. One thing is easier here: a flush waits for no section.
 *
 * WHICH CALLS WAIT
 *
 *  - The start of a section, dereference and commits do not wait. An abort waits by turns as that of RLU. With
 *    `options.own_clock` a commit waits until every clock is certainly after its time, which takes 2B; an abort that
 *    met a commit of this moment waits for B; an abort collects, which takes 2B, after `collect_commits` commits and
 *    aborts, and twice if the log is full; a flush before the collection takes 2B more. No call waits for a thread, so
 *    nothing hangs because a thread is descheduled. With deferral and `own_clock` the start and the end of any section
 *    may wait for 2B, since they may flush.
 *
 *  - A section that does not end keeps every version that it may need, and so do pending commits of a thread that
 *    begins no section (ordo_mvrlu_flush): the logs of other threads fill. A log never grows above `options.log_bytes`.
 *    When it is full, ordo_mvrlu_try_lock returns NULL; ordo_mvrlu_abort returns ORDO_LATER for about 100 ms, in which
 *    it sleeps, and ORDO_E_FULL after that. The caller then decides; readers go on all the time.
 *
 *  - A log whose entries no section keeps has room for every section whose changes take at most a quarter of
 *    `options.log_bytes`, if an object counts for 112 bytes more than its size. Larger changes may never fit: a new
 *    chunk is begun only if the last one has no room for the next version, so the unused rest is smaller than that
 *    version, and a chunk is smaller than twice its first version, or has the least size. Together a section takes at
 *    most three times its changes, and a chunk.
 *
 * WHAT THE CALLER PROMISES
 *
 * The same as for RLU. But a thread that never ends its section holds up only the threads whose log is full.
 *
 * COST
 *
 * A section gets its time from one word of the domain, the *floor*, which each commit raises above its own time: a
 * section needs no clock, and finds the word in its cache unless another thread has committed. A commit takes the time
 * of the clock, or, if that is later, a time that the floor has just passed. Hence the floor orders the commits that
 * the clocks leave uncertain, and no thread has to wait until they are certain. With `options.own_clock` a section
 * reads the clock instead, and commits share no word, but wait for 2B: for machines with hundreds of CPUs, on which all
 * commits would contend for that one line.
 *
 * ORDO_DEBUG=1 checks these promises and the conditions of mvrlu/argument.h while the program runs: doc/debugging.md.
 */
#ifndef ORDO_CC_MVRLU_H
#define ORDO_CC_MVRLU_H

#include <ordo/cc/rlu.h> /* its headers, links, logs, deferral and waiting */

#ifndef ORDO_MVRLU_CHUNK_BYTES /* tests make them small */
#define ORDO_MVRLU_CHUNK_BYTES ((size_t)8192)
#endif

/** All zero: valid for stamps that need no boundary. */
struct ordo_mvrlu_options {
    uint64_t boundary_ticks;  /* of the stamps ordo, any and corrected: ordo_boundary() of an open handle */
    size_t log_bytes;         /* of each thread, at most; at least ORDO_MVRLU_CHUNK_BYTES; 0: 1 MiB */
    unsigned collect_commits; /* flushed commits after which a thread tries to reclaim, or sooner; 0: 16 */
    int own_clock;            /* each section reads the clock, and commits share nothing: for many CPUs */
    /* The number of commits of a thread that are flushed together. 0 and 1: each commit at once; ORDO_RLU_DEFER_AUTO:
     * the number that costs least. */
    unsigned defer_commits;
    unsigned defer_sections; /* at most, from the first of those commits to their flush; 0: 4096 */
    size_t defer_bytes;      /* of log, at most, that wait for a flush; default and maximum: a quarter of log_bytes */
    int unsafe_boundary;     /* those stamps with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_cc_memory memory; /* for objects and logs; all zero: malloc and free */
    /* The open handle of the boundary. It must not move, and stays open except during a raise. Once its record is
     * marked DISRUPTED, commits are undone, and no call waits for a clock. NULL: not watched. Which handle a stamp
     * takes: domain/boundary.h. */
    const struct ordo *watch;
};

/** Counters since the creation of the domain. */
struct ordo_mvrlu_statistics {
    uint64_t sections;     /* started, aborted ones included, and those in which a thread only flushed or collected */
    uint64_t commits;      /* sections that changed something */
    uint64_t flushes;      /* commits as other threads see them: equal to `commits` without deferral */
    uint64_t aborts;       /* sections that had to be repeated */
    uint64_t steals;       /* dereferences that took a version */
    uint64_t helps;        /* commit times that a reader took for a committer, including those that came too late */
    uint64_t collections;  /* attempts to reclaim */
    uint64_t written_back; /* versions copied to their object */
    uint64_t fulls;        /* sections that found the log full */
    uint64_t yields;       /* CPU yields while waiting for a lock or for room */
    uint64_t sleeps;       /* sleeps of 50 to 800 us, likewise */
    uint64_t
        log_bytes; /* memory of the logs; before the end, memory is given back only to make room for larger chunks */
};

/** A domain. Objects of one domain must not be used in sections of another. */
struct ordo_mvrlu;
/** A thread of a domain. */
struct ordo_mvrlu_thread;

/* ---- domains and threads ---- */

/** Starts a domain, before any other call for it.
 * 0: started
 * ORDO_E_INVALID: no boundary was given (see unsafe_boundary), its handle or `watch` orders nothing, the clock is about
 *     to wrap, or log_bytes is less than ORDO_MVRLU_CHUNK_BYTES */
static inline int ordo_mvrlu_create(struct ordo_mvrlu *domain, const struct ordo_mvrlu_options *options);

/** As ordo_rlu_raise, of a domain at rest, but commits may be pending. If a thread is in a section, refuses and does
 * nothing; otherwise calls ordo_mvrlu_rest first, even if it then returns ORDO_E_INVALID. */
static inline int ordo_mvrlu_raise(struct ordo_mvrlu *domain, uint64_t boundary_ticks);

/** Flushes all pending commits, writes every version back and frees every object that has left, in a domain at rest: no
 * thread is in a section, and no other call is made for it. Earlier calls of other threads happen before this one,
 * their later calls after it. Call it before a structure is audited, cleared or discarded. */
static inline void ordo_mvrlu_rest(struct ordo_mvrlu *domain);

/** Frees the threads' memory; all threads have finished. The caller discards the objects before. */
static inline void ordo_mvrlu_destroy(struct ordo_mvrlu *domain);

/** Adds up the counters of all threads, present and former, at any time; the sums are then not of one moment. */
static inline void ordo_mvrlu_statistics_read(struct ordo_mvrlu *domain, struct ordo_mvrlu_statistics *sum);

/** Makes the calling thread a thread of the domain. Any number of threads may join, at any time; only this thread may
 * use the result, until ordo_mvrlu_thread_finish. Returns 0, or ORDO_E_SYSTEM: out of memory. */
static inline int ordo_mvrlu_thread_init(struct ordo_mvrlu *domain, struct ordo_mvrlu_thread **result);

/** Flushes, and ends the thread's membership; not in a section. The part of its log that cannot be reclaimed yet is
 * left to the next thread that gets its memory, or to ordo_mvrlu_rest. */
static inline void ordo_mvrlu_thread_finish(struct ordo_mvrlu_thread *t);

/* ---- sections ---- */

/** Starts a section. Sections of a thread do not nest. Waits for no thread; with deferral and `own_clock`, waits for
 * twice the boundary if another thread wants a pending object of this one. Always returns 0. */
static inline int ordo_mvrlu_reader_lock(struct ordo_mvrlu_thread *t);

/** Ends a section and commits its changes: they become visible as a whole to all sections that start after the return
 * (with deferral: after the flush). A commit waits for no thread, and for twice the boundary only with `own_clock`.
 * Pointers from dereference and try_lock are void afterwards.
 * 0: ended
 * ORDO_E_DISRUPTED, with a `watch` only: the section never happened. Pending commits of earlier sections stay pending.
 */
static inline int ordo_mvrlu_reader_unlock(struct ordo_mvrlu_thread *t);

/** Gives up a section that cannot go on: all its changes and allocations are undone. Must be called once after a
 * try_lock or an alloc returned NULL, and may be called at any time instead of ordo_mvrlu_reader_unlock.
 * ORDO_LATER: start again (waits longer each time, outside any section)
 * ORDO_E_FULL: the log has been full for about 100 ms of attempts, because a section or pending commits of another
 *     thread do not end, or because the log is too small for the changes of this section
 * ORDO_E_SYSTEM: out of memory, or an object of 4 GiB
 * ORDO_E_DISRUPTED: see `watch`
 * ORDO_E_INVALID: ordo_mvrlu_free refused an object */
ORDO_CC_SLOW int ordo_mvrlu_abort(struct ordo_mvrlu_thread *t);

/** As ORDO_RLU_SECTION. */
#define ORDO_MVRLU_SECTION(t, result, call) ORDO_RLU_SECTION_OF(ordo_mvrlu, t, result, call)

/** Commits pending sections; not in a section. A thread that will not start a section for a while calls this, so that
 * other threads can see its changes, lock its objects, and reclaim their logs. Waits as a commit does. */
static inline void ordo_mvrlu_flush(struct ordo_mvrlu_thread *t);

/** Flushes if another thread has asked for it: cheap enough for any loop. */
static inline void ordo_mvrlu_poll(struct ordo_mvrlu_thread *t);

/** Reclaims as much of this thread's log as it can now; not in a section. With deferral it first flushes commits that
 * another thread wants. Waits for no thread; with `own_clock`, waits for twice the boundary, and the same again for a
 * flush. Commits call it every `collect_commits` commits or sooner; call it from a thread that will not commit for a
 * while: the first call writes back, the second one frees. */
ORDO_CC_SLOW void ordo_mvrlu_collect(struct ordo_mvrlu_thread *t);

/* ---- objects: as the functions of rlu.h with the same name, with these differences ---- */

static inline void *ordo_mvrlu_dereference(struct ordo_mvrlu_thread *t, void *object);

/** NULL: another thread has the object, or has changed it since this section began, or the log is full, or out of
 * memory. */
static inline void *ordo_mvrlu_try_lock(struct ordo_mvrlu_thread *t, void *object, size_t bytes);

static inline void ordo_mvrlu_will_lock(void *object);
static inline void ordo_mvrlu_assign(void *where, void *object);
static inline int ordo_mvrlu_cmp_ptrs(void *a, void *b);

/** NULL: out of memory, or the log is full. */
static inline void *ordo_mvrlu_alloc(struct ordo_mvrlu_thread *t, size_t bytes);

static inline int ordo_mvrlu_free(struct ordo_mvrlu_thread *t, void *object);

/** Only an object that has no version, as after ordo_mvrlu_rest. */
static inline void ordo_mvrlu_discard(struct ordo_mvrlu *domain, void *object);

/* ---- links (struct ordo_rlu_link), and nodes, which begin with one: likewise ---- */

static inline void *ordo_mvrlu_follow(struct ordo_mvrlu_thread *t, const struct ordo_rlu_link *link);
static inline void **ordo_mvrlu_try_lock_link(struct ordo_mvrlu_thread *t, struct ordo_rlu_link *link);
static inline void *ordo_mvrlu_alloc_node(struct ordo_mvrlu_thread *t, size_t bytes);
static inline int ordo_mvrlu_free_node(struct ordo_mvrlu_thread *t, void *node);
static inline void ordo_mvrlu_discard_node(struct ordo_mvrlu *domain, void *node);

/* Each part uses the parts above it. */
/* clang-format off */
#define ORDO_CC_MVRLU_ROOMS
#include <ordo/cc/mvrlu/argument.h>
#include <ordo/cc/mvrlu/types.h>
#include <ordo/cc/mvrlu/object.h>
#include <ordo/cc/mvrlu/log.h>
#include <ordo/cc/mvrlu/time.h>
#include <ordo/cc/mvrlu/section.h>
#include <ordo/cc/mvrlu/reclaim.h>
#include <ordo/cc/mvrlu/commit.h>
#include <ordo/cc/mvrlu/abort.h>
#include <ordo/cc/mvrlu/read.h>
#include <ordo/cc/mvrlu/lock.h>
#include <ordo/cc/mvrlu/link.h>
#include <ordo/cc/mvrlu/thread.h>
#undef ORDO_CC_MVRLU_ROOMS
/* clang-format on */

#endif
