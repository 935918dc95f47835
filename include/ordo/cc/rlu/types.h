/* Types of RLU: records, logs, threads, the domain, and the cache lines of their members. A room of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

enum {
    ORDO_RLU_DEFER_MOST = 64,  /* commits: the most that a thread gathers if it chooses for itself */
    ORDO_RLU_DEFER_SHARE = 64, /* it gathers until flushes take 1/64 of its time, */
    ORDO_RLU_DEFER_LOOKS = 12  /* but meets at most 12 pending copies between flushes: about the cost of a flush */
};

#define ORDO_RLU_LOCKED ((uintptr_t)1)
#define ORDO_RLU_IS_COPY ((void *)(uintptr_t)1)
#define ORDO_RLU_CHUNK_BYTES ((size_t)16384)
#define ORDO_RLU_LINE ((size_t)64)
#if !defined ORDO_RLU_UNDONE_BYTES /* a log with this many undone bytes, and no pending commit, is flushed */
#define ORDO_RLU_UNDONE_BYTES (ORDO_RLU_CHUNK_BYTES / 2)
#endif
#define ORDO_RLU_ANNOUNCED ORDO_STAMP_LIMIT
/* The largest object, so that no sum of sizes wraps. */
#define ORDO_RLU_LARGEST (SIZE_MAX / 8)

enum {
    ORDO_RLU_SPINS = 128,    /* turns of some microseconds together, then it yields */
    ORDO_RLU_YIELDS = 64,    /* turns, then it sleeps */
    ORDO_RLU_NAP_US = 50,    /* at first */
    ORDO_RLU_NAP_DOUBLES = 4 /* times */
};

/* LINK is a COPY of a link; FREED is a COPY or a LINK whose object leaves with the commit. */
enum ordo_rlu_kind { ORDO_RLU_COPY, ORDO_RLU_LINK, ORDO_RLU_FREED, ORDO_RLU_ALLOCATED, ORDO_RLU_NOTHING };

struct ordo_rlu_log;

/* An entry of a log; the copy follows. `object` and `self` are the last two members: ordo_rlu_object_of. */
struct ordo_rlu_record {
    void *
        previous; /* the previous value of object->copy: this thread's pending copy, or the value of the unlocked word */
    struct ordo_rlu_log *log; /* on the line of the copy, because its readers need the log */
    uint64_t section;         /* the number of the section that made it */
    uint64_t kind : 3;
    uint64_t bytes : 61; /* of the object, exactly: the memory behind it is not ours */
    struct ordo_rlu_header *object;
    struct ordo_rlu_header self;
};

/* The copy of a link. The word of a locked link cannot hold the target for readers that do not see the copy, so the
 * copy holds it. */
struct ordo_rlu_link_copy {
    void *to;     /* the new target */
    void *master; /* the old target, for readers that do not see the copy: C10 */
};

/* Used by the owner only; holds records. */
struct ordo_rlu_chunk {
    struct ordo_rlu_chunk *next;
    size_t bytes;
    size_t used;
    void *memory;
    char end[32];
};

/* A position in a log: between entries, in a chunk. */
struct ordo_rlu_position {
    struct ordo_rlu_chunk *chunk;
    size_t used;
};

/* One of a thread's two log generations. Readers load the first line. */
struct ordo_rlu_log {
    uint64_t word; /* commit time; ORDO_RLU_ANNOUNCED: being stamped; UINT64_MAX: not committed */
    struct ordo_rlu_thread *owner;
    char shared_end[128 - sizeof(uint64_t) - sizeof(void *)];
    struct ordo_rlu_chunk *first, *current;
    char owned_end[128 - 2 * sizeof(void *)];
};

/* The state of deferral: how many commits a thread flushes together. */
struct ordo_rlu_group {
    unsigned most;    /* commits to gather at present */
    unsigned share;   /* the target: flushes take 1/share of its time; 0: the number is fixed */
    unsigned looks;   /* RLU only: dereferences that met a pending copy since the last flush; */
    unsigned looked;  /* 8 times their average */
    uint64_t flushed; /* the clock at the end of the last flush, plus waits for others since; then 8 times averages: */
    uint64_t took;    /* duration of a flush */
    uint64_t passed;  /* time for each commit, from flush to flush */
};

/* A thread. Its memory stays until ordo_rlu_destroy, and another thread may get it later. Starts on a line. */
struct ordo_rlu_thread {
    /* Committers write and sample this line. */
    uint64_t run;  /* odd in a section */
    uint64_t mark; /* 0, or twice the time that the next section must be after; plus 1: a pending object is wanted */
    uint64_t time; /* L */
    char shared_end[128 - 3 * sizeof(uint64_t)];
    /* Only the owner uses the rest. */
    uint64_t due; /* a section that ends at this `run` or later has more to do; 0 in one that writes */
    struct ordo_rlu *rlu;
    struct ordo_rlu_log *log;       /* the one in use */
    uint64_t group_due;             /* `due` outside sections that write */
    uint64_t section;               /* number of the section that writes */
    struct ordo_rlu_position start; /* start of its records */
    int writing;
    int code;           /* why the section must be aborted */
    unsigned pending;   /* commits not flushed */
    unsigned turn;      /* turn of waiting, over consecutive aborts */
    uint64_t aborted;   /* `run` of the last abort */
    size_t group_bytes; /* of the records since the last flush, undone ones included */
    struct ordo_rlu_group group;
    struct ordo_rlu_statistics statistics; /* written by the owner, read by any thread */
    char statistics_end[128 - sizeof(struct ordo_rlu_statistics) % 128];
    struct ordo_cc_thread common; /* on rarely written lines: domain.h */
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
