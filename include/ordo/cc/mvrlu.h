/* Multi-version Read-Log-Update over a stamp: RLU (rlu.h) whose writers never wait for readers.
 *
 * After J. Kim, A. Mathew, S. Kashyap, M. K. Ramanathan, C. Min, "MV-RLU: Scaling Read-Log-Update with Multi-Versioning",
 * ASPLOS 2019. RLU keeps one copy of an object beside it, so a commit waits until nobody needs the object as it was.
 * Here an object has a chain of versions, newest first, each with its commit's time, and a section takes the first one
 * that is certainly before its own time. A commit only stamps its versions. Their owner writes them back to the object
 * later, many at once, and in the same way uses its log again.
 *
 *     struct ordo_mvrlu domain;                             // one for all objects that are changed together
 *     struct ordo_mvrlu_thread *t;                          // one for each thread
 *     ordo_mvrlu_create(&domain, &options);
 *     ordo_mvrlu_thread_init(&domain, &t);
 *     ORDO_MVRLU_SECTION(t, result, change(t, object));     // or lock, dereference, try_lock, unlock as in rlu.h
 *     ordo_mvrlu_thread_finish(t);
 *     ordo_mvrlu_rest(&domain);                             // all threads have finished: every object is as changed last
 *
 * WHAT A SECTION SEES
 *
 *  - A prefix of all commits in the order of their times, as with RLU: all changes of a commit or none, and with a
 *    commit everything it depends on. The sets that two sections see are nested. A commit that has returned from
 *    ordo_mvrlu_reader_unlock is seen by every section that starts later.
 *
 *  - What is locked is as the section sees it, and stays so: of two sections that change an object one aborts. What was
 *    only read can change: two sections that each read what the other changes may both commit (write skew).
 *
 *  - With deferral (options.defer_commits > 1, or ORDO_RLU_DEFER_AUTO) the commits of a thread gather into one, with the
 *    contract of rlu.h: until its flush only the thread itself sees them, on top of its prefix; what other threads see is as
 *    strong as above, with "flushed" for "returned"; and a pending object is locked, so that a thread which wants it makes
 *    the owner flush at the owner's next section. It is easier here in one thing: a flush waits for no section.
 *
 * WHAT IS WAITED FOR
 *
 *  - Sections, dereference and commits wait for nothing. An abort takes turns as that of RLU. With `options.own_clock` a
 *    commit waits until every clock is certainly after its time, which is 2B. An abort that met a commit of just now waits
 *    for B; one that is the `collect_commits`-th collects, which takes 2B, and one with a full log does it twice; a flush
 *    before that takes 2B more. Nobody waits for a thread, so nothing hangs because one has lost its CPU, however many there are for each.
 *    With deferral and `own_clock` the start and the end of any section may wait for 2B, since they may flush.
 *
 *  - A section that goes on and on keeps what it may need, and so do pending commits of a thread that begins no section
 *    (ordo_mvrlu_flush): others' logs fill. A log never grows above
 *    `options.log_bytes`. When it is full, ordo_mvrlu_try_lock returns NULL; ordo_mvrlu_abort says ORDO_LATER for some
 *    100 ms, in which it sleeps, and ORDO_E_FULL after that. The caller decides then; readers go on all the time.
 *
 *  - Once nobody keeps what is in a log, it has room for every section whose changes take a quarter of `options.log_bytes`
 *    at most, where an object counts for 112 bytes more than it has. Larger changes may never fit. For a chunk is begun only
 *    where the last one has no room for the next version: what is left over is less than what follows, and a chunk is
 *    smaller than twice its first version, or the least. Together that is three times the changes, and a chunk.
 *
 * WHAT THE CALLER PROMISES: what it promises RLU. A thread that never ends its section holds up nobody but those whose
 * log is full.
 *
 * WHERE A SECTION GETS ITS TIME
 *
 * From one word of the domain, the *floor*, which each commit raises above its own time. A section then needs no clock, and
 * it finds the word in its cache unless somebody has committed. A commit takes what the clock shows, or a time that the
 * floor has just been above if that is later. So the word orders what the clocks leave uncertain, and nobody has to wait
 * until it is certain. With `options.own_clock` a section reads the clock instead, and commits share no word, but wait for
 * 2B: for machines with so many CPUs that one line which all commits write would be what they wait for.
 *
 * WHY IT IS CORRECT
 *
 * L is a section's time, W a commit's; "after" means certainly after (cmp 1), that is by more than B. The lemma (ordo.h):
 * a read of the clock that happens after a read x shows at least x - B. S is the single order of the sequentially
 * consistent accesses.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. (The floor keeps the order even where it is
 *      broken.) A commit that finds the clocks disrupted before it is announced is undone [C1 undo]; afterwards it waits for
 *      no clock in vain, as ordo_stamp_wait does not.
 *
 *  C2  A section sees of each object the newest version whose W is before its L, or else the object itself [C2]. (Of a
 *      link that shows a version, the oldest version has the pointer that was there before.) It locks only what it sees as
 *      the newest [C2 newest]: so a chain is in the order of its times. If commit 2 depends on commit 1, then L2 is after
 *      W1, and W2 >= L2 - B > W1; who sees 2 has L > W2 + B > W1 + B, and sees 1.
 *
 *  C3  A section announces itself, then takes L, then looks at objects [C3 announce, C3 time]. So the floor was as high as
 *      L, or a clock had shown it, before its first look.
 *
 *  C4  A commit announces itself before any thread takes a time for it [C4 announce, C4], and its versions are in their
 *      headers before that. Its W is not before the L of a section that looked and found none of them, or found them not
 *      announced: W >= L - B. So that section was right not to see it.
 *      Where sections read the clock: L had been shown before the look, and W is read after it. The announcement is an
 *      exchange, which is what makes a cheaper read of the clock enough (clock.h).
 *      With the floor: one exchange shows who takes W what the floor is, F, and raises it; and W >= F - B [C4 take]. A
 *      section with L > F has read what that exchange stored, or a later one, and so has seen all that was done and seen
 *      before it: the announcement. So L <= F. No clock is needed for that, nor for L2 <= F in C2.
 *      A reader that meets the announcement does not wait: it takes the commit's time itself, and the first time counts
 *      [C4 help].
 *
 *  C5  A commit returns when the floor is after W: whoever took W raised it so [C5 floor], and nobody lowers it. Where
 *      sections read the clock, it returns when every later read is after W [C5 settle], and a section that came too early
 *      for a version waits for a time after it before it begins again [C5 conflict].
 *
 *  C6  The L of a thread never goes back, also where it migrates to a clock that is behind: the larger of two is taken
 *      [C6]. C3 holds of both.
 *
 *  C7  Horizon [C7 horizon]: a time H that the L of every section which is left, and of every later one, reaches. Who
 *      computes it reads the floor first, or its clock less B, and then looks for sections. In S either it sees a section
 *      that is announced, and its L or an earlier one of that thread; or the section takes its L after that, and reads at
 *      least that floor (C5), or at least that time less B.
 *
 *  C8  A version is settled once H is after its W [C8 all]: no section goes below it any more. If a commit has replaced
 *      it, H must be after the W above as well, for then nobody comes to it [C8 above]; that this W was known when
 *      something else was read from this thread's clock does not do, since that may be behind by B. If none has, it is
 *      copied to the object, which no section reads now, and taken from the header [C8 write], of a link in one step, unless
 *      somebody locks the object meanwhile: then it stays for later. All of this is done in a section of one's own [C8
 *      section]: whatever replaces the version after one has looked has W >= L - B, so that nobody settles it, writes it to
 *      the object, or frees the object, before one is done.
 *      What had replaced it before, at a W' that it was not told yet, does not lose the object either. A commit tells the
 *      versions below in the section in which it is announced, and a flush between sections is one for that [C8 tell].
 *      By C4 the L of this section is not after W'. Who settles something of W' or later has seen that announcement, and so
 *      it sees this section, and cannot; or the end of it, and then takes the time of C9 later than all was told. That is
 *      not before the L of a section which found a version not told: the object is freed when that one has ended.
 *
 *  C9  What is settled may still be looked at by a section that came to it before. Its memory is used again [C9 empty]
 *      or given back [C9 spare], and an object that left is freed [C9 free], once H is after a time taken when all of it was
 *      settled [C9 now, C9 twice], which is that of the thread's next commit, unless it wants the memory sooner: a section
 *      after that does not find what was taken from its header, by the argument of C4. What was undone stays in the log as
 *      long. A late helper (C4) is in a section that came to the commit before it was settled, so the commit that it may
 *      stamp is still the same.
 *      A version has the time of the commit that it names. One that is left when its commit is settled is told the time as
 *      a part of that [C9 tell]. So a section after that finds no version whose commit is gone. What was undone is told
 *      nothing: behind the commit there may be some of others, which were undone alone and have no time.
 *
 *  C10 Nobody waits for a section: who finds no room reclaims what it can and says that the log is full [C10 full].
 *
 *  C11 With deferral the sections of a group have one commit, and all of the above holds of it as of one long section which
 *      began with the last of them, or with the flush after it, which is a section too: none of their versions can be
 *      replaced by another thread meanwhile, so each was still the newest then, and is before its L. Three things are
 *      different.
 *      A section sees the versions of its thread's group whatever their time, and may replace them [C11 own]. It does so by
 *      a new version, so that it can be undone alone [C11 section]. Both have the time of the commit, and who is after that
 *      comes to the newer one first.
 *      What was undone still names the commit, which goes on. A section that found it before it was undone has an L that
 *      the floor or a clock had shown before that, and so before the flush: by C4 the commit's W is not before it.
 *      Pending versions keep what lies below them unsettled, in the log of its owner too. Whoever wants such an object, or
 *      the room, asks the owner [C11 ask], which flushes before its next section or at its end [C11 flush].
 *      (A flush of RLU is no section. It waits for them; and it looks only at what its thread keeps locked until it is
 *      written back, so that nobody else has replaced or freed it.)
 */
