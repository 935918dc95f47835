/* Types of RLU: records, logs, threads, the domain, and the lines on which their members lie. A room of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

enum {
    ORDO_RLU_DEFER_MOST = 64,  /* commits: what a thread gathers that chooses for itself */
    ORDO_RLU_DEFER_SHARE = 64, /* so many that flushes take 1 part in this of its time, */
    ORDO_RLU_DEFER_LOOKS = 12  /* but that from one to the next it looks at no more copies: about what a flush costs */
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

/* An entry of a log; the copy follows. `object` and `self` are the last two members: ordo_rlu_object_of. */
struct ordo_rlu_record {
    void *previous;           /* object->copy before: this thread's pending copy, or the word of the unlocked object */
    struct ordo_rlu_log *log; /* on the copy's line, whose readers need it */
    uint64_t section;         /* of the thread, that made it */
    uint64_t kind : 3;
    uint64_t bytes : 61; /* of the object: exactly, for the memory behind it is not ours */
    struct ordo_rlu_header *object;
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

/* A place in a log: between entries, in a chunk. */
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
    char shared_end[128 - 3 * sizeof(uint64_t)];
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
    char statistics_end[128 - sizeof(struct ordo_rlu_statistics) % 128];
    struct ordo_cc_thread common; /* on lines that are seldom written: domain.h */
    char common_end[128 - sizeof(struct ordo_cc_thread)];
    struct ordo_rlu_log logs[2];
};

ORDO_STATIC_ASSERT(sizeof(void *) != 8 ||
                       (sizeof(struct ordo_rlu_chunk) == ORDO_RLU_LINE &&
                        sizeof(struct ordo_rlu_record) + sizeof(struct ordo_rlu_link_copy) == ORDO_RLU_LINE),
                   "the record of a link fills a line");

ORDO_STATIC_ASSERT(offsetof(struct ordo_rlu_record, object) + sizeof(void *) == offsetof(struct ordo_rlu_record, self),
                   "a copy finds its object right before its header");

ORDO_STATIC_ASSERT(sizeof(void *) != 8 ||
                       (offsetof(struct ordo_rlu_thread, due) == 128 &&
                        offsetof(struct ordo_rlu_thread, statistics) == 256 &&
                        offsetof(struct ordo_rlu_thread, common) % 128 == 0 &&
                        offsetof(struct ordo_rlu_thread, logs) % 128 == 0 && sizeof(struct ordo_rlu_log) == 256),
                   "what different threads write is on different lines");

struct ordo_rlu {
    struct ordo_stamp stamp;
    struct ordo_rlu_options options;
    struct ordo_cc_threads threads;
    char after[128];
};
