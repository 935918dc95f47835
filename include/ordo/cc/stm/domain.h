/* Creates and destroys a domain, raises its boundary, and reads its counters. */
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
    code = ordo_cc_boundary_begin(&stm->stamp, options->boundary_ticks, options->unsafe_boundary, options->watch);
    if (code)
        return code;
    stm->mask = stripes - 1;
    stm->stripes = (uint64_t *)ordo_cc_allocate_aligned(&options->memory, stripes * sizeof *stm->stripes, 128,
                                                        &stm->stripes_memory);
    return stm->stripes ? ORDO_OK : ORDO_E_SYSTEM;
}

/* True if the thread is in a transaction. Relaxed: the caller of ordo_stm_raise has ordered it after all earlier calls.
 */
static inline int ordo_stm_is_busy(const struct ordo_cc_thread *common)
{
    return __atomic_load_n(&ordo_stm_thread_of(common)->announced, __ATOMIC_RELAXED) != 0;
}

static inline int ordo_stm_raise(struct ordo_stm *stm, uint64_t boundary_ticks)
{
    return ordo_cc_boundary_raise(&stm->stamp, &stm->threads, ordo_stm_is_busy, boundary_ticks);
}

/* Frees the arrays and the retired objects of a thread that has finished. */
static inline void ordo_stm_thread_empty(struct ordo_cc_thread *common)
{
    struct ordo_stm_thread *t = ordo_stm_thread_of(common);
    const struct ordo_cc_memory *memory = &t->stm->options.memory;
    struct ordo_stm_retired *retired = (struct ordo_stm_retired *)t->retired.items;
    size_t i;
    for (i = t->retired_start; i < t->retired.count; i++)
        ordo_cc_release(memory, retired[i].object);
    ordo_cc_release(memory, t->reads.items);
    ordo_cc_release(memory, t->writes.items);
    ordo_cc_release(memory, t->locks.items);
    ordo_cc_release(memory, t->allocated.items);
    ordo_cc_release(memory, t->frees.items);
    ordo_cc_release(memory, t->retired.items);
    ordo_cc_release(memory, t->saves.items);
    ordo_stm_saved_release(t, UINT64_MAX);
    ordo_stm_spares_release(t);
    ordo_cc_release(memory, t->index);
}

/* Releases the overwritten values. */
ORDO_CC_SLOW void ordo_stm_saved_destroy(struct ordo_stm *stm)
{
    size_t i;
    for (i = 0; stm->saved && i <= stm->mask; i++)
        while (stm->saved[i]) {
            struct ordo_stm_saved *item = stm->saved[i];
            stm->saved[i] = item->next;
            ordo_cc_release(&stm->options.memory, item);
        }
    ordo_cc_release(&stm->options.memory, stm->saved);
    stm->saved = NULL;
}

static inline void ordo_stm_destroy(struct ordo_stm *stm)
{
    ordo_cc_threads_destroy(&stm->threads, &stm->options.memory, ordo_stm_thread_empty);
    ordo_stm_saved_destroy(stm);
    ordo_cc_release(&stm->options.memory, stm->stripes_memory);
    stm->stripes = NULL;
    stm->stripes_memory = NULL;
}

static inline void ordo_stm_add(const struct ordo_cc_thread *common, void *sum)
{
    ordo_cc_add_up(sum, &ordo_stm_thread_of(common)->statistics, sizeof(struct ordo_stm_statistics));
}

static inline void ordo_stm_statistics_read(struct ordo_stm *stm, struct ordo_stm_statistics *sum)
{
    ordo_cc_threads_count(&stm->threads, sum, sizeof *sum, ordo_stm_add);
}

#endif
