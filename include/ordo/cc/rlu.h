/* Read-Log-Update over a stamp: readers walk shared objects without locks while writers change several of them at once.
 *
 * After A. Matveev, N. Shavit, P. Felber, P. Marlier, "Read-Log-Update", SOSP 2015, with the clock of S. Kashyap et
 * al., "A Scalable Ordering Primitive for Multicore Machines", EuroSys 2018. A writer works on copies in its log. To
 * commit it stamps them with a time W; sections that are certainly later than W use ("steal") the copies, and once no
 * earlier section is left the writer writes them back.
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
 * A pointer alone can be an object, too: a link. It takes one word, where other objects have a header besides, and who
 * follows it loads nothing but the word. While it is locked it shows its copy, which has what it was before, for those who
 * do not see the commit. A node begins with a link, and what follows there never changes: it is read as it is.
 *
 *     struct node { struct ordo_rlu_link next; uint64_t key; };
 *     struct node *n = ordo_rlu_follow(t, &before->next);      // n->key; n is no copy
 *     void **next = ordo_rlu_try_lock_link(t, &before->next);  // NULL: abort
 *     struct node *fresh = ordo_rlu_alloc_node(t, sizeof *fresh);
 *     ordo_rlu_link_init(&fresh->next, n);                     // fresh->key = ...
 *     *next = fresh;
 *
 * Which stamp: see stamp.h. All are the same program text.
 *
 * WHAT A SECTION SEES
 *
 *  - A prefix of all commits in the order of their times: all changes of a commit or none, and with a commit everything
 *    it depends on. The sets that two sections see are nested, whatever threads they are on. A commit that has returned
 *    from ordo_rlu_reader_unlock is seen by every section that starts later.
 *
 *  - What is locked cannot change under the section that locked it. What was only read can: two sections that each
 *    read what the other changes may both commit (write skew). Lock what the decision rests on.
 *
 *  - With deferral (options.defer_commits > 1) the commits of a thread gather into one, which happens as a whole at its
 *    flush. Until then only the thread itself sees them, on top of its prefix. So the sets of two *different* threads
 *    are nested only up to their own pending commits: of two threads that each changed one object, each may see
 *    its own change and not yet the other's. What the other threads see is as strong as above, with "flushed" for
 *    "returned". Nothing is lost: a pending object is locked, and a thread that wants it makes the owner flush at the
 *    owner's next section. So with deferral the start and the end of any section, a reader's too, may wait for other
 *    sections as a commit does: hold no lock there that a section takes, or may wait for.
 *
 *  - With ORDO_RLU_DEFER_AUTO each thread chooses by itself how many commits it gathers, and again after each flush. What
 *    is promised is exactly what any fixed number from 2 on promises, also while a thread gathers none: the number
 *    never was part of it.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, nothing here is promised. With
 *    `watch` in the options, what waits for a clock or commits ends with ORDO_E_DISRUPTED once the record is marked.
 *
 *  - Where a section ends that tried to lock or to allocate, it holds no lock that a section takes, or may wait for,
 *    whatever defer_commits is: a commit waits for sections, and now and then so does an abort.
 *
 *  - The thread that begins a section ends it. If a thread dies, is cancelled (pthread_cancel) or leaves by longjmp in
 *    a section or in a call of this interface, every later commit waits for it for ever, and no other thread can end
 *    the section in its place. Disable cancellation around sections: a commit that waits may sleep (select), which is a
 *    cancellation point.
 *
 *  - A signal handler does not use the struct ordo_rlu_thread of the thread that it interrupts.
 *
 *  - After fork the child does not use the domain: the sections of threads that it does not have never end there.
 *
 * WHEN A READER NEEDS THE CLOCK
 *
 * When another thread has committed since its last section. A section needs a time L such that what it sees is exactly
 * the commits certainly before L. Any time that the thread read earlier will do, if no commit was written back since
 * that is not certainly before it. So a thread carries L along. A writer that commits at W leaves W in the *mark* of
 * each thread before it asks whether that thread is in a section. A section that finds its mark set reads the clock
 * until it is certainly after W. That is the commit wait too, moved to the reader that may come too early: the reader
 * knows W itself, so its wait ends at W + B and not at W + 2B. Most of that is over by the time the mark has travelled
 * to the reader. A writer waits for sections, never for the boundary.
 *
 * At one thread the clock is read only to stamp a commit. But every commit marks every thread, one contended exchange
 * for each. With many threads, even at few updates each, there is a commit in the time of nearly every section, and
 * nearly every section reads the clock. Deferral makes the commits fewer.
 *
 * A section without a mark costs its announcement, which is an exchange on the thread's own line, and a load of the
 * mark beside it. A dereference loads the object's header, usually on the line that is read next, and finds it empty: a
 * branch never taken. Neither writes to anything shared.
 *
 * WHY IT IS CORRECT
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x shows at least x - B. "After" for a time means
 * certainly after (cmp 1). Atomic accesses marked C below are sequentially consistent: S is their single order. If
 * a clock read is compared with a store, the store is visible to all other cores at once (multi-copy atomicity: x86,
 * ARMv8, RISC-V RVWMO). Which accesses a clock read is ordered with, C2, C4 and C5 say.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. If it is broken, all that is said here is
 *      void, and `watch` tells. It is asked only by a thread that waits for a clock or commits.
 *      A section that must be after W and waits in vain ends before it has read anything, and leaves its mark to the
 *      next [C1 watch]. It cannot be let in with the L that it carries: the writer whose sample missed it counts on its
 *      being after W, and would write under its eyes.
 *      A commit that finds the clocks disrupted before it is announced is undone like any section [C1 undo]: no thread
 *      has seen it. Once announced it cannot be undone: its copies may have been stolen, and others may have committed
 *      what rests on them. Nor need it be. From there on it waits for no clock, only for sections, which end by
 *      themselves or are turned away as above. It does not believe the times that they publish any more, but waits for
 *      the end of each [C1 believe]. So no commit stays half done.
 *
 *  C2  Reader: announces the section, then reads its mark, then (if marked) reads the clock, then reads objects
 *      [C2 announce, C2 look, C2 time]. Writer: marks, then reads the announcement [C2 mark, C2 sample]. In S either
 *      the writer sees the section, or the section sees the mark and reads a time after W. The clock is read before the
 *      first object is [C2 time], and one side is enough (ordo_stamp_now_before): that its moment may be before the
 *      announcement is visible does no harm, because L is after W by its value, and C4 asks only for a moment before
 *      the first object.
 *
 *  C3  Times are compared without overflow, and a log's word that is no time (at least ORDO_STAMP_LIMIT) is not before
 *      any L [C3].
 *
 *  C4  A writer announces that it commits before any thread reads the clock for it [C4]. It does so by an exchange,
 *      behind which it reads the clock with less (clock.h); its next access is an exchange, too. So a reader that found its
 *      objects not committing had read its L earlier, and W >= L - B: not certainly before L, the master was right.
 *      A reader that meets the announcement does not wait: it takes the commit's time itself, and the first time
 *      counts [C4 help]. It reads the clock behind the load that met the announcement, and stores nothing then but what
 *      it read (ordo_stamp_take_after). A late helper cannot stamp another commit: the helper's section is waited for by this commit
 *      or by the next (C10), and this log is announced again only after both.
 *
 *  C5  Before a master is written, every section that is left is after W: those that the sample saw have ended, or
 *      their L is after W [C5 wait]; those that it missed found the mark, and have an L after W [C5 after]. A thread that the list
 *      did not show yet at the sample started its clock later than W was read, so at least at W - B; it marks itself
 *      with that time + B [C5 join].
 *
 *  C6  Uncertain is not ordered: a copy is stolen iff W is certainly before L [C6]; otherwise the master is right, and
 *      by C5 still there.
 *
 *  C7  Nothing relies on different commits having different times: they share a mark [C7]. Objects of both are seen
 *      or not seen together.
 *
 *  C8  A thread that migrates may read a smaller time than the L it carries. The larger of the two is taken [C8]: both
 *      were read before the section's first load, which is all that C4 asks, and it is after every mark ever taken in.
 *      So the time that a thread publishes never goes back. It must not: a writer that finds it after its W waits no
 *      longer, for this section or any later one.
 *
 *  C9  Every retry takes a fresh time [C9 fresh]; the loops on the clock last at most 2B. Without deferral a section
 *      waits for no thread; only a commit waits for sections, and an abort that flushes what was undone (C10): spinning,
 *      then yielding, then asleep [C9 turn]. With deferral the start of a section may flush, which is a commit's wait,
 *      before it has read anything; and so may its end.
 *
 *  C10 Two log generations [C10]: copies are overwritten only after the *next* commit's sample. A section that found a
 *      copy in a header had read its L before that header was unlocked, hence before the next W was read: it is not
 *      after that W, was announced before that mark, and so the next sample waits for it. Until then it may ask the record
 *      of the copy which log that is in, and, of a link, what it was before. So also what was undone stays where it is until
 *      the log is flushed, which is for that alone where there is much of it [C10 undo]. Freed objects were unlinked at W:
 *      by C5 no section is left that can reach them; and they were locked, so no other thread has a copy of them to write
 *      back [C10 free].
 *
 *  Order between commits: a section that sees commit 1 in any form has L after W1, by C5 and C6. So a commit 2 that
 *  depends on it has W2 >= L - B > W1, without any wait, and a section that sees 2 has L > W2 + B > W1 + B and sees 1.
 *  A committer marks itself, so that its next section sees all commits up to its own [C2 self]. While it is alone it
 *  need not: a thread that joins later starts after all that [C5 join].
 */