#ifndef ORDO_CC_MVRLU_H
#define ORDO_CC_MVRLU_H

#include <ordo/cc/rlu.h> /* its memory, headers and waiting */

#ifndef ORDO_MVRLU_CHUNK_BYTES /* a test wants them small */
#define ORDO_MVRLU_CHUNK_BYTES ((size_t)8192)
#endif
#ifndef ORDO_MVRLU_SOON   /* a test wants none */
#define ORDO_MVRLU_SOON 4 /* sections, in which others begin one, too */
#endif
#define ORDO_MVRLU_REST 32 /* sections: a thread that has not collected for so long does soon after its next flush */
#define ORDO_MVRLU_AHEAD 8 /* entries of the log: while it writes objects back, it asks for the next ones */
#define ORDO_MVRLU_LINE ((size_t)64)
/* Out of the reader's way, but not rare. */
#define ORDO_MVRLU_CALL static __attribute__((noinline, unused))
#define ORDO_MVRLU_ANNOUNCED ORDO_STAMP_LIMIT
#define ORDO_MVRLU_OPEN UINT64_MAX
#define ORDO_MVRLU_LARGEST ((size_t)UINT32_MAX - 4096) /* bytes of an object */
/* As of RLU, and less (copies are not counted): the time of a flush has in it neither what is written back later nor the lines that others miss. */
#define ORDO_MVRLU_DEFER_SHARE 192
#define ORDO_MVRLU_GROUP ((size_t)1 << 29) /* bytes of log: fewer sections than an entry can tell apart */

/** All zero is valid for stamps that need no boundary. */
struct ordo_mvrlu_options {
    uint64_t boundary_ticks;  /* of the stamps ordo, any and corrected: ordo_boundary() of an open handle */
    size_t log_bytes;         /* of each thread, at most; at least ORDO_MVRLU_CHUNK_BYTES; 0: 1 MiB */
    unsigned collect_commits; /* flushed, after which a thread looks what it can reclaim, or sooner; 0: 16 */
    int own_clock;            /* each section reads the clock, and commits share nothing: for many CPUs */
    /* Commits of a thread that are flushed together; 0 and 1: each at once; ORDO_RLU_DEFER_AUTO: as many as pay. */
    unsigned defer_commits;
    unsigned defer_sections; /* at most so many of its sections after the first of them; 0: 4096 */
    size_t defer_bytes;      /* at most so much log; 0, and at most: a quarter of log_bytes */
    int unsafe_boundary; /* ordo, any or corrected with boundary 0, which is WRONG unless there is one CPU: for tests */
    struct ordo_rlu_memory memory; /* allocate NULL: malloc and free */
    /* As in struct ordo_rlu_options: once its record is marked DISRUPTED, commits are undone, and nothing waits for a
     * clock. */
    const struct ordo *watch;
};

/** What happened so far. */
struct ordo_mvrlu_statistics {
    uint64_t sections;     /* started, aborted ones included, and those in which a thread only flushed or collected */
    uint64_t commits;      /* sections that changed something */
    uint64_t flushes;      /* commits as others see them: equal to `commits` without deferral */
    uint64_t aborts;       /* sections that had to be repeated */
    uint64_t steals;       /* dereferences that took a version */
    uint64_t helps;        /* commit times that a reader took for the committer, whether or not it was the first */
    uint64_t collections;  /* looks for what can be reclaimed */
    uint64_t written_back; /* versions copied to their object */
    uint64_t fulls;        /* sections that found the log full */
    uint64_t yields;       /* turns given up while waiting, for a lock or for room */
    uint64_t sleeps;       /* times slept, 50 to 800 us, likewise */
    uint64_t log_bytes;    /* memory of the logs; before the end some is given back only for larger chunks */
};

enum ordo_mvrlu_kind {
    ORDO_MVRLU_COMMIT,    /* the versions behind it, up to the next one, share its time */
    ORDO_MVRLU_COPY,      /* a version of an object */
    ORDO_MVRLU_FREED,     /* the last one, of an object that leaves with the commit */
    ORDO_MVRLU_ALLOCATED, /* an object that an abort frees */
    ORDO_MVRLU_NOTHING
};

/* An entry of a log; of a version, what follows is the copy: on one line, if it is small. */
struct ordo_mvrlu_version {
    /* Of a commit: its time; ANNOUNCED: being stamped; OPEN. Of a version: the time, or ORDO_STAMP_LIMIT + the address
     * of the commit, which has it. */
    uint64_t word;
    uint64_t above; /* time of the version that replaced it; 0: none */
    struct ordo_rlu_header *object;
    void *older; /* object->copy before: the version below, if there is one; of a commit: its thread */
    uint32_t kind : 7;
    uint32_t is_link : 1;  /* the object is a link, whose word is the address of the copy + ORDO_RLU_LOCKED */
    uint32_t section : 24; /* of the thread, that made it: told apart within a group, which is smaller */
    uint32_t bytes;
    struct ordo_rlu_header self;
};

struct ordo_mvrlu_chunk {
    struct ordo_mvrlu_chunk *next;
    size_t bytes;
    size_t used;
    void *memory;
    char end[32];
};

ORDO_STATIC_ASSERT(sizeof(void *) != 8 ||
                       (sizeof(struct ordo_mvrlu_version) == 48 && sizeof(struct ordo_mvrlu_chunk) == ORDO_MVRLU_LINE),
                   "a small version fills a line");

struct ordo_mvrlu_position {
    struct ordo_mvrlu_chunk *chunk;
    size_t used;
};

/* A thread; its memory stays until ordo_mvrlu_destroy, and another thread may have it later. Starts on a line. */
struct ordo_mvrlu_thread {
    /* Who collects reads this line. */
    uint64_t run;   /* odd in a section */
    uint64_t time;  /* L */
    uint64_t used;  /* some thread has it */
    uint64_t asked; /* what it has pending is wanted */
    char shared_end[128 - 4 * sizeof(uint64_t)];
    /* The rest is its owner's. */
    struct ordo_mvrlu *domain;
    int own_clock;
    int writing;
    int replaces;                      /* what is pending may have versions below */
    uint64_t due;                      /* the section ending at this `run` has more to do: 0 in one that writes */
    struct ordo_mvrlu_version *commit; /* of the section that writes, or of what is pending; or NULL */
    struct ordo_mvrlu_chunk *current;
    struct ordo_mvrlu_chunk *spare;   /* empty ones */
    struct ordo_mvrlu_position start; /* of the section that writes */
    struct ordo_mvrlu_position first; /* of those that have the same commit */
    uint64_t group_due;               /* the section at whose end what is pending is due */
    uint64_t collect_due;             /* and at whose end it looks for what can be reclaimed */
    size_t group_bytes;               /* of the log, since `first` */
    unsigned pending;                 /* commits not flushed */
    unsigned section;                 /* number of the section that writes */
    struct ordo_rlu_group group;
    struct ordo_mvrlu_position settled; /* what lies before is reclaimed, or about to be */
    struct ordo_mvrlu_position oldest;
    struct ordo_mvrlu_version *left; /* last versions between those two, of objects that left: linked by `older` */
    ordo_time unlinked;              /* when `settled` had moved, unless it is `oldest`; or OPEN: not known yet */
    ordo_time conflict;              /* of the version that a section came too early for; 0: none */
    unsigned commits;                /* since it collected, */
    uint64_t collected;              /* when `run` was this */
    unsigned turn;                   /* of waiting, over aborts in a row */
    uint64_t aborted;                /* `run` after the last one */
    int code;                        /* why the section must be aborted */
    int naps;                        /* of those that waited for room */
    struct ordo_mvrlu_statistics statistics; /* written by the owner, read by any thread */
    struct ordo_mvrlu_thread *next;
    void *memory;
    char owned_end[128];
};

ORDO_STATIC_ASSERT(offsetof(struct ordo_mvrlu_thread, domain) == 128,
                   "what different threads write is on different lines");

/** A domain: objects of one must not meet sections of another. */
struct ordo_mvrlu {
    struct ordo_stamp stamp;
    struct ordo_mvrlu_options options;
    struct ordo_mvrlu_thread *threads; /* all that ever were; grows at the front */
    char before[128];
    uint64_t floor; /* every commit that has returned is certainly before it */
    char after[128 - sizeof(uint64_t)];
};

/* Memory and objects. */

static inline void *ordo_mvrlu_allocate(const struct ordo_mvrlu *domain, size_t bytes)
{
    return ordo_rlu_memory_take(&domain->options.memory, bytes);
}

static inline void ordo_mvrlu_release(const struct ordo_mvrlu *domain, void *what)
{
    ordo_rlu_memory_give(&domain->options.memory, what);
}

static inline struct ordo_rlu_header *ordo_mvrlu_header_of(void *object)
{
    return ordo_rlu_header_of(object);
}

static inline struct ordo_mvrlu_version *ordo_mvrlu_version_of(void *copy)
{
    return (struct ordo_mvrlu_version *)copy - 1;
}

/* The word of an object, or of a link, that shows a version; and the version that it shows, or NULL. */
static inline void *ordo_mvrlu_shown(struct ordo_mvrlu_version *version)
{
    return (char *)(version + 1) + (version->is_link ? ORDO_RLU_LOCKED : 0);
}

static inline struct ordo_mvrlu_version *ordo_mvrlu_version_in(int is_link, void *word)
{
    void *copy = is_link ? (void *)ordo_rlu_link_copy_of(word) : word;
    return copy ? ordo_mvrlu_version_of(copy) : NULL;
}

