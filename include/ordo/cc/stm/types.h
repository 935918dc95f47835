/* The structures of a thread and of a domain. */
#ifndef ORDO_CC_STM_TYPES_H
#define ORDO_CC_STM_TYPES_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

/* A growing array; each user casts `items` to its own type. */
struct ordo_stm_array {
    void *items;
    size_t count, capacity;
};

enum { ORDO_STM_OWN = 16 }; /* largest number of stripes of its last commit that a thread remembers: C7 own */

/* Which reads a transaction keeps, to look later whether they stand. */
enum {
    ORDO_STM_KEEPS_NONE,
    ORDO_STM_KEEPS_ALL,
    ORDO_STM_KEEPS_LAST /* an elastic transaction: the last two, until it holds (C13) */
};

/* An overwritten value that a snapshot may still read. */
struct ordo_stm_saved {
    struct ordo_stm_saved *next; /* an older value of the same stripe */
    const uint64_t *word;
    uint64_t value;
    uint64_t number;                /* number of snapshots that had begun when the value was overwritten */
    struct ordo_stm_saved *removed; /* the value that was removed from its stripe after this one */
    uint64_t epoch;                 /* the epoch after the removal: it is released in epoch `epoch` + 3 (C10) */
};

/* A thread, aligned to a cache line. Its memory stays until ordo_stm_destroy; another thread may get it later. */
struct ordo_stm_thread {
    /* Other threads read this line. */
    uint64_t announced;  /* in a transaction twice the announced epoch plus 1, otherwise 0 */
    uint64_t committing; /* the flag of C11 */
    uint64_t snapshot;   /* in a snapshot its number or a smaller one, otherwise 0 */
    char shared_end[128 - 3 * sizeof(uint64_t)];
    /* Only the owner uses the rest. */
    /* Versions below the limit are certainly before the begin. 0: given up; ORDO_STM_LOCKED: accepts all versions. */
    uint64_t limit;
    uint64_t filter; /* a bit for the hash of each written word (ordo_stm_bit) */
    uint64_t *stripes, *last_read;
    size_t mask;
    /* Of an elastic transaction: the stripe that it read before last_read, or NULL. It is not next to last_read: gcc 12 with -O3
     * would keep the two in one vector register, and a search would take half as long again. */
    uint64_t *read_before;
    int keeps; /* ORDO_STM_KEEPS_* */
    int code;  /* the code for which the transaction was given up, or ORDO_OK */
    struct ordo_stm_array reads;
    uint64_t begin;
    uint64_t number;      /* the number of the snapshot; 0: the transaction is none */
    uint64_t own_version; /* the version of the last commit */
    uint64_t *own[ORDO_STM_OWN];
    unsigned owned;
    struct ordo_stm *stm;
    uint64_t mine; /* the value of a stripe that this thread has locked */
    unsigned depth, flags, attempts, fresh;
    int irrevocable, wants_token;
    struct ordo_stm_array writes, locks, allocated, frees, retired, saves;
    size_t retired_start; /* items of `retired` before this one have been released */
    /* hash table of the written words: position in `writes` + 1, or 0; it has 2 * writes.capacity slots */
    size_t *index;
    size_t saves_start,
        trim_at; /* items of `saves` before the first have been trimmed; the count at the next trimming */
    struct ordo_stm_saved *removed_first, *removed_last; /* in the order of their epochs; NULL: none */
    size_t removed;                                      /* length of this list */
    struct ordo_stm_saved *spare;                        /* memory for values that the next commits save */
    size_t spares;                                       /* length of this list */
    size_t collect_at; /* a commit collects if more than this number of objects and values are to be released */
    struct ordo_stm_statistics statistics; /* written by the owner, read by any thread */
    char owned_end[128];
    struct ordo_cc_thread common; /* on rarely written lines: domain.h */
    char end[128];
};

ORDO_STATIC_ASSERT(offsetof(struct ordo_stm_thread, common) >= offsetof(struct ordo_stm_thread, owned_end) + 128,
                   "a scan finds the next thread on a line that is seldom written");

static inline struct ordo_stm_thread *ordo_stm_thread_of(const struct ordo_cc_thread *common)
{
    return (struct ordo_stm_thread *)ordo_cc_thread_around(common, offsetof(struct ordo_stm_thread, common));
}

/* A domain. */
struct ordo_stm {
    struct ordo_stamp stamp;
    struct ordo_stm_options options;
    uint64_t *stripes;
    void *stripes_memory;
    size_t mask;
    struct ordo_cc_threads threads;
    char before_epoch[128];
    uint64_t epoch;
    char before_token[128];
    uint64_t token; /* `mine` of the thread whose transaction is irrevocable, or 0 */
    /* The snapshots, on the line that every commit reads. */
    uint64_t begun, ended;         /* number of snapshots that have begun, and ended */
    uint64_t lost;                 /* snapshots up to this number may miss a value, because memory was exhausted */
    struct ordo_stm_saved **saved; /* for each stripe its overwritten values, the newest first; NULL: no snapshot yet */
    char after[128];
};

#endif