#ifndef ORDO_CC_RLU_H
#define ORDO_CC_RLU_H

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/select.h>

#include <ordo/cc/fetch.h>
#include <ordo/cc/stamp.h>

#if defined ORDO_STAMP_BATCH || defined ORDO_STAMP_GV5
#error "RLU waits until time has passed, which such a counter does not do by itself: choose another stamp"
#endif

#define ORDO_RLU_SLOW static __attribute__((noinline, cold, unused))

/** Where objects and logs come from. `allocate` returns memory aligned for any scalar, or NULL; both must be
 * thread-safe. */
struct ordo_rlu_memory {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory);
    void *context;
};

/** All zero is no deferral and malloc, and valid for stamps that need no boundary. */
struct ordo_rlu_options {
    uint64_t boundary_ticks; /* of the stamps ordo, any and corrected: ordo_boundary() of an open handle */
    /* Commits of a thread that are flushed together; 0 and 1: each at once; ORDO_RLU_DEFER_AUTO: as many as pay, at most
     * ORDO_RLU_DEFER_MOST. From 2 on every section, also one that only reads, may wait at its start and end as a commit
     * does: hold no lock there that a section takes. */
    unsigned defer_commits;
    unsigned defer_sections; /* at most so many of its sections after the first of them; 0: 4096 */
    size_t defer_bytes;      /* at most so much log; 0: 1 MiB */
    int unsafe_boundary; /* ordo, any or corrected with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_rlu_memory memory; /* allocate NULL: malloc and free */
    /* The open handle of the boundary, which then stays where it is, and open but for ordo_rlu_raise: once its record
     * is marked DISRUPTED, commits are refused, and so are sections that would have to wait for the clock, also if
     * that is for a time more than 2^32 ticks + B ahead, which no clock has returned that keeps the boundary. Look then
     * at what reader_lock and reader_unlock return. NULL: nothing is watched, and such a wait lasts until the clock is
     * there. The stamp corrected needs the handle inside a struct ordo_corrected, open until the domain is destroyed;
     * no other stamp takes that. The stamp any needs the handle inside a struct ordo_any, or a plain one; opened anew
     * for ordo_rlu_raise it must be of the same kind (ordo_any_open_kind). */
    const struct ordo *watch;
};

/** What happened so far. Times in ticks of the hardware clock, whatever the stamp. */
struct ordo_rlu_statistics {
    uint64_t sections; /* started, aborted ones included; one that had to flush first counts twice */
    uint64_t commits;  /* sections that changed something */
    uint64_t aborts;   /* sections that had to be repeated */
    uint64_t flushes;  /* commits as others see them: equal to `commits` without deferral (not of what was undone) */
    uint64_t flushes_asked;  /* of those, at the start of a section, because another thread wanted a pending object */
    uint64_t steals;         /* dereferences that took another thread's copy */
    uint64_t helps;          /* commit times that a reader took for the committer, whether or not it was the first */
    uint64_t clock_reads;    /* sections that had to read the clock */
    uint64_t boundary_waits; /* of those, such that waited for the boundary */
    uint64_t boundary_wait_ticks;
    uint64_t reader_waits; /* sections that a committer waited for */
    uint64_t reader_wait_ticks;
    uint64_t yields;    /* turns given up while waiting, for a section or for a lock */
    uint64_t sleeps;    /* times slept, 50 to 800 us, likewise */
    uint64_t log_bytes; /* memory of the logs: as the largest flushes needed, and never given back before the end */
};

/* A value of defer_commits: each thread chooses for itself, within defer_sections and defer_bytes. */
#define ORDO_RLU_DEFER_AUTO (~0U)

enum {
    ORDO_RLU_DEFER_MOST = 64,  /* commits: what a thread gathers that chooses for itself */
    ORDO_RLU_DEFER_SHARE = 64, /* so many that flushes take 1 part in this of its time, */
    ORDO_RLU_DEFER_LOOKS = 12  /* but that from one to the next it looks at no more copies: about what a flush costs */
};

/* What lies before every object, and before every copy in a log. */
struct ordo_rlu_header {
    void *copy; /* NULL: unlocked; ORDO_RLU_IS_COPY: this is one */
};

/** A pointer that sections change: an object without a header, of one word. All zero is one that points nowhere. What it
 * points to has an address that is even. */
struct ordo_rlu_link {
    struct ordo_rlu_header word; /* where it points to; or, locked, its copy: an odd address, by ORDO_RLU_LOCKED */
};
#define ORDO_RLU_LOCKED ((uintptr_t)1)

#define ORDO_RLU_IS_COPY ((void *)(uintptr_t)1)
#define ORDO_RLU_CHUNK_BYTES ((size_t)16384)
#define ORDO_RLU_LINE ((size_t)64)
#if !defined ORDO_RLU_UNDONE_BYTES /* a log with so much that was undone, and nothing else, is flushed */
#define ORDO_RLU_UNDONE_BYTES (ORDO_RLU_CHUNK_BYTES / 2)
#endif
#define ORDO_RLU_ANNOUNCED ORDO_STAMP_LIMIT
/* No object is larger, so that no sum of sizes wraps. */
#define ORDO_RLU_LARGEST (SIZE_MAX / 8)

enum {
    ORDO_RLU_SPINS = 128,    /* some microseconds, then the CPU is given up */
    ORDO_RLU_YIELDS = 64,    /* then it sleeps */
    ORDO_RLU_NAP_US = 50,    /* at first */
    ORDO_RLU_NAP_DOUBLES = 4 /* times */
};

/* LINK is a COPY of a link; FREED is either, of what leaves with the commit. */
enum ordo_rlu_kind { ORDO_RLU_COPY, ORDO_RLU_LINK, ORDO_RLU_FREED, ORDO_RLU_ALLOCATED, ORDO_RLU_NOTHING };

struct ordo_rlu_log;

/* An entry of a log; what follows is the copy. */
struct ordo_rlu_record {
    struct ordo_rlu_header *object;
    void *previous;   /* object->copy before: this thread's pending copy, or what it was unlocked */
    uint64_t section; /* of the thread, that made it */
    uint64_t kind : 3;
    uint64_t bytes : 61;      /* of the object: exactly, for what lies behind it is not ours */
    struct ordo_rlu_log *log; /* beside the copy, whose readers need it */
    struct ordo_rlu_header self;
};

/* The copy of a link. A link that is locked cannot show where it points to for those who do not see the copy. */
struct ordo_rlu_link_copy {
    void *to;     /* as this section changes it */
    void *master; /* as it was before, and still is for those: C10 */
};

/* Its owner's; records fill it. */
struct ordo_rlu_chunk {
    struct ordo_rlu_chunk *next;
    size_t bytes;
    size_t used;
    void *memory;
    char end[32];
};

struct ordo_rlu_position {
    struct ordo_rlu_chunk *chunk;
    size_t used;
};

/* One of a thread's two generations. The first line is what readers look at. */
struct ordo_rlu_log {
    uint64_t word; /* commit time; or ORDO_RLU_ANNOUNCED: being stamped; or UINT64_MAX: not committed */
    struct ordo_rlu_thread *owner;
    char shared_end[128 - sizeof(uint64_t) - sizeof(void *)];
    struct ordo_rlu_chunk *first, *current;
    char owned_end[128 - 2 * sizeof(void *)];
};

