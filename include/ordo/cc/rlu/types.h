/* Types of RLU: records, logs, threads, the domain, and the cache lines of their members. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

enum {
    ORDO_RLU_DEFER_MOST = 64,  /* the largest number of commits that a thread gathers with DEFER_AUTO */
    ORDO_RLU_DEFER_SHARE = 64, /* target with DEFER_AUTO: flushes take 1/64 of the thread's time */
    /* The number shrinks if the thread meets more than 12 pending copies between flushes, about the cost of a flush. */
    ORDO_RLU_DEFER_LOOKS = 12
};

#define ORDO_RLU_LOCKED ((uintptr_t)1)
#define ORDO_RLU_IS_COPY ((void *)(uintptr_t)1)
#define ORDO_RLU_CHUNK_BYTES ((size_t)16384)
#define ORDO_RLU_LINE ((size_t)64)
#if !defined ORDO_RLU_UNDONE_BYTES /* a log without a pending commit is flushed when this number of bytes was undone */
#define ORDO_RLU_UNDONE_BYTES (ORDO_RLU_CHUNK_BYTES / 2)
#endif
#define ORDO_RLU_ANNOUNCED ORDO_STAMP_LIMIT
/* The largest size of an object in bytes, chosen so that no sum of sizes wraps. */
#define ORDO_RLU_LARGEST (SIZE_MAX / 8)

enum {
    ORDO_RLU_SPINS = 128,    /* turns that spin, some microseconds in all, before a waiting thread yields */
    ORDO_RLU_YIELDS = 64,    /* turns that yield, before the thread sleeps */
    ORDO_RLU_NAP_US = 50,    /* length of the first sleep */
    ORDO_RLU_NAP_DOUBLES = 4 /* number of times that the length doubles */
};

/* Kinds of records. COPY: a copy of an object. LINK: a copy of a link. FREED: either of them, of an object that is
 * freed with the commit. ALLOCATED: no copy, but an object that an abort frees. NOTHING: undone. */
enum ordo_rlu_kind { ORDO_RLU_COPY, ORDO_RLU_LINK, ORDO_RLU_FREED, ORDO_RLU_ALLOCATED, ORDO_RLU_NOTHING };

struct ordo_rlu_log;

/* An entry of a log; in memory the copy follows the record. `object` and `self` are the last two members:
 * ordo_rlu_object_of. */
struct ordo_rlu_record {
    /* The previous value of object->copy: this thread's pending copy, or the value of the unlocked word. */
    void *previous;
    struct ordo_rlu_log *log; /* on the line of the copy, because readers of the copy need the log */
    uint64_t section;         /* number of the section that made the record */
    uint64_t kind : 3;
    uint64_t bytes : 61; /* exact size of the copy: the memory behind the object's last byte is not ours */
    struct ordo_rlu_header *object;
    struct ordo_rlu_header self;
};

/* The copy of a link. The word of a locked link points to the copy, so the copy also holds the old target, for readers
 * that do not see the change. */
struct ordo_rlu_link_copy {
    void *to;     /* the new target */
    void *master; /* the old target (C10) */
};

/* A chunk of a log: memory for records. Only the log's owner uses it. */
struct ordo_rlu_chunk {
    struct ordo_rlu_chunk *next;
    size_t bytes;
    size_t used;
    void *memory;
    char end[32];
};

/* A position in a log, between two entries: `used` bytes from the start of the chunk. */
struct ordo_rlu_position {
    struct ordo_rlu_chunk *chunk;
    size_t used;
};

/* One of the two logs of a thread, which it uses in turn (C10). Readers load the first line. */
struct ordo_rlu_log {
    uint64_t word; /* commit time; ORDO_RLU_ANNOUNCED: announced, no time yet; UINT64_MAX: not announced */
    struct ordo_rlu_thread *owner;
    char shared_end[128 - sizeof(uint64_t) - sizeof(void *)];
    struct ordo_rlu_chunk *first, *current;
    char owned_end[128 - 2 * sizeof(void *)];
};

/* The state of deferral: how many commits a thread flushes together. */
struct ordo_rlu_group {
    unsigned most;    /* number of commits to gather until the next flush */
    unsigned share;   /* the target: flushes take 1/share of the thread's time; 0: `most` is fixed */
    unsigned looks;   /* RLU only: dereferences that met a copy since the last flush */
    unsigned looked;  /* 8 times the average of `looks` over past flushes */
    uint64_t flushed; /* the clock at the end of the last flush, plus the time of waits for other threads since */
    uint64_t took;    /* 8 times the average duration of a flush */
    uint64_t passed;  /* 8 times the average of the time between two flushes, divided by the commits gathered */
};

/* A thread, aligned to a cache line. Its memory stays until ordo_rlu_destroy; another thread may get it later. */
struct ordo_rlu_thread {
    /* Committers write and sample this line. */
    uint64_t run; /* number of starts and ends of sections: odd in a section */
    /* Twice the time that the next section must be after, or 0; plus 1 if another thread wants a pending object. */
    uint64_t mark;
    uint64_t time; /* the thread's L (rlu/argument.h) */
    char shared_end[128 - 3 * sizeof(uint64_t)];
    /* Only the owner uses the rest. */
    uint64_t due; /* reader_unlock calls ordo_rlu_finish_section if `run` >= due; 0 in a section that writes */
    struct ordo_rlu *rlu;
    struct ordo_rlu_log *log;       /* the log in use */
    uint64_t group_due;             /* the value of `due` outside sections that write */
    uint64_t section;               /* number of the section that writes, or last wrote */
    struct ordo_rlu_position start; /* start of the records of that section */
    int writing;
    int code;           /* the code for which the section must be aborted */
    unsigned pending;   /* number of commits that are not flushed */
    unsigned turn;      /* number of the next turn of waiting (domain/turn.h); counts over consecutive aborts */
    uint64_t aborted;   /* `run` of the last abort */
    size_t group_bytes; /* bytes of the records since the last flush, undone records included */
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
