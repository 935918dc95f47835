/* Types of MV-RLU: versions, threads, the domain, and the lines on which their members lie. A room of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

#ifndef ORDO_MVRLU_SOON   /* a test wants none */
#define ORDO_MVRLU_SOON 4 /* sections, in which others begin one, too */
#endif
#define ORDO_MVRLU_REST 32 /* sections: a thread that has not collected for so long does soon after its next flush */
#define ORDO_MVRLU_AHEAD 8 /* entries of the log: while it writes objects back, it asks for the next ones */
/* Out of the reader's way, but not rare. */
#define ORDO_MVRLU_CALL static __attribute__((noinline, unused))
#define ORDO_MVRLU_ANNOUNCED ORDO_STAMP_LIMIT
#define ORDO_MVRLU_OPEN UINT64_MAX
#define ORDO_MVRLU_LARGEST ((size_t)UINT32_MAX - 4096) /* bytes of an object */
/* As of RLU, and less (copies are not counted): the time of a flush has in it neither what is written back later nor the lines that others miss. */
#define ORDO_MVRLU_DEFER_SHARE 192
#define ORDO_MVRLU_GROUP ((size_t)1 << 29) /* bytes of log: fewer sections than an entry can tell apart */

enum ordo_mvrlu_kind {
    ORDO_MVRLU_COMMIT,    /* the versions behind it, up to the next one, share its time */
    ORDO_MVRLU_COPY,      /* a version of an object */
    ORDO_MVRLU_FREED,     /* the last one, of an object that leaves with the commit */
    ORDO_MVRLU_ALLOCATED, /* an object that an abort frees */
    ORDO_MVRLU_NOTHING
};

/* An entry of a log; of a version, the copy follows: on one line, if it is small. `object` and `self` are the last two
 * members: ordo_rlu_object_of. */
struct ordo_mvrlu_version {
    /* Of a commit: its time; ANNOUNCED: being stamped; OPEN. Of a version: the time, or ORDO_STAMP_LIMIT + the address
     * of the commit, which has it. */
    uint64_t word;
    uint64_t above; /* time of the version that replaced it; 0: none */
    void *older;    /* object->copy before: the version below, if there is one; of a commit: its thread */
    uint32_t kind : 7;
    uint32_t is_link : 1;  /* the object is a link, whose word is the address of the copy + ORDO_RLU_LOCKED */
    uint32_t section : 24; /* of the thread, that made it: told apart within a group, which is smaller */
    uint32_t bytes;
    struct ordo_rlu_header *object;
    struct ordo_rlu_header self;
};

ORDO_STATIC_ASSERT(sizeof(void *) != 8 || sizeof(struct ordo_mvrlu_version) == 48, "a small version fills a line");

ORDO_STATIC_ASSERT(offsetof(struct ordo_mvrlu_version, object) + sizeof(void *) ==
                       offsetof(struct ordo_mvrlu_version, self),
                   "a copy finds its object right before its header");

/* A thread; its memory stays until ordo_mvrlu_destroy, and another thread may have it later. Starts on a line. */
struct ordo_mvrlu_thread {
    /* Who collects reads this line. */
    uint64_t run;   /* odd in a section */
    uint64_t time;  /* L */
    uint64_t asked; /* what it has pending is wanted */
    char shared_end[128 - 3 * sizeof(uint64_t)];
    /* The rest is its owner's. */
    struct ordo_mvrlu *domain;
    int own_clock;
    int writing;
    int replaces;                      /* what is pending may have versions below */
    uint64_t due;                      /* the section ending at this `run` has more to do: 0 in one that writes */
    struct ordo_mvrlu_version *commit; /* of the section that writes, or of what is pending; or NULL */
    struct ordo_rlu_chunk *current;
    struct ordo_rlu_chunk *spare;   /* empty ones */
    struct ordo_rlu_position start; /* of the section that writes */
    struct ordo_rlu_position first; /* of those that have the same commit */
    uint64_t group_due;             /* the section at whose end what is pending is due */
    uint64_t collect_due;           /* and at whose end it looks for what can be reclaimed */
    size_t group_bytes;             /* of the log, since `first` */
    unsigned pending;               /* commits not flushed */
    unsigned section;               /* number of the section that writes */
    struct ordo_rlu_group group;
    struct ordo_rlu_position settled; /* what lies before is reclaimed, or about to be */
    struct ordo_rlu_position oldest;
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
    char owned_end[128];
    struct ordo_cc_thread common; /* on lines that are seldom written: domain.h */
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