/* How many commits a thread flushes together. */
struct ordo_rlu_group {
    unsigned most;    /* at present */
    unsigned share;   /* flushes are to take 1 part in so many of its time; 0: it does not choose */
    unsigned looks;   /* since the last flush: dereferences that met a pending copy; of RLU only; */
    unsigned looked;  /* 8 times an average of that */
    uint64_t flushed; /* the clock at the end of the last flush, and waits for others since; then 8 times averages: */
    uint64_t took;    /* by a flush */
    uint64_t passed;  /* for a commit, from flush to flush */
};

/* A thread; its memory stays until ordo_rlu_destroy, and another thread may have it later. Starts on a line. */
struct ordo_rlu_thread {
    /* Writers write and sample this line. */
    uint64_t run;  /* odd in a section */
    uint64_t mark; /* twice the latest time the next section must be after, plus 1: a pending object is wanted; or 0 */
    uint64_t time; /* L */
    uint64_t used; /* some thread has it */
    char shared_end[128 - 4 * sizeof(uint64_t)];
    /* The rest is its owner's. */
    uint64_t due; /* the section ending at this `run` has more to do: 0 in one that writes */
    struct ordo_rlu *rlu;
    struct ordo_rlu_log *log;       /* the present one of the two */
    uint64_t group_due;             /* what `due` is outside such sections */
    uint64_t section;               /* number of the section that writes */
    struct ordo_rlu_position start; /* of its records */
    int writing;
    int code;           /* why the section must be aborted */
    unsigned pending;   /* commits not flushed */
    unsigned turn;      /* of waiting, over aborts in a row */
    uint64_t aborted;   /* `run` of the last one */
    size_t group_bytes; /* of the records since the last flush, also of those that were undone */
    struct ordo_rlu_group group;
    struct ordo_rlu_statistics statistics; /* written by the owner, read by any thread */
    struct ordo_rlu_thread *next;
    void *memory;
    char statistics_end[128 - (sizeof(struct ordo_rlu_statistics) + 2 * sizeof(void *)) % 128];
    struct ordo_rlu_log logs[2];
};

ORDO_STATIC_ASSERT(sizeof(void *) != 8 ||
                       (sizeof(struct ordo_rlu_chunk) == ORDO_RLU_LINE &&
                        sizeof(struct ordo_rlu_record) + sizeof(struct ordo_rlu_link_copy) == ORDO_RLU_LINE),
                   "the record of a link fills a line");

ORDO_STATIC_ASSERT(sizeof(void *) != 8 ||
                       (offsetof(struct ordo_rlu_thread, due) == 128 &&
                        offsetof(struct ordo_rlu_thread, statistics) == 256 &&
                        offsetof(struct ordo_rlu_thread, logs) % 128 == 0 && sizeof(struct ordo_rlu_log) == 256),
                   "what different threads write is on different lines");

/** A domain: objects of one must not meet sections of another. */
struct ordo_rlu {
    struct ordo_stamp stamp;
    struct ordo_rlu_options options;
    struct ordo_rlu_thread *threads; /* all that ever were; grows at the front */
    char after[128];
};

/* Memory. */

static inline void *ordo_rlu_memory_take(const struct ordo_rlu_memory *memory, size_t bytes)
{
    return memory->allocate ? memory->allocate(memory->context, bytes) : malloc(bytes);
}

static inline void ordo_rlu_memory_give(const struct ordo_rlu_memory *memory, void *what)
{
    if (memory->allocate)
        memory->release(memory->context, what);
    else
        free(what);
}

/* Zeroed memory that starts at a multiple of `alignment`, a power of two; `*raw` is what to release. */
static inline void *ordo_rlu_memory_take_aligned(const struct ordo_rlu_memory *from, size_t bytes, size_t alignment,
                                                 void **raw)
{
    char *memory = (char *)ordo_rlu_memory_take(from, bytes + alignment);
    *raw = memory;
    if (!memory)
        return NULL;
    memory += alignment - ((uintptr_t)memory & (alignment - 1));
    memset(memory, 0, bytes);
    return memory;
}

static inline void *ordo_rlu_allocate(const struct ordo_rlu *rlu, size_t bytes)
{
    return ordo_rlu_memory_take(&rlu->options.memory, bytes);
}

static inline void ordo_rlu_release(const struct ordo_rlu *rlu, void *what)
{
    ordo_rlu_memory_give(&rlu->options.memory, what);
}

static inline struct ordo_rlu_header *ordo_rlu_header_of(void *object)
{
    return (struct ordo_rlu_header *)object - 1;
}

static inline struct ordo_rlu_record *ordo_rlu_record_of(void *copy)
{
    return (struct ordo_rlu_record *)((uintptr_t)copy - sizeof(struct ordo_rlu_record));
}

static inline struct ordo_rlu_log *ordo_rlu_log_of(void *copy)
{
    return ordo_rlu_record_of(copy)->log;
}

/* What a link's word is that a copy has locked; and the copy by which it is, or NULL. */
static inline void *ordo_rlu_locked_by(struct ordo_rlu_link_copy *copy)
{
    return (char *)copy + ORDO_RLU_LOCKED;
}

static inline struct ordo_rlu_link_copy *ordo_rlu_link_copy_of(void *word)
{
    if (!((uintptr_t)word & ORDO_RLU_LOCKED))
        return NULL;
    return (struct ordo_rlu_link_copy *)(void *)((char *)word - ORDO_RLU_LOCKED);
}

