/* Software transactional memory over a stamp: threads read and write words of shared memory in transactions, each of
 * which happens as a whole or not at all.
 *
 * TL2 after D. Dice, O. Shalev, N. Shavit, "Transactional Locking II", DISC 2006, extended as T. Riegel, P. Felber, C.
 * Fetzer, "A Lazy Snapshot Algorithm with Eager Validation", DISC 2006, with the clock of S. Kashyap et al., "A Scalable
 * Ordering Primitive for Multicore Machines", EuroSys 2018. Memory is striped over a table of versioned locks. A
 * transaction reads without a trace that others could see, and keeps what it writes to itself. To commit it locks the
 * stripes of what it wrote, takes a time, looks whether what it read is still there, writes, and unlocks the stripes
 * with that time as their version.
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
 *             return 0;                                     // commits what was written: nothing
 *         if ((code = ordo_stm_write(t, m->from, from - m->amount)) ||
 *             (code = ordo_stm_write(t, m->to, to + m->amount)))
 *             return code;
 *         return 1;
 *     }
 *     moved = ordo_stm_run(t, 0, move, &m);                 // 1 or 0, or why it cannot be done
 *
 * No call leaves by longjmp: a body that is told a code returns it. Which stamp: see stamp.h. All are one program text.
 *
 * WHAT A TRANSACTION SEES
 *
 *  - Opacity (R. Guerraoui, M. Kapalka, PPoPP 2008): what any transaction has read up to any moment, one that is given
 *    up later included, stood in memory together at one moment since it began. So no body ever works on a state that
 *    never was. The transactions that commit happen one after the other, in an order that agrees with real time.
 *
 *  - A call that returns a code other than 0 has read and written nothing, and every later one of the transaction
 *    returns a code too.
 *
 *  - ORDO_STM_READ_ONLY promises that nothing is written. Such a transaction keeps no account of what it read. If it
 *    meets a word that is too new, it cannot look whether the others still stand, and begins again, with an account.
 *
 *  - Transactions nest flat: what is begun within one is part of it, and happens with the outermost.
 *
 *  - What is written once before it becomes visible, and never again while it is, may be read as plain memory by whoever
 *    found it in its transaction: memory that is freed stays until no transaction can still see it.
 *
 *  - ordo_stm_irrevocable: from its return on the transaction will not be run again, so that it may do what cannot be
 *    undone. One transaction at a time is irrevocable. Others read, and those that write wait at their commit until it
 *    ends. A transaction that had to begin again ORDO_STM_PATIENCE times in a row becomes irrevocable at its beginning:
 *    so none is passed for ever by those that are not. Which of several that wait becomes so first is not said.
 *
 *  - Privatisation: a transaction that makes memory unreachable for others and is begun with ORDO_STM_QUIESCE returns
 *    from its commit once every transaction that began before has ended, with all that it writes. From then on the
 *    memory is the caller's, to be read and written as plain memory. Without that flag it is not. ordo_stm_free does not
 *    need it. Publication needs nothing: what was written plainly before a commit made it reachable is seen by whoever
 *    finds it.
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU that a thread of the domain runs on. If it does not, nothing here is promised. With
 *    `watch` in the options, what waits for a clock or commits ends with ORDO_E_DISRUPTED once the record is marked.
 *
 *  - Words are aligned, and while they are shared they are read and written by these calls only.
 *
 *  - The thread that begins a transaction ends it. If a thread dies, is cancelled or leaves by longjmp in a transaction,
 *    no memory is freed any more, and if that happens in a commit, others wait for it for ever. One that is only stopped
 *    in a commit (SIGSTOP, preemption) keeps those waiting who want the same stripes, and nobody else.
 *
 *  - A signal handler does not use the struct ordo_stm_thread of the thread that it interrupts; after fork the child
 *    does not use the domain.
 *
 * WHEN THE CLOCK IS READ
 *
 * Once for a commit that writes. And not at every beginning: a time that the thread has read earlier will do as its
 * begin (C8), and is only renewed where a word is met that is not certainly older. A thread that often meets such words
 * reads the clock at its next ORDO_STM_FRESH beginnings, because a read-only transaction that meets one begins again.
 *
 * WHY IT IS CORRECT
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x shows at least x - B. "After" and "before" for a
 * time mean certainly so (cmp). A clock read that is compared with a store needs multi-copy atomicity (x86, ARMv8,
 * RISC-V RVWMO). The *moment* of a commit is that of its clock read (for gv4: of the increment that it shares), or of
 * its first look of C6, if that comes earlier. So its time is of its moment or later.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. If it is broken, all that is said here is
 *      void, and `watch` tells. It is asked by a commit before it locks anything [C1 watch], and by who waits for the
 *      clock: both give up. An irrevocable transaction does not give up, and needs no clock but for its version.
 *
 *  C2  A commit has locked every stripe that it writes before it takes its time [C2 lock, C2 time]. A lock is taken by an
 *      exchange, and one at least is taken: the clock is read behind that exchange, and needs no fence of its own to
 *      be read behind the others (ordo_stamp_take_after_exchange). A transaction has its begin before it looks at any
 *      stripe [C2 begin], which is all that its clock read has to be ordered with (ordo_stamp_now_before): by C8 it may
 *      be of an earlier moment. A begin that is the time of a commit was taken before the exchange of C10 announce.
 *      So if the moment of a commit is before that of a begin, the
 *      transaction finds the stripe locked, or unlocked by that commit, or by a later one.
 *
 *  C3  Times are compared without overflow; a locked stripe has the top bit set and is before no begin [C3].
 *
 *  C4  A word is read between two looks at its stripe that find it unlocked and the same [C4 look, C4 load, C4 again].
 *      A writer stores words after the stripe was locked, and unlocks it after the words [C4 store, C4 unlock]. So what
 *      was read stood there at the first look, and belongs to that version.
 *
 *  C5  A word is taken only if its version is certainly before the begin [C5]. Uncertain is not ordered: then a new begin
 *      is read that is certainly after the version [C5 later], and what was read before must stand at that moment
 *      [C5 renew]. Certainly after is a matter of the value; of the read's moment it is only needed that the looks come
 *      after it (ordo_stamp_later_before). By the lemma a commit whose moment is after the begin's has a time of at least begin - B, which is
 *      not certainly before it. So every version that is taken belongs to a commit before the moment of the begin; and
 *      with C2 every such commit to the word is there, or still holds the stripe. What is read is memory as it was at
 *      the moment of the begin.
 *
 *  C6  A commit looks again at every stripe that it has read, after all is locked and before it writes [C6 validate]:
 *      it must be unlocked or its own, with a version before the begin (its own: as it was when it locked it [C6 own]).
 *      A commit that changed one of them between the moments of the begin and of this commit had
 *      locked it by then, and by the lemma leaves a version that is not before the begin. So all that was read stands
 *      at the moment of the commit: the commits happen in the order of their moments. Nothing keeps a look behind the
 *      clock read, but both are behind the last lock, and so is the moment, whichever of them comes first. That the
 *      time is later than the moment does no harm: it is certainly before fewer begins. The same look, after a new
 *      begin, is C5 renew; there the clock read is before it.
 *
 *  C7  Nothing relies on different commits having different times. But the versions of one stripe go up: a commit whose
 *      clock is behind makes its version one more than the largest that it found [C7 up]. A version that is later than
 *      its commit's time does no harm: it is taken as certainly before fewer begins. So a stripe that this thread
 *      unlocked last, in its last commit, and that still has that version, is as the thread left it, whatever the clock
 *      says [C7 own]. It is unchanged since before the transaction began, and stands at every moment up to the look.
 *
 *  C8  The begin may be any time that the thread has read earlier, its own commit's too, and of two the larger one
 *      [C8 carry], as after migration to a CPU whose clock is behind. C5 and C6 ask only that its moment be before the
 *      first look. Real time holds as well: what is read is unchanged since the moment of the begin, hence also since
 *      the transaction really began; a commit in between that changed it would be refused and the begin renewed.
 *
 *  C9  No wait for another thread or for the clock happens while stripes are locked: who finds a stripe locked at its
 *      commit gives up. A reader looks ORDO_STM_SPINS times and gives up. Who begins again waits, the longer the more
 *      often: spinning, yielding, asleep [C9 turn]; and in the end becomes irrevocable. The clock lets wait 2B.
 *
 *  C10 Memory. A transaction announces the epoch that it found [C10 announce] and looks at the epoch again, which makes
 *      visible what happened before it was reached [C10 acquire]. The epoch is advanced only past e when every announced
 *      transaction has announced e [C10 scan]. What a commit has unlinked is freed in epoch l + 3 [C10 free], where l is
 *      the epoch that it finds when it has [C10 retire], and not the one that it announced: a thread that loses its CPU
 *      between finding an epoch and announcing it announces one that is long over. It has announced l or less: so who
 *      advances to l + 2 has seen its end, and with it the unlinked words; a transaction that is missed by the scan that
 *      advances to l + 3 announced itself later, hence in its second look finds at least l + 2, and with it the unlinked
 *      words: it cannot reach the memory. And one that was seen has announced l + 2, or there is no advance.
 *      ordo_stm_quiesce waits for three epochs [C10 quiesce], by the same argument.
 *
 *  C11 Irrevocable. A commit raises its flag and looks at the token [C11 gate]; who takes the token then waits until all
 *      flags are down [C11 take, C11 drain]. Both are sequentially consistent, so one sees the other. From then on
 *      nobody else writes: what was read before must stand once more [C11 stand], every unlocked word is taken whatever
 *      its version, and the commit cannot fail. Who has its flag up waits for nobody.
 */
