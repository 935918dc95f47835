/* Oplog over a stamp: objects that are changed often and read rarely. A change goes to a log of the thread's own; who
 * reads applies the logs first.
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
 *     ordo_oplog_append(t, &object, 0, 1);                     // touches nothing that is shared
 *     ordo_oplog_read_lock(t);                                 // everything that was appended is applied
 *     printf("%llu", count);
 *     ordo_oplog_read_unlock(t);
 *
 * Which stamp: see stamp.h. All are the same program text.
 *
 * WHAT A READER SEES
 *
 *  - All objects of a domain as they were at one moment between the start and the end of ordo_oplog_read_lock: every
 *    operation that had returned before, none that began later, and with an operation everything that had returned
 *    before it began. What two readers see is nested. So a domain is strictly serialisable (linearisable as one object):
 *    an operation happens as a whole at some moment between its call and its return.
 *
 *  - Operations that happen at different moments are applied to an object in their order, if its kind asks for it:
 *
 *      ORDO_OPLOG_COMMUTE  any order gives the same state. No time is taken, nothing is waited for.
 *      ORDO_OPLOG_TIMED    each operation takes a time, and returns when that time is over on every clock: about the
 *                          boundary later. Nothing is shared: for an object that many threads change at once.
 *      ORDO_OPLOG_ORDERED  each operation takes a time certainly after the object's last one. They share the object's
 *                          word, and whoever follows another within the boundary waits: for objects of which each is
 *                          changed by one thread at a time. The times of its operations are certainly ordered; of
 *                          two that are concurrent the later one may be applied first, by readers that came between.
 *
 *  - With options.settle_later an operation on a TIMED object returns at once, and has happened when ordo_oplog_settle
 *    returns: one wait for many operations. Settle before another thread may learn that they are done, as before a lock
 *    is released. Until then they are concurrent with what other threads do, though a reader may see them.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, TIMED operations may be applied
 *    in the wrong order; nothing else depends on it. With `watch`, waits for the clock end with ORDO_E_DISRUPTED.
 *
 *  - The functions of a kind call nothing of the domain. They run in any thread, one at a time.
 *
 *  - An object stays until all that was appended to it is applied: ordo_oplog_read_lock, ordo_oplog_forget and
 *    ordo_oplog_destroy do that. Nobody appends to an object that another thread takes away.
 *
 *  - A thread that reads does not append through another handle of the same domain: a full log would wait for itself.
 *
 *  - A thread that dies or is stopped while it reads, or while it makes room in a full log, holds up readers for ever;
 *    one that dies or is stopped anywhere else in an append holds up nobody. A signal handler does not use the struct
 *    ordo_oplog_thread of the thread that it interrupts. After fork the child does not use the domain.
 *
 * THE COST OF AN OPERATION
 *
 * A load of a word that changes only when somebody reads, and the stores of the entry: no locked instruction, and no
 * clock unless order is wanted. A log is bounded. Whoever finds its own full applies it: only its own, if what is there
 * commutes, so that a state is mostly touched by the threads that change it; else all logs, in order. Nothing is ever
 * lost or refused for want of room.
 *
 * WHY THE CUT IS A NUMBER AND NOT A TIME
 *
 * A reader must see what had returned before anything that it sees began. Let operation 1 return on a CPU whose clock is
 * ahead, and 2 begin then on one whose clock is behind: t1 may be larger than t2, by up to B. A reader that takes all
 * operations up to a time between them sees 2 and not 1, which no order explains; and this for any such time, however
 * long it waits for stragglers. Waiting at the end of each operation would cure it at the price of B each, and each would
 * have to be announced before it reads the clock, lest one with an early time is published late. A number that the reader
 * advances and each appender looks at costs the appender one load of an unchanged line, is exact, and needs no
 * announcement: what is not published when a reader looks has not returned, so nothing that looked at the old number can
 * have begun after it. So times are left to do what only they can: to order the operations of many threads on one object
 * without a shared word.
 *
 * WHY IT IS CORRECT
 *
 * S is the single order of the accesses that are sequentially consistent. "Before" of two operations means that one has
 * returned when the other begins, and that this can be known: it happens before it.
 *
 *  C1  The boundary B covers every CPU of every thread: the caller's promise. Only C5 needs it. A boundary that was
 *      forgotten is refused [C1 given].
 *
 *  C2  Appender: looks at the number of the cut, then publishes [C2 look, C2 publish]. Synchroniser: advances the number
 *      from c to c + 1, then reads how much of each log is published [C2 flip, C2 sample]. What it finds published, and
 *      what looked at c or less, is the cut. If 1 is before 2 and 2 is in the cut, then 2 looked at c or less, so before
 *      the advance; 1 was published before 2 began, so before the advance too, and the sample finds it; and it looked
 *      earlier, at c or less, for the number only grows: 1 is in the cut. (That 2's thread knows of 1 means that all do:
 *      a store is visible to all other cores at once. x86, ARMv8 and RISC-V RVWMO promise it: multi-copy atomicity.)
 *      What has returned before the reader began is in the cut, or was in an earlier one.
 *      A reader that finds all logs applied needs no cut [C2 empty]: what returned before it looked was there to be
 *      found, and it sees nothing new.
 *
 *  C3  Who finds an operation published finds its entry, and the mark that says where in its log the present number
 *      began [C3 mark]. What lies behind that mark is left to the next cut [C3 limit]. There is one mark to a log: the
 *      number does not advance again before the synchroniser that advanced it is done. Operations that are appended
 *      together look once and are published at once.
 *
 *  C4  States are changed and read under one lock only [C4 lock]. A thread that empties its own log under the lock
 *      applies no more than operations that commute, and stops at the first that does not [C4 own]: they are all
 *      published before the next advance, and so in the next cut in any case, in which their order does not matter.
 *
 *  C5  In a cut, operations of TIMED objects are applied in the order of their times, each log from front to back
 *      [C5 merge]; the times of a log do not decrease, even if the thread migrates [C5 own]. If 1 is before 2, then t1 <
 *      t2: 1 has returned only when a clock showed more than t1 + B [C5 settle], and by the lemma (ordo.h) every
 *      read that begins later, on any CPU, shows more than t1. Each of the two clock reads needs one side. That of the
 *      settling comes before whatever makes it known that 1 has returned (ordo_stamp_later_before). That of t2 comes
 *      after the load by which it is known [C5 take], and the time is published only with the entry that it is in
 *      (ordo_stamp_take_after). Equal times belong to concurrent operations, whose order is
 *      free. Between two cuts the order is that of the cuts, by C2. So the order of application respects "before".
 *
 *  C6  An operation on an ORDERED object takes a time that is certainly after the object's last one, and becomes the
 *      last one by the exchange of a word that has not changed since [C6 after, C6 claim]. So the times of an object's
 *      operations increase, by more than B, in the order of those exchanges, which respects "before"; the rest is C5.
 *
 *  C7  An entry is written only where the one that was there is applied [C7 room, C7 done].
 *
 *  C8  A log stays when its thread ends, and is applied like any other; a thread that begins may take it over, with what
 *      is in it [C8 reuse]. One that is not in the list yet when the synchroniser reads it looks at the number later
 *      than the advance [C8 join].
 *
 *  C9  Nobody waits for an appender, wherever it stopped. Who waits, waits for the clock, at most 2B, or for the holder
 *      of the lock: spinning, then yielding, then asleep [C9 turn]. Times are taken and room is made before the look, so
 *      that a look is never old by more than a few stores, unless its thread has lost its CPU.
 */