/* Counts in the owner's statistics. Relaxed: a reader of statistics wants whole numbers and no order. */
static inline void ordo_rlu_count(uint64_t *counter, uint64_t n)
{
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

/* C9 turn: one of a wait for another thread. Spins at first, then gives the CPU away, then sleeps ever longer. */
ORDO_RLU_SLOW void ordo_rlu_wait_turn(unsigned *turn, uint64_t *yields, uint64_t *sleeps)
{
    if (*turn < ORDO_RLU_SPINS) {
        ordo_clock_pause();
    } else if (*turn < ORDO_RLU_SPINS + ORDO_RLU_YIELDS) {
        ordo_rlu_count(yields, 1);
        (void)sched_yield();
    } else {
        unsigned doubled = *turn - ORDO_RLU_SPINS - ORDO_RLU_YIELDS;
        struct timeval nap = {0, ORDO_RLU_NAP_US << doubled};
        ordo_rlu_count(sleeps, 1);
        (void)select(0, NULL, NULL, NULL, &nap);
        if (doubled == ORDO_RLU_NAP_DOUBLES)
            return;
    }
    ++*turn;
}

static inline void ordo_rlu_group_begin(struct ordo_rlu_group *group, unsigned defer_commits, unsigned share)
{
    group->share = defer_commits == ORDO_RLU_DEFER_AUTO ? share : 0;
    group->most = group->share ? 1 : defer_commits;
    group->looks = group->looked = 0;
    group->took = group->passed = 0;
    group->flushed = ordo_clock_relaxed();
}

/* 8 times an average of late, which a single value cannot upset: it counts for 4 of them at most. */
static inline void ordo_rlu_group_average(uint64_t *average, uint64_t value)
{
    uint64_t most = *average / 2 + 64;
    *average += (value < most ? value : most) - *average / 8;
}

/* Chooses how many commits to gather next, after a flush of `gathered` from `since` to `now`. Fewer at once if another
 * thread wants what this one gathers; otherwise one more or less, towards what has flushes take their share of its time,
 * waiting included, but in RLU not that at the start of sections. (From a CPU whose clock is behind a time may look
 * negative, hence huge, and counts as long.)
 *
 * With m commits each of them pays 1/m of a flush. But what is pending has a copy, which whoever comes there looks at:
 * that grows with m. Both together are least where they are equal, so in RLU there are fewer where looks cost more than a
 * flush. This thread's are counted, at its copies and at others': they stand for those of others at its own, as long as
 * threads do alike. (Where they wrap or are cut, that is one wrong step.) */
static inline void ordo_rlu_group_adapt(struct ordo_rlu_group *group, unsigned gathered, int wanted, uint64_t since,
                                        uint64_t now)
{
    uint64_t looked = group->looked;
    ordo_rlu_group_average(&looked, group->looks);
    group->looked = (unsigned)looked;
    group->looks = 0;
    ordo_rlu_group_average(&group->took, now - since);
    ordo_rlu_group_average(&group->passed, (now - group->flushed) / gathered);
    group->flushed = now;
    if (wanted)
        group->most -= group->most / 2;
    else if (looked / 8 > ORDO_RLU_DEFER_LOOKS)
        group->most -= group->most > 1;
    else if (group->took * group->share > group->passed * (group->most + 1))
        group->most += gathered >= group->most && group->most < ORDO_RLU_DEFER_MOST;
    else if (group->took * group->share < group->passed * (group->most - 1))
        group->most--;
}

/* Logs. */

/* What a record with a copy of `bytes` takes. It begins on a line, and fills it if the copy is small. */
static inline size_t ordo_rlu_record_bytes(size_t bytes)
{
    return (sizeof(struct ordo_rlu_record) + bytes + ORDO_RLU_LINE - 1) & ~(ORDO_RLU_LINE - 1);
}

/* The record at the position, which moves behind it; NULL at the end. */
static inline struct ordo_rlu_record *ordo_rlu_log_step(const struct ordo_rlu_log *log, struct ordo_rlu_position *at)
{
    struct ordo_rlu_record *record;
    while (at->used == at->chunk->used) {
        if (at->chunk == log->current) /* those behind it are empty, and there may be many */
            return NULL;
        at->chunk = at->chunk->next;
        at->used = sizeof(struct ordo_rlu_chunk);
    }
    record = (struct ordo_rlu_record *)(void *)((char *)at->chunk + at->used);
    at->used += ordo_rlu_record_bytes((size_t)record->bytes);
    return record;
}

/* Drops the records from the position on. */
static inline void ordo_rlu_log_cut(struct ordo_rlu_log *log, struct ordo_rlu_position at)
{
    struct ordo_rlu_chunk *last = log->current;
    log->current = at.chunk;
    at.chunk->used = at.used;
    while (at.chunk != last) {
        at.chunk = at.chunk->next;
        at.chunk->used = sizeof(struct ordo_rlu_chunk);
    }
}

/* A new chunk of the log, in no list, with room for a copy of `bytes`. NULL: no memory. */
ORDO_RLU_SLOW struct ordo_rlu_chunk *ordo_rlu_chunk_make(struct ordo_rlu_thread *t, size_t bytes)
{
    size_t whole = ORDO_RLU_CHUNK_BYTES;
    struct ordo_rlu_chunk *chunk;
    void *memory;
    while (whole - sizeof *chunk < ordo_rlu_record_bytes(bytes))
        whole *= 2;
    chunk =
        (struct ordo_rlu_chunk *)ordo_rlu_memory_take_aligned(&t->rlu->options.memory, whole, ORDO_RLU_LINE, &memory);
    if (!chunk)
        return NULL;
    chunk->bytes = whole;
    chunk->used = sizeof *chunk;
    chunk->memory = memory;
    ordo_rlu_count(&t->statistics.log_bytes, whole + ORDO_RLU_LINE);
    return chunk;
}

/* An empty chunk with room for a copy of `bytes` becomes the current one. NULL: no memory.
 *
 * None is released before the end. Instead the first one that is large enough is taken from those behind, and a new one is
 * made only if all that large are in use, and in sizes that are powers of two: so there are never more of a size or larger
 * than were used at once from one flush to the next. */
ORDO_RLU_SLOW struct ordo_rlu_chunk *ordo_rlu_log_grow(struct ordo_rlu_thread *t, struct ordo_rlu_log *log,
                                                       size_t bytes)
{
    struct ordo_rlu_chunk **behind = log->current ? &log->current->next : &log->first, **link = behind, *chunk;
    if (bytes > ORDO_RLU_LARGEST)
        return NULL;
    while (*link && (*link)->bytes - sizeof *chunk < ordo_rlu_record_bytes(bytes))
        link = &(*link)->next;
    chunk = *link;
    if (chunk)
        *link = chunk->next;
    else
        chunk = ordo_rlu_chunk_make(t, bytes);
    if (!chunk)
        return NULL;
    chunk->next = *behind;
    *behind = chunk;
    return log->current = chunk;
}

/* A new record with `bytes` for the copy, in a section that writes from now on. NULL: no memory. */
static inline struct ordo_rlu_record *ordo_rlu_log_append(struct ordo_rlu_thread *t, uint32_t kind,
                                                          struct ordo_rlu_header *object, size_t bytes)
{
    struct ordo_rlu_chunk *chunk = t->log->current;
    struct ordo_rlu_record *record;
    size_t step = ordo_rlu_record_bytes(bytes);
    if (!t->writing) {
        t->writing = 1;
        t->due = 0;
        t->section++;
        t->start.chunk = chunk;
        t->start.used = chunk->used;
    }
    if (chunk->bytes - chunk->used < step || bytes > ORDO_RLU_LARGEST) {
        chunk = ordo_rlu_log_grow(t, t->log, bytes);
        if (!chunk) {
            t->code = ORDO_E_SYSTEM;
            return NULL;
        }
    }
    record = (struct ordo_rlu_record *)(void *)((char *)chunk + chunk->used);
    chunk->used += step;
    t->group_bytes += step;
    record->log = t->log;
    record->object = object;
    record->previous = NULL;
    record->section = t->section;
    record->kind = kind & 7;
    record->bytes = bytes & (UINT64_MAX >> 3);
    record->self.copy = ORDO_RLU_IS_COPY;
    return record;
}

/* Committing. */

/* Makes the thread's next section read a time after `ticks`. */
static inline void ordo_rlu_mark(struct ordo_rlu_thread *r, uint64_t ticks)
{
    uint64_t old = 0, mark;
    do {
        if (old >> 1 >= ticks)
            return; /* C7. This load is in S too; and a thread that took a later mark in is after w by the clock */
        mark = ticks << 1 | (old & 1);
        /* C2 mark. Pairs with ordo_rlu_refresh: what happened before this commit is visible to the section that takes
         * the mark in. */
    } while (!__atomic_compare_exchange_n(&r->mark, &old, mark, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

/* Whether a section of a thread that has published this time needs nothing that a commit at w overwrites. */
static inline int ordo_rlu_is_past(const struct ordo_rlu_thread *t, ordo_time reader, ordo_time w)
{
    return ordo_stamp_after(&t->rlu->stamp, reader, w) && !ordo_stamp_disrupted(&t->rlu->stamp); /* C1 believe */
}

/* Waits until the section `run` of thread `r` has ended, or is known to be after w. */
ORDO_RLU_SLOW void ordo_rlu_wait_reader(struct ordo_rlu_thread *t, struct ordo_rlu_thread *r, uint64_t run, ordo_time w)
{
    uint64_t since;
    unsigned turn = 0;
    ordo_time reader;
    /* Acquire pairs with ordo_rlu_refresh: the section that published this time has begun, and older ones have ended.
     */
    reader.ticks = __atomic_load_n(&r->time, __ATOMIC_ACQUIRE);
    if (ordo_rlu_is_past(t, reader, w))
        return;
    since = ordo_clock_relaxed();
    /* Acquire pairs with ordo_rlu_reader_unlock: the section's loads are done. */
    while (__atomic_load_n(&r->run, __ATOMIC_ACQUIRE) == run) {     /* C5 wait */
        reader.ticks = __atomic_load_n(&r->time, __ATOMIC_ACQUIRE); /* as above */
        if (ordo_rlu_is_past(t, reader, w))
            break;
        ordo_rlu_wait_turn(&turn, &t->statistics.yields, &t->statistics.sleeps);
    }
    ordo_rlu_count(&t->statistics.reader_waits, 1);
    ordo_rlu_count(&t->statistics.reader_wait_ticks, ordo_clock_relaxed() - since);
}

/* Returns when every section that is left, and every later one, is after w. */
static inline void ordo_rlu_quiesce(struct ordo_rlu_thread *t, ordo_time w)
{
    struct ordo_rlu_thread *r;
    uint64_t run;
    int alone = 1;
    /* Pairs with ordo_rlu_thread_init: a thread that is not in the list yet reads its first time later than w. */
    for (r = __atomic_load_n(&t->rlu->threads, __ATOMIC_SEQ_CST); r; r = r->next) {
        if (r == t || !__atomic_load_n(&r->used, __ATOMIC_SEQ_CST)) /* as above */
            continue;
        alone = 0;
        ordo_rlu_mark(r, w.ticks);
        /* C2 sample. Pairs with ordo_rlu_announce: a section that is not seen here sees the mark. */
        run = __atomic_load_n(&r->run, __ATOMIC_SEQ_CST);
        if (run & 1)
            ordo_rlu_wait_reader(t, r, run, w);
    }
    if (!alone)
        ordo_rlu_mark(t, w.ticks); /* C2 self */
}

/* C4: the time of the commit that is announced in the log: the one that is offered, which was taken after that, unless
 * another thread was faster. */
static inline ordo_time ordo_rlu_stamp(struct ordo_rlu_log *log, ordo_time w)
{
    uint64_t word = ORDO_RLU_ANNOUNCED;
    /* Release pairs with ordo_rlu_resolve: the copies are visible to a thread that reads the time. Acquire, for a
     * helper: so that it hands on what the announcement made visible. */
    if (!__atomic_compare_exchange_n(&log->word, &word, w.ticks, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        w.ticks = word;
    return w;
}

/* Write a copy back, and unlock, but for an older copy of the same. Relaxed: this thread locked it. Release pairs with who
 * finds it unlocked: then it is found written. */
static inline void ordo_rlu_write_object(struct ordo_rlu_record *record)
{
    if (__atomic_load_n(&record->object->copy, __ATOMIC_RELAXED) != record + 1)
        return;
    memcpy(record->object + 1, record + 1, (size_t)record->bytes);
    __atomic_store_n(&record->object->copy, NULL, __ATOMIC_RELEASE);
}

static inline void ordo_rlu_write_link(struct ordo_rlu_record *record)
{
    struct ordo_rlu_link_copy *copy = (struct ordo_rlu_link_copy *)(void *)(record + 1);
    if (__atomic_load_n(&record->object->copy, __ATOMIC_RELAXED) == ordo_rlu_locked_by(copy))
        __atomic_store_n(&record->object->copy, copy->to, __ATOMIC_RELEASE);
}

static inline void ordo_rlu_write_back(struct ordo_rlu_thread *t, struct ordo_rlu_log *log)
{
    struct ordo_rlu_position at = {log->first, sizeof(struct ordo_rlu_chunk)};
    struct ordo_rlu_record *record;
    int freed = 0;
    while ((record = ordo_rlu_log_step(log, &at)) != NULL) {
        freed |= record->kind == ORDO_RLU_FREED;
        if (record->kind == ORDO_RLU_COPY)
            ordo_rlu_write_object(record);
        else if (record->kind == ORDO_RLU_LINK)
            ordo_rlu_write_link(record);
    }
    if (!freed)
        return;
    at.chunk = log->first;
    at.used = sizeof(struct ordo_rlu_chunk);
    while ((record = ordo_rlu_log_step(log, &at)) != NULL)
        if (record->kind == ORDO_RLU_FREED)
            ordo_rlu_release(t->rlu, record->object);
}

/* Commits everything in the log; not in a section. */
static inline void ordo_rlu_flush_log(struct ordo_rlu_thread *t)
{
    struct ordo_rlu_log *log = t->log;
    struct ordo_rlu_position start;
    uint64_t since = t->group.share ? ordo_clock_relaxed() : 0;
    ordo_time w;
    /* C4. An exchange, so that the clock needs no more. Pairs with ordo_rlu_stamp of a helper: the copies are complete. */
    (void)__atomic_exchange_n(&log->word, ORDO_RLU_ANNOUNCED, __ATOMIC_SEQ_CST);
    w = ordo_rlu_stamp(log, ordo_stamp_take_after_exchange(&t->rlu->stamp));
    ordo_rlu_quiesce(t, w);
    ordo_rlu_write_back(t, log);
    t->log = log = &t->logs[log == &t->logs[0]]; /* C10 */
    start.chunk = log->first;
    start.used = sizeof(struct ordo_rlu_chunk);
    ordo_rlu_log_cut(log, start);
    /* Relaxed: no header leads here, and the first lock that does is released by ordo_rlu_try_lock. */
    __atomic_store_n(&log->word, UINT64_MAX, __ATOMIC_RELAXED);
    if (t->group.share && t->pending) /* relaxed: a hint that it is wanted */
        ordo_rlu_group_adapt(&t->group, t->pending, __atomic_load_n(&t->mark, __ATOMIC_RELAXED) & 1, since,
                             ordo_clock_relaxed());
    else if (t->group.share)
        t->group.flushed += ordo_clock_relaxed() - since;   /* which is no work between flushes of commits */
    ordo_rlu_count(&t->statistics.flushes, t->pending > 0); /* or nothing but what was undone */
    t->pending = 0;
    t->group_bytes = 0;
    t->due = t->group_due = UINT64_MAX;
}

/* Sections. */

/* Starts section number `run`. */
static inline void ordo_rlu_announce(struct ordo_rlu_thread *t, uint64_t run)
{
    /* C2 announce. Pairs with ordo_rlu_quiesce: it sees this section, or this section sees its mark. */
    (void)__atomic_exchange_n(&t->run, run, __ATOMIC_SEQ_CST);
}

/* C1 watch: turns away a section that has just been announced, and that must be after w. */
ORDO_RLU_SLOW int ordo_rlu_turn_away(struct ordo_rlu_thread *t, ordo_time w)
{
    ordo_rlu_mark(t, w.ticks); /* first: no thread may find it gone, nor the next section */
    t->aborted += 2;           /* what ends here is not a section that succeeded */
    /* Release, like every end of a section. */
    __atomic_store_n(&t->run, t->run + 1, __ATOMIC_RELEASE);
    return ORDO_E_DISRUPTED;
}

/* A marked section, just announced: brings L up to date, and flushes what another thread waits for. ORDO_E_DISRUPTED:
 * it was turned away. */
ORDO_RLU_SLOW int ordo_rlu_refresh(struct ordo_rlu_thread *t)
{
    const struct ordo_stamp *stamp = &t->rlu->stamp;
    uint64_t mark = __atomic_load_n(&t->mark, __ATOMIC_RELAXED), run = t->run;
    ordo_time now, w;
    if (mark & 1 && t->pending) {
        /* Nothing has been read yet: the section begins again afterwards. Release, like every end of a section. */
        __atomic_store_n(&t->run, run + 1, __ATOMIC_RELEASE);
        ordo_rlu_count(&t->statistics.flushes_asked, 1);
        ordo_rlu_flush_log(t);
        ordo_rlu_announce(t, run + 2);
        t->aborted += 2; /* what ended here is not a section that succeeded */
    }
    /* Pairs with ordo_rlu_mark: what was unlocked before that commit is visible now. */
    mark = __atomic_exchange_n(&t->mark, 0, __ATOMIC_SEQ_CST);
    w.ticks = mark >> 1;
    if (w.ticks == 0)
        return ORDO_OK;                 /* only wanted; and if it still is, it will be asked for again */
    now = ordo_stamp_now_before(stamp); /* C2 time: before the first object is read */
    ordo_rlu_count(&t->statistics.clock_reads, 1);
    if (!ordo_stamp_after(stamp, now, w)) {
        uint64_t since = ordo_clock_relaxed();
        do { /* C5 after */
            if (ordo_stamp_watched(stamp) && ordo_stamp_hopeless(stamp, now, w))
                return ordo_rlu_turn_away(t, w);
            ordo_clock_pause();
            now = ordo_stamp_now_before(stamp); /* C9 fresh */
        } while (!ordo_stamp_after(stamp, now, w));
        ordo_rlu_count(&t->statistics.boundary_waits, 1);
        since = ordo_clock_relaxed() - since;
        ordo_rlu_count(&t->statistics.boundary_wait_ticks, since);
        t->group.flushed += since; /* what another thread's flush costs is no work between one's own */
    }
    if (now.ticks > t->time) /* C8 */
        /* Release pairs with ordo_rlu_wait_reader: older sections have ended. */
        __atomic_store_n(&t->time, now.ticks, __ATOMIC_RELEASE);
    return ORDO_OK;
}

/** Starts a section. Sections of a thread do not nest. Waits for the clock up to twice the boundary if others have
 * committed just now. Without deferral it never waits for other threads; with it, if another thread wants a pending
 * object of this one, it flushes first, which waits for other threads' sections as a commit does: hold no lock that a
 * section takes. 0; or, in a domain with a `watch` only, ORDO_E_DISRUPTED: there is no section, so dereference and
 * unlock nothing. */
static inline int ordo_rlu_reader_lock(struct ordo_rlu_thread *t)
{
    ordo_rlu_announce(t, t->run + 1);
    /* C2 look. Pairs with ordo_rlu_mark. */
    if (__builtin_expect(__atomic_load_n(&t->mark, __ATOMIC_SEQ_CST) != 0, 0))
        return ordo_rlu_refresh(t);
    return ORDO_OK;
}

/* Takes back what the section did to shared memory. */
static inline void ordo_rlu_undo(struct ordo_rlu_thread *t)
{
    struct ordo_rlu_position at = t->start;
    struct ordo_rlu_record *record;
    while ((record = ordo_rlu_log_step(t->log, &at)) != NULL) {
        if (record->kind <= ORDO_RLU_FREED)
            /* Release pairs with ordo_rlu_try_lock of the next owner, as every unlock. */
            __atomic_store_n(&record->object->copy, record->previous, __ATOMIC_RELEASE);
    }
    at = t->start; /* again: what was allocated may have been locked too */
    while ((record = ordo_rlu_log_step(t->log, &at)) != NULL) {
        if (record->kind == ORDO_RLU_ALLOCATED)
            ordo_rlu_release(t->rlu, record->object);
        record->kind = ORDO_RLU_NOTHING; /* C10 undo */
    }
    t->writing = 0;
    t->due = t->group_bytes < (t->pending ? t->rlu->options.defer_bytes : ORDO_RLU_UNDONE_BYTES) ? t->group_due : 0;
}

/* The end of a section that wrote, or at which the pending commits are due. ORDO_E_DISRUPTED: it was undone. */
ORDO_RLU_SLOW int ordo_rlu_finish_section(struct ordo_rlu_thread *t)
{
    const struct ordo_rlu_options *options = &t->rlu->options;
    if (t->writing && ordo_stamp_disrupted(&t->rlu->stamp)) { /* C1 undo */
        ordo_rlu_undo(t);
        ordo_rlu_count(&t->statistics.aborts, 1);
        if (t->due == 0)
            ordo_rlu_flush_log(t);
        return ORDO_E_DISRUPTED;
    }
    if (t->writing) {
        t->writing = 0;
        ordo_rlu_count(&t->statistics.commits, 1);
        if (t->pending++ == 0)
            t->group_due = t->run + 2 * (uint64_t)options->defer_sections;
        t->due = t->group_due;
        /* Relaxed: a hint that a pending object is wanted. */
        if (t->pending < t->group.most && t->group_bytes < options->defer_bytes &&
            !(__atomic_load_n(&t->mark, __ATOMIC_RELAXED) & 1))
            return ORDO_OK;
    }
    ordo_rlu_flush_log(t);
    return ORDO_OK;
}

/** Ends a section. If it changed anything, that is committed: visible as a whole to all sections that start after the
 * return (with deferral: after the flush). A commit waits until sections that may need the old state have ended. With
 * deferral a section that changed nothing may have to flush too, so at every end: hold no lock that a section takes.
 * Pointers from dereference and try_lock are void afterwards. 0; or, in a domain with a `watch` only, ORDO_E_DISRUPTED:
 * the section never happened. What earlier sections left pending still is, and is flushed as if this one had changed
 * nothing. */
static inline int ordo_rlu_reader_unlock(struct ordo_rlu_thread *t)
{
    uint64_t run = t->run + 1;
    /* Release pairs with ordo_rlu_wait_reader and ordo_rlu_quiesce: this section's loads are done. */
    __atomic_store_n(&t->run, run, __ATOMIC_RELEASE);
    if (__builtin_expect(run >= t->due, 0))
        return ordo_rlu_finish_section(t);
    return ORDO_OK;
}

/** Gives up a section that cannot go on: all its changes and allocations are undone. Must be called once after
 * ordo_rlu_try_lock or ordo_rlu_alloc returned NULL, and may be called any time instead of ordo_rlu_reader_unlock. Of a
 * section that tried to lock or to allocate it may wait for other sections, as a commit does: hold no lock that they take.
 * ORDO_LATER: start again (waits longer each time, outside any section); ORDO_E_SYSTEM: no memory;
 * ORDO_E_INVALID: what ordo_rlu_free refused. */
ORDO_RLU_SLOW int ordo_rlu_abort(struct ordo_rlu_thread *t)
{
    int code = t->code;
    if (t->writing)
        ordo_rlu_undo(t);
    t->code = ORDO_LATER;
    ordo_rlu_count(&t->statistics.aborts, 1);
    if (t->run - t->aborted > 2) /* a section between them succeeded */
        t->turn = 0;
    t->aborted = t->run;
    (void)ordo_rlu_reader_unlock(t); /* which flushes what is pending, or was undone, if that is due */
    ordo_rlu_wait_turn(&t->turn, &t->statistics.yields, &t->statistics.sleeps);
    return code;
}

/** Runs `call` in a section, again and again until it does not return a negative number, which aborts; `result` is what
 * it returned, or another code of ordo_rlu_abort than ORDO_LATER, or ORDO_E_DISRUPTED, and nothing happened. */
#define ORDO_RLU_SECTION(t, result, call)                                                                              \
    do {                                                                                                               \
        if (((result) = ordo_rlu_reader_lock(t)) != ORDO_OK)                                                           \
            break;                                                                                                     \
        (result) = (call);                                                                                             \
        if ((result) >= 0) {                                                                                           \
            if (ordo_rlu_reader_unlock(t) != ORDO_OK)                                                                  \
                (result) = ORDO_E_DISRUPTED;                                                                           \
        } else if (((result) = ordo_rlu_abort(t)) == ORDO_LATER) {                                                     \
            (result) = ORDO_RLU_AGAIN;                                                                                 \
        }                                                                                                              \
    } while ((result) == ORDO_RLU_AGAIN)
#define ORDO_RLU_AGAIN (-1000)

/* Objects. */

/* A copy that some dereference returned: the same, unless this section has locked the object since. */
ORDO_RLU_SLOW void *ordo_rlu_resolve_copy(struct ordo_rlu_thread *t, void *copy)
{
    /* Acquire pairs with ordo_rlu_try_lock of another owner: the record names its log. */
    void *now = __atomic_load_n(&ordo_rlu_record_of(copy)->object->copy, __ATOMIC_ACQUIRE);
    return now && ordo_rlu_log_of(now)->owner == t ? now : copy;
}

/* Whether an object's copy is this section's. */
static inline int ordo_rlu_is_own(struct ordo_rlu_thread *t, void *copy)
{
    return copy && ordo_rlu_log_of(copy)->owner == t && t->writing && ordo_rlu_record_of(copy)->section == t->section;
}

/* Whether this section sees a copy that was found, and not the object itself. */
static inline int ordo_rlu_sees(struct ordo_rlu_thread *t, void *copy)
{
    struct ordo_rlu_log *log = ordo_rlu_log_of(copy);
    ordo_time section, w;
    if (ordo_rlu_is_own(t, copy))
        return 1;
    t->group.looks++;
    if (log->owner == t)
        return 1;
    /* Acquire pairs with ordo_rlu_stamp: the copy is complete. */
    w.ticks = __atomic_load_n(&log->word, __ATOMIC_ACQUIRE);
    if (w.ticks == ORDO_RLU_ANNOUNCED) { /* C4 help */
        ordo_rlu_count(&t->statistics.helps, 1);
        w = ordo_rlu_stamp(log, ordo_stamp_take_after(&t->rlu->stamp));
    }
    section.ticks = t->time;
    if (!ordo_stamp_after(&t->rlu->stamp, section, w)) /* C3, C6 */
        return 0;
    ordo_rlu_count(&t->statistics.steals, 1);
    return 1;
}

/* An object whose header shows a copy: which of the two this section sees. */
ORDO_RLU_SLOW void *ordo_rlu_resolve(struct ordo_rlu_thread *t, void *object, void *copy)
{
    if (copy == ORDO_RLU_IS_COPY)
        return ordo_rlu_resolve_copy(t, object);
    return ordo_rlu_sees(t, copy) ? copy : object;
}

/** What this section sees of an object, valid until it ends; `object` is not NULL, and may itself come from
 * dereference or try_lock. Pointers found in the result lead to objects again: dereference each before reading
 * through it what is ever locked. What this section locked, it sees changed, if it dereferences again. */
static inline void *ordo_rlu_dereference(struct ordo_rlu_thread *t, void *object)
{
    /* Acquire pairs with ordo_rlu_write_back: an unlocked object is written. */
    void *copy = __atomic_load_n(&ordo_rlu_header_of(object)->copy, __ATOMIC_ACQUIRE);
    if (__builtin_expect(copy != NULL, 0))
        return ordo_rlu_resolve(t, object, copy);
    return object;
}

/* The object itself, of which the pointer may show a copy. */
static inline void *ordo_rlu_master(void *object)
{
    /* Relaxed: whether it is a copy never changes while a section has the pointer. */
    if (object && __atomic_load_n(&ordo_rlu_header_of(object)->copy, __ATOMIC_RELAXED) == ORDO_RLU_IS_COPY)
        return ordo_rlu_record_of(object)->object + 1;
    return object;
}

/** Stores a pointer to an object into a field of a copy, or of a new object: `where` is the field's address, `object`
 * may be NULL, or come from dereference or try_lock. A plain assignment would store a pointer that dies with the
 * section.
 */
static inline void ordo_rlu_assign(void *where, void *object)
{
    object = ordo_rlu_master(object);
    memcpy(where, &object, sizeof object);
}

/** Whether two pointers show the same object; either may be NULL. */
static inline int ordo_rlu_cmp_ptrs(void *a, void *b)
{
    return a == b || ordo_rlu_master(a) == ordo_rlu_master(b);
}

/** A hint, for a section that is going to lock several objects which it has read: ask for each first, then their lines
 * come at once. */
static inline void ordo_rlu_will_lock(void *object)
{
    ordo_fetch_to_write(ordo_rlu_header_of(ordo_rlu_master(object)));
}

/* Whether another thread has locked what shows this copy, or NULL; then it is asked to flush, if that is why. */
static inline int ordo_rlu_is_taken(struct ordo_rlu_thread *t, void *copy)
{
    if (!copy || ordo_rlu_log_of(copy)->owner == t)
        return 0;
    if (t->rlu->options.defer_commits > 1)
        /* Relaxed: a hint. */
        (void)__atomic_fetch_or(&ordo_rlu_log_of(copy)->owner->mark, 1, __ATOMIC_RELAXED);
    t->code = ORDO_LATER;
    return 1;
}

/* Locks what shows `old`, so that it shows `word`; 0: another thread was faster. */
static inline int ordo_rlu_take(struct ordo_rlu_thread *t, struct ordo_rlu_record *record, void *old, void *word)
{
    record->previous = old;
    /* Acquire pairs with ordo_rlu_write_back: what is unlocked is written. Release pairs with ordo_rlu_sees: the record names
     * its log. */
    if (__atomic_compare_exchange_n(&record->object->copy, &old, word, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return 1;
    record->kind = ORDO_RLU_NOTHING;
    t->code = ORDO_LATER;
    return 0;
}

/** Locks the first `bytes` of an object and returns a copy, aligned to 8 bytes, to be changed at will until the
 * section ends. NULL: another thread has it (it is asked to flush, if that is why), or no memory; call
 * ordo_rlu_abort. What is locked twice in a section has one copy. Each object must be locked with one and the same
 * size. The rest is never copied: it must not change once the object is linked, and is read through the pointer that
 * was found, not through what dereference or try_lock returns. */
static inline void *ordo_rlu_try_lock(struct ordo_rlu_thread *t, void *object, size_t bytes)
{
    struct ordo_rlu_header *header = ordo_rlu_header_of(ordo_rlu_master(object));
    struct ordo_rlu_record *record;
    /* Acquire pairs with ordo_rlu_write_back: an unlocked object is written. */
    void *old = __atomic_load_n(&header->copy, __ATOMIC_ACQUIRE);
    if (ordo_rlu_is_own(t, old))
        return old;
    if (ordo_rlu_is_taken(t, old))
        return NULL;
    record = ordo_rlu_log_append(t, ORDO_RLU_COPY, header, bytes);
    if (!record || !ordo_rlu_take(t, record, old, record + 1))
        return NULL;
    memcpy(record + 1, record->previous ? record->previous : header + 1, bytes);
    return record + 1;
}

/* Memory for what is so long and has a header or not, which an abort of this section gives back. NULL: none, abort. */
static inline void *ordo_rlu_alloc_in(struct ordo_rlu_thread *t, size_t header, size_t bytes)
{
    void *memory = bytes <= ORDO_RLU_LARGEST ? ordo_rlu_allocate(t->rlu, header + bytes) : NULL;
    if (memory && t->run & 1 && !ordo_rlu_log_append(t, ORDO_RLU_ALLOCATED, (struct ordo_rlu_header *)memory, 0)) {
        ordo_rlu_release(t->rlu, memory);
        memory = NULL;
    }
    if (!memory && t->run & 1)
        t->code = ORDO_E_SYSTEM;
    return memory;
}

/** A new object of `bytes`, aligned to 8 bytes, with undefined content. Write to it freely until a pointer to it is
 * committed. In a section: an abort frees it; NULL means no memory: abort. Outside: it stays until freed. */
static inline void *ordo_rlu_alloc(struct ordo_rlu_thread *t, size_t bytes)
{
    struct ordo_rlu_header *header = (struct ordo_rlu_header *)ordo_rlu_alloc_in(t, sizeof *header, bytes);
    if (!header)
        return NULL;
    header->copy = NULL;
    return header + 1;
}

/* C10 free: what shows this copy leaves with the commit. ORDO_E_INVALID: the copy is not this section's, or has left. */
static inline int ordo_rlu_leave(struct ordo_rlu_thread *t, void *copy)
{
    if (!ordo_rlu_is_own(t, copy) || ordo_rlu_record_of(copy)->kind > ORDO_RLU_LINK)
        return t->code = ORDO_E_INVALID;
    ordo_rlu_record_of(copy)->kind = ORDO_RLU_FREED;
    return ORDO_OK;
}

/** Frees an object that this section has locked and unlinked, once no section can reach it. The lock is what keeps
 * another thread's pending copy from being written into freed memory, so even what the section itself allocated must be
 * locked. 0; or ORDO_E_INVALID: this section has not locked it, or has freed it already; call ordo_rlu_abort, which
 * returns the same: beginning again would not help. */
static inline int ordo_rlu_free(struct ordo_rlu_thread *t, void *object)
{
    struct ordo_rlu_header *header = ordo_rlu_header_of(ordo_rlu_master(object));
    /* Acquire pairs with ordo_rlu_try_lock of another owner: the record names its log. */
    return ordo_rlu_leave(t, __atomic_load_n(&header->copy, __ATOMIC_ACQUIRE));
}

/** Frees an object now: for one that no other thread can reach, as when a structure is taken down. Not in a section. */
static inline void ordo_rlu_discard(struct ordo_rlu *rlu, void *object)
{
    ordo_rlu_release(rlu, ordo_rlu_header_of(object));
}

/* Links, and nodes, which begin with one. */

/** Sets a link to which no pointer is committed yet. */
static inline void ordo_rlu_link_init(struct ordo_rlu_link *link, void *to)
{
    link->word.copy = to;
}

/* A link that is locked. */
ORDO_RLU_SLOW void *ordo_rlu_follow_locked(struct ordo_rlu_thread *t, struct ordo_rlu_link_copy *copy)
{
    return ordo_rlu_sees(t, copy) ? copy->to : copy->master; /* C10 */
}

/** What this section sees a link point to, valid until it ends. What this section locked, it sees changed. */
static inline void *ordo_rlu_follow(struct ordo_rlu_thread *t, const struct ordo_rlu_link *link)
{
    /* Acquire pairs with ordo_rlu_write_back: what it points to is written; and with ordo_rlu_take. */
    void *word = __atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE);
    if (__builtin_expect((uintptr_t)word & ORDO_RLU_LOCKED, 0))
        return ordo_rlu_follow_locked(t, ordo_rlu_link_copy_of(word));
    return word;
}

/** As ordo_rlu_will_lock, of a link. */
static inline void ordo_rlu_will_lock_link(struct ordo_rlu_link *link)
{
    ordo_fetch_to_write(link);
}

/** As ordo_rlu_try_lock, of a link: where it points to, to be changed by a plain assignment until the section ends. What is
 * stored there is no pointer from dereference or try_lock. */
static inline void **ordo_rlu_try_lock_link(struct ordo_rlu_thread *t, struct ordo_rlu_link *link)
{
    struct ordo_rlu_record *record;
    struct ordo_rlu_link_copy *copy;
    /* Acquire pairs with ordo_rlu_write_back: what it points to is written. */
    void *word = __atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE);
    struct ordo_rlu_link_copy *old = ordo_rlu_link_copy_of(word);
    if (ordo_rlu_is_own(t, old))
        return &old->to;
    if (ordo_rlu_is_taken(t, old))
        return NULL;
    record = ordo_rlu_log_append(t, ORDO_RLU_LINK, &link->word, sizeof *copy);
    if (!record)
        return NULL;
    copy = (struct ordo_rlu_link_copy *)(void *)(record + 1);
    copy->to = old ? old->to : word;
    copy->master = old ? old->master : word;
    return ordo_rlu_take(t, record, word, ordo_rlu_locked_by(copy)) ? &copy->to : NULL;
}

/** As ordo_rlu_alloc: a new node of `bytes`, which begins with a link. That points nowhere as yet, the rest is undefined. */
static inline void *ordo_rlu_alloc_node(struct ordo_rlu_thread *t, size_t bytes)
{
    struct ordo_rlu_link *link =
        (struct ordo_rlu_link *)ordo_rlu_alloc_in(t, 0, bytes < sizeof *link ? sizeof *link : bytes);
    if (link)
        ordo_rlu_link_init(link, NULL);
    return link;
}

/** As ordo_rlu_free, of a node whose link this section has locked. */
static inline int ordo_rlu_free_node(struct ordo_rlu_thread *t, void *node)
{
    struct ordo_rlu_link *link = (struct ordo_rlu_link *)node;
    /* Acquire pairs with ordo_rlu_take of another owner: the record names its log. */
    return ordo_rlu_leave(t, ordo_rlu_link_copy_of(__atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE)));
}

/** As ordo_rlu_discard, of a node. */
static inline void ordo_rlu_discard_node(struct ordo_rlu *rlu, void *node)
{
    ordo_rlu_release(rlu, node);
}

/** Whether a link is locked; and what it points to while it is not. For a domain at rest: no thread is in a section or has
 * commits pending; of MV-RLU, after ordo_mvrlu_rest. */
static inline int ordo_rlu_link_is_locked(const struct ordo_rlu_link *link)
{
    return ordo_rlu_link_copy_of(link->word.copy) != NULL;
}

static inline void *ordo_rlu_link_at_rest(const struct ordo_rlu_link *link)
{
    return link->word.copy;
}

/** Commits what is pending, not in a section: a thread that will not start one for a while does this, so that others
 * can see its changes and lock its objects. Waits as a commit does. */
static inline void ordo_rlu_flush(struct ordo_rlu_thread *t)
{
    if (t->pending)
        ordo_rlu_flush_log(t);
}

/** The same, but only if another thread has asked: cheap enough for any loop. */
static inline void ordo_rlu_poll(struct ordo_rlu_thread *t)
{
    /* Relaxed: a hint. */
    if (t->pending && __atomic_load_n(&t->mark, __ATOMIC_RELAXED) & 1)
        ordo_rlu_flush_log(t);
}

/* Threads and domains. */

/* Takes a thread out of use, or makes a new one; NULL: no memory. */
ORDO_RLU_SLOW struct ordo_rlu_thread *ordo_rlu_thread_reuse(struct ordo_rlu *rlu)
{
    struct ordo_rlu_thread *t;
    void *memory;
    int i;
    /* Acquire pairs with the push below: the thread is complete. */
    for (t = __atomic_load_n(&rlu->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t unused = 0;
        if (__atomic_load_n(&t->used, __ATOMIC_RELAXED)) /* relaxed: the exchange decides */
            continue;
        /* Pairs with ordo_rlu_thread_finish: the logs are as its last owner left them; and with ordo_rlu_quiesce. */
        if (__atomic_compare_exchange_n(&t->used, &unused, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return t;
    }
    t = (struct ordo_rlu_thread *)ordo_rlu_memory_take_aligned(&rlu->options.memory, sizeof *t, 128, &memory);
    if (!t)
        return NULL;
    t->memory = memory;
    t->rlu = rlu;
    t->log = &t->logs[0];
    t->due = t->group_due = UINT64_MAX;
    t->used = 1;
    t->code = ORDO_LATER;
    for (i = 0; i < 2; i++) {
        t->logs[i].word = UINT64_MAX;
        t->logs[i].owner = t;
        if (!ordo_rlu_log_grow(t, &t->logs[i], 0)) {
            if (i == 1)
                ordo_rlu_release(rlu, t->logs[0].first->memory);
            ordo_rlu_release(rlu, memory);
            return NULL;
        }
    }
    t->next = __atomic_load_n(&rlu->threads, __ATOMIC_RELAXED);
    /* Pairs with ordo_rlu_quiesce: see there. Relaxed on failure: nothing is read through the old head. */
    while (!__atomic_compare_exchange_n(&rlu->threads, &t->next, t, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return t;
}

/** Makes the calling thread one of the domain. Any number at any time; only this thread may use the result, until
 * ordo_rlu_thread_finish. ORDO_E_SYSTEM: no memory. */
static inline int ordo_rlu_thread_init(struct ordo_rlu *rlu, struct ordo_rlu_thread **result)
{
    struct ordo_rlu_thread *t = ordo_rlu_thread_reuse(rlu);
    ordo_time now;
    *result = t;
    if (!t)
        return ORDO_E_SYSTEM;
    ordo_rlu_group_begin(&t->group, rlu->options.defer_commits, ORDO_RLU_DEFER_SHARE);
    now = ordo_stamp_take(&rlu->stamp); /* C5 join: after it can be found */
    ordo_rlu_mark(t, now.ticks + ordo_stamp_boundary(&rlu->stamp));
    return ORDO_OK;
}

/** Ends that, not in a section: flushes. Another thread may have its memory afterwards. */
static inline void ordo_rlu_thread_finish(struct ordo_rlu_thread *t)
{
    ordo_rlu_flush(t);
    /* Release pairs with ordo_rlu_thread_reuse: the logs are at rest. */
    __atomic_store_n(&t->used, 0, __ATOMIC_RELEASE);
}

/** Starts a domain. ORDO_E_INVALID: no boundary was given (see unsafe_boundary), the handle it came from, or `watch`,
 * orders nothing, or the clock is about to wrap. */
static inline int ordo_rlu_create(struct ordo_rlu *rlu, const struct ordo_rlu_options *options)
{
    int code;
    memset(rlu, 0, sizeof *rlu);
    rlu->options = *options;
    if (rlu->options.defer_sections == 0)
        rlu->options.defer_sections = 4096;
    if (rlu->options.defer_bytes == 0)
        rlu->options.defer_bytes = (size_t)1 << 20;
    code = ordo_stamp_init(&rlu->stamp, options->boundary_ticks, options->watch);
    if (code == ORDO_OK && ordo_stamp_unsafe(&rlu->stamp) && !options->unsafe_boundary)
        code = ORDO_E_INVALID;
    return code;
}

/** Gives a larger boundary to a domain at rest, as after ORDO_STATUS_SUPERSEDED: no thread is in a section, none has
 * commits pending (ordo_rlu_flush), and nothing else is called for it; what other threads did before happens before
 * this call, and what they do next after it. Waits some of the new boundaries. The handle that is watched may be closed
 * and opened again for it, in its place, at the same time of rest. Stamps without a boundary ignore it.
 *
 * Nothing is stamped and not written back then, so every section sees all that was committed before. All those times
 * are settled at the return: what is committed later is certainly after the L that any thread still carries.
 *
 * ORDO_E_INVALID: it is not larger than the present one, or is that of a handle that orders nothing, or the domain is
 * not at rest, and nothing has changed; ORDO_E_DISRUPTED: the clocks disagree, stop using the domain. */
static inline int ordo_rlu_raise(struct ordo_rlu *rlu, uint64_t boundary_ticks)
{
    struct ordo_rlu_thread *t;
    /* Acquire pairs with ordo_rlu_thread_reuse: the thread is complete. Relaxed: the caller has ordered what was. */
    for (t = __atomic_load_n(&rlu->threads, __ATOMIC_ACQUIRE); t; t = t->next)
        if (t->pending || __atomic_load_n(&t->run, __ATOMIC_RELAXED) & 1)
            return ORDO_E_INVALID;
    return ordo_stamp_raise(&rlu->stamp, boundary_ticks);
}

/** Frees the threads' memory; all have finished. Objects are the caller's to discard, before. */
static inline void ordo_rlu_destroy(struct ordo_rlu *rlu)
{
    struct ordo_rlu_thread *t = rlu->threads, *next_thread;
    for (; t; t = next_thread) {
        int i;
        next_thread = t->next;
        for (i = 0; i < 2; i++) {
            struct ordo_rlu_chunk *chunk = t->logs[i].first, *next_chunk;
            for (; chunk; chunk = next_chunk) {
                next_chunk = chunk->next;
                ordo_rlu_release(rlu, chunk->memory);
            }
        }
        ordo_rlu_release(rlu, t->memory);
    }
    rlu->threads = NULL;
}

/** Adds up all threads, present and former. May be called any time; the numbers are then not of one moment. */
static inline void ordo_rlu_statistics_read(struct ordo_rlu *rlu, struct ordo_rlu_statistics *sum)
{
    struct ordo_rlu_thread *t;
    memset(sum, 0, sizeof *sum);
    /* Acquire pairs with ordo_rlu_thread_reuse: the thread is complete. */
    for (t = __atomic_load_n(&rlu->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t *from = (uint64_t *)&t->statistics, *to = (uint64_t *)sum;
        size_t i;
        for (i = 0; i < sizeof *sum / sizeof *to; i++)
            to[i] += __atomic_load_n(&from[i], __ATOMIC_RELAXED); /* as in ordo_rlu_count */
        sum->sections += (__atomic_load_n(&t->run, __ATOMIC_RELAXED) + 1) / 2;
    }
}

#endif
