/* Types of MV-RLU: versions, threads, the domain, and the cache lines of their members. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

#ifndef ORDO_MVRLU_SOON   /* a test sets 0 */
#define ORDO_MVRLU_SOON 4 /* sections, during which other threads begin one, too */
#endif
#define ORDO_MVRLU_REST 32 /* sections without a collection, after which the next flush causes one */
#define ORDO_MVRLU_AHEAD 8 /* entries of the log: the prefetch distance while objects are written back */
/* Not inlined into readers, but not rare either. */
#define ORDO_MVRLU_CALL static __attribute__((noinline, unused))
#define ORDO_MVRLU_ANNOUNCED ORDO_STAMP_LIMIT
#define ORDO_MVRLU_OPEN UINT64_MAX
#define ORDO_MVRLU_LARGEST ((size_t)UINT32_MAX - 4096) /* bytes of an object */
/* As ORDO_RLU_DEFER_SHARE, but flushes take a smaller share (copies are not counted): the time of a flush includes
 * neither the later writing back nor the cache misses of other threads. */
#define ORDO_MVRLU_DEFER_SHARE 192
#define ORDO_MVRLU_GROUP ((size_t)1 << 29) /* bytes of log: they hold fewer sections than an entry can tell apart */

enum ordo_mvrlu_kind {
    ORDO_MVRLU_COMMIT,    /* the versions behind it, up to the next COMMIT, share its time */
    ORDO_MVRLU_COPY,      /* a version of an object */
    ORDO_MVRLU_FREED,     /* the last version of an object that leaves with the commit */
    ORDO_MVRLU_ALLOCATED, /* an object that an abort frees */
    ORDO_MVRLU_NOTHING
};

/* An entry of a log. The copy of a version follows it, on the same line if it is small. `object` and `self` are the
 * last two members: ordo_rlu_object_of. */
struct ordo_mvrlu_version {
    /* Of a commit: its time; or ANNOUNCED: being stamped; or OPEN. Of a version: its time, or ORDO_STAMP_LIMIT + the
     * address of the commit, which has the time. */
    uint64_t word;
    uint64_t above; /* time of the version that replaced it, once known; or 0 */
    void *older;    /* the old object->copy: the version below, if any; of a commit: its thread */
    uint32_t kind : 7;
    uint32_t is_link : 1;  /* the object is a link, whose word is the address of the copy + ORDO_RLU_LOCKED */
    uint32_t section : 24; /* the section that made it: distinct within a group, which has fewer than 2^24 */
    uint32_t bytes;
    struct ordo_rlu_header *object;
    struct ordo_rlu_header self;
};

ORDO_STATIC_ASSERT(sizeof(void *) != 8 || sizeof(struct ordo_mvrlu_version) == 48, "a small version fills a line");

ORDO_STATIC_ASSERT(offsetof(struct ordo_mvrlu_version, object) + sizeof(void *) ==
                       offsetof(struct ordo_mvrlu_version, self),
                   "a copy finds its object right before its header");

/* A thread. Its memory stays until ordo_mvrlu_destroy, and another thread may get it later. Starts on a line. */
struct ordo_mvrlu_thread {
    /* Reclaimers read this line. */
    uint64_t run;   /* odd in a section */
    uint64_t time;  /* L */
    uint64_t asked; /* another thread wants a pending object */
    char shared_end[128 - 3 * sizeof(uint64_t)];
    /* Only the owner uses the rest. */
    struct ordo_mvrlu *domain;
    int own_clock;
    int writing;
    int replaces; /* pending versions may have versions below */
    uint64_t due; /* a section that ends at this `run` or later has more to do; 0 in one that writes */
    struct ordo_mvrlu_version *commit; /* of the section that writes, or of the pending ones; or NULL */
    struct ordo_rlu_chunk *current;
    struct ordo_rlu_chunk *spare;   /* empty ones */
    struct ordo_rlu_position start; /* of the section that writes */
    struct ordo_rlu_position first; /* of all sections with the same commit */
    uint64_t group_due;             /* at the end of this section the pending commits are due */
    uint64_t collect_due;           /* at the end of this section it collects */
    size_t group_bytes;             /* of the log, since `first` */
    unsigned pending;               /* commits not flushed */
    unsigned section;               /* number of the section that writes */
    struct ordo_rlu_group group;
    struct ordo_rlu_position settled; /* entries before it are reclaimed, or about to be */
    struct ordo_rlu_position oldest;
    struct ordo_mvrlu_version *left; /* last versions between those two, of objects that left: linked by `older` */
    ordo_time unlinked; /* a time after `settled` moved, unless it equals `oldest`; or OPEN: not known yet */
    ordo_time conflict; /* time of the version that a section came too early for; 0: none */
    unsigned commits;   /* since the last collection, */
    uint64_t collected; /* `run` at the last collection */
    unsigned turn;      /* turn of waiting, over consecutive aborts */
    uint64_t aborted;   /* `run` after the last one */
    int code;           /* why the section must be aborted */
    int naps;           /* consecutive waits for room */
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
    uint64_t floor; /* every commit that has returned is certainly before it */
    char after[128 - sizeof(uint64_t)];
};