#ifndef ORDO_CC_OPLOG_H
#define ORDO_CC_OPLOG_H

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/select.h>

#include <ordo/cc/stamp.h>

#define ORDO_OPLOG_SLOW static __attribute__((noinline, cold, unused))

struct ordo_oplog_object;

/** An operation in a log. `op` and `argument` are the kind's own. */
struct ordo_oplog_entry {
    uint64_t time; /* ticks of the stamp; 0: its object commutes */
    struct ordo_oplog_object *object;
    uint64_t op;
    uint64_t argument;
};

enum ordo_oplog_order { ORDO_OPLOG_COMMUTE, ORDO_OPLOG_TIMED, ORDO_OPLOG_ORDERED };

/** What objects of a kind have in common. `apply` carries an operation out on object->state. `drop` is called instead
 * for an object that is being forgotten, to release what an operation carries; it may be NULL. Neither calls anything of
 * the domain; they run in any of its threads, one at a time, and cannot fail. */
struct ordo_oplog_kind {
    enum ordo_oplog_order order;
    void (*apply)(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry);
    void (*drop)(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry);
};

/** A handle of an object, which appenders read: keep it on another line than the state, which who applies it writes. */
struct ordo_oplog_object {
    const struct ordo_oplog_kind *kind;
    void *state;
    uint64_t last;      /* time of the last operation, of ORDERED ones */
    uint64_t forgotten; /* its operations are dropped */
};

/** One of several operations that happen together: ordo_oplog_append_all. */
struct ordo_oplog_operation {
    struct ordo_oplog_object *object;
    uint64_t op;
    uint64_t argument;
};

/** Where logs come from. `allocate` returns memory aligned for any scalar, or NULL. */
struct ordo_oplog_memory {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory);
    void *context;
};