#ifndef ORDO_CC_STM_H
#define ORDO_CC_STM_H

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>

#include <ordo/cc/stamp.h>

#if defined ORDO_STAMP_BATCH
#error "a transaction waits until a version is in the past, which a batch does not let pass: choose another stamp"
#endif

#define ORDO_STM_SLOW static __attribute__((noinline, cold, unused))

/** The transaction was given up and can be run again. Not an ordo_code: calls in a transaction return it. */
#define ORDO_STM_AGAIN (-1000)

/** Flags of a transaction. */
enum { ORDO_STM_READ_ONLY = 1, ORDO_STM_QUIESCE = 2 };

/** Where objects and accounts come from, as in rlu.h: memory aligned for any scalar, or NULL; both thread-safe. */
struct ordo_stm_memory {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory);
    void *context;
};

/** All zero is 2^16 stripes and malloc, and valid for stamps that need no boundary. */
struct ordo_stm_options {
    uint64_t boundary_ticks;       /* of the stamps ordo and any: ordo_boundary() of an open handle */
    size_t stripes;                /* locks, of 8 bytes; rounded up to a power of two; 0: 65536; at most 2^28 */
    int unsafe_boundary;           /* ordo or any with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_stm_memory memory; /* allocate NULL: malloc and free */
    /* The open handle of the boundary, which then stays where it is, and open but for ordo_stm_raise. Once its record is
     * marked DISRUPTED, commits are refused, and so is what would have to wait for the clock. NULL: not watched. The stamp any
     * needs the handle inside a struct ordo_any, or a plain one. */
    const struct ordo *watch;
};

/** What happened so far. Times in ticks of the hardware clock, whatever the stamp. */
struct ordo_stm_statistics {
    uint64_t commits;              /* of outermost transactions; those that wrote nothing included */
    uint64_t updates;              /* of those, such that wrote */
    uint64_t aborts_locked;        /* given up because a stripe was locked */
    uint64_t aborts_changed;       /* because what was read has changed */
    uint64_t aborts_newer;         /* read-only ones, because a word was newer than the begin */
    uint64_t aborts_uncertain;     /* the same, but its order to the begin could not be known */
    uint64_t aborts_asked;         /* by the caller, or for want of memory */
    uint64_t clock_reads;          /* at a beginning */
    uint64_t extensions;           /* begins that were renewed in the midst of a transaction, or tried to be */
    uint64_t extensions_uncertain; /* of those, such because of a version whose order to the begin could not be known */
    uint64_t boundary_wait_ticks;  /* until the new begin was certainly later */
    uint64_t irrevocable;          /* transactions that became so, by wish or for want of luck */
    uint64_t quiesces;             /* waits for all others */
    uint64_t yields, sleeps;       /* turns given up, or slept 50 to 800 us, in a wait for another thread */
    uint64_t freed;                /* objects given back */
};

enum {
    ORDO_STM_SPINS = 256,    /* looks at a locked stripe */
    ORDO_STM_FRESH = 8,      /* beginnings that read the clock after one that was too early */
    ORDO_STM_PATIENCE = 64,  /* attempts of a transaction before it becomes irrevocable */
    ORDO_STM_YIELDS = 12,    /* attempts that only yield in between, the first few not even that */
    ORDO_STM_NAP_US = 50,    /* then it sleeps */
    ORDO_STM_NAP_DOUBLES = 4 /* times */
};

#define ORDO_STM_LOCKED (UINT64_C(1) << 63)
#define ORDO_STM_STRIPE_SHIFT 5 /* 32 bytes share a stripe: what is found in one node mostly does */

/* A word that the transaction wrote. */
struct ordo_stm_entry {
    uint64_t *word;
    uint64_t value;
    size_t slot; /* of the index */
};

/* A stripe that the commit has locked. */
struct ordo_stm_lock {
    uint64_t *stripe;
    uint64_t version; /* before */
};

enum { ORDO_STM_OWN = 16 }; /* stripes of the last commit that are known to be its own */

/* An array that grows; the use says of what. */
struct ordo_stm_array {
    void *items;
    size_t count, capacity;
};

/* An object that waits for its epoch. */
struct ordo_stm_retired {
    void *object;
    uint64_t epoch;
};

struct ordo_stm;

