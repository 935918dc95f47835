/* Types of MV-RLU: versions, threads, the domain, and the cache lines of their members. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

#ifndef ORDO_MVRLU_SOON /* a test sets 0 */
/* number of sections from the flush that makes a collection due to the collection: other threads begin sections
 * meanwhile */
#define ORDO_MVRLU_SOON 4
#endif
#define ORDO_MVRLU_REST 32 /* sections without a collection, after which the next flush makes one due */
#define ORDO_MVRLU_AHEAD 8 /* prefetch distance in log entries while objects are written back */
/* The attribute of a function that is not inlined into readers, but is not cold either. */
#define ORDO_MVRLU_CALL static __attribute__((noinline, unused))
#define ORDO_MVRLU_ANNOUNCED ORDO_STAMP_LIMIT
#define ORDO_MVRLU_OPEN UINT64_MAX
#define ORDO_MVRLU_LARGEST ((size_t)UINT32_MAX - 4096) /* largest size of an object in bytes */
/* As ORDO_RLU_DEFER_SHARE: flushes take 1/192 of the thread's time. The share is smaller than in RLU, because the time
 * of a flush does not include the later writing back and the cache misses of other threads, and checks of copies are
 * not counted. */
#define ORDO_MVRLU_DEFER_SHARE 192
/* largest group in bytes of log: it has fewer than 2^24 sections, which an entry's `section` can tell apart */
#define ORDO_MVRLU_GROUP ((size_t)1 << 29)

enum ordo_mvrlu_kind {
    ORDO_MVRLU_COMMIT,    /* a commit: the versions behind it, up to the next COMMIT, have its time */
    ORDO_MVRLU_COPY,      /* a version of an object */
    ORDO_MVRLU_FREED,     /* the last version of an object that the commit frees */
    ORDO_MVRLU_ALLOCATED, /* an object that an abort frees */
    ORDO_MVRLU_NOTHING
};

/* An entry of a log: a version, a commit, or an allocated object. The copy of a version follows the entry in memory, on
 * the same cache line if the copy is small. `object` and `self` are the last two members: ordo_rlu_object_of. */
struct ordo_mvrlu_version {
    /* In a commit: its time, or ANNOUNCED (no time yet), or OPEN (not announced). In a version: its time, or
     * ORDO_STAMP_LIMIT + the address of its commit, which has the time. */
    uint64_t word;
    uint64_t above; /* time of the version that replaced this version, or 0 if it is not known */
    /* in a version: the old object->copy, which shows the version below, if any; in a commit: its thread */
    void *older;
    uint32_t kind : 7;
    uint32_t is_link : 1;  /* the object is a link, whose word is the address of the copy + ORDO_RLU_LOCKED */
    uint32_t section : 24; /* number of the section that made the entry, modulo 2^24: a group has fewer sections */
    uint32_t bytes;
    struct ordo_rlu_header *object;
    struct ordo_rlu_header self;
};

ORDO_STATIC_ASSERT(sizeof(void *) != 8 || sizeof(struct ordo_mvrlu_version) == 48, "a small version fills a line");

ORDO_STATIC_ASSERT(offsetof(struct ordo_mvrlu_version, object) + sizeof(void *) ==
                       offsetof(struct ordo_mvrlu_version, self),
                   "a copy finds its object right before its header");

/* A thread, aligned to a cache line. Its memory stays until ordo_mvrlu_destroy; another thread may get it later. */
struct ordo_mvrlu_thread {
    /* Reclaimers read this line. */
    uint64_t run;   /* number of starts and ends of sections: odd in a section */
    uint64_t time;  /* the thread's L (mvrlu/argument.h) */
    uint64_t asked; /* not 0: another thread wants a pending object */
    char shared_end[128 - 3 * sizeof(uint64_t)];
    /* Only the owner uses the rest. */
    struct ordo_mvrlu *domain;
    int own_clock;
    int writing;
    int replaces; /* not 0: pending versions may have versions below them */
    uint64_t due; /* reader_unlock calls ordo_mvrlu_commit if `run` >= due; 0 in a section that writes */
    struct ordo_mvrlu_version *commit; /* commit of the section that writes and of the pending sections, or NULL */
    struct ordo_rlu_chunk *current;
    struct ordo_rlu_chunk *spare;   /* list of empty chunks */
    struct ordo_rlu_position start; /* start of the entries of the section that writes */
    struct ordo_rlu_position first; /* start of the entries of all sections with this commit */
    uint64_t group_due;             /* the pending commits are flushed when a section ends with `run` >= group_due */
    uint64_t collect_due;           /* the thread collects when a section ends with `run` >= collect_due */
    size_t group_bytes;             /* bytes of the log since `first` */
    unsigned pending;               /* number of commits that are not flushed */
    unsigned section;               /* number of the section that writes, or last wrote */
    struct ordo_rlu_group group;
    struct ordo_rlu_position settled; /* entries before this position are settled (C8) */
    struct ordo_rlu_position oldest;  /* memory before this position has been reclaimed (C9) */
    struct ordo_mvrlu_version *left;  /* FREED versions between `oldest` and `settled`, linked by `older` */
    ordo_time unlinked;               /* a time taken after `settled` last moved (T of C9); OPEN: not taken yet */
    ordo_time conflict;               /* time of the version that kept the section from locking its object; 0: none */
    unsigned commits;                 /* commits and aborts since the last collection */
    uint64_t collected;               /* `run` at the last collection */
    unsigned turn;    /* number of the next turn of waiting (domain/turn.h); counts over consecutive aborts */
    uint64_t aborted; /* `run` after the last abort */
    int code;         /* the code for which the section must be aborted */
    int naps;         /* number of consecutive waits for room in the log */
    struct ordo_mvrlu_statistics statistics; /* written by the owner, read by any thread */
    char owned_end[128];
    struct ordo_cc_thread common; /* on rarely written lines: domain.h */
    char common_end[128];
};

ORDO_STATIC_ASSERT(offsetof(struct ordo_mvrlu_thread, domain) == 128 &&
                       offsetof(struct ordo_mvrlu_thread, common) >=
                           offsetof(struct ordo_mvrlu_thread, owned_end) + 128,
                   "what different threads write is on different lines");

struct ordo_mvrlu {
    struct ordo_stamp stamp;
    struct ordo_mvrlu_options options;
    struct ordo_cc_threads threads;
    char before[128];
    uint64_t floor; /* certainly after every commit that has returned */
    char after[128 - sizeof(uint64_t)];
};