/** All zero is malloc and logs of 1024 operations, and valid for stamps that need no boundary. */
struct ordo_oplog_options {
    uint64_t boundary_ticks; /* of the stamps ordo and any: ordo_boundary() of an open handle */
    size_t log_entries;      /* operations that a log holds, a power of two up to 2^24; 0: 1024. 32 bytes each */
    int settle_later;        /* operations on TIMED objects happen at ordo_oplog_settle */
    int unsafe_boundary;     /* ordo or any with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_oplog_memory memory; /* allocate NULL: malloc and free */
    /* The open handle of the boundary, which stays where it is: once its record is marked DISRUPTED, waits for the clock
     * end with that code, also if they are for a time more than 2^32 ticks + B ahead. NULL: nothing is watched. The stamp any needs the
     * handle inside a struct ordo_any, or a plain one. */
    const struct ordo *watch;
};

/** What happened so far. */
struct ordo_oplog_statistics {
    uint64_t appends;        /* operations */
    uint64_t applied;        /* of those */
    uint64_t dropped;        /* of those, because their object was forgotten */
    uint64_t cuts;           /* times that all logs were applied, and not found empty */
    uint64_t drains;         /* times that a thread applied its own log */
    uint64_t fulls;          /* times that a log was found full */
    uint64_t boundary_waits; /* operations, or settlements, that waited for the clock */
};

/* A thread and its log; the memory stays until ordo_oplog_destroy, and another thread may have it later. */
struct ordo_oplog_thread {
    /* Its owner writes this line, and synchronisers read it. */
    uint64_t published; /* operations, ever */
    uint64_t cut;       /* the last number looked at */
    uint64_t first;     /* the operation that was the first to look at it */
    char written_end[128 - 3 * sizeof(uint64_t)];
    /* Who holds the lock writes this one. */
    uint64_t head;  /* operations applied, ever */
    uint64_t limit; /* operations in the present cut, ever */
    uint64_t key;   /* C5 merge: the time of the first one that is not applied */
    struct ordo_oplog_thread *left, *right;
    char taken_end[128 - 3 * sizeof(uint64_t) - 2 * sizeof(void *)];
    /* The rest is its owner's, or does not change. */
    uint64_t count;     /* as published */
    uint64_t room;      /* operations may be published up to this number */
    uint64_t last;      /* the time of the last one that has one */
    uint64_t unsettled; /* the same, if it may not be settled; or 0 */
    struct ordo_oplog_entry *ring;
    uint64_t mask;
    struct ordo_oplog *oplog;
    int reading;
    uint64_t fulls, boundary_waits; /* statistics: any thread reads them */
    uint64_t used;                  /* some thread has it */
    struct ordo_oplog_thread *next;
    void *memory, *ring_memory;
};

ORDO_STATIC_ASSERT(sizeof(void *) != 8 || (offsetof(struct ordo_oplog_thread, head) == 128 &&
                                           offsetof(struct ordo_oplog_thread, count) == 256),
                   "what different threads write is on different lines");

/** A domain: objects that are read together. */
struct ordo_oplog {
    struct ordo_stamp stamp;
    struct ordo_oplog_options options;
    struct ordo_oplog_thread *threads; /* all that ever were; grows at the front */
    char read_only_end[128];
    uint64_t cut; /* the number: written by who holds the lock, once for each cut */
    char cut_end[128 - sizeof(uint64_t)];
    uint64_t locked;
    uint64_t applied, dropped, cuts, drains; /* statistics */
    char after[128];
};

/* Memory. */

static inline void *ordo_oplog_allocate(const struct ordo_oplog *oplog, size_t bytes, size_t alignment, void **raw)
{
    const struct ordo_oplog_memory *memory = &oplog->options.memory;
    char *start =
        (char *)(memory->allocate ? memory->allocate(memory->context, bytes + alignment) : malloc(bytes + alignment));
    *raw = start;
    if (!start)
        return NULL;
    start += alignment - ((uintptr_t)start & (alignment - 1));
    memset(start, 0, bytes);
    return start;
}

static inline void ordo_oplog_release(const struct ordo_oplog *oplog, void *raw)
{
    const struct ordo_oplog_memory *memory = &oplog->options.memory;
    if (memory->allocate)
        memory->release(memory->context, raw);
    else
        free(raw);
}

/* Waiting. */

enum { ORDO_OPLOG_SPINS = 128, ORDO_OPLOG_YIELDS = 64, ORDO_OPLOG_NAP_US = 50 };