/* A thread; its memory stays until ordo_stm_destroy, and another thread may have it later. Starts on a line. */
struct ordo_stm_thread {
    /* Others look at this line. */
    uint64_t announced;  /* twice the epoch plus 1 in a transaction, or 0 */
    uint64_t committing; /* the flag of C11 */
    uint64_t used;       /* some thread has it */
    char shared_end[128 - 3 * sizeof(uint64_t)];
    /* The rest is its owner's. */
    uint64_t limit;  /* versions below are certainly before the begin; 0: given up; ORDO_STM_LOCKED: all are */
    uint64_t filter; /* bits of the words that were written */
    uint64_t *stripes, *last_read;
    size_t mask;
    int keeps; /* an account of what is read */
    int code;  /* why it is given up */
    struct ordo_stm_array reads;
    uint64_t begin;
    uint64_t own_version; /* of the last commit */
    uint64_t *own[ORDO_STM_OWN];
    unsigned owned;
    struct ordo_stm *stm;
    uint64_t mine; /* what the lock of a stripe says */
    unsigned depth, flags, attempts, fresh;
    int irrevocable, wants_token;
    struct ordo_stm_array writes, locks, allocated, frees, retired;
    size_t retired_start; /* those before were freed */
    size_t *index;        /* of the words that were written: places among them, plus 1; twice their capacity */
    size_t collect_at;    /* as many retired, and it is time to look at the epoch */
    struct ordo_stm_statistics statistics; /* written by the owner, read by any thread */
    struct ordo_stm_thread *next;
    void *memory;
    char end[128];
};

/** A domain: words of one are never reached by transactions of another. */
struct ordo_stm {
    struct ordo_stamp stamp;
    struct ordo_stm_options options;
    uint64_t *stripes;
    void *stripes_memory;
    size_t mask;
    struct ordo_stm_thread *threads; /* all that ever were; grows at the front */
    char before_epoch[128];
    uint64_t epoch;
    char before_token[128];
    uint64_t token; /* an irrevocable transaction has it */
    char after[128];
};

/* Memory. */

static inline void *ordo_stm_allocate(const struct ordo_stm *stm, size_t bytes)
{
    const struct ordo_stm_memory *memory = &stm->options.memory;
    return memory->allocate ? memory->allocate(memory->context, bytes) : malloc(bytes);
}

static inline void ordo_stm_release(const struct ordo_stm *stm, void *what)
{
    const struct ordo_stm_memory *memory = &stm->options.memory;
    if (!what)
        return;
    if (memory->allocate)
        memory->release(memory->context, what);
    else
        free(what);
}

/* Zeroed memory that starts on a line of 128 bytes; `*raw` is what to release. */
static inline void *ordo_stm_allocate_lines(const struct ordo_stm *stm, size_t bytes, void **raw)
{
    char *memory = (char *)ordo_stm_allocate(stm, bytes + 128);
    *raw = memory;
    if (!memory)
        return NULL;
    memory += 128 - ((uintptr_t)memory & 127);
    memset(memory, 0, bytes);
    return memory;
}

/* Room for one more item of `size`. 0, or -1: no memory, and nothing has changed. */
ORDO_STM_SLOW int ordo_stm_array_grow(const struct ordo_stm *stm, struct ordo_stm_array *array, size_t size)
{
    size_t capacity = array->capacity ? 2 * array->capacity : 64;
    void *items = capacity <= SIZE_MAX / 4 / size ? ordo_stm_allocate(stm, capacity * size) : NULL;
    if (!items)
        return -1;
    if (array->count)
        memcpy(items, array->items, array->count * size);
    ordo_stm_release(stm, array->items);
    array->items = items;
    array->capacity = capacity;
    return 0;
}

static inline int ordo_stm_array_room(const struct ordo_stm *stm, struct ordo_stm_array *array, size_t size)
{
    return array->count < array->capacity ? 0 : ordo_stm_array_grow(stm, array, size);
}

static inline int ordo_stm_push(const struct ordo_stm *stm, struct ordo_stm_array *array, void *pointer)
{
    if (ordo_stm_array_room(stm, array, sizeof pointer))
        return -1;
    ((void **)array->items)[array->count++] = pointer;
    return 0;
}

