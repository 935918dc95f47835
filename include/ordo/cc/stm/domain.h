/* A domain from its creation to its end, and its counters. */
#ifndef ORDO_CC_STM_DOMAIN_H
#define ORDO_CC_STM_DOMAIN_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <string.h>

#include <ordo/cc/stm/epoch.h>

static inline int ordo_stm_create(struct ordo_stm *stm, const struct ordo_stm_options *options)
{
    size_t stripes = 64, wanted = options->stripes ? options->stripes : (size_t)1 << 16;
    int code;
    memset(stm, 0, sizeof *stm);
    stm->options = *options;
    if (wanted > (size_t)1 << 28)
        return ORDO_E_INVALID;
    while (stripes < wanted)
        stripes *= 2;
    code = ordo_stamp_init(&stm->stamp, options->boundary_ticks, options->watch);
    if (code == ORDO_OK && ordo_stamp_unsafe(&stm->stamp) && !options->unsafe_boundary)
        code = ORDO_E_INVALID;
    if (code)
        return code;
    stm->mask = stripes - 1;
    stm->stripes = (uint64_t *)ordo_stm_allocate_lines(stm, stripes * sizeof *stm->stripes, &stm->stripes_memory);
    return stm->stripes ? ORDO_OK : ORDO_E_SYSTEM;
}

static inline int ordo_stm_raise(struct ordo_stm *stm, uint64_t boundary_ticks)
{
    struct ordo_stm_thread *t;
    /* Acquire pairs with ordo_stm_thread_reuse: the thread is complete. Relaxed: the caller has ordered all earlier calls. */
    for (t = __atomic_load_n(&stm->threads, __ATOMIC_ACQUIRE); t; t = t->next)
        if (__atomic_load_n(&t->announced, __ATOMIC_RELAXED))
            return ORDO_E_INVALID;
    return ordo_stamp_raise(&stm->stamp, boundary_ticks);
}

/* Gives back all of a thread, which has finished. */
static inline void ordo_stm_thread_destroy(struct ordo_stm *stm, struct ordo_stm_thread *t)
{
    struct ordo_stm_retired *retired = (struct ordo_stm_retired *)t->retired.items;
    size_t i;
    for (i = t->retired_start; i < t->retired.count; i++)
        ordo_stm_release(stm, retired[i].object);
    ordo_stm_release(stm, t->reads.items);
    ordo_stm_release(stm, t->writes.items);
    ordo_stm_release(stm, t->locks.items);
    ordo_stm_release(stm, t->allocated.items);
    ordo_stm_release(stm, t->frees.items);
    ordo_stm_release(stm, t->retired.items);
    ordo_stm_release(stm, t->index);
    ordo_stm_release(stm, t->memory);
}

static inline void ordo_stm_destroy(struct ordo_stm *stm)
{
    struct ordo_stm_thread *t = stm->threads, *next;
    for (; t; t = next) {
        next = t->next;
        ordo_stm_thread_destroy(stm, t);
    }
    ordo_stm_release(stm, stm->stripes_memory);
    stm->threads = NULL;
    stm->stripes = NULL;
    stm->stripes_memory = NULL;
}

static inline void ordo_stm_statistics_read(struct ordo_stm *stm, struct ordo_stm_statistics *sum)
{
    struct ordo_stm_thread *t;
    memset(sum, 0, sizeof *sum);
    /* Acquire pairs with ordo_stm_thread_reuse: the thread is complete. */
    for (t = __atomic_load_n(&stm->threads, __ATOMIC_ACQUIRE); t; t = t->next) {
        uint64_t *from = (uint64_t *)&t->statistics, *to = (uint64_t *)sum;
        size_t i;
        for (i = 0; i < sizeof *sum / sizeof *to; i++)
            to[i] += __atomic_load_n(&from[i], __ATOMIC_RELAXED); /* as in ordo_stm_count */
    }
}

#endif