/* C9 turn: one of a wait for another thread. Spins at first, then gives the CPU away, then sleeps. */
ORDO_OPLOG_SLOW void ordo_oplog_wait_turn(unsigned *turn)
{
    if (*turn < ORDO_OPLOG_SPINS) {
        ordo_clock_pause();
    } else if (*turn < ORDO_OPLOG_SPINS + ORDO_OPLOG_YIELDS) {
        (void)sched_yield();
    } else {
        struct timeval nap = {0, ORDO_OPLOG_NAP_US};
        (void)select(0, NULL, NULL, NULL, &nap);
        return;
    }
    ++*turn;
}

/* Relaxed: who reads statistics wants whole numbers and no order. */
static inline void ordo_oplog_count(uint64_t *counter, uint64_t n)
{
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

static inline int ordo_oplog_try_lock(struct ordo_oplog *oplog)
{
    /* C4 lock. Acquire pairs with ordo_oplog_unlock: states and heads are as the last holder left them. */
    return !__atomic_load_n(&oplog->locked, __ATOMIC_RELAXED) &&
           !__atomic_exchange_n(&oplog->locked, 1, __ATOMIC_ACQUIRE);
}

static inline void ordo_oplog_lock(struct ordo_oplog *oplog)
{
    unsigned turn = 0;
    while (!ordo_oplog_try_lock(oplog))
        ordo_oplog_wait_turn(&turn);
}

static inline void ordo_oplog_unlock(struct ordo_oplog *oplog)
{
    /* Release pairs with ordo_oplog_try_lock: what was read and applied is done. */
    __atomic_store_n(&oplog->locked, 0, __ATOMIC_RELEASE);
}

/* Applying: with the lock. */

static inline const struct ordo_oplog_entry *ordo_oplog_entry_at(const struct ordo_oplog_thread *r, uint64_t number)
{
    return &r->ring[number & r->mask];
}

static inline void ordo_oplog_carry_out(struct ordo_oplog *oplog, const struct ordo_oplog_entry *entry)
{
    struct ordo_oplog_object *object = entry->object;
    if (__builtin_expect(object->forgotten != 0, 0)) {
        ordo_oplog_count(&oplog->dropped, 1);
        if (object->kind->drop)
            object->kind->drop(object, entry);
    } else {
        object->kind->apply(object, entry);
    }
}

/* Applies operations of a log from the front up to the first whose time is larger than `until`, or to number `limit`. */
static inline void ordo_oplog_apply(struct ordo_oplog *oplog, struct ordo_oplog_thread *r, uint64_t limit,
                                    uint64_t until)
{
    uint64_t at = __atomic_load_n(&r->head, __ATOMIC_RELAXED), start = at; /* relaxed: written under the lock */
    for (; at != limit && ordo_oplog_entry_at(r, at)->time <= until; at++)
        ordo_oplog_carry_out(oplog, ordo_oplog_entry_at(r, at));
    ordo_oplog_count(&oplog->applied, at - start);
    /* C7 done. Release pairs with ordo_oplog_make_room: the entries are not needed any more. */
    __atomic_store_n(&r->head, at, __ATOMIC_RELEASE);
}

/* The logs of a cut that are not applied yet, as a skew heap: the root has the smallest key. */
static inline struct ordo_oplog_thread *ordo_oplog_meld(struct ordo_oplog_thread *a, struct ordo_oplog_thread *b)
{
    struct ordo_oplog_thread *root = NULL, **link = &root;
    while (a && b) {
        struct ordo_oplog_thread *smaller = b->key < a->key ? b : a;
        b = smaller == a ? b : a;
        *link = smaller;
        link = &smaller->left;
        a = smaller->right;
        smaller->right = smaller->left;
    }
    *link = a ? a : b;
    return root;
}

static inline struct ordo_oplog_thread *ordo_oplog_push(struct ordo_oplog_thread *heap, struct ordo_oplog_thread *r)
{
    uint64_t head = __atomic_load_n(&r->head, __ATOMIC_RELAXED); /* relaxed: written under the lock */
    if (head == r->limit)
        return heap;
    r->key = ordo_oplog_entry_at(r, head)->time;
    r->left = r->right = NULL;
    return ordo_oplog_meld(heap, r);
}

/* Applies the logs of a cut in the order of their times. */
static inline void ordo_oplog_merge(struct ordo_oplog *oplog, struct ordo_oplog_thread *heap)
{
    while (heap) {
        struct ordo_oplog_thread *r = heap;
        heap = ordo_oplog_meld(r->left, r->right);
        ordo_oplog_apply(oplog, r, r->limit, heap ? heap->key : UINT64_MAX); /* C5 merge */
        heap = ordo_oplog_push(heap, r);
    }
}

/* The first operation of a log that is not in the cut, now that the number is `next`. */
static inline uint64_t ordo_oplog_limit(const struct ordo_oplog_thread *r, uint64_t next)
{
    /* C2 sample. After the advance; acquire pairs with ordo_oplog_publish: entries and mark are written. */
    uint64_t published = __atomic_load_n(&r->published, __ATOMIC_SEQ_CST), first;
    /* C3 limit. Acquire pairs with ordo_oplog_look: `first` belongs to it. If it is not the new number, nothing that is
     * published looked at that. */
    if (__atomic_load_n(&r->cut, __ATOMIC_ACQUIRE) != next)
        return published;
    first = __atomic_load_n(&r->first, __ATOMIC_RELAXED); /* relaxed: see above */
    return first < published ? first : published;
}

/* Whether any log has an operation that is not applied. */
static inline int ordo_oplog_pending(struct ordo_oplog *oplog)
{
    const struct ordo_oplog_thread *r;
    /* C2 empty. Acquire pairs with ordo_oplog_thread_reuse: the thread is complete; and with ordo_oplog_publish: what
     * has returned is seen. Relaxed: the head is written under the lock. */
    for (r = __atomic_load_n(&oplog->threads, __ATOMIC_ACQUIRE); r; r = r->next)
        if (__atomic_load_n(&r->published, __ATOMIC_ACQUIRE) != __atomic_load_n(&r->head, __ATOMIC_RELAXED))
            return 1;
    return 0;
}

/* Makes a cut and applies it. */
static inline void ordo_oplog_take(struct ordo_oplog *oplog)
{
    struct ordo_oplog_thread *heap = NULL, *r;
    uint64_t next;
    if (!ordo_oplog_pending(oplog))
        return;
    ordo_oplog_count(&oplog->cuts, 1);
    /* C2 flip. Pairs with ordo_oplog_look: who looked at the old number before has seen no later one's end. */
    next = __atomic_add_fetch(&oplog->cut, 1, __ATOMIC_SEQ_CST);
    /* C8 join. Pairs with ordo_oplog_thread_reuse: who is not in the list yet looks at the new number. */
    for (r = __atomic_load_n(&oplog->threads, __ATOMIC_SEQ_CST); r; r = r->next) {
        r->limit = ordo_oplog_limit(r, next);
        heap = ordo_oplog_push(heap, r);
    }
    ordo_oplog_merge(oplog, heap);
}

/* Appending. */

/* Empties its own log, up to the first operation that does not commute. Whether there was one that does. */
static inline int ordo_oplog_drain(struct ordo_oplog_thread *t)
{
    if (ordo_oplog_entry_at(t, __atomic_load_n(&t->head, __ATOMIC_RELAXED))->time) /* relaxed: under the lock */
        return 0;
    ordo_oplog_count(&t->oplog->drains, 1);
    ordo_oplog_apply(t->oplog, t, t->count, 0); /* C4 own */
    return 1;
}

/* Room for `n` operations. ORDO_E_INVALID: a log does not hold so many. */
ORDO_OPLOG_SLOW int ordo_oplog_make_room(struct ordo_oplog_thread *t, uint64_t n)
{
    struct ordo_oplog *oplog = t->oplog;
    unsigned turn = 0;
    if (n > t->mask + 1)
        return ORDO_E_INVALID;
    for (;;) {
        /* C7 room. Acquire pairs with ordo_oplog_apply: the entries there are not needed any more. */
        t->room = __atomic_load_n(&t->head, __ATOMIC_ACQUIRE) + t->mask + 1;
        if (t->room - t->count >= n)
            return ORDO_OK;
        if (ordo_oplog_try_lock(oplog)) {
            ordo_oplog_count(&t->fulls, 1);
            if (!ordo_oplog_drain(t))
                ordo_oplog_take(oplog);
            ordo_oplog_unlock(oplog);
        } else {
            ordo_oplog_wait_turn(&turn); /* who has it may be making room */
        }
    }
}

/* Looks at the number of the cut, and marks where in the log it began if it is new. */
static inline void ordo_oplog_look(struct ordo_oplog_thread *t)
{
    /* C2 look. Pairs with ordo_oplog_take: who looks at the new number is left to the next cut. */
    uint64_t cut = __atomic_load_n(&t->oplog->cut, __ATOMIC_SEQ_CST);
    if (__builtin_expect(cut != t->cut, 0)) {
        __atomic_store_n(&t->first, t->count, __ATOMIC_RELAXED); /* relaxed: the next store releases it */
        /* C3 mark. Release pairs with ordo_oplog_limit: `first` belongs to this number. */
        __atomic_store_n(&t->cut, cut, __ATOMIC_RELEASE);
    }
}

static inline void ordo_oplog_write(struct ordo_oplog_thread *t, uint64_t number, uint64_t time,
                                    struct ordo_oplog_object *object, uint64_t op, uint64_t argument)
{
    struct ordo_oplog_entry *entry = &t->ring[number & t->mask];
    entry->time = time;
    entry->object = object;
    entry->op = op;
    entry->argument = argument;
}

static inline void ordo_oplog_publish(struct ordo_oplog_thread *t, uint64_t n)
{
    t->count += n;
    /* C2 publish. Release pairs with ordo_oplog_limit and ordo_oplog_pending: entries and mark are written. */
    __atomic_store_n(&t->published, t->count, __ATOMIC_RELEASE);
}

/* A time that is not smaller than the log's last one. */
static inline uint64_t ordo_oplog_own_time(struct ordo_oplog_thread *t, ordo_time now)
{
    if (now.ticks > t->last) /* C5 own */
        t->last = now.ticks;
    return t->last;
}

static inline uint64_t ordo_oplog_time(struct ordo_oplog_thread *t)
{
    return t->unsettled = ordo_oplog_own_time(t, ordo_stamp_take_after(&t->oplog->stamp)); /* C5 take */
}

/* A time certainly after the object's last one, which it then is. 0, or ORDO_E_DISRUPTED. */
ORDO_OPLOG_SLOW int ordo_oplog_claim(struct ordo_oplog_thread *t, struct ordo_oplog_object *object, uint64_t *time)
{
    ordo_time now, last;
    /* Acquire pairs with the exchange below: what its thread did before is done. */
    last.ticks = __atomic_load_n(&object->last, __ATOMIC_ACQUIRE);
    do {
        int code = ordo_stamp_commit(&t->oplog->stamp, last, &now); /* C6 after */
        if (code)
            return code;
        *time = ordo_oplog_own_time(t, now);
        /* C6 claim. Release and acquire pair with the same of the next one and of the one before. */
    } while (!__atomic_compare_exchange_n(&object->last, &last.ticks, *time, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return ORDO_OK;
}

/** Waits until every operation of this thread on TIMED objects has happened: until their times are over on every clock.
 * 0, or ORDO_E_DISRUPTED: the clocks disagree, and the order of those operations is not known. */
static inline int ordo_oplog_settle(struct ordo_oplog_thread *t)
{
    ordo_time now, last;
    int code;
    last.ticks = t->unsettled;
    if (!last.ticks)
        return ORDO_OK;
    ordo_oplog_count(&t->boundary_waits, 1);
    code = ordo_stamp_later_before(&t->oplog->stamp, last, &now); /* C5 settle */
    if (code == ORDO_OK)
        t->unsettled = 0;
    return code;
}

/** Appends an operation to the thread's log; whoever reads next applies it. Not between read_lock and read_unlock. Takes
 * no lock and waits for no thread, unless the log is full. 0; ORDO_E_INVALID: the thread is reading, or the object has
 * no kind; ORDO_E_DISRUPTED, with a `watch` only: of an ORDERED object, it was not appended; of a TIMED one it was, and
 * its order is not known. */
static inline int ordo_oplog_append(struct ordo_oplog_thread *t, struct ordo_oplog_object *object, uint64_t op,
                                    uint64_t argument)
{
    const struct ordo_oplog_kind *kind = object->kind;
    uint64_t time = 0;
    int code = ORDO_OK;
    if (__builtin_expect(!kind || t->reading, 0))
        return ORDO_E_INVALID;
    if (__builtin_expect(t->count == t->room, 0))
        (void)ordo_oplog_make_room(t, 1); /* every log holds one */
    if (kind->order == ORDO_OPLOG_ORDERED)
        code = ordo_oplog_claim(t, object, &time);
    else if (kind->order == ORDO_OPLOG_TIMED)
        time = ordo_oplog_time(t);
    if (code)
        return code;
    ordo_oplog_look(t);
    ordo_oplog_write(t, t->count, time, object, op, argument);
    ordo_oplog_publish(t, 1);
    if (kind->order == ORDO_OPLOG_TIMED && !t->oplog->options.settle_later)
        return ordo_oplog_settle(t);
    return ORDO_OK;
}

/** Appends `n` operations that happen together: a reader sees all of them or none. They share a
 * time. Codes as ordo_oplog_append; ORDO_E_INVALID also if the log does not hold so many, or an
 * object is ORDERED, and then nothing was appended. */
static inline int ordo_oplog_append_all(struct ordo_oplog_thread *t, const struct ordo_oplog_operation *operations,
                                        size_t n)
{
    uint64_t time = 0;
    size_t i;
    int timed = 0;
    for (i = 0; i < n; i++) {
        const struct ordo_oplog_kind *kind = operations[i].object->kind;
        if (!kind || kind->order == ORDO_OPLOG_ORDERED)
            return ORDO_E_INVALID;
        timed |= kind->order == ORDO_OPLOG_TIMED;
    }
    if (t->reading || (t->room - t->count < n && ordo_oplog_make_room(t, n)))
        return ORDO_E_INVALID;
    if (timed)
        time = ordo_oplog_time(t);
    ordo_oplog_look(t);
    for (i = 0; i < n; i++)
        ordo_oplog_write(t, t->count + i, operations[i].object->kind->order == ORDO_OPLOG_TIMED ? time : 0,
                         operations[i].object, operations[i].op, operations[i].argument);
    ordo_oplog_publish(t, n);
    return timed && !t->oplog->options.settle_later ? ordo_oplog_settle(t) : ORDO_OK;
}

/* Reading. */

/** Applies all logs, and keeps them from being applied further until ordo_oplog_read_unlock: the states of all objects
 * may be read. Does not nest. Waits for other readers and synchronisers, never for an appender. Appending goes on
 * meanwhile, as long as there is room. */
static inline void ordo_oplog_read_lock(struct ordo_oplog_thread *t)
{
    ordo_oplog_lock(t->oplog);
    ordo_oplog_take(t->oplog);
    t->reading = 1;
}

static inline void ordo_oplog_read_unlock(struct ordo_oplog_thread *t)
{
    t->reading = 0;
    ordo_oplog_unlock(t->oplog);
}

/** Applies all that has been appended. Not between read_lock and read_unlock. */
static inline void ordo_oplog_synchronise(struct ordo_oplog_thread *t)
{
    ordo_oplog_read_lock(t);
    ordo_oplog_read_unlock(t);
}

/* Objects. */

/** Makes an object of a kind. ORDO_E_INVALID: the kind is none, or has no `apply` or no order that exists; the object is
 * then refused by ordo_oplog_append. */
static inline int ordo_oplog_object_init(struct ordo_oplog_object *object, const struct ordo_oplog_kind *kind,
                                         void *state)
{
    memset(object, 0, sizeof *object);
    if (!kind || !kind->apply || (unsigned)kind->order > ORDO_OPLOG_ORDERED)
        return ORDO_E_INVALID;
    object->kind = kind;
    object->state = state;
    return ORDO_OK;
}

/** Takes an object out of use: what is pending on it is dropped (see struct ordo_oplog_kind), and all else applied.
 * Afterwards no log leads to it, and it may be freed. No thread appends to it any more, or begins to. (To have its
 * pending operations applied instead, ordo_oplog_synchronise does.) Not between read_lock and read_unlock. */
static inline void ordo_oplog_forget(struct ordo_oplog_thread *t, struct ordo_oplog_object *object)
{
    ordo_oplog_lock(t->oplog);
    object->forgotten = 1;
    ordo_oplog_take(t->oplog);
    ordo_oplog_unlock(t->oplog);
}

/* Threads and domains. */

/* Takes a log that no thread has, or makes a new one; NULL: no memory. */
ORDO_OPLOG_SLOW struct ordo_oplog_thread *ordo_oplog_thread_reuse(struct ordo_oplog *oplog)
{
    size_t entries = oplog->options.log_entries;
    struct ordo_oplog_thread *t;
    void *memory, *ring;
    /* Acquire pairs with the push below: the thread is complete. */
    for (t = __atomic_load_n(&oplog->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t unused = 0;
        /* C8 reuse. Acquire pairs with ordo_oplog_thread_finish: the log is as its last owner left it. */
        if (__atomic_compare_exchange_n(&t->used, &unused, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return t;
    }
    t = (struct ordo_oplog_thread *)ordo_oplog_allocate(oplog, sizeof *t, 128, &memory);
    if (!t)
        return NULL;
    t->memory = memory;
    t->ring = (struct ordo_oplog_entry *)ordo_oplog_allocate(oplog, entries * sizeof *t->ring, 128, &ring);
    if (!t->ring) {
        ordo_oplog_release(oplog, memory);
        return NULL;
    }
    t->ring_memory = ring;
    t->mask = entries - 1;
    t->room = entries;
    t->last = 1;
    t->oplog = oplog;
    t->used = 1;
    t->next = __atomic_load_n(&oplog->threads, __ATOMIC_RELAXED);
    /* C8 join. Pairs with ordo_oplog_take: see there. Relaxed on failure: nothing is read through the old head. */
    while (!__atomic_compare_exchange_n(&oplog->threads, &t->next, t, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return t;
}

/** Makes the calling thread one of the domain. Any number at any time; only this thread may use the result, until
 * ordo_oplog_thread_finish. ORDO_E_SYSTEM: no memory. */
static inline int ordo_oplog_thread_init(struct ordo_oplog *oplog, struct ordo_oplog_thread **result)
{
    *result = ordo_oplog_thread_reuse(oplog);
    return *result ? ORDO_OK : ORDO_E_SYSTEM;
}

/** Ends that; settles first, with the codes of ordo_oplog_settle, and ends it in any case. What is in the log stays
 * there until somebody applies it; another thread may have the log afterwards. */
static inline int ordo_oplog_thread_finish(struct ordo_oplog_thread *t)
{
    int code = ordo_oplog_settle(t);
    t->unsettled = 0;
    /* Release pairs with ordo_oplog_thread_reuse: the log is at rest. */
    __atomic_store_n(&t->used, 0, __ATOMIC_RELEASE);
    return code;
}

/** Starts a domain. ORDO_E_INVALID: no boundary was given (see unsafe_boundary), the handle it came from, or `watch`,
 * orders nothing, or log_entries is not a power of two up to 2^24. */
static inline int ordo_oplog_create(struct ordo_oplog *oplog, const struct ordo_oplog_options *options)
{
    size_t entries = options->log_entries ? options->log_entries : 1024;
    int code;
    memset(oplog, 0, sizeof *oplog);
    oplog->options = *options;
    oplog->options.log_entries = entries;
    if (entries & (entries - 1) || entries > (size_t)1 << 24)
        return ORDO_E_INVALID;
    oplog->cut = 1;
    code = ordo_stamp_init(&oplog->stamp, options->boundary_ticks, options->watch);
    if (code == ORDO_OK && ordo_stamp_unsafe(&oplog->stamp) && !options->unsafe_boundary) /* C1 given */
        code = ORDO_E_INVALID;
    return code;
}

/** Gives a larger boundary to a domain at rest, as after ORDO_STATUS_SUPERSEDED: no thread is in a call or reads, and
 * all have settled; what other threads did before happens before this call, and what they do next after it. Returns when
 * every time in the logs is over on every clock under the new boundary (C5). The handle that is watched may be closed
 * and opened again for it, in its place, at the same time of rest. Stamps without a boundary ignore it.
 *
 * ORDO_E_INVALID: it is not larger than the present one, or is that of a handle that orders nothing, or the domain is
 * not at rest, and nothing has changed; ORDO_E_DISRUPTED: the clocks disagree, stop using the domain. */
static inline int ordo_oplog_raise(struct ordo_oplog *oplog, uint64_t boundary_ticks)
{
    const struct ordo_oplog_thread *t;
    /* Acquire pairs with ordo_oplog_thread_reuse: the thread is complete. */
    for (t = __atomic_load_n(&oplog->threads, __ATOMIC_ACQUIRE); t; t = t->next)
        if (t->reading || t->unsettled)
            return ORDO_E_INVALID;
    return ordo_stamp_raise(&oplog->stamp, boundary_ticks);
}

/** Applies what is left, and frees the logs; all threads have finished. */
static inline void ordo_oplog_destroy(struct ordo_oplog *oplog)
{
    struct ordo_oplog_thread *t, *next;
    ordo_oplog_take(oplog);
    for (t = oplog->threads; t; t = next) {
        next = t->next;
        ordo_oplog_release(oplog, t->ring_memory);
        ordo_oplog_release(oplog, t->memory);
    }
    oplog->threads = NULL;
}

/** Adds up all threads, present and former. May be called any time; the numbers are then not of one moment. */
static inline void ordo_oplog_statistics_read(struct ordo_oplog *oplog, struct ordo_oplog_statistics *sum)
{
    const struct ordo_oplog_thread *t;
    memset(sum, 0, sizeof *sum);
    /* Relaxed, as in ordo_oplog_count; acquire pairs with ordo_oplog_thread_reuse: the thread is complete. */
    sum->applied = __atomic_load_n(&oplog->applied, __ATOMIC_RELAXED);
    sum->dropped = __atomic_load_n(&oplog->dropped, __ATOMIC_RELAXED);
    sum->cuts = __atomic_load_n(&oplog->cuts, __ATOMIC_RELAXED);
    sum->drains = __atomic_load_n(&oplog->drains, __ATOMIC_RELAXED);
    for (t = __atomic_load_n(&oplog->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        sum->appends += __atomic_load_n(&t->published, __ATOMIC_RELAXED);
        sum->fulls += __atomic_load_n(&t->fulls, __ATOMIC_RELAXED);
        sum->boundary_waits += __atomic_load_n(&t->boundary_waits, __ATOMIC_RELAXED);
    }
}

#endif