/* Counts in the owner's statistics. Relaxed: a reader of statistics wants whole numbers and no order. */
static inline void ordo_stm_count(uint64_t *counter, uint64_t n)
{
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

/* C9 turn: one of a wait for another thread. */
ORDO_STM_SLOW void ordo_stm_wait_turn(struct ordo_stm_thread *t, unsigned turn)
{
    struct timeval nap = {0, 0};
    unsigned doubled;
    if (turn < 4) {
        for (turn = 8U << turn; turn; turn--)
            ordo_clock_pause();
    } else if (turn < ORDO_STM_YIELDS) {
        ordo_stm_count(&t->statistics.yields, 1);
        (void)sched_yield();
    } else {
        doubled = turn - ORDO_STM_YIELDS;
        if (doubled > ORDO_STM_NAP_DOUBLES)
            doubled = ORDO_STM_NAP_DOUBLES;
        nap.tv_usec = ORDO_STM_NAP_US << doubled;
        ordo_stm_count(&t->statistics.sleeps, 1);
        (void)select(0, NULL, NULL, NULL, &nap);
    }
}

/* Times. */

/* The limit of a begin: C3. What is below it is certainly before the begin (ordo_stamp_after). */
static inline uint64_t ordo_stm_limit(const struct ordo_stm_thread *t)
{
    uint64_t boundary = ordo_stamp_boundary(&t->stm->stamp);
    return t->begin > boundary ? t->begin - boundary : 0;
}

/* C8 carry: a time that this thread has read just now. */
static inline void ordo_stm_carry(struct ordo_stm_thread *t, ordo_time now)
{
    if (now.ticks > t->begin)
        t->begin = now.ticks;
}

/* Giving up. */

/* The transaction is given up: nothing that it still does counts. Returns the code. */
ORDO_STM_SLOW int ordo_stm_give_up(struct ordo_stm_thread *t, int code, uint64_t *cause)
{
    if (!t->code) {
        t->code = code;
        t->limit = 0;
        ordo_stm_count(cause, 1);
    }
    return t->code;
}

/* C7 own: whether the stripe is as this thread's last commit left it. */
ORDO_STM_SLOW int ordo_stm_is_own(const struct ordo_stm_thread *t, const uint64_t *stripe, uint64_t version)
{
    unsigned i;
    for (i = 0; version == t->own_version && i < t->owned; i++)
        if (t->own[i] == stripe)
            return 1;
    return 0;
}

/* Whether a version belongs to a commit before the begin. */
static inline int ordo_stm_is_past(const struct ordo_stm_thread *t, uint64_t limit, const uint64_t *stripe,
                                   uint64_t version)
{
    return version < limit || ordo_stm_is_own(t, stripe, version);
}

/* Whether all that was read is unchanged since the begin: C5 renew, C6 validate, C11 stand. `late`: among the stripes
 * that this commit has locked some had a version that is not before the begin. */
static inline int ordo_stm_stands(const struct ordo_stm_thread *t, uint64_t limit, int late)
{
    uint64_t *const *reads = (uint64_t *const *)t->reads.items;
    const struct ordo_stm_lock *locks = (const struct ordo_stm_lock *)t->locks.items;
    size_t i, k;
    for (i = 0; i < t->reads.count; i++) {
        /* Acquire pairs with C4 unlock: nothing that this load must not miss is missed; the clock's read is before. */
        uint64_t version = __atomic_load_n(reads[i], __ATOMIC_ACQUIRE);
        if (ordo_stm_is_past(t, limit, reads[i], version)) /* C6 validate */
            continue;
        if (version != t->mine)
            return 0;
        for (k = 0; late && k < t->locks.count; k++) /* C6 own */
            if (locks[k].stripe == reads[i] && !ordo_stm_is_past(t, limit, reads[i], locks[k].version))
                return 0;
    }
    return 1;
}

/* A version was met that is not certainly before the begin. 0: the begin is now certainly after it. */
ORDO_STM_SLOW int ordo_stm_renew(struct ordo_stm_thread *t, uint64_t version)
{
    struct ordo_stm_statistics *sum = &t->statistics;
    ordo_time now, met, begin;
    uint64_t limit = t->limit, start = ordo_clock_relaxed();
    int uncertain;
    met.ticks = version;
    begin.ticks = t->begin;
    uncertain = ordo_stamp_cmp(&t->stm->stamp, met, begin) == 0;
    t->fresh = ORDO_STM_FRESH;
    if (ordo_stamp_later_before(&t->stm->stamp, met, &now)) /* C5 later */
        return ordo_stm_give_up(t, ORDO_E_DISRUPTED, &sum->aborts_asked);
    if (uncertain)
        ordo_stm_count(&sum->boundary_wait_ticks, ordo_clock_relaxed() - start);
    ordo_stm_carry(t, now);
    if (!t->keeps && t->last_read)
        return ordo_stm_give_up(t, ORDO_STM_AGAIN, uncertain ? &sum->aborts_uncertain : &sum->aborts_newer);
    ordo_stm_count(&sum->extensions, 1);
    ordo_stm_count(&sum->extensions_uncertain, (uint64_t)uncertain);
    if (!ordo_stm_stands(t, limit, 0)) /* C5 renew */
        return ordo_stm_give_up(t, ORDO_STM_AGAIN, &sum->aborts_changed);
    t->limit = ordo_stm_limit(t);
    return ORDO_OK;
}

/* Reading and writing. */

static inline uint64_t *ordo_stm_stripe(const struct ordo_stm_thread *t, const void *word)
{
    return &t->stripes[((uintptr_t)word >> ORDO_STM_STRIPE_SHIFT) & t->mask];
}

static inline uint64_t ordo_stm_mix(const void *word)
{
    return ((uintptr_t)word >> 3) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t ordo_stm_bit(const void *word)
{
    return UINT64_C(1) << (ordo_stm_mix(word) >> 58);
}

/* The place of a word in the index, or the free one where it would be. There is one: at most half are taken. */
static inline size_t ordo_stm_slot(const struct ordo_stm_thread *t, const uint64_t *word)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    size_t slots = 2 * t->writes.capacity, slot = (size_t)(ordo_stm_mix(word) >> 20) & (slots - 1);
    while (t->index[slot] && entries[t->index[slot] - 1].word != word)
        slot = (slot + 1) & (slots - 1);
    return slot;
}

/* What this transaction wrote to a word; NULL: nothing. */
static inline struct ordo_stm_entry *ordo_stm_written(const struct ordo_stm_thread *t, const uint64_t *word)
{
    size_t place;
    if (!(t->filter & ordo_stm_bit(word)))
        return NULL;
    place = t->index[ordo_stm_slot(t, word)];
    return place ? (struct ordo_stm_entry *)t->writes.items + place - 1 : NULL;
}

/* Takes a stripe into the account. 0, or why the transaction is given up. */
static inline int ordo_stm_note(struct ordo_stm_thread *t, uint64_t *stripe)
{
    if (t->last_read == stripe)
        return ORDO_OK;
    t->last_read = stripe;
    if (!t->keeps)
        return ORDO_OK;
    if (__builtin_expect(ordo_stm_push(t->stm, &t->reads, stripe), 0))
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return ORDO_OK;
}

/* A read whose stripe was locked, too new, or just changing. */
ORDO_STM_SLOW int ordo_stm_read_on(struct ordo_stm_thread *t, const uint64_t *word, uint64_t *value)
{
    uint64_t *stripe = ordo_stm_stripe(t, word), version, read;
    unsigned looks = 0;
    for (;;) {
        if (t->code)
            return t->code;
        version = __atomic_load_n(stripe, __ATOMIC_ACQUIRE); /* as in ordo_stm_read */
        if (version & ORDO_STM_LOCKED) {
            if (++looks >= ORDO_STM_SPINS && !t->irrevocable) /* nobody has it locked then for long */
                return ordo_stm_give_up(t, ORDO_STM_AGAIN, &t->statistics.aborts_locked);
            ordo_clock_pause();
        } else if (!ordo_stm_is_past(t, t->limit, stripe, version)) {
            if (ordo_stm_renew(t, version))
                return t->code;
        } else {
            read = __atomic_load_n(word, __ATOMIC_ACQUIRE); /* as in ordo_stm_read */
            if (__atomic_load_n(stripe, __ATOMIC_RELAXED) == version) {
                *value = read;
                return ordo_stm_note(t, stripe);
            }
        }
    }
}

/** Reads a word. 0; or the transaction is given up, and `*value` is as it was: return the code from the body, or call
 * ordo_stm_abort. ORDO_STM_AGAIN: run it again; ORDO_E_SYSTEM: no memory; ORDO_E_DISRUPTED: the clocks disagree. */
static inline int ordo_stm_read(struct ordo_stm_thread *t, const uint64_t *word, uint64_t *value)
{
    uint64_t *stripe, version, read;
    if (t->filter) {
        struct ordo_stm_entry *entry = ordo_stm_written(t, word);
        if (entry && !t->code) {
            *value = entry->value;
            return ORDO_OK;
        }
    }
    stripe = ordo_stm_stripe(t, word);
    /* C4 look. Acquire pairs with C4 unlock: the words of that version are visible. */
    version = __atomic_load_n(stripe, __ATOMIC_ACQUIRE);
    /* C4 load. Acquire pairs with C4 store: if it is a later word, its lock is visible below. */
    read = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (__builtin_expect(version < t->limit, 1) &&                                   /* C3, C5 */
        __builtin_expect(__atomic_load_n(stripe, __ATOMIC_RELAXED) == version, 1)) { /* C4 again */
        *value = read;
        return ordo_stm_note(t, stripe);
    }
    return ordo_stm_read_on(t, word, value);
}

/* Room for one more word, also in the index and in what a commit will lock. 0, or -1: no memory. */
ORDO_STM_SLOW int ordo_stm_writes_grow(struct ordo_stm_thread *t)
{
    const struct ordo_stm *stm = t->stm;
    struct ordo_stm_entry *entries;
    size_t *index, i, slots;
    if (t->locks.capacity <= t->writes.capacity && /* else they have grown when what follows could not */
        ordo_stm_array_grow(stm, &t->locks, sizeof(struct ordo_stm_lock)))
        return -1;
    slots = 4 * (t->writes.capacity ? t->writes.capacity : 32);
    index = slots <= SIZE_MAX / 4 / sizeof *index ? (size_t *)ordo_stm_allocate(stm, slots * sizeof *index) : NULL;
    if (!index || ordo_stm_array_grow(stm, &t->writes, sizeof *entries)) {
        ordo_stm_release(stm, index);
        return -1;
    }
    ordo_stm_release(stm, t->index);
    t->index = index;
    memset(index, 0, slots * sizeof *index);
    entries = (struct ordo_stm_entry *)t->writes.items;
    for (i = 0; i < t->writes.count; i++) {
        entries[i].slot = ordo_stm_slot(t, entries[i].word);
        index[entries[i].slot] = i + 1;
    }
    return 0;
}

/** Writes a word: nobody else sees it before the commit. 0, or as ordo_stm_read; ORDO_E_INVALID: the transaction is
 * read-only. */
static inline int ordo_stm_write(struct ordo_stm_thread *t, uint64_t *word, uint64_t value)
{
    struct ordo_stm_entry *entry = t->filter ? ordo_stm_written(t, word) : NULL;
    if (t->code)
        return t->code;
    if (entry) {
        entry->value = value;
        return ORDO_OK;
    }
    if (t->flags & ORDO_STM_READ_ONLY)
        return ordo_stm_give_up(t, ORDO_E_INVALID, &t->statistics.aborts_asked);
    if (t->writes.count == t->writes.capacity && ordo_stm_writes_grow(t))
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    entry = (struct ordo_stm_entry *)t->writes.items + t->writes.count;
    entry->word = word;
    entry->value = value;
    entry->slot = ordo_stm_slot(t, word);
    t->index[entry->slot] = ++t->writes.count;
    t->filter |= ordo_stm_bit(word);
    return ORDO_OK;
}

/** A new object of `bytes` with undefined content, aligned as malloc's. Until a pointer to it is committed it may be
 * written as plain memory. An abort frees it. NULL: no memory, the transaction is given up (ordo_stm_abort says so).
 * Outside a transaction it stays until it is freed. */
static inline void *ordo_stm_alloc(struct ordo_stm_thread *t, size_t bytes)
{
    void *object = NULL;
    if (t->code)
        return NULL;
    object = ordo_stm_allocate(t->stm, bytes);
    if (object && t->depth && ordo_stm_push(t->stm, &t->allocated, object)) {
        ordo_stm_release(t->stm, object);
        object = NULL;
    }
    if (!object && t->depth)
        (void)ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return object;
}

/** Frees an object that this transaction has made unreachable, once it is committed and no transaction can still see
 * the object. 0, or as ordo_stm_read; ORDO_E_INVALID: not in a transaction, or it is read-only. */
static inline int ordo_stm_free(struct ordo_stm_thread *t, void *object)
{
    if (t->code)
        return t->code;
    if (!t->depth)
        return ORDO_E_INVALID;
    if (t->flags & ORDO_STM_READ_ONLY)
        return ordo_stm_give_up(t, ORDO_E_INVALID, &t->statistics.aborts_asked);
    if (ordo_stm_push(t->stm, &t->frees, object))
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    while (t->retired.capacity < t->retired.count + t->frees.count) /* a commit cannot fail for want of memory */
        if (ordo_stm_array_grow(t->stm, &t->retired, sizeof(struct ordo_stm_retired)))
            return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return ORDO_OK;
}

/** Frees an object now: for one that no other thread can reach, as when a structure is taken down. */
static inline void ordo_stm_discard(struct ordo_stm *stm, void *object)
{
    ordo_stm_release(stm, object);
}

/* Memory that waits. */

/* Advances the epoch if nobody is left in an earlier one. */
ORDO_STM_SLOW void ordo_stm_epoch_advance(struct ordo_stm *stm)
{
    /* Both pair with the exchange below and with C10 announce: see C10. */
    uint64_t epoch = __atomic_load_n(&stm->epoch, __ATOMIC_SEQ_CST), announced;
    struct ordo_stm_thread *r = __atomic_load_n(&stm->threads, __ATOMIC_SEQ_CST);
    for (; r; r = r->next) {
        /* C10 scan. Pairs with ordo_stm_leave: what an ended transaction did is visible. */
        announced = __atomic_load_n(&r->announced, __ATOMIC_SEQ_CST);
        if (announced && announced != (epoch << 1 | 1))
            return;
    }
    /* Pairs with C10 acquire: what the scan saw is visible to who finds the new epoch. Relaxed on failure: another
     * thread has advanced it. */
    (void)__atomic_compare_exchange_n(&stm->epoch, &epoch, epoch + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* Gives back what nobody can see any more. Not in a transaction. */
ORDO_STM_SLOW void ordo_stm_collect(struct ordo_stm_thread *t)
{
    struct ordo_stm_retired *retired = (struct ordo_stm_retired *)t->retired.items;
    size_t i = t->retired_start;
    uint64_t epoch;
    ordo_stm_epoch_advance(t->stm);
    /* Pairs with ordo_stm_epoch_advance: those who could see the objects have ended. */
    epoch = __atomic_load_n(&t->stm->epoch, __ATOMIC_SEQ_CST);
    for (; i < t->retired.count && epoch >= retired[i].epoch + 3; i++) /* C10 free */
        ordo_stm_release(t->stm, retired[i].object);
    ordo_stm_count(&t->statistics.freed, i - t->retired_start);
    t->retired_start = i;
    if (2 * i >= t->retired.count) {
        if (i < t->retired.count)
            memmove(retired, retired + i, (t->retired.count - i) * sizeof *retired);
        t->retired.count -= i;
        t->retired_start = 0;
    }
    t->collect_at = t->retired.count + 64;
}

/** Waits until every transaction that began before has ended, with all that it writes, and frees what that lets free.
 * Not in a transaction, nor where one of this thread's callers holds what a transaction may wait for. */
ORDO_STM_SLOW void ordo_stm_quiesce(struct ordo_stm_thread *t)
{
    struct ordo_stm *stm = t->stm;
    /* Pairs with ordo_stm_epoch_advance. */
    uint64_t start = __atomic_load_n(&stm->epoch, __ATOMIC_SEQ_CST), epoch = start, next;
    unsigned turn = 0;
    ordo_stm_count(&t->statistics.quiesces, 1);
    while (epoch < start + 3) { /* C10 quiesce */
        ordo_stm_epoch_advance(stm);
        next = __atomic_load_n(&stm->epoch, __ATOMIC_SEQ_CST); /* as above */
        if (next == epoch)
            ordo_stm_wait_turn(t, turn++);
        epoch = next;
    }
    ordo_stm_collect(t);
}

/* The token. */

static inline void ordo_stm_flag_down(struct ordo_stm_thread *t)
{
    /* Pairs with ordo_stm_token_take: all that this commit wrote is visible to who finds the flag down. */
    __atomic_store_n(&t->committing, 0, __ATOMIC_RELEASE);
}

static inline void ordo_stm_token_wait(struct ordo_stm_thread *t)
{
    unsigned turn = 0;
    while (__atomic_load_n(&t->stm->token, __ATOMIC_RELAXED)) /* relaxed: it will be looked at again */
        ordo_stm_wait_turn(t, turn++);
}

/* Makes the thread the only one that commits. Its flag is down. */
ORDO_STM_SLOW void ordo_stm_token_take(struct ordo_stm_thread *t)
{
    struct ordo_stm_thread *r;
    uint64_t free_token = 0;
    unsigned turn = 0;
    /* C11 take. Pairs with ordo_stm_gate: see C11; and with ordo_stm_leave of who had it before: what it wrote is
     * visible. */
    while (!__atomic_compare_exchange_n(&t->stm->token, &free_token, t->mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        ordo_stm_token_wait(t);
        free_token = 0;
    }
    for (r = __atomic_load_n(&t->stm->threads, __ATOMIC_SEQ_CST); r; r = r->next)
        /* C11 drain. Pairs with ordo_stm_gate: see C11; and with ordo_stm_flag_down. */
        for (turn = 0; __atomic_load_n(&r->committing, __ATOMIC_SEQ_CST); turn++)
            ordo_stm_wait_turn(t, turn);
    t->irrevocable = 1;
    t->wants_token = 0;
    ordo_stm_count(&t->statistics.irrevocable, 1);
}

/* Raises the flag of a commit, unless another thread has the token: then it waits. */
static inline void ordo_stm_gate(struct ordo_stm_thread *t)
{
    for (;;) {
        /* C11 gate. Pairs with C11 drain: either the flag is seen up there, or the token here. */
        (void)__atomic_exchange_n(&t->committing, 1, __ATOMIC_SEQ_CST);
        if (__builtin_expect(__atomic_load_n(&t->stm->token, __ATOMIC_SEQ_CST) == 0, 1) || t->irrevocable)
            return;
        ordo_stm_flag_down(t);
        ordo_stm_token_wait(t);
    }
}

/** Makes the transaction irrevocable: from here on it will not be run again. 0, also where it is so already; or as
 * ordo_stm_read: then it runs again and is irrevocable from its next beginning. It may still be told ORDO_E_SYSTEM, where
 * memory is wanted, and the caller may still abort it. Waits for the commits of others. */
ORDO_STM_SLOW int ordo_stm_irrevocable(struct ordo_stm_thread *t)
{
    if (t->code)
        return t->code;
    if (t->irrevocable)
        return ORDO_OK;
    ordo_stm_token_take(t);
    if ((!t->keeps && t->last_read) || !ordo_stm_stands(t, t->limit, 0)) { /* C11 stand */
        t->wants_token = 1;
        return ordo_stm_give_up(t, ORDO_STM_AGAIN, &t->statistics.aborts_changed);
    }
    t->limit = ORDO_STM_LOCKED;
    t->keeps = 0;
    return ORDO_OK;
}

/* Transactions. */

/* Within a transaction: part of it. */
ORDO_STM_SLOW int ordo_stm_begin_nested(struct ordo_stm_thread *t, unsigned flags)
{
    if (t->code)
        return t->code;
    if (t->flags & ORDO_STM_READ_ONLY && !(flags & ORDO_STM_READ_ONLY))
        return ordo_stm_give_up(t, ORDO_E_INVALID, &t->statistics.aborts_asked);
    t->flags |= flags & ORDO_STM_QUIESCE;
    t->depth++;
    return ORDO_OK;
}

/** Begins a transaction, or a part of the one that this thread is in. 0; or in a transaction only, as ordo_stm_write: an
 * outer one that was given up, or that is read-only while this one is not, and nothing was begun. `flags`: ORDO_STM_*. */
static inline int ordo_stm_begin(struct ordo_stm_thread *t, unsigned flags)
{
    struct ordo_stm *stm = t->stm;
    if (t->depth)
        return ordo_stm_begin_nested(t, flags);
    if (__builtin_expect(t->attempts != 0, 0)) {
        ordo_stm_wait_turn(t, t->attempts - 1);
        if (t->attempts >= ORDO_STM_PATIENCE || t->wants_token)
            ordo_stm_token_take(t);
    }
    /* C10 announce. Pairs with C10 scan: the epoch is not advanced twice from here on. Relaxed: looked at again. */
    (void)__atomic_exchange_n(&t->announced, __atomic_load_n(&stm->epoch, __ATOMIC_RELAXED) << 1 | 1, __ATOMIC_SEQ_CST);
    /* C10 acquire. Pairs with ordo_stm_epoch_advance: what was unlinked two epochs ago is not found. */
    (void)__atomic_load_n(&stm->epoch, __ATOMIC_SEQ_CST);
    if (t->fresh) {
        t->fresh--;
        ordo_stm_count(&t->statistics.clock_reads, 1);
        ordo_stm_carry(t, ordo_stamp_now_before(&stm->stamp)); /* C2 begin */
    }
    t->limit = t->irrevocable ? ORDO_STM_LOCKED : ordo_stm_limit(t);
    t->keeps = !t->irrevocable && (!(flags & ORDO_STM_READ_ONLY) || t->attempts);
    t->flags = flags;
    t->last_read = NULL;
    t->depth = 1;
    return ORDO_OK;
}

/** Says that a transaction that ended with ORDO_STM_AGAIN will not be run again: what the thread begins next is another
 * one, which inherits neither its attempts nor its wish to be irrevocable. ordo_stm_run says so before its first
 * attempt. Within a transaction nothing happens. */
static inline void ordo_stm_drop(struct ordo_stm_thread *t)
{
    if (__builtin_expect(t->attempts != 0, 0) && !t->depth) {
        t->attempts = 0;
        t->wants_token = 0;
    }
}

/** Whether this thread is in a transaction. */
static inline int ordo_stm_active(const struct ordo_stm_thread *t)
{
    return t->depth != 0;
}

/* Empties the account of what was written. */
static inline void ordo_stm_forget(struct ordo_stm_thread *t)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    size_t i;
    for (i = 0; i < t->writes.count; i++)
        t->index[entries[i].slot] = 0;
    t->writes.count = 0;
    t->filter = 0;
}

/* Ends the transaction, whichever way. */
static inline void ordo_stm_leave(struct ordo_stm_thread *t)
{
    if (t->irrevocable) {
        t->irrevocable = 0;
        /* Release pairs with C11 take of the next one: what this one wrote is visible. */
        __atomic_store_n(&t->stm->token, 0, __ATOMIC_RELEASE);
    }
    t->reads.count = 0;
    t->allocated.count = t->frees.count = 0;
    t->depth = 0;
    t->code = ORDO_OK;
    /* Pairs with C10 scan: all that this transaction read and wrote was before. */
    __atomic_store_n(&t->announced, 0, __ATOMIC_RELEASE);
}

/** Gives up the transaction: nothing of it happened. Returns why: ORDO_STM_AGAIN, or what a call returned, or
 * ORDO_E_CANCELLED where the caller wants it. Within another one, that is given up too, and must be ended as well. */
ORDO_STM_SLOW int ordo_stm_abort(struct ordo_stm_thread *t)
{
    int code = ordo_stm_give_up(t, ORDO_E_CANCELLED, &t->statistics.aborts_asked);
    void **allocated = (void **)t->allocated.items;
    size_t i;
    if (t->depth > 1) {
        t->depth--;
        return code;
    }
    for (i = 0; i < t->allocated.count; i++)
        ordo_stm_release(t->stm, allocated[i]);
    ordo_stm_forget(t);
    ordo_stm_leave(t);
    t->attempts = code == ORDO_STM_AGAIN ? t->attempts + 1 : 0;
    if (code != ORDO_STM_AGAIN)
        t->wants_token = 0;
    return code;
}

/* Locks the stripes of all that was written. 1: all, and `*latest` is the largest version; 0: another thread has one. */
static inline int ordo_stm_lock_all(struct ordo_stm_thread *t, uint64_t *latest)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    struct ordo_stm_lock *locks = (struct ordo_stm_lock *)t->locks.items;
    size_t i;
    for (i = 0; i < t->writes.count; i++) {
        uint64_t *stripe = ordo_stm_stripe(t, entries[i].word);
        uint64_t version = __atomic_load_n(stripe, __ATOMIC_RELAXED); /* relaxed: the exchange decides */
        if (version == t->mine)
            continue;
        if (version & ORDO_STM_LOCKED)
            return 0;
        /* C2 lock. Pairs with C4 look: who begins after the time that is taken next sees it locked. */
        if (!__atomic_compare_exchange_n(stripe, &version, t->mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return 0;
        locks[t->locks.count].stripe = stripe;
        locks[t->locks.count++].version = version;
        if (version > *latest)
            *latest = version;
    }
    return 1;
}

/* Unlocks them, with this version, or with what they had. */
static inline void ordo_stm_unlock_all(struct ordo_stm_thread *t, uint64_t version)
{
    const struct ordo_stm_lock *locks = (const struct ordo_stm_lock *)t->locks.items;
    size_t i;
    for (i = 0; i < t->locks.count; i++)
        /* C4 unlock. Release pairs with C4 look: the words are visible. */
        __atomic_store_n(locks[i].stripe, version ? version : locks[i].version, __ATOMIC_RELEASE);
}

/* Remembers what a commit has unlocked with this version. */
static inline void ordo_stm_own(struct ordo_stm_thread *t, uint64_t version)
{
    const struct ordo_stm_lock *locks = (const struct ordo_stm_lock *)t->locks.items;
    size_t i;
    t->own_version = version;
    t->owned = t->locks.count <= ORDO_STM_OWN ? (unsigned)t->locks.count : 0;
    for (i = 0; i < t->owned; i++)
        t->own[i] = locks[i].stripe;
}

/* Gives up in the midst of a commit. */
ORDO_STM_SLOW int ordo_stm_commit_fails(struct ordo_stm_thread *t, int code, uint64_t *cause)
{
    ordo_stm_unlock_all(t, 0);
    t->locks.count = 0;
    ordo_stm_flag_down(t);
    (void)ordo_stm_give_up(t, code, cause);
    return ordo_stm_abort(t);
}

/* Makes what was written visible. */
static inline void ordo_stm_write_back(struct ordo_stm_thread *t)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    size_t i;
    for (i = 0; i < t->writes.count; i++)
        /* C4 store. Release pairs with C4 load: who sees the word sees the stripe locked. */
        __atomic_store_n(entries[i].word, entries[i].value, __ATOMIC_RELEASE);
}

/* The commit of a transaction that wrote. */
static inline int ordo_stm_commit_writes(struct ordo_stm_thread *t)
{
    struct ordo_stm *stm = t->stm;
    struct ordo_stm_statistics *sum = &t->statistics;
    ordo_time now;
    uint64_t latest = 0, version;
    if (ordo_stamp_disrupted(&stm->stamp) && !t->irrevocable) { /* C1 watch */
        (void)ordo_stm_give_up(t, ORDO_E_DISRUPTED, &sum->aborts_asked);
        return ordo_stm_abort(t);
    }
    ordo_stm_gate(t);
    if (!ordo_stm_lock_all(t, &latest))
        return ordo_stm_commit_fails(t, ORDO_STM_AGAIN, &sum->aborts_locked);
    now = ordo_stamp_take_after_exchange(&stm->stamp);     /* C2 time: the exchange is C2 lock */
    version = now.ticks > latest ? now.ticks : latest + 1; /* C7 up */
    ordo_stm_carry(t, now);
    if (t->keeps && !ordo_stm_stands(t, t->limit, latest >= t->limit))
        return ordo_stm_commit_fails(t, ORDO_STM_AGAIN, &sum->aborts_changed);
    ordo_stm_write_back(t);
    ordo_stm_unlock_all(t, version);
    ordo_stm_flag_down(t);
    ordo_stm_own(t, version);
    t->locks.count = 0;
    ordo_stm_count(&sum->updates, 1);
    ordo_stm_forget(t);
    return ORDO_OK;
}

/* What the commit has made unreachable. */
ORDO_STM_SLOW void ordo_stm_retire(struct ordo_stm_thread *t)
{
    struct ordo_stm_retired *retired = (struct ordo_stm_retired *)t->retired.items + t->retired.count;
    void **objects = (void **)t->frees.items;
    /* C10 retire. Pairs with ordo_stm_epoch_advance: it is not advanced twice from here on before this thread's end. */
    uint64_t epoch = __atomic_load_n(&t->stm->epoch, __ATOMIC_SEQ_CST);
    size_t i;
    for (i = 0; i < t->frees.count; i++) {
        retired[i].object = objects[i];
        retired[i].epoch = epoch;
    }
    t->retired.count += t->frees.count;
}

/** Commits. 0: the transaction happened, at a moment within this call or, where it wrote nothing, before; otherwise it
 * never did, and is ended: ORDO_STM_AGAIN: begin again, or call ordo_stm_drop; other codes as of the calls in it,
 * ORDO_E_DISRUPTED also if a watched record is marked so. Within another transaction only that part ends, and nothing is
 * visible yet.
 *
 * Waits for an irrevocable transaction and, with ORDO_STM_QUIESCE, for all that began before; never for the boundary. */
static inline int ordo_stm_commit(struct ordo_stm_thread *t)
{
    unsigned flags = t->flags;
    int code;
    if (__builtin_expect(t->code != ORDO_OK, 0))
        return ordo_stm_abort(t);
    if (t->depth > 1) {
        t->depth--;
        return ORDO_OK;
    }
    if (t->writes.count && (code = ordo_stm_commit_writes(t)) != ORDO_OK)
        return code;
    if (t->frees.count)
        ordo_stm_retire(t);
    ordo_stm_leave(t);
    ordo_stm_count(&t->statistics.commits, 1);
    t->attempts = 0;
    if (__builtin_expect(t->retired.count > t->collect_at, 0))
        ordo_stm_collect(t);
    if (flags & ORDO_STM_QUIESCE)
        ordo_stm_quiesce(t);
    return ORDO_OK;
}

/** Ends a transaction whose body returned `result`: commits it and returns `result` if that is not negative, and gives it
 * up otherwise. Returns ORDO_STM_AGAIN where it should be run again, or a negative code for which it never happened. */
static inline int ordo_stm_finish(struct ordo_stm_thread *t, int result)
{
    int code;
    if (result >= 0) {
        code = ordo_stm_commit(t);
        return code ? code : result;
    }
    return ordo_stm_give_up(t, result, &t->statistics.aborts_asked), ordo_stm_abort(t);
}

/** Runs the expression `call`, of type int, in a transaction, again and again until it need not be run again. `result`:
 * what ordo_stm_finish returns. Within another transaction that must be run again it is ORDO_STM_AGAIN: return it. */
#define ORDO_STM_ATOMICALLY(t, flags, result, call)                                                                    \
    do {                                                                                                               \
        ordo_stm_drop(t);                                                                                              \
        do {                                                                                                           \
            (result) = ordo_stm_begin(t, flags);                                                                       \
            if ((result) == ORDO_OK)                                                                                   \
                (result) = ordo_stm_finish(t, (call));                                                                 \
        } while ((result) == ORDO_STM_AGAIN && !ordo_stm_active(t));                                                   \
    } while (0)

/** The same with a function. The body has no effect but by the calls of this interface, since it may run many times; it
 * returns a number that is not negative to commit, the code that a call told it, or a negative one of its own to undo
 * all. Returns what the body returned when it was committed or undone, or a code for which it never happened:
 * ORDO_E_SYSTEM: no memory; ORDO_E_DISRUPTED: the clocks disagree; ORDO_E_INVALID: it wrote and is read-only. */
static inline int ordo_stm_run(struct ordo_stm_thread *t, unsigned flags, int (*body)(struct ordo_stm_thread *, void *),
                               void *argument)
{
    int result;
    ORDO_STM_ATOMICALLY(t, flags, result, body(t, argument));
    return result;
}

/* Threads and domains. */

/* Takes a thread out of use, or makes a new one; NULL: no memory. */
ORDO_STM_SLOW struct ordo_stm_thread *ordo_stm_thread_reuse(struct ordo_stm *stm)
{
    struct ordo_stm_thread *t;
    void *memory;
    /* Acquire pairs with the push below: the thread is complete. */
    for (t = __atomic_load_n(&stm->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t unused = 0;
        if (__atomic_load_n(&t->used, __ATOMIC_RELAXED)) /* relaxed: the exchange decides */
            continue;
        /* Acquire pairs with ordo_stm_thread_finish: all is as its last owner left it. */
        if (__atomic_compare_exchange_n(&t->used, &unused, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return t;
    }
    t = (struct ordo_stm_thread *)ordo_stm_allocate_lines(stm, sizeof *t, &memory);
    if (!t)
        return NULL;
    t->memory = memory;
    t->stm = stm;
    t->stripes = stm->stripes;
    t->mask = stm->mask;
    t->used = 1;
    t->fresh = 1;
    t->collect_at = 64;
    t->mine = ORDO_STM_LOCKED | (uintptr_t)t; /* different for any two: no program has addresses of both halves */
    t->next = __atomic_load_n(&stm->threads, __ATOMIC_RELAXED);
    /* Pairs with ordo_stm_epoch_advance and ordo_stm_token_take: who misses the thread is seen by it (C10, C11).
     * Relaxed on failure: nothing is read through the old head. */
    while (!__atomic_compare_exchange_n(&stm->threads, &t->next, t, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return t;
}

/** Makes the calling thread one of the domain. Any number at any time; only this thread may use the result, until
 * ordo_stm_thread_finish. ORDO_E_SYSTEM: no memory. */
static inline int ordo_stm_thread_init(struct ordo_stm *stm, struct ordo_stm_thread **result)
{
    *result = ordo_stm_thread_reuse(stm);
    return *result ? ORDO_OK : ORDO_E_SYSTEM;
}

/** Ends that, not in a transaction. What it has freed and cannot give back yet is given back by the next thread that has
 * its memory, or at the end. */
static inline void ordo_stm_thread_finish(struct ordo_stm_thread *t)
{
    ordo_stm_collect(t);
    t->attempts = 0;
    t->wants_token = 0;
    /* Release pairs with ordo_stm_thread_reuse: all is at rest. */
    __atomic_store_n(&t->used, 0, __ATOMIC_RELEASE);
}

/** Starts a domain. ORDO_E_INVALID: no boundary was given (see unsafe_boundary), the handle it came from, or `watch`,
 * orders nothing, the clock is about to wrap, or too many stripes; ORDO_E_SYSTEM: no memory. */
static inline int ordo_stm_create(struct ordo_stm *stm, const struct ordo_stm_options *options)
{
    size_t stripes = 64, wanted = options->stripes ? options->stripes : (size_t)1 << 16;
    int code;
    memset(stm, 0, sizeof *stm);
    stm->options = *options;
    if (wanted > (size_t)1 << 28)
        return ORDO_E_INVALID;
    while (stripes < wanted)
        stripes *= 2;
    code = ordo_stamp_init(&stm->stamp, options->boundary_ticks, options->watch);
    if (code == ORDO_OK && ordo_stamp_unsafe(&stm->stamp) && !options->unsafe_boundary)
        code = ORDO_E_INVALID;
    if (code)
        return code;
    stm->mask = stripes - 1;
    stm->stripes = (uint64_t *)ordo_stm_allocate_lines(stm, stripes * sizeof *stm->stripes, &stm->stripes_memory);
    return stm->stripes ? ORDO_OK : ORDO_E_SYSTEM;
}

/** Gives a larger boundary to a domain at rest, as after ORDO_STATUS_SUPERSEDED: no thread is in a transaction, and what
 * other threads did before happens before this call, and what they do next after it. Waits some of the new boundaries.
 * Stamps without a boundary ignore it. ORDO_E_INVALID: it is not larger than the present one, or is that of a handle
 * that orders nothing, or the domain is not at rest, and nothing has changed; ORDO_E_DISRUPTED: the clocks disagree. */
static inline int ordo_stm_raise(struct ordo_stm *stm, uint64_t boundary_ticks)
{
    struct ordo_stm_thread *t;
    /* Acquire pairs with ordo_stm_thread_reuse: the thread is complete. Relaxed: the caller has ordered what was. */
    for (t = __atomic_load_n(&stm->threads, __ATOMIC_ACQUIRE); t; t = t->next)
        if (__atomic_load_n(&t->announced, __ATOMIC_RELAXED))
            return ORDO_E_INVALID;
    return ordo_stamp_raise(&stm->stamp, boundary_ticks);
}

/* Gives back all of a thread, which has finished. */
static inline void ordo_stm_thread_destroy(struct ordo_stm *stm, struct ordo_stm_thread *t)
{
    struct ordo_stm_retired *retired = (struct ordo_stm_retired *)t->retired.items;
    size_t i;
    for (i = t->retired_start; i < t->retired.count; i++)
        ordo_stm_release(stm, retired[i].object);
    ordo_stm_release(stm, t->reads.items);
    ordo_stm_release(stm, t->writes.items);
    ordo_stm_release(stm, t->locks.items);
    ordo_stm_release(stm, t->allocated.items);
    ordo_stm_release(stm, t->frees.items);
    ordo_stm_release(stm, t->retired.items);
    ordo_stm_release(stm, t->index);
    ordo_stm_release(stm, t->memory);
}

/** Frees the domain's memory, and what was freed; all threads have finished. Objects are the caller's to discard. */
static inline void ordo_stm_destroy(struct ordo_stm *stm)
{
    struct ordo_stm_thread *t = stm->threads, *next;
    for (; t; t = next) {
        next = t->next;
        ordo_stm_thread_destroy(stm, t);
    }
    ordo_stm_release(stm, stm->stripes_memory);
    stm->threads = NULL;
    stm->stripes = NULL;
    stm->stripes_memory = NULL;
}

/** Adds up all threads, present and former. May be called any time; the numbers are then not of one moment. */
static inline void ordo_stm_statistics_read(struct ordo_stm *stm, struct ordo_stm_statistics *sum)
{
    struct ordo_stm_thread *t;
    memset(sum, 0, sizeof *sum);
    /* Acquire pairs with ordo_stm_thread_reuse: the thread is complete. */
    for (t = __atomic_load_n(&stm->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t *from = (uint64_t *)&t->statistics, *to = (uint64_t *)sum;
        size_t i;
        for (i = 0; i < sizeof *sum / sizeof *to; i++)
            to[i] += __atomic_load_n(&from[i], __ATOMIC_RELAXED); /* as in ordo_stm_count */
    }
}

#endif
