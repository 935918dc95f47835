/* Allocates and frees objects in a transaction. */
#ifndef ORDO_CC_STM_OBJECT_H
#define ORDO_CC_STM_OBJECT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/array.h>
#include <ordo/cc/stm/epoch.h>
#include <ordo/cc/stm/validate.h>

static inline void *ordo_stm_alloc(struct ordo_stm_thread *t, size_t bytes)
{
    void *object = NULL;
    if (t->code)
        return NULL;
    object = ordo_cc_allocate(&t->stm->options.memory, bytes);
    if (object && t->depth && ordo_stm_push(t->stm, &t->allocated, object)) {
        ordo_cc_release(&t->stm->options.memory, object);
        object = NULL;
    }
    if (!object && t->depth)
        (void)ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return object;
}

static inline int ordo_stm_free(struct ordo_stm_thread *t, void *object)
{
    if (t->code)
        return t->code;
    if (!t->depth)
        return ORDO_E_INVALID;
    if (t->flags & ORDO_STM_READ_ONLY)
        return ordo_stm_give_up(t, ORDO_E_INVALID, &t->statistics.aborts_asked);
    if (ordo_stm_push(t->stm, &t->frees, object))
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    while (t->retired.capacity < t->retired.count + t->frees.count) /* so that a commit does not run out of memory */
        if (ordo_stm_array_grow(t->stm, &t->retired, sizeof(struct ordo_stm_retired)))
            return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return ORDO_OK;
}

/* Returns memory for a structure that is not shared yet, such as the lists of a hash. Free it by ordo_stm_discard.
 * NULL: out of memory. */
static inline void *ordo_stm_allocate(const struct ordo_stm *stm, size_t bytes)
{
    return ordo_cc_allocate(&stm->options.memory, bytes);
}

static inline void ordo_stm_discard(struct ordo_stm *stm, void *object)
{
    ordo_cc_release(&stm->options.memory, object);
}

#endif
