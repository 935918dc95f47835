/* Growing arrays, for the read set, the write set and the other sets of a transaction. */
#ifndef ORDO_CC_STM_ARRAY_H
#define ORDO_CC_STM_ARRAY_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <string.h>

#include <ordo/cc/stm/types.h>

/* Makes room for at least one more item of `size` bytes. Returns 0, or -1: out of memory, and nothing has changed. */
ORDO_CC_SLOW int ordo_stm_array_grow(const struct ordo_stm *stm, struct ordo_stm_array *array, size_t size)
{
    size_t capacity = array->capacity ? 2 * array->capacity : 64;
    void *items = capacity <= SIZE_MAX / 4 / size ? ordo_cc_allocate(&stm->options.memory, capacity * size) : NULL;
    if (!items)
        return -1;
    if (array->count)
        memcpy(items, array->items, array->count * size);
    ordo_cc_release(&stm->options.memory, array->items);
    array->items = items;
    array->capacity = capacity;
    return 0;
}

ORDO_CC_FAST int ordo_stm_array_room(const struct ordo_stm *stm, struct ordo_stm_array *array, size_t size)
{
    return array->count < array->capacity ? 0 : ordo_stm_array_grow(stm, array, size);
}

ORDO_CC_FAST int ordo_stm_push(const struct ordo_stm *stm, struct ordo_stm_array *array, void *pointer)
{
    if (ordo_stm_array_room(stm, array, sizeof pointer))
        return -1;
    ((void **)array->items)[array->count++] = pointer;
    return 0;
}

#endif