/* Logs. */

/* What an entry with a copy of `bytes` takes. */
static inline size_t ordo_mvrlu_entry_bytes(size_t bytes)
{
    return (sizeof(struct ordo_mvrlu_version) + bytes + ORDO_MVRLU_LINE - 1) & ~(ORDO_MVRLU_LINE - 1);
}

/* Whether an entry is a version that was not undone. */
static inline int ordo_mvrlu_is_version(const struct ordo_mvrlu_version *entry)
{
    return entry->kind == ORDO_MVRLU_COPY || entry->kind == ORDO_MVRLU_FREED;
}

/* The entry at the position, which moves behind it; NULL at the end. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_log_step(const struct ordo_mvrlu_thread *t,
                                                             struct ordo_mvrlu_position *at)
{
    struct ordo_mvrlu_version *entry;
    while (at->used == at->chunk->used) {
        if (at->chunk == t->current)
            return NULL;
        at->chunk = at->chunk->next;
        at->used = sizeof(struct ordo_mvrlu_chunk);
    }
    entry = (struct ordo_mvrlu_version *)(void *)((char *)at->chunk + at->used);
    at->used += ordo_mvrlu_entry_bytes(entry->bytes);
    return entry;
}

/* Whether the log may have `whole` bytes more, once it gives back chunks that are empty; then it has given them back. */
static inline int ordo_mvrlu_log_shrink(struct ordo_mvrlu_thread *t, size_t whole)
{
    uint64_t most = t->domain->options.log_bytes, filled = t->statistics.log_bytes;
    struct ordo_mvrlu_chunk *chunk;
    for (chunk = t->spare; chunk; chunk = chunk->next)
        filled -= chunk->bytes;
    if (filled + whole > most)
        return 0;
    while (t->statistics.log_bytes + whole > most) {
        chunk = t->spare;
        t->spare = chunk->next;
        ordo_rlu_count(&t->statistics.log_bytes, -(uint64_t)chunk->bytes);
        ordo_mvrlu_release(t->domain, chunk->memory); /* C9 spare */
    }
    return 1;
}

/* A new chunk with room for `step` bytes. NULL: the log is as large as it may be, or no memory, which `code` tells. */
ORDO_RLU_SLOW struct ordo_mvrlu_chunk *ordo_mvrlu_chunk_make(struct ordo_mvrlu_thread *t, size_t step)
{
    size_t whole = ORDO_MVRLU_CHUNK_BYTES;
    struct ordo_mvrlu_chunk *chunk;
    void *memory;
    while (whole - sizeof *chunk < step)
        whole *= 2;
    if (!ordo_mvrlu_log_shrink(t, whole)) {
        t->code = ORDO_E_FULL;
        return NULL;
    }
    chunk = (struct ordo_mvrlu_chunk *)ordo_rlu_memory_take_aligned(&t->domain->options.memory, whole, ORDO_MVRLU_LINE,
                                                                    &memory);
    if (!chunk) {
        t->code = ORDO_E_SYSTEM;
        return NULL;
    }
    chunk->bytes = whole;
    chunk->memory = memory;
    ordo_rlu_count(&t->statistics.log_bytes, whole);
    return chunk;
}

/* An empty chunk with room for `step` bytes: of the spare ones, or a new one. NULL: see `code`. */
static inline struct ordo_mvrlu_chunk *ordo_mvrlu_chunk_take(struct ordo_mvrlu_thread *t, size_t step)
{
    struct ordo_mvrlu_chunk **link = &t->spare, *chunk;
    while (*link && (*link)->bytes - sizeof *chunk < step)
        link = &(*link)->next;
    chunk = *link;
    if (!chunk)
        return ordo_mvrlu_chunk_make(t, step);
    *link = chunk->next;
    return chunk;
}

static inline void ordo_mvrlu_collect_in(struct ordo_mvrlu_thread *t);

/* A chunk with room for `step` bytes becomes the current one. NULL: see `code`. */
ORDO_RLU_SLOW struct ordo_mvrlu_chunk *ordo_mvrlu_log_grow(struct ordo_mvrlu_thread *t, size_t step)
{
    struct ordo_mvrlu_chunk *chunk = ordo_mvrlu_chunk_take(t, step);
    if (!chunk && t->code == ORDO_E_FULL && t->run & 1) { /* C10 full */
        ordo_mvrlu_collect_in(t);
        chunk = ordo_mvrlu_chunk_take(t, step);
    }
    if (!chunk)
        return NULL;
    t->code = ORDO_LATER;
    chunk->next = NULL;
    chunk->used = sizeof *chunk;
    if (t->current)
        t->current->next = chunk;
    return t->current = chunk;
}

/* A new entry with `bytes` for the copy. NULL: see `code`. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_log_append(struct ordo_mvrlu_thread *t, uint32_t kind,
                                                               struct ordo_rlu_header *object, size_t bytes)
{
    struct ordo_mvrlu_chunk *chunk = t->current;
    struct ordo_mvrlu_version *entry;
    size_t step = ordo_mvrlu_entry_bytes(bytes);
    if (chunk->bytes - chunk->used < step) {
        chunk = ordo_mvrlu_log_grow(t, step);
        if (!chunk)
            return NULL;
    }
    entry = (struct ordo_mvrlu_version *)(void *)((char *)chunk + chunk->used);
    chunk->used += step;
    entry->above = 0;
    entry->object = object;
    entry->kind = kind & 0x7f;
    entry->is_link = 0;
    entry->section = t->section & 0xffffff;
    entry->bytes = (uint32_t)bytes;
    entry->self.copy = ORDO_RLU_IS_COPY;
    return entry;
}

/* The same in a section that writes from now on. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_append(struct ordo_mvrlu_thread *t, uint32_t kind,
                                                           struct ordo_rlu_header *object, size_t bytes)
{
    if (bytes > ORDO_MVRLU_LARGEST) {
        t->code = ORDO_E_SYSTEM;
        return NULL;
    }
    if (!t->commit) {
        struct ordo_mvrlu_version *commit = ordo_mvrlu_log_append(t, ORDO_MVRLU_COMMIT, NULL, 0);
        if (!commit)
            return NULL;
        commit->word = ORDO_MVRLU_OPEN;
        commit->older = t;
        t->first.chunk = t->current;
        t->first.used = t->current->used;
        t->group_bytes = 0;
        t->commit = commit;
    }
    if (!t->writing) {
        t->writing = 1;
        t->due = 0;
        t->section++;
        t->start.chunk = t->current;
        t->start.used = t->current->used;
    }
    t->group_bytes += ordo_mvrlu_entry_bytes(bytes);
    return ordo_mvrlu_log_append(t, kind, object, bytes);
}

/* Times. */

/* What the clock shows, in no order with anything: the floor keeps the order. */
static inline ordo_time ordo_mvrlu_clock(struct ordo_stamp *stamp)
{
#if defined ORDO_STAMP_KNOWS_RELAXED
    return ordo_stamp_relaxed(stamp);
#else
    return ordo_stamp_take(stamp);
#endif
}

