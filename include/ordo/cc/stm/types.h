/* The accounts of a thread, and the domain. */
#ifndef ORDO_CC_STM_TYPES_H
#define ORDO_CC_STM_TYPES_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

/* An array that grows; the use says of what. */
struct ordo_stm_array {
    void *items;
    size_t count, capacity;
};

enum { ORDO_STM_OWN = 16 }; /* stripes of the last commit that are known to be its own */

/* A thread; its memory stays until ordo_stm_destroy, and another thread may have it later. Starts on a line. */
struct ordo_stm_thread {
    /* Others look at this line. */
    uint64_t announced;  /* twice the epoch plus 1 in a transaction, or 0 */
    uint64_t committing; /* the flag of C11 */
    char shared_end[128 - 2 * sizeof(uint64_t)];
    /* The rest is its owner's. */
    uint64_t limit;  /* versions below are certainly before the begin; 0: given up; ORDO_STM_LOCKED: all are */
    uint64_t filter; /* bits of the words that were written */
    uint64_t *stripes, *last_read;
    size_t mask;
    int keeps; /* the read set is kept */
    int code;  /* why it is given up */
    struct ordo_stm_array reads;
    uint64_t begin;
    uint64_t own_version; /* of the last commit */
    uint64_t *own[ORDO_STM_OWN];
    unsigned owned;
    struct ordo_stm *stm;
    uint64_t mine; /* the content of a stripe that this thread has locked */
    unsigned depth, flags, attempts, fresh;
    int irrevocable, wants_token;
    struct ordo_stm_array writes, locks, allocated, frees, retired;
    size_t retired_start; /* those before were freed */
    size_t *index;        /* of the words that were written: places among them, plus 1; twice their capacity */
    size_t collect_at;    /* as many retired, and it is time to look at the epoch */
    struct ordo_stm_statistics statistics; /* written by the owner, read by any thread */
    char owned_end[128];
    struct ordo_cc_thread common; /* on lines that are seldom written: domain.h */
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
    uint64_t token; /* an irrevocable transaction has it */
    char after[128];
};

#endif
