/* Multi-version Read-Log-Update over a stamp: RLU (rlu.h) whose writers never wait for readers.
 *
 * After J. Kim, A. Mathew, S. Kashyap, M. K. Ramanathan, C. Min, "MV-RLU: Scaling Read-Log-Update with
 * Multi-Versioning", ASPLOS 2019. RLU keeps one copy of an object, so a commit must wait until no section needs the old
 * state of the object. In MV-RLU an object has a chain of versions, newest first. Each version has the time of its
 * commit, and a section reads the first version whose time is certainly before the section's time. A commit only stamps
 * its versions. The thread that made them writes them back to their objects later, many at once, and then reuses the
 * memory of its log. The correctness argument is in mvrlu/argument.h; mvrlu/list.h, mvrlu/hash.h and mvrlu/tree.h are
 * sets of numbers.
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
 *  - A section sees a prefix of all commits in the order of their times, as with RLU: all changes of a commit or none,
 *    and with a commit everything it depends on. Of two sections, one sees every commit that the other sees. A section
 *    sees every commit whose ordo_mvrlu_reader_unlock returned before the section started.
 *
 *  - A locked object stays as the section sees it: if two sections change the same object, one of them aborts. An
 *    object that was only read can change: if two sections each read an object that the other changes, both may commit
 *    (write skew).
 *
 *  - With deferral (options.defer_commits > 1, or ORDO_RLU_DEFER_AUTO) a thread gathers its commits and makes them
 *    visible together, as rlu.h describes, except that a flush waits for no section.
 *
 * WHICH CALLS WAIT
 *
 *  - No call waits for a thread, so no call hangs because a thread is descheduled. An abort pauses, yields or sleeps,
 *    as in RLU. Without `options.own_clock` the start of a section, dereference and commits do not wait at all.
 *
 *  - With `options.own_clock` calls wait for the clock. A commit waits for 2B, until every clock is certainly after its
 *    time. An abort waits for B if it met a commit that was too recent, and for 2B if it collects (reclaims memory),
 *    which it does after `collect_commits` commits and aborts; it collects twice if the log is full, and waits for 2B
 *    more if it flushes before. With deferral the start or the end of any section waits for 2B if it flushes.
 *
 *  - While a section does not end, no version that it may need is reclaimed, and the logs of other threads fill.
 *    Pending commits of a thread that begins no further section have the same effect (call ordo_mvrlu_flush). A log
 *    never grows above `options.log_bytes`. If it is full, ordo_mvrlu_try_lock returns NULL, and ordo_mvrlu_abort
 *    sleeps and returns ORDO_LATER. After about 100 ms of such attempts ordo_mvrlu_abort returns ORDO_E_FULL, and the
 *    caller decides what to do. Readers are never affected.
 *
 *  - A section fits into a log whose entries can all be reclaimed if its changes take at most a quarter of
 *    `options.log_bytes`, counting size + 112 bytes for each changed object. Larger changes may never fit, because
 *    chunks have unused ends. A new chunk is begun only if the last chunk has no room for the next version, so its
 *    unused end is smaller than that version. A chunk is smaller than twice its first version, or has the smallest
 *    size. A section therefore takes at most three times the size of its changes, plus one chunk.
 *
 * WHAT THE CALLER PROMISES
 *
 * The same as for RLU, except that a thread which never ends its section blocks only threads whose log is full.
 *
 * COST
 *
 * A section takes its time from one word of the domain, the *floor*, which each commit raises above its own time. A
 * section therefore reads no clock, and finds the floor in its cache unless another thread has committed. A commit
 * takes the time of the clock, or floor - B if that is later or if another commit is faster. Hence the floor orders the
 * commits whose order the clocks leave uncertain, and no thread has to wait until the order is certain. With
 * `options.own_clock` a section reads the clock instead; commits share no word, but each waits for 2B. This is for
 * machines with hundreds of CPUs, on which all commits would contend for the cache line of the floor.
 *
 * ORDO_DEBUG=1 checks these promises and the conditions of mvrlu/argument.h while the program runs: doc/debugging.md.
 */
#ifndef ORDO_CC_MVRLU_H
#define ORDO_CC_MVRLU_H

#include <ordo/cc/rlu.h> /* headers, links, logs, deferral and waiting */

#ifndef ORDO_MVRLU_CHUNK_BYTES /* tests make chunks small */
#define ORDO_MVRLU_CHUNK_BYTES ((size_t)8192)
#endif

/** All zero: valid for stamps that need no boundary. */
struct ordo_mvrlu_options {
    uint64_t boundary_ticks;  /* for the stamps ordo, any and corrected: ordo_boundary() of an open handle */
    size_t log_bytes;         /* largest size of a thread's log, at least ORDO_MVRLU_CHUNK_BYTES; 0: 1 MiB */
    unsigned collect_commits; /* a thread tries to reclaim after this number of flushed commits, or sooner; 0: 16 */
    int own_clock;            /* nonzero: each section reads the clock, and commits share no word: for many CPUs */
    /* The number of commits of a thread that are flushed together. 0 and 1: each commit at once; ORDO_RLU_DEFER_AUTO:
     * the number that costs least. */
    unsigned defer_commits;
    unsigned defer_sections; /* most sections from the first gathered commit to the flush; 0: 4096 */
    size_t defer_bytes;      /* most bytes of log that wait for a flush; default and maximum: log_bytes / 4 */
    int unsafe_boundary;     /* accepts boundary_ticks 0 for those stamps, WRONG unless there is one CPU: for tests */
    struct ordo_cc_memory memory; /* for objects and logs; all zero: malloc and free */
    /* The open handle that gave the boundary. It must not move, and stays open except during a raise. Once its record
     * is marked DISRUPTED, commits are undone, and no call waits for a clock. NULL: not watched. domain/boundary.h
     * tells which handle each stamp needs. */
    const struct ordo *watch;
};

