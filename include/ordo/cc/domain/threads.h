/* The registry of a domain's threads: a list that only grows, whose members are used again. Its correctness argument is
 * in domain.h. In this file a thread is a struct ordo_cc_thread, and its owner is a thread of the program. */
#ifndef ORDO_CC_DOMAIN_THREADS_H
#define ORDO_CC_DOMAIN_THREADS_H

#include <ordo/cc/domain/invariant.h>
#include <ordo/cc/domain/memory.h>
#include <ordo/cc/domain/slow.h>

/** The common part of an engine's thread. Its memory stays until the domain ends. */
struct ordo_cc_thread {
    uint64_t used;               /* 1 if a thread of the program owns this structure, otherwise 0 */
    struct ordo_cc_thread *next; /* the thread that joined before this one, or NULL */
    void *memory;                /* the pointer to pass to ordo_cc_release */
};

/** All threads that a domain ever had; the list grows at the front. All zero is an empty list. */
struct ordo_cc_threads {
    struct ordo_cc_thread *first;
};

/** Returns the engine's thread structure that contains `common` at `offset`. */
static inline void *ordo_cc_thread_around(const struct ordo_cc_thread *common, size_t offset)
{
    return (void *)((uintptr_t)common - offset);
}

/** Returns the first thread of a walk, for statistics and for a domain at rest; NULL: the domain has no thread. */
static inline struct ordo_cc_thread *ordo_cc_threads_walk(const struct ordo_cc_threads *threads)
{
    /* D1 walk. Acquire pairs with ordo_cc_thread_join: the thread is complete. */
    return __atomic_load_n(&threads->first, __ATOMIC_ACQUIRE);
}

/** Returns the first thread of a scan: the walk of a committer or a reclaimer. NULL: the domain has no thread. */
static inline struct ordo_cc_thread *ordo_cc_threads_scan(const struct ordo_cc_threads *threads)
{
    /* D3 scan. Pairs with ordo_cc_thread_join: a thread that the scan does not find joins later. */
    return __atomic_load_n(&threads->first, __ATOMIC_SEQ_CST);
}

/** True if a thread that a scan found has an owner. */
static inline int ordo_cc_thread_is_used(const struct ordo_cc_thread *t)
{
    /* D3 used. Pairs with ordo_cc_thread_reuse: if this load finds the thread out of use, the thread is used again
     * later. */
    return __atomic_load_n(&t->used, __ATOMIC_SEQ_CST) != 0;
}

/** Takes a thread that is out of use. NULL: all threads are in use. */
ORDO_CC_SLOW struct ordo_cc_thread *ordo_cc_thread_reuse(struct ordo_cc_threads *threads)
{
    struct ordo_cc_thread *t;
    for (t = ordo_cc_threads_walk(threads); t; t = t->next) {
        uint64_t unused = 0;
        if (__atomic_load_n(&t->used, __ATOMIC_RELAXED)) /* relaxed: the exchange decides */
            continue;
        /* D2 reuse. Pairs with ordo_cc_thread_leave: the thread is as its last owner left it; and with
         * ordo_cc_thread_is_used. */
        if (__atomic_compare_exchange_n(&t->used, &unused, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return t;
    }
    return NULL;
}

/** Allocates an engine's thread structure of `bytes`, zeroed and aligned to 128 bytes, and returns its common part, at
 * `offset`, marked as used. The engine fills the structure in, then calls ordo_cc_thread_join, or
 * ordo_cc_thread_discard if it fails. NULL: out of memory. */
static inline struct ordo_cc_thread *ordo_cc_thread_make(const struct ordo_cc_memory *memory, size_t bytes,
                                                         size_t offset)
{
    struct ordo_cc_thread *t;
    void *raw;
    char *start = (char *)ordo_cc_allocate_aligned(memory, bytes, 128, &raw);
    if (!start)
        return NULL;
    t = (struct ordo_cc_thread *)(void *)(start + offset);
    t->memory = raw;
    t->used = 1;
    return t;
}

/** Frees a thread that has not joined. */
static inline void ordo_cc_thread_discard(const struct ordo_cc_memory *memory, struct ordo_cc_thread *t)
{
    ordo_cc_release(memory, t->memory);
}

/** Adds a complete thread to the list, so that walks and scans find it. */
static inline void ordo_cc_thread_join(struct ordo_cc_threads *threads, struct ordo_cc_thread *t)
{
    /* No other thread can find it yet. */
    ORDO_INVARIANT("domain", "D1", t->used == 1 && t->memory, "a thread that joins is complete and in use", t, t->used,
                   (uintptr_t)t->memory);
    /* Relaxed, also on failure: nothing is read through the old head. */
    t->next = __atomic_load_n(&threads->first, __ATOMIC_RELAXED);
    /* D1 join. Pairs with ordo_cc_threads_walk: the thread is complete; and with ordo_cc_threads_scan. */
    while (!__atomic_compare_exchange_n(&threads->first, &t->next, t, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
}

/** Ends the ownership of a thread, which is in no section and may then be used again. */
static inline void ordo_cc_thread_leave(struct ordo_cc_thread *t)
{
    /* Only the owner ends its use, and an exchange changes only 0. */
    ORDO_INVARIANT("domain", "D2", t->used == 1, "a thread leaves once", t, t->used, (uintptr_t)t->memory);
    /* D2 leave. Release pairs with ordo_cc_thread_reuse: the thread is as its owner left it. */
    __atomic_store_n(&t->used, 0, __ATOMIC_RELEASE);
}

/** True if `is` returns true for any thread. */
static inline int ordo_cc_threads_any(const struct ordo_cc_threads *threads, int (*is)(const struct ordo_cc_thread *t))
{
    const struct ordo_cc_thread *t;
    for (t = ordo_cc_threads_walk(threads); t; t = t->next)
        if (is(t))
            return 1;
    return 0;
}

/** Adds up the statistics of all threads, present and former, in `*sum` of `bytes`; `add` adds the statistics of one
 * thread. */
static inline void ordo_cc_threads_count(const struct ordo_cc_threads *threads, void *sum, size_t bytes,
                                         void (*add)(const struct ordo_cc_thread *t, void *sum))
{
    const struct ordo_cc_thread *t;
    memset(sum, 0, bytes);
    for (t = ordo_cc_threads_walk(threads); t; t = t->next)
        add(t, sum);
}

/** Frees all threads, none of which has an owner. `empty` first frees the other memory of a thread. */
static inline void ordo_cc_threads_destroy(struct ordo_cc_threads *threads, const struct ordo_cc_memory *memory,
                                           void (*empty)(struct ordo_cc_thread *t))
{
    struct ordo_cc_thread *t = threads->first, *next;
    for (; t; t = next) {
        next = t->next;
        /* The caller promises that no other thread uses the domain. */
        ORDO_INVARIANT("domain", "use", t->used == 0, "a domain ends when all its threads have finished", t, t->used,
                       (uintptr_t)t->memory);
        empty(t);
        ordo_cc_release(memory, t->memory);
    }
    threads->first = NULL;
}

#endif
