/* The threads of a domain. The memory of one that has finished stays, and the next thread may take it over. */
#ifndef ORDO_CC_STM_THREAD_H
#define ORDO_CC_STM_THREAD_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/epoch.h>
#include <ordo/cc/stm/stripe.h>

/* Takes a thread out of use, or makes a new one; NULL: no memory. */
ORDO_STM_SLOW struct ordo_stm_thread *ordo_stm_thread_reuse(struct ordo_stm *stm)
{
    struct ordo_stm_thread *t;
    void *memory;
    /* Acquire pairs with the push below: the thread is complete. */
    for (t = __atomic_load_n(&stm->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t unused = 0;
        if (__atomic_load_n(&t->used, __ATOMIC_RELAXED)) /* relaxed: the exchange decides */
            continue;
        /* Acquire pairs with ordo_stm_thread_finish: all is as its last owner left it. */
        if (__atomic_compare_exchange_n(&t->used, &unused, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return t;
    }
    t = (struct ordo_stm_thread *)ordo_stm_allocate_lines(stm, sizeof *t, &memory);
    if (!t)
        return NULL;
    t->memory = memory;
    t->stm = stm;
    t->stripes = stm->stripes;
    t->mask = stm->mask;
    t->used = 1;
    t->fresh = 1;
    t->collect_at = 64;
    t->mine = ORDO_STM_LOCKED | (uintptr_t)t; /* different for any two: no program has addresses of both halves */
    t->next = __atomic_load_n(&stm->threads, __ATOMIC_RELAXED);
    /* Pairs with ordo_stm_epoch_advance and ordo_stm_token_take: who misses the thread is seen by it (C10, C11).
     * Relaxed on failure: nothing is read through the old head. */
    while (!__atomic_compare_exchange_n(&stm->threads, &t->next, t, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return t;
}

static inline int ordo_stm_thread_init(struct ordo_stm *stm, struct ordo_stm_thread **result)
{
    *result = ordo_stm_thread_reuse(stm);
    return *result ? ORDO_OK : ORDO_E_SYSTEM;
}

static inline void ordo_stm_thread_finish(struct ordo_stm_thread *t)
{
    ordo_stm_collect(t);
    t->attempts = 0;
    t->wants_token = 0;
    /* Release pairs with ordo_stm_thread_reuse: all is at rest. */
    __atomic_store_n(&t->used, 0, __ATOMIC_RELEASE);
}

#endif