/** Counters since the creation of the domain. */
struct ordo_mvrlu_statistics {
    /* sections started, including aborted ones and those in which a thread only flushed or collected */
    uint64_t sections;
    uint64_t commits;      /* sections that changed something */
    uint64_t flushes;      /* flushes of at least one commit: equal to `commits` without deferral */
    uint64_t aborts;       /* sections that had to be repeated */
    uint64_t steals;       /* dereferences that returned a version, not the object */
    uint64_t helps;        /* times that a reader took for another thread's commit, also if they came too late */
    uint64_t collections;  /* attempts to reclaim */
    uint64_t written_back; /* versions copied to their objects */
    uint64_t fulls;        /* sections that found the log full */
    uint64_t yields;       /* CPU yields while waiting for a lock or for room in the log */
    uint64_t sleeps;       /* sleeps of 50 to 800 us while waiting for a lock or for room in the log */
    uint64_t log_bytes;    /* memory of the logs: freed by ordo_mvrlu_destroy, or to make room for a larger chunk */
};

/** A domain. Objects of one domain must not be used in sections of another. */
struct ordo_mvrlu;
/** A thread of a domain. */
struct ordo_mvrlu_thread;

/* ---- domains and threads ---- */

/** Starts a domain, before any other call for it.
 * 0: started
 * ORDO_E_INVALID: the stamp needs a boundary and has none (see unsafe_boundary); log_bytes is less than
 *     ORDO_MVRLU_CHUNK_BYTES; or as ordo_stamp_init */
static inline int ordo_mvrlu_create(struct ordo_mvrlu *domain, const struct ordo_mvrlu_options *options);

/** As ordo_rlu_raise, but commits may be pending. If a thread is in a section, returns ORDO_E_INVALID and does nothing;
 * otherwise calls ordo_mvrlu_rest first, even if it then returns ORDO_E_INVALID. */
static inline int ordo_mvrlu_raise(struct ordo_mvrlu *domain, uint64_t boundary_ticks);

/** Flushes all pending commits, writes every version back to its object, and frees every object that a committed
 * section has freed. Call it before a structure is audited, cleared or discarded, in a domain at rest: no thread is in
 * a section, and no other call is made for the domain. The caller orders this call after earlier calls of other
 * threads, and before their later calls. */
static inline void ordo_mvrlu_rest(struct ordo_mvrlu *domain);

/** Frees the threads' memory. Before the call all threads have finished, and the caller has discarded the objects. */
static inline void ordo_mvrlu_destroy(struct ordo_mvrlu *domain);

/** Adds up the counters of all present and former threads; while threads run, the sums are not of one moment. */
static inline void ordo_mvrlu_statistics_read(struct ordo_mvrlu *domain, struct ordo_mvrlu_statistics *sum);

/** Makes the calling thread a thread of the domain. Any number of threads may join, at any time; only this thread may
 * use the result, until ordo_mvrlu_thread_finish. Returns 0, or ORDO_E_SYSTEM: out of memory. */
static inline int ordo_mvrlu_thread_init(struct ordo_mvrlu *domain, struct ordo_mvrlu_thread **result);

/** Flushes, and ends the thread's membership. Call it outside sections. The part of the log that cannot be reclaimed
 * yet is left to the next thread that gets the memory of `t`, or to ordo_mvrlu_rest. */
static inline void ordo_mvrlu_thread_finish(struct ordo_mvrlu_thread *t);

/* ---- sections ---- */

/** Starts a section. Sections of a thread do not nest. Waits for no thread; with deferral and `own_clock`, waits for
 * twice the boundary if another thread wants a pending object of this thread. Always returns 0. */
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
 * ORDO_LATER: start again; the call has waited outside any section, longer after each abort in a row
 * ORDO_E_FULL: the log has been full for about 100 ms of attempts, because a section or pending commits of another
 *     thread do not end, or because the log is too small for the changes of this section
 * ORDO_E_SYSTEM: out of memory, or an object of almost 4 GiB or more
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

/** Reclaims as much of this thread's log as possible now. Call it outside sections. With deferral it first flushes
 * commits that another thread wants. Waits for no thread; with `own_clock`, waits for twice the boundary, and again for
 * twice the boundary if it flushes. Commits reclaim every `collect_commits` commits or sooner. A thread that will not
 * commit for a while calls this twice: the first call writes versions back, and the second call frees their memory. */
ORDO_CC_SLOW void ordo_mvrlu_collect(struct ordo_mvrlu_thread *t);

/* ---- objects: as the functions of rlu.h with the same name, with these differences ---- */

static inline void *ordo_mvrlu_dereference(struct ordo_mvrlu_thread *t, void *object);

/** NULL: another thread has locked the object, or has changed it since this section began, or the log is full, or out
 *     of memory. */
static inline void *ordo_mvrlu_try_lock(struct ordo_mvrlu_thread *t, void *object, size_t bytes);

static inline void ordo_mvrlu_will_lock(void *object);
static inline void ordo_mvrlu_assign(void *where, void *object);
static inline int ordo_mvrlu_cmp_ptrs(void *a, void *b);

/** NULL: out of memory, or the log is full. */
static inline void *ordo_mvrlu_alloc(struct ordo_mvrlu_thread *t, size_t bytes);

static inline int ordo_mvrlu_free(struct ordo_mvrlu_thread *t, void *object);

/** The object must have no version, as after ordo_mvrlu_rest. */
static inline void ordo_mvrlu_discard(struct ordo_mvrlu *domain, void *object);

/* ---- links (struct ordo_rlu_link), and nodes, which begin with a link: as the functions of rlu.h ---- */

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