/* A time for what this thread has done and seen: a section that is after it has seen that too. Raises the floor above. */
static inline ordo_time ordo_mvrlu_take_by_floor(struct ordo_mvrlu_thread *t)
{
    struct ordo_mvrlu *domain = t->domain;
    uint64_t boundary = ordo_stamp_boundary(&domain->stamp);
    uint64_t floor = t->time; /* a guess: most often nobody has raised it since */
    ordo_time shown = ordo_mvrlu_clock(&domain->stamp), w;
    do {
        w = shown;
        if (floor > boundary && floor - boundary > w.ticks)
            w.ticks = floor - boundary; /* C4 take */
        /* C5 floor. Pairs with ordo_mvrlu_reader_lock: who finds it raised sees what this thread has done and seen; and
         * with ordo_mvrlu_horizon. Relaxed on failure: nothing is read through that. */
    } while (!__atomic_compare_exchange_n(&domain->floor, &floor, w.ticks + boundary + 1, 0, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    return w;
}

/* The same, also where sections read the clock. */
static inline ordo_time ordo_mvrlu_take(struct ordo_mvrlu_thread *t)
{
    return t->own_clock ? ordo_stamp_take(&t->domain->stamp) : ordo_mvrlu_take_by_floor(t);
}

/* The same for another thread's commit, which this one has met announced: no more is asked of the clock than to be read
 * behind the load that met it, and no more is stored then than the time (C4 help). */
static inline ordo_time ordo_mvrlu_take_for_another(struct ordo_mvrlu_thread *t)
{
    return t->own_clock ? ordo_stamp_take_after(&t->domain->stamp) : ordo_mvrlu_take_by_floor(t);
}

/* The commit that a version's word names; NULL: the word is its time. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_commit_of(uint64_t word)
{
    return word < ORDO_STAMP_LIMIT ? NULL : (struct ordo_mvrlu_version *)(uintptr_t)(word - ORDO_STAMP_LIMIT);
}

/* C11 ask: whoever has a version pending is to flush; nothing, if its commit has been announced. */
static inline void ordo_mvrlu_ask(const struct ordo_mvrlu_thread *t, uint64_t word)
{
    struct ordo_mvrlu_version *commit = ordo_mvrlu_commit_of(word);
    /* Relaxed: hints. */
    if (commit && t->domain->options.defer_commits > 1 &&
        __atomic_load_n(&commit->word, __ATOMIC_RELAXED) == ORDO_MVRLU_OPEN)
        __atomic_store_n(&((struct ordo_mvrlu_thread *)commit->older)->asked, 1, __ATOMIC_RELAXED);
}

/* C11 ask: the same, of the newest version of the object of this one, in a section. */
static inline void ordo_mvrlu_ask_above(const struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *version)
{
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *word = __atomic_load_n(&version->object->copy, __ATOMIC_ACQUIRE);
    const struct ordo_mvrlu_version *newest = ordo_mvrlu_version_in(version->is_link, word);
    if (newest)
        ordo_mvrlu_ask(t, __atomic_load_n(&newest->word, __ATOMIC_RELAXED));
}

/* Reclaiming. */

/* C7 horizon: every section that is left, and every later one, has at least this L. */
static inline ordo_time ordo_mvrlu_horizon(struct ordo_mvrlu *domain)
{
    struct ordo_mvrlu_thread *r;
    ordo_time horizon;
    uint64_t time;
    if (domain->options.own_clock) {
        uint64_t boundary = ordo_stamp_boundary(&domain->stamp);
        horizon = ordo_stamp_now(&domain->stamp);
        horizon.ticks -= horizon.ticks > boundary ? boundary : horizon.ticks;
    } else {
        /* Pairs with ordo_mvrlu_reader_lock: a section that is not seen below finds at least this floor. */
        horizon.ticks = __atomic_load_n(&domain->floor, __ATOMIC_SEQ_CST);
    }
    /* Pairs with ordo_mvrlu_thread_reuse: a thread that is not in the list yet begins its first section later. */
    for (r = __atomic_load_n(&domain->threads, __ATOMIC_SEQ_CST); r; r = r->next) {
        /* Pairs with ordo_mvrlu_reader_lock as above; and with ordo_mvrlu_end: the loads of a section that has ended
         * are done. */
        if (!(__atomic_load_n(&r->run, __ATOMIC_SEQ_CST) & 1))
            continue;
        /* Acquire pairs with ordo_mvrlu_reader_lock: sections older than the one of this time have ended. */
        time = __atomic_load_n(&r->time, __ATOMIC_ACQUIRE);
        if (time < horizon.ticks)
            horizon.ticks = time;
    }
    return horizon;
}

/* Remembers the last version of an object that left, which is freed with the log up to `settled`. No section goes below
 * it any more, so the link is free. */
static inline void ordo_mvrlu_leave(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_version *last)
{
    last->older = t->left;
    t->left = last;
}

/* Frees the objects that left, and empties the chunks, before `settled`. A log that is empty begins its chunk again:
 * however little room that chunk has left, and none beside it, a section finds as much as it ever would. */
static inline void ordo_mvrlu_reclaim(struct ordo_mvrlu_thread *t)
{
    for (; t->left; t->left = (struct ordo_mvrlu_version *)t->left->older)
        ordo_mvrlu_release(t->domain, t->left->object); /* C9 free */
    while (t->oldest.chunk != t->settled.chunk) {
        struct ordo_mvrlu_chunk *empty = t->oldest.chunk;
        t->oldest.chunk = empty->next;
        empty->next = t->spare;
        t->spare = empty;
    }
    /* C9 empty: nor is a commit open, which would not be settled. */
    if (t->settled.chunk == t->current && t->settled.used == t->current->used)
        t->current->used = t->settled.used = sizeof(struct ordo_mvrlu_chunk);
    t->oldest = t->settled;
}

/* C8 write: writes a version to its object; and what the word of that is without one. */
static inline void *ordo_mvrlu_write(const struct ordo_mvrlu_version *version)
{
    void *word = NULL;
    memcpy(version->is_link ? (void *)&word : (void *)(version->object + 1), version + 1, version->bytes);
    return word;
}

/* Whether a version that every section sees, or something newer, has been taken from its object; takes it. */
static inline int ordo_mvrlu_settle(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_version *version, ordo_time horizon)
{
    void *shown = ordo_mvrlu_shown(version), *written;
    ordo_time above;
    if (version->kind == ORDO_MVRLU_FREED) { /* nobody comes there */
        ordo_mvrlu_leave(t, version);
        return 1;
    }
    /* Acquire pairs with ordo_mvrlu_tell_below: who replaced it needs it no longer. */
    above.ticks = __atomic_load_n(&version->above, __ATOMIC_ACQUIRE);
    if (above.ticks)
        return ordo_stamp_after(&t->domain->stamp, horizon, above); /* C8 above */
    /* Relaxed: the exchange below decides. */
    if (__atomic_load_n(&version->object->copy, __ATOMIC_RELAXED) != shown) {
        if (t->code == ORDO_E_FULL)
            ordo_mvrlu_ask_above(t, version);
        return 0;
    }
    written = ordo_mvrlu_write(version);
    ordo_rlu_count(&t->statistics.written_back, 1);
    /* Release pairs with ordo_mvrlu_dereference and ordo_mvrlu_try_lock: found without a version, it is found written.
     * If it fails, another thread has locked the object: no section reads the master before that version is gone. */
    return __atomic_compare_exchange_n(&version->object->copy, &shown, written, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Whether an entry begins a commit that some section may not see yet, as those behind it. */
static inline int ordo_mvrlu_is_later(const struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *entry,
                                      ordo_time horizon)
{
    ordo_time w;
    if (entry->kind != ORDO_MVRLU_COMMIT)
        return 0;
    /* Relaxed: this thread's, or a helper's that it has read. Helpers that came too late may still be trying. */
    w.ticks = __atomic_load_n(&entry->word, __ATOMIC_RELAXED);
    return entry == t->commit || !ordo_stamp_after(&t->domain->stamp, horizon, w);
}

/* Asks for the object of the entry at the position, which moves behind it. Whether there may be more to ask for. */
static inline int ordo_mvrlu_settle_soon(const struct ordo_mvrlu_thread *t, struct ordo_mvrlu_position *at,
                                         ordo_time horizon)
{
    const struct ordo_mvrlu_version *entry = ordo_mvrlu_log_step(t, at);
    if (!entry || ordo_mvrlu_is_later(t, entry, horizon))
        return 0;
    if (entry->kind == ORDO_MVRLU_COPY)
        ordo_fetch_to_write(entry->object);
    return 1;
}

/* Tells the versions of a commit that lie behind `settled` its time, since the commit lies before it; NULL: they were. */
static inline void ordo_mvrlu_tell(struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *commit)
{
    struct ordo_mvrlu_position at = t->settled;
    struct ordo_mvrlu_version *entry;
    while (commit && (entry = ordo_mvrlu_log_step(t, &at)) != NULL && entry->kind != ORDO_MVRLU_COMMIT)
        if (ordo_mvrlu_is_version(entry))
            /* C9 tell. Relaxed: as in ordo_mvrlu_is_later. Release pairs with ordo_mvrlu_time: the copy is complete. */
            __atomic_store_n(&entry->word, __atomic_load_n(&commit->word, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
}

/* Moves `settled` on as far as the horizon allows. */
static inline void ordo_mvrlu_settle_all(struct ordo_mvrlu_thread *t, ordo_time horizon)
{
    struct ordo_mvrlu_position at = t->settled, ahead = at;
    struct ordo_mvrlu_version *entry, *commit = NULL;
    int i, more = 1;
    for (i = 0; i < ORDO_MVRLU_AHEAD && more; i++)
        more = ordo_mvrlu_settle_soon(t, &ahead, horizon);
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL) {
        more = more && ordo_mvrlu_settle_soon(t, &ahead, horizon);
        if (ordo_mvrlu_is_later(t, entry, horizon))
            break; /* C8 all */
        if (entry->kind == ORDO_MVRLU_COMMIT)
            commit = entry;
        if (ordo_mvrlu_is_version(entry) && !ordo_mvrlu_settle(t, entry, horizon)) {
            ordo_mvrlu_tell(t, commit);
            break;
        }
        t->settled = at;
    }
}

/* Reclaims what it can, in two steps, and waits for nobody. In a section. */
static inline void ordo_mvrlu_collect_in(struct ordo_mvrlu_thread *t)
{
    ordo_time horizon = ordo_mvrlu_horizon(t->domain);
    t->commits = 0;
    t->collected = t->run;
    t->collect_due = UINT64_MAX;
    ordo_rlu_count(&t->statistics.collections, 1);
    if (t->oldest.chunk != t->settled.chunk || t->oldest.used != t->settled.used) {
        if (!ordo_stamp_after(&t->domain->stamp, horizon, t->unlinked)) /* C9 twice */
            return;
        ordo_mvrlu_reclaim(t);
    }
    ordo_mvrlu_settle_all(t, horizon);
    t->unlinked.ticks = ORDO_MVRLU_OPEN; /* its next commit takes a time anyway, and that is one after this */
}

/* The same without a commit. */
static inline void ordo_mvrlu_settled_now(struct ordo_mvrlu_thread *t)
{
    if (t->unlinked.ticks == ORDO_MVRLU_OPEN)
        t->unlinked = ordo_mvrlu_take(t); /* C9 now */
}

/* Sections. */

ORDO_MVRLU_CALL void ordo_mvrlu_flush_group(struct ordo_mvrlu_thread *t);

/* Whether another thread wants what is pending, or what was. */
static inline int ordo_mvrlu_is_asked(const struct ordo_mvrlu_thread *t)
{
    return __atomic_load_n(&t->asked, __ATOMIC_RELAXED) != 0; /* a hint */
}

/* Whether something is pending that another thread wants. */
static inline int ordo_mvrlu_is_wanted(const struct ordo_mvrlu_thread *t)
{
    return t->commit && ordo_mvrlu_is_asked(t);
}

static inline int ordo_mvrlu_begin(struct ordo_mvrlu_thread *t, int own_clock)
{
    uint64_t time;
    /* C3 announce. Pairs with ordo_mvrlu_horizon: it sees this section, or this section sees its floor or clock. */
    (void)__atomic_exchange_n(&t->run, t->run + 1, __ATOMIC_SEQ_CST);
    /* C3 time. Pairs with ordo_mvrlu_take_by_floor: what was visible to who raised it is visible now. */
    if (own_clock)
        time = ordo_stamp_now(&t->domain->stamp).ticks;
    else
        time = __atomic_load_n(&t->domain->floor, __ATOMIC_SEQ_CST);
    time = time > t->time ? time : t->time; /* C6 */
    /* Stored also where it is the same: compilers make a conditional move of this, where a branch on whether somebody has
     * committed would be mispredicted, and then throw away the loads that were begun while the floor's line came. Release
     * pairs with ordo_mvrlu_horizon: older sections have ended. */
    __atomic_store_n(&t->time, time, __ATOMIC_RELEASE);
    return ORDO_OK;
}

ORDO_MVRLU_CALL int ordo_mvrlu_begin_slowly(struct ordo_mvrlu_thread *t)
{
    if (ordo_mvrlu_is_asked(t)) {
        if (t->commit)
            ordo_mvrlu_flush_group(t); /* C11 flush: before the section, which has not begun */
        /* Relaxed: whoever asked has seen an earlier commit, and the next one nobody yet. */
        __atomic_store_n(&t->asked, 0, __ATOMIC_RELAXED);
    }
    return ordo_mvrlu_begin(t, t->own_clock);
}

/** Starts a section. Sections of a thread do not nest. Waits for nobody; with deferral and `own_clock` for twice the
 * boundary if another thread wants a pending object of this one. Always 0. */
static inline int ordo_mvrlu_reader_lock(struct ordo_mvrlu_thread *t)
{
    if (__builtin_expect(t->own_clock || ordo_mvrlu_is_asked(t), 0))
        return ordo_mvrlu_begin_slowly(t);
    return ordo_mvrlu_begin(t, 0);
}

static inline void ordo_mvrlu_end(struct ordo_mvrlu_thread *t)
{
    /* Release pairs with ordo_mvrlu_horizon: this section's loads are done. */
    __atomic_store_n(&t->run, t->run + 1, __ATOMIC_RELEASE);
}

/* `due`, outside sections that write. */
static inline void ordo_mvrlu_set_due(struct ordo_mvrlu_thread *t)
{
    t->due = t->group_due < t->collect_due ? t->group_due : t->collect_due;
}

/* Takes back what the section did to shared memory. Its entries stay in the log until no section can be looking at
 * them (C9). */
static inline void ordo_mvrlu_undo(struct ordo_mvrlu_thread *t)
{
    struct ordo_mvrlu_position at = t->start;
    struct ordo_mvrlu_version *entry;
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL)
        if (ordo_mvrlu_is_version(entry)) {
            entry->kind = ORDO_MVRLU_NOTHING;
            /* Release pairs with ordo_mvrlu_try_lock of the next owner. */
            __atomic_store_n(&entry->object->copy, entry->older, __ATOMIC_RELEASE);
        }
    at = t->start; /* again: what was allocated may have been locked too */
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL)
        if (entry->kind == ORDO_MVRLU_ALLOCATED) {
            entry->kind = ORDO_MVRLU_NOTHING;
            ordo_mvrlu_release(t->domain, entry->object);
        }
    t->writing = 0;
    ordo_mvrlu_set_due(t);
    if (t->pending > 0)
        return; /* the commit goes on without this section: C11 */
    t->commit->kind = ORDO_MVRLU_NOTHING;
    t->commit = NULL;
}

/* The time of the commit that is announced: the one that is offered, unless another thread was faster. */
static inline ordo_time ordo_mvrlu_stamp(struct ordo_mvrlu_version *commit, ordo_time w)
{
    uint64_t word = ORDO_MVRLU_ANNOUNCED;
    /* Release pairs with ordo_mvrlu_time: the copies are visible to a thread that reads the time. Acquire, for a
     * helper: so that it hands on what the announcement made visible. */
    if (!__atomic_compare_exchange_n(&commit->word, &word, w.ticks, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        w.ticks = word;
    return w;
}

/* Tells the versions that the commit replaces its time. Seldom any: it goes through the log for them only. */
static inline void ordo_mvrlu_tell_below(struct ordo_mvrlu_thread *t, ordo_time w)
{
    struct ordo_mvrlu_position at = t->first;
    struct ordo_mvrlu_version *entry;
    if (!t->replaces)
        return;
    t->replaces = 0;
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL) {
        struct ordo_mvrlu_version *below =
            ordo_mvrlu_is_version(entry) ? ordo_mvrlu_version_in(entry->is_link, entry->older) : NULL;
        if (below)
            /* C8 above. Release pairs with ordo_mvrlu_settle: this thread needs it no longer. */
            __atomic_store_n(&below->above, w.ticks, __ATOMIC_RELEASE);
    }
}

/* Announces the commit, and offers a time for it. */
static inline ordo_time ordo_mvrlu_announce(struct ordo_mvrlu_thread *t)
{
    uint64_t *word = &t->commit->word;
    if (t->own_clock) {
        /* C4 announce. Pairs with ordo_mvrlu_time of a helper: the copies are complete. */
        (void)__atomic_exchange_n(word, ORDO_MVRLU_ANNOUNCED, __ATOMIC_SEQ_CST);
        return ordo_stamp_take_after_exchange(&t->domain->stamp);
    }
    /* C4 announce. As above; and with the floor it pairs with ordo_mvrlu_reader_lock. */
    __atomic_store_n(word, ORDO_MVRLU_ANNOUNCED, __ATOMIC_RELEASE);
    return ordo_mvrlu_take_by_floor(t);
}

/* Commits what is pending, in a section: when it was. */
static inline ordo_time ordo_mvrlu_publish(struct ordo_mvrlu_thread *t)
{
    ordo_time offered = ordo_mvrlu_announce(t), w = ordo_mvrlu_stamp(t->commit, offered); /* C4: which that is */
    ordo_mvrlu_tell_below(t, w);
    if (t->unlinked.ticks == ORDO_MVRLU_OPEN)
        t->unlinked = offered; /* C9 now */
    t->commits += t->pending;
    t->pending = 0;
    t->commit = NULL;
    t->group_due = UINT64_MAX;
    /* Soon, before others have looked at all that: but when they have begun sections after it. Where commits are rare after
     * each: until it is written back, an object is some lines more to whoever reads it. */
    if (t->collect_due == UINT64_MAX &&
        (t->commits >= t->domain->options.collect_commits || t->run - t->collected >= (uint64_t)2 * ORDO_MVRLU_REST))
        t->collect_due = t->run + 2 * ORDO_MVRLU_SOON;
    ordo_mvrlu_set_due(t);
    ordo_rlu_count(&t->statistics.flushes, 1);
    return w;
}

/* When a flush begins, if the thread chooses how many commits it gathers. */
static inline uint64_t ordo_mvrlu_flush_begins(const struct ordo_mvrlu_thread *t)
{
    return t->group.share ? ordo_clock_relaxed() : 0;
}

/* The end of a flush at w of what was `gathered`, not in a section: waits for what it waits for, and chooses how many
 * commits to gather next, by all that it took. */
static inline void ordo_mvrlu_flush_ends(struct ordo_mvrlu_thread *t, ordo_time w, unsigned gathered, uint64_t since)
{
    if (t->own_clock)
        (void)ordo_stamp_settle(&t->domain->stamp, w); /* C5 settle: or in vain */
    if (t->group.share)
        /* Relaxed: a hint that what it gathered is wanted. */
        ordo_rlu_group_adapt(&t->group, gathered, (int)__atomic_load_n(&t->asked, __ATOMIC_RELAXED), since,
                             ordo_clock_relaxed());
}

/* Whether what is pending is to be flushed at the end of this section. */
static inline int ordo_mvrlu_is_due(const struct ordo_mvrlu_thread *t)
{
    return t->pending > 0 && (t->pending >= t->group.most || t->group_bytes >= t->domain->options.defer_bytes ||
                              t->run >= t->group_due || ordo_mvrlu_is_wanted(t));
}

/* The end of a section that wrote, or at which something is due. ORDO_E_DISRUPTED: it was undone. */
ORDO_MVRLU_CALL int ordo_mvrlu_commit(struct ordo_mvrlu_thread *t)
{
    ordo_time w;
    unsigned gathered = 0;
    uint64_t since = 0;
    if (t->writing && ordo_stamp_disrupted(&t->domain->stamp)) { /* C1 undo */
        ordo_mvrlu_undo(t);
        ordo_mvrlu_end(t);
        ordo_rlu_count(&t->statistics.aborts, 1);
        return ORDO_E_DISRUPTED;
    }
    if (t->writing) {
        t->writing = 0;
        ordo_rlu_count(&t->statistics.commits, 1);
        if (t->pending++ == 0)
            t->group_due = t->run + 2 * (uint64_t)t->domain->options.defer_sections;
    }
    if (t->run >= t->collect_due)
        ordo_mvrlu_collect_in(t); /* C8 section: not yet ended */
    w.ticks = 0;
    if (ordo_mvrlu_is_due(t)) {
        gathered = t->pending;
        since = ordo_mvrlu_flush_begins(t);
        w = ordo_mvrlu_publish(t); /* C8 tell, C11 flush: not yet ended */
    }
    ordo_mvrlu_set_due(t);
    ordo_mvrlu_end(t);
    if (w.ticks)
        ordo_mvrlu_flush_ends(t, w, gathered, since);
    return ORDO_OK;
}

/** Ends a section. If it changed anything, that is committed: visible as a whole to all sections that start after the
 * return (with deferral: after the flush). A commit waits for nobody, and for twice the boundary only with `own_clock`.
 * Pointers from dereference and try_lock are void afterwards. 0; or, in a domain with a `watch` only, ORDO_E_DISRUPTED:
 * the section never happened. What earlier sections left pending still is. */
static inline int ordo_mvrlu_reader_unlock(struct ordo_mvrlu_thread *t)
{
    if (__builtin_expect(t->run >= t->due, 0))
        return ordo_mvrlu_commit(t);
    ordo_mvrlu_end(t);
    return ORDO_OK;
}

/* Commits what is pending, not in a section. */
ORDO_MVRLU_CALL void ordo_mvrlu_flush_group(struct ordo_mvrlu_thread *t)
{
    unsigned gathered = t->pending;
    uint64_t since = ordo_mvrlu_flush_begins(t);
    ordo_time w;
    (void)ordo_mvrlu_begin(t, t->own_clock); /* C8 tell: until the versions below know */
    w = ordo_mvrlu_publish(t);
    ordo_mvrlu_end(t);
    t->aborted += 2; /* what ended here is not a section that succeeded */
    ordo_mvrlu_flush_ends(t, w, gathered, since);
}

/** Commits what is pending, not in a section: a thread that will not start one for a while does this, so that others can
 * see its changes, lock its objects, and reclaim their logs. Waits as a commit does. */
static inline void ordo_mvrlu_flush(struct ordo_mvrlu_thread *t)
{
    if (t->pending)
        ordo_mvrlu_flush_group(t);
}

/** The same, but only if another thread has asked: cheap enough for any loop. */
static inline void ordo_mvrlu_poll(struct ordo_mvrlu_thread *t)
{
    if (ordo_mvrlu_is_wanted(t))
        ordo_mvrlu_flush_group(t);
}

/** Reclaims now what can be reclaimed of this thread's, not in a section; with deferral it flushes first what another
 * thread wants. Waits for nobody; with `own_clock` for twice the boundary, and the same again for a flush. Commits do it by
 * themselves every so often; this is for a thread that will not commit for a while: the first call writes back, the
 * second one frees. */
ORDO_RLU_SLOW void ordo_mvrlu_collect(struct ordo_mvrlu_thread *t)
{
    ordo_mvrlu_settled_now(t);
    if (t->own_clock)
        (void)ordo_stamp_settle(&t->domain->stamp, t->unlinked); /* so that a clock less B, the horizon, is after it */
    (void)ordo_mvrlu_reader_lock(t);                             /* C8 section */
    ordo_mvrlu_collect_in(t);
    ordo_mvrlu_end(t);
}

/* Before a section that met a version too early begins again: its L is after that. */
static inline int ordo_mvrlu_catch_up(struct ordo_mvrlu_thread *t)
{
    ordo_time now, w = t->conflict;
    t->conflict.ticks = 0;
    if (w.ticks == 0 || !t->own_clock) /* C5 floor: the next section is after w anyway */
        return ORDO_LATER;
    /* One side is enough: C3 asks that a clock showed L before the section's first look. */
    if (ordo_stamp_later_before(&t->domain->stamp, w, &now) != ORDO_OK) /* C5 conflict */
        return ORDO_E_DISRUPTED;
    if (now.ticks > t->time) /* C6 */
        /* Release pairs with ordo_mvrlu_horizon, as in ordo_mvrlu_reader_lock. */
        __atomic_store_n(&t->time, now.ticks, __ATOMIC_RELEASE);
    return ORDO_LATER;
}

enum { ORDO_MVRLU_NAPS = 128 }; /* some 100 ms */

/* A section that found its log full: waits a little for others to end theirs. */
static inline int ordo_mvrlu_wait_for_room(struct ordo_mvrlu_thread *t)
{
    ordo_rlu_count(&t->statistics.fulls, 1);
    ordo_mvrlu_collect(t);
    ordo_mvrlu_collect(t); /* what the first one settled: that the log may be empty */
    if (t->turn < ORDO_RLU_SPINS)
        t->turn = ORDO_RLU_SPINS;
    if (t->turn < ORDO_RLU_SPINS + ORDO_RLU_YIELDS + ORDO_RLU_NAP_DOUBLES || t->naps++ < ORDO_MVRLU_NAPS)
        return ORDO_LATER;
    t->naps = 0;
    return ORDO_E_FULL;
}

/** Gives up a section that cannot go on: all its changes and allocations are undone. Must be called once after
 * ordo_mvrlu_try_lock or ordo_mvrlu_alloc returned NULL, and may be called any time instead of ordo_mvrlu_reader_unlock.
 * ORDO_LATER: start again (waits longer each time, outside any section); ORDO_E_FULL: the log has been full for some
 * 100 ms of trying, since a section or pending commits of another thread go on and on, or since it is too small for what
 * this section changes; ORDO_E_SYSTEM: no memory, or an object of 4 GiB; ORDO_E_DISRUPTED: see `watch`; ORDO_E_INVALID:
 * what ordo_mvrlu_free refused. */
ORDO_RLU_SLOW int ordo_mvrlu_abort(struct ordo_mvrlu_thread *t)
{
    int code = t->code;
    if (t->writing)
        ordo_mvrlu_undo(t);
    t->code = ORDO_LATER;
    ordo_rlu_count(&t->statistics.aborts, 1);
    if (t->run - t->aborted > 1) { /* a section between them succeeded */
        t->turn = 0;
        t->naps = 0;
    }
    ordo_mvrlu_end(t);
    if (t->pending && (code == ORDO_E_FULL || t->group_bytes >= t->domain->options.defer_bytes || t->run >= t->due ||
                       ordo_mvrlu_is_wanted(t)))
        ordo_mvrlu_flush_group(t); /* C11 flush: it holds up logs, and is not to sleep with them */
    if (++t->commits >= t->domain->options.collect_commits) /* what is undone is in the log, too */
        ordo_mvrlu_collect(t);
    if (code == ORDO_E_FULL)
        code = ordo_mvrlu_wait_for_room(t);
    else if (code == ORDO_LATER)
        code = ordo_mvrlu_catch_up(t);
    t->aborted = t->run; /* sections in which it collected do not count */
    if (code == ORDO_LATER)
        ordo_rlu_wait_turn(&t->turn, &t->statistics.yields, &t->statistics.sleeps);
    return code;
}

/** Runs `call` in a section, again and again until it does not return a negative number, which aborts; `result` is what
 * it returned, or another code of ordo_mvrlu_abort than ORDO_LATER, or ORDO_E_DISRUPTED, and nothing happened. */
#define ORDO_MVRLU_SECTION(t, result, call)                                                                            \
    do {                                                                                                               \
        (void)ordo_mvrlu_reader_lock(t);                                                                               \
        (result) = (call);                                                                                             \
        if ((result) >= 0) {                                                                                           \
            if (ordo_mvrlu_reader_unlock(t) != ORDO_OK)                                                                \
                (result) = ORDO_E_DISRUPTED;                                                                           \
        } else if (((result) = ordo_mvrlu_abort(t)) == ORDO_LATER) {                                                   \
            (result) = ORDO_RLU_AGAIN;                                                                                 \
        }                                                                                                              \
    } while ((result) == ORDO_RLU_AGAIN)

/* Objects. */

/* The time of a version of another section; ORDO_MVRLU_OPEN: it is not committed. */
static inline ordo_time ordo_mvrlu_time(struct ordo_mvrlu_thread *t, uint64_t word)
{
    struct ordo_mvrlu_version *commit = ordo_mvrlu_commit_of(word);
    ordo_time w;
    w.ticks = word;
    if (!commit)
        return w;
    /* Acquire pairs with ordo_mvrlu_stamp: the copy is complete. */
    w.ticks = __atomic_load_n(&commit->word, __ATOMIC_ACQUIRE);
    if (w.ticks == ORDO_MVRLU_ANNOUNCED) { /* C4 help */
        ordo_rlu_count(&t->statistics.helps, 1);
        w = ordo_mvrlu_stamp(commit, ordo_mvrlu_take_for_another(t));
    }
    return w;
}

/* C11 own: whether a version is of this section, or of what its thread has pending. */
static inline int ordo_mvrlu_is_own(const struct ordo_mvrlu_thread *t, uint64_t word)
{
    return t->commit && ordo_mvrlu_commit_of(word) == t->commit;
}

/* C11 section: whether a version of the thread's own is of this section. */
static inline int ordo_mvrlu_is_of_section(const struct ordo_mvrlu_thread *t, const void *copy)
{
    return t->writing && ((const struct ordo_mvrlu_version *)copy - 1)->section == (t->section & 0xffffff);
}

/* Whether this section sees a version, or goes on to what is below it. */
static inline int ordo_mvrlu_sees(struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *version)
{
    /* Acquire pairs with ordo_mvrlu_tell: the copy is complete. */
    uint64_t word = __atomic_load_n(&version->word, __ATOMIC_ACQUIRE);
    ordo_time section;
    section.ticks = t->time;
    if (ordo_mvrlu_is_own(t, word))
        return 1;
    if (!ordo_stamp_after(&t->domain->stamp, section, ordo_mvrlu_time(t, word))) /* C2, C4 */
        return 0;
    ordo_rlu_count(&t->statistics.steals, 1);
    return 1;
}

/* An object whose header shows a version: what this section sees. */
ORDO_MVRLU_CALL void *ordo_mvrlu_resolve(struct ordo_mvrlu_thread *t, void *object, void *copy)
{
    if (copy == ORDO_RLU_IS_COPY) { /* of an earlier dereference: the same, unless locked since */
        if (!t->commit)
            return object;
        /* Acquire pairs with ordo_mvrlu_try_lock: the version names its commit. */
        copy = __atomic_load_n(&ordo_mvrlu_version_of(object)->object->copy, __ATOMIC_ACQUIRE);
        return copy && ordo_mvrlu_is_own(t, __atomic_load_n(&ordo_mvrlu_version_of(copy)->word, __ATOMIC_RELAXED))
                   ? copy
                   : object;
    }
    for (; copy; copy = ordo_mvrlu_version_of(copy)->older)
        if (ordo_mvrlu_sees(t, ordo_mvrlu_version_of(copy)))
            return copy;
    return object;
}

/** What this section sees of an object, valid until it ends; `object` is not NULL, and may itself come from
 * dereference or try_lock. Pointers found in the result lead to objects again: dereference each before reading
 * through it what is ever locked. What this section locked, it sees changed, if it dereferences again. */
static inline void *ordo_mvrlu_dereference(struct ordo_mvrlu_thread *t, void *object)
{
    /* Acquire pairs with ordo_mvrlu_settle: an object without versions is written; and with ordo_mvrlu_try_lock: a
     * version names its commit. */
    void *copy = __atomic_load_n(&ordo_rlu_header_of(object)->copy, __ATOMIC_ACQUIRE);
    if (__builtin_expect(copy != NULL, 0))
        return ordo_mvrlu_resolve(t, object, copy);
    return object;
}

/* The object itself, of which the pointer may show a version. */
static inline void *ordo_mvrlu_master(void *object)
{
    /* Relaxed: whether it is a copy never changes while a section has the pointer. */
    if (object && __atomic_load_n(&ordo_rlu_header_of(object)->copy, __ATOMIC_RELAXED) == ORDO_RLU_IS_COPY)
        return ordo_mvrlu_version_of(object)->object + 1;
    return object;
}

/** As ordo_rlu_assign. */
static inline void ordo_mvrlu_assign(void *where, void *object)
{
    object = ordo_mvrlu_master(object);
    memcpy(where, &object, sizeof object);
}

/** Whether two pointers show the same object; either may be NULL. */
static inline int ordo_mvrlu_cmp_ptrs(void *a, void *b)
{
    return a == b || ordo_mvrlu_master(a) == ordo_mvrlu_master(b);
}

/* Whether the section may write on top of a version; otherwise says what it has to wait for. */
ORDO_MVRLU_CALL int ordo_mvrlu_may_replace(struct ordo_mvrlu_thread *t, uint64_t word)
{
    ordo_time section, w = ordo_mvrlu_time(t, word);
    section.ticks = t->time;
    if (ordo_stamp_after(&t->domain->stamp, section, w)) /* C2 newest */
        return 1;
    t->code = ORDO_LATER;
    if (w.ticks < ORDO_STAMP_LIMIT)
        t->conflict = w;
    else
        ordo_mvrlu_ask(t, word);
    return 0;
}

/** A hint, for a section that is going to lock several objects which it has read: ask for each first, then their lines
 * come at once. */
static inline void ordo_mvrlu_will_lock(void *object)
{
    ordo_fetch_to_write(ordo_rlu_header_of(ordo_mvrlu_master(object)));
}

/* Whether the section may lock what has this version: 1: it has; 0: it may; -1: it may not. */
static inline int ordo_mvrlu_may_lock(struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *version)
{
    /* Acquire pairs with ordo_mvrlu_tell: the copy is complete. */
    uint64_t word = __atomic_load_n(&version->word, __ATOMIC_ACQUIRE);
    if (ordo_mvrlu_is_own(t, word))
        return ordo_mvrlu_is_of_section(t, version + 1);
    return ordo_mvrlu_may_replace(t, word) ? 0 : -1;
}

/* Puts a version on top of what shows `old`; 0: another thread was faster. */
static inline int ordo_mvrlu_put(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_version *version, void *old,
                                 int replaces)
{
    version->older = old;
    t->replaces |= replaces;
    /* Relaxed: the exchange releases it. */
    __atomic_store_n(&version->word, ORDO_STAMP_LIMIT + (uint64_t)(uintptr_t)t->commit, __ATOMIC_RELAXED);
    /* Acquire pairs with ordo_mvrlu_settle: what has no version is written; release with who finds it: all above. */
    if (__atomic_compare_exchange_n(&version->object->copy, &old, ordo_mvrlu_shown(version), 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
        return 1;
    version->kind = ORDO_MVRLU_NOTHING;
    t->code = ORDO_LATER;
    return 0;
}

/** Locks the first `bytes` of an object and returns a copy, aligned to 8 bytes, to be changed at will until the
 * section ends. NULL: another thread has it or has changed it since this section began, or the log is full, or no
 * memory; call ordo_mvrlu_abort. What is locked twice in a section has one copy. Each object must be locked with one
 * and the same size. The rest is never copied: it must not change once the object is linked, and is read through the
 * pointer that was found, not through what dereference or try_lock returns. */
static inline void *ordo_mvrlu_try_lock(struct ordo_mvrlu_thread *t, void *object, size_t bytes)
{
    struct ordo_rlu_header *header = ordo_rlu_header_of(ordo_mvrlu_master(object));
    struct ordo_mvrlu_version *version;
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *old = __atomic_load_n(&header->copy, __ATOMIC_ACQUIRE);
    int own = old ? ordo_mvrlu_may_lock(t, ordo_mvrlu_version_of(old)) : 0;
    if (own)
        return own > 0 ? old : NULL;
    version = ordo_mvrlu_append(t, ORDO_MVRLU_COPY, header, bytes);
    if (!version || !ordo_mvrlu_put(t, version, old, old != NULL))
        return NULL;
    memcpy(version + 1, version->older ? version->older : header + 1, bytes);
    return version + 1;
}

/* Memory for what is so long and has a header or not, which an abort of this section gives back. NULL: none, abort. */
static inline void *ordo_mvrlu_alloc_in(struct ordo_mvrlu_thread *t, size_t header, size_t bytes)
{
    void *memory = bytes <= ORDO_MVRLU_LARGEST ? ordo_mvrlu_allocate(t->domain, header + bytes) : NULL;
    int in_section = t->run & 1;
    if (!memory) {
        t->code = in_section ? ORDO_E_SYSTEM : t->code;
        return NULL;
    }
    if (in_section && !ordo_mvrlu_append(t, ORDO_MVRLU_ALLOCATED, (struct ordo_rlu_header *)memory, 0)) {
        ordo_mvrlu_release(t->domain, memory);
        return NULL;
    }
    return memory;
}

/** A new object of `bytes`, aligned to 8 bytes, with undefined content. Write to it freely until a pointer to it is
 * committed. In a section: an abort frees it; NULL means no memory, or a full log: abort. Outside: it stays until
 * freed. */
static inline void *ordo_mvrlu_alloc(struct ordo_mvrlu_thread *t, size_t bytes)
{
    struct ordo_rlu_header *header = (struct ordo_rlu_header *)ordo_mvrlu_alloc_in(t, sizeof *header, bytes);
    if (!header)
        return NULL;
    header->copy = NULL;
    return header + 1;
}

/* C9 free: what has this version leaves with the commit. ORDO_E_INVALID: it is not this section's, or has left. */
static inline int ordo_mvrlu_leaves(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_version *version)
{
    /* Relaxed: of interest only if it is this thread's. */
    if (!version || !ordo_mvrlu_is_own(t, __atomic_load_n(&version->word, __ATOMIC_RELAXED)) ||
        !ordo_mvrlu_is_of_section(t, version + 1) || version->kind != ORDO_MVRLU_COPY)
        return t->code = ORDO_E_INVALID;
    version->kind = ORDO_MVRLU_FREED;
    return ORDO_OK;
}

/** Frees an object that this section has locked and unlinked, once no section can reach it; even what the section itself
 * allocated must be locked. 0; or ORDO_E_INVALID: this section has not locked it, or has freed it already; call
 * ordo_mvrlu_abort, which returns the same: beginning again would not help. */
static inline int ordo_mvrlu_free(struct ordo_mvrlu_thread *t, void *object)
{
    struct ordo_rlu_header *header = ordo_rlu_header_of(ordo_mvrlu_master(object));
    /* Acquire: as in ordo_mvrlu_dereference. */
    return ordo_mvrlu_leaves(t, ordo_mvrlu_version_in(0, __atomic_load_n(&header->copy, __ATOMIC_ACQUIRE)));
}

/** Frees an object now: for one that no other thread can reach and that has no version, as when a structure is taken
 * down after ordo_mvrlu_rest. Not in a section. */
static inline void ordo_mvrlu_discard(struct ordo_mvrlu *domain, void *object)
{
    ordo_mvrlu_release(domain, ordo_rlu_header_of(object));
}

/* Links (struct ordo_rlu_link), and nodes, which begin with one. */

/* A link that is locked, or has versions: what this section sees. */
ORDO_MVRLU_CALL void *ordo_mvrlu_follow_versions(struct ordo_mvrlu_thread *t, void *word)
{
    struct ordo_mvrlu_version *version;
    for (; (version = ordo_mvrlu_version_in(1, word)) != NULL; word = version->older)
        if (ordo_mvrlu_sees(t, version))
            return *(void **)(void *)(version + 1);
    return word;
}

/** What this section sees a link point to, valid until it ends. What this section locked, it sees changed. */
static inline void *ordo_mvrlu_follow(struct ordo_mvrlu_thread *t, const struct ordo_rlu_link *link)
{
    /* Acquire: as in ordo_mvrlu_dereference; and what it points to is written. */
    void *word = __atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE);
    if (__builtin_expect((uintptr_t)word & ORDO_RLU_LOCKED, 0))
        return ordo_mvrlu_follow_versions(t, word);
    return word;
}

/** As ordo_mvrlu_try_lock, of a link: where it points to, to be changed by a plain assignment until the section ends. What
 * is stored there is no pointer from dereference or try_lock. */
static inline void **ordo_mvrlu_try_lock_link(struct ordo_mvrlu_thread *t, struct ordo_rlu_link *link)
{
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *word = __atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE);
    struct ordo_mvrlu_version *old = ordo_mvrlu_version_in(1, word), *version;
    void **to;
    int own = old ? ordo_mvrlu_may_lock(t, old) : 0;
    if (own)
        return own > 0 ? (void **)(void *)(old + 1) : NULL;
    version = ordo_mvrlu_append(t, ORDO_MVRLU_COPY, &link->word, sizeof word);
    if (!version)
        return NULL;
    version->is_link = 1;
    to = (void **)(void *)(version + 1);
    *to = old ? *(void **)(void *)(old + 1) : word;
    return ordo_mvrlu_put(t, version, word, old != NULL) ? to : NULL;
}

/** As ordo_mvrlu_alloc: a new node of `bytes`, which begins with a link. That points nowhere as yet, the rest is undefined. */
static inline void *ordo_mvrlu_alloc_node(struct ordo_mvrlu_thread *t, size_t bytes)
{
    struct ordo_rlu_link *link =
        (struct ordo_rlu_link *)ordo_mvrlu_alloc_in(t, 0, bytes < sizeof *link ? sizeof *link : bytes);
    if (link)
        ordo_rlu_link_init(link, NULL);
    return link;
}

/** As ordo_mvrlu_free, of a node whose link this section has locked. */
static inline int ordo_mvrlu_free_node(struct ordo_mvrlu_thread *t, void *node)
{
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *word = __atomic_load_n(&((struct ordo_rlu_link *)node)->word.copy, __ATOMIC_ACQUIRE);
    return ordo_mvrlu_leaves(t, ordo_mvrlu_version_in(1, word));
}

/** As ordo_mvrlu_discard, of a node. */
static inline void ordo_mvrlu_discard_node(struct ordo_mvrlu *domain, void *node)
{
    ordo_mvrlu_release(domain, node);
}

/* Threads and domains. */

/* Takes a thread out of use, or makes a new one; NULL: no memory. */
ORDO_RLU_SLOW struct ordo_mvrlu_thread *ordo_mvrlu_thread_reuse(struct ordo_mvrlu *domain)
{
    struct ordo_mvrlu_thread *t;
    void *memory;
    /* Acquire pairs with the push below: the thread is complete. */
    for (t = __atomic_load_n(&domain->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t unused = 0;
        if (__atomic_load_n(&t->used, __ATOMIC_RELAXED)) /* relaxed: the exchange decides */
            continue;
        /* Acquire pairs with ordo_mvrlu_thread_finish: the log is as its last owner left it. */
        if (__atomic_compare_exchange_n(&t->used, &unused, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return t;
    }
    t = (struct ordo_mvrlu_thread *)ordo_rlu_memory_take_aligned(&domain->options.memory, sizeof *t, 128, &memory);
    if (!t)
        return NULL;
    t->memory = memory;
    t->domain = domain;
    t->own_clock = domain->options.own_clock;
    t->due = t->group_due = t->collect_due = UINT64_MAX;
    t->used = 1;
    if (!ordo_mvrlu_log_grow(t, ORDO_MVRLU_LINE)) {
        ordo_mvrlu_release(domain, memory);
        return NULL;
    }
    t->oldest.chunk = t->settled.chunk = t->current;
    t->oldest.used = t->settled.used = t->current->used;
    t->next = __atomic_load_n(&domain->threads, __ATOMIC_RELAXED);
    /* Pairs with ordo_mvrlu_horizon: see there. Relaxed on failure: nothing is read through the old head. */
    while (!__atomic_compare_exchange_n(&domain->threads, &t->next, t, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return t;
}

/** Makes the calling thread one of the domain. Any number at any time; only this thread may use the result, until
 * ordo_mvrlu_thread_finish. ORDO_E_SYSTEM: no memory. */
static inline int ordo_mvrlu_thread_init(struct ordo_mvrlu *domain, struct ordo_mvrlu_thread **result)
{
    *result = ordo_mvrlu_thread_reuse(domain);
    if (!*result)
        return ORDO_E_SYSTEM;
    ordo_rlu_group_begin(&(*result)->group, domain->options.defer_commits, ORDO_MVRLU_DEFER_SHARE);
    return ORDO_OK;
}

/** Ends that, not in a section: flushes. What cannot be reclaimed yet, at most its log, is left to the next thread that has its
 * memory, or to ordo_mvrlu_rest. */
static inline void ordo_mvrlu_thread_finish(struct ordo_mvrlu_thread *t)
{
    ordo_mvrlu_flush(t);
    ordo_mvrlu_collect(t);
    ordo_mvrlu_collect(t); /* what the first one settled */
    /* Release pairs with ordo_mvrlu_thread_reuse: the log is at rest. */
    __atomic_store_n(&t->used, 0, __ATOMIC_RELEASE);
}

/** Starts a domain. ORDO_E_INVALID: no boundary was given (see unsafe_boundary), the handle it came from, or `watch`,
 * orders nothing, the clock is about to wrap, or log_bytes is less than ORDO_MVRLU_CHUNK_BYTES. */
static inline int ordo_mvrlu_create(struct ordo_mvrlu *domain, const struct ordo_mvrlu_options *options)
{
    int code;
    memset(domain, 0, sizeof *domain);
    domain->options = *options;
    if (domain->options.log_bytes == 0)
        domain->options.log_bytes = (size_t)1 << 20;
    if (domain->options.collect_commits == 0)
        domain->options.collect_commits = 16;
    if (domain->options.defer_sections == 0)
        domain->options.defer_sections = 4096;
    if (domain->options.defer_bytes == 0 || domain->options.defer_bytes > domain->options.log_bytes / 4)
        domain->options.defer_bytes = domain->options.log_bytes / 4;
    if (domain->options.defer_bytes > ORDO_MVRLU_GROUP)
        domain->options.defer_bytes = ORDO_MVRLU_GROUP;
    if (domain->options.log_bytes < ORDO_MVRLU_CHUNK_BYTES)
        return ORDO_E_INVALID;
    code = ordo_stamp_init(&domain->stamp, options->boundary_ticks, options->watch);
    if (code == ORDO_OK && ordo_stamp_unsafe(&domain->stamp) && !options->unsafe_boundary)
        code = ORDO_E_INVALID;
    return code;
}

/* Writes back what is newest, and empties the log of a thread at rest. */
static inline void ordo_mvrlu_rest_thread(struct ordo_mvrlu_thread *t)
{
    struct ordo_mvrlu_position at = t->settled;
    struct ordo_mvrlu_version *entry;
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL)
        if (entry->kind == ORDO_MVRLU_COPY && entry->above == 0) {
            entry->object->copy = ordo_mvrlu_write(entry);
        } else if (entry->kind == ORDO_MVRLU_FREED) {
            ordo_mvrlu_leave(t, entry);
        }
    t->settled.chunk = t->current;
    t->settled.used = t->current->used;
    ordo_mvrlu_reclaim(t);
}

/** Flushes what is pending, writes every version back and frees every object that has left, in a domain at rest: no thread is in a section, and
 * nothing else is called for it; what other threads did before happens before this call, and what they do next after
 * it. To be called before a structure is audited, cleared or discarded. */
static inline void ordo_mvrlu_rest(struct ordo_mvrlu *domain)
{
    struct ordo_mvrlu_thread *t;
    for (t = domain->threads; t; t = t->next) /* first all: a pending version says what those below are only then */
        ordo_mvrlu_flush(t);
    for (t = domain->threads; t; t = t->next)
        ordo_mvrlu_rest_thread(t);
}

/** As ordo_rlu_raise, of a domain at rest, but commits may be pending. While a thread is in a section it refuses, having
 * done nothing; else it does ordo_mvrlu_rest first, also if it then returns ORDO_E_INVALID. */
static inline int ordo_mvrlu_raise(struct ordo_mvrlu *domain, uint64_t boundary_ticks)
{
    struct ordo_mvrlu_thread *t;
    for (t = domain->threads; t; t = t->next)
        if (__atomic_load_n(&t->run, __ATOMIC_RELAXED) & 1) /* relaxed: the caller has ordered what was */
            return ORDO_E_INVALID;
    ordo_mvrlu_rest(domain);
    return ordo_stamp_raise(&domain->stamp, boundary_ticks);
}

/** Frees the threads' memory; all have finished. Objects are the caller's to discard, before. */
static inline void ordo_mvrlu_destroy(struct ordo_mvrlu *domain)
{
    struct ordo_mvrlu_thread *t = domain->threads, *next_thread;
    struct ordo_mvrlu_chunk *chunk, *next_chunk;
    ordo_mvrlu_rest(domain);
    for (; t; t = next_thread) {
        next_thread = t->next;
        t->current->next = t->spare;
        for (chunk = t->current; chunk; chunk = next_chunk) {
            next_chunk = chunk->next;
            ordo_mvrlu_release(domain, chunk->memory);
        }
        ordo_mvrlu_release(domain, t->memory);
    }
    domain->threads = NULL;
}

/** Adds up all threads, present and former. May be called any time; the numbers are then not of one moment. */
static inline void ordo_mvrlu_statistics_read(struct ordo_mvrlu *domain, struct ordo_mvrlu_statistics *sum)
{
    struct ordo_mvrlu_thread *t;
    memset(sum, 0, sizeof *sum);
    /* Acquire pairs with ordo_mvrlu_thread_reuse: the thread is complete. */
    for (t = __atomic_load_n(&domain->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t *from = (uint64_t *)&t->statistics, *to = (uint64_t *)sum;
        size_t i;
        for (i = 0; i < sizeof *sum / sizeof *to; i++)
            to[i] += __atomic_load_n(&from[i], __ATOMIC_RELAXED); /* as in ordo_rlu_count */
        sum->sections += (__atomic_load_n(&t->run, __ATOMIC_RELAXED) + 1) / 2;
    }
}

#endif
