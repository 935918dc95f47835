/* The threads of a domain. The memory of a finished thread remains, and the next thread may take it over. */
#ifndef ORDO_CC_STM_THREAD_H
#define ORDO_CC_STM_THREAD_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/epoch.h>
#include <ordo/cc/stm/stripe.h>

/* Makes a thread that scans find from now on. NULL: out of memory. */
ORDO_CC_SLOW struct ordo_stm_thread *ordo_stm_thread_make(struct ordo_stm *stm)
{
    struct ordo_cc_thread *common = ordo_cc_thread_make(&stm->options.memory, sizeof(struct ordo_stm_thread),
                                                        offsetof(struct ordo_stm_thread, common));
    struct ordo_stm_thread *t;
    if (!common)
        return NULL;
    t = ordo_stm_thread_of(common);
    t->stm = stm;
    t->stripes = stm->stripes;
    t->mask = stm->mask;
    t->fresh = 1;
    t->collect_at = 64;
    /* different for each thread: a program has no addresses that differ only in the top bit */
    t->mine = ORDO_STM_LOCKED | (uintptr_t)t;
    /* D3: if a scan of C10 or C11 does not find this thread, the thread begins its first transaction later. */
    ordo_cc_thread_join(&stm->threads, common);
    return t;
}

/* Takes a thread that is out of use, or makes a thread. NULL: out of memory. */
static inline struct ordo_stm_thread *ordo_stm_thread_reuse(struct ordo_stm *stm)
{
    struct ordo_cc_thread *common = ordo_cc_thread_reuse(&stm->threads);
    return common ? ordo_stm_thread_of(common) : ordo_stm_thread_make(stm);
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
    ordo_cc_thread_leave(&t->common);
}

#endif
