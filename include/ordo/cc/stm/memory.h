/* Memory from the functions of the options, or malloc. */
#ifndef ORDO_CC_STM_MEMORY_H
#define ORDO_CC_STM_MEMORY_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <stdlib.h>
#include <string.h>

#include <ordo/cc/stm/types.h>

static inline void *ordo_stm_allocate(const struct ordo_stm *stm, size_t bytes)
{
    const struct ordo_stm_memory *memory = &stm->options.memory;
    return memory->allocate ? memory->allocate(memory->context, bytes) : malloc(bytes);
}

static inline void ordo_stm_release(const struct ordo_stm *stm, void *what)
{
    const struct ordo_stm_memory *memory = &stm->options.memory;
    if (!what)
        return;
    if (memory->allocate)
        memory->release(memory->context, what);
    else
        free(what);
}

/* Zeroed memory that starts on a line of 128 bytes; `*raw` is what to release. */
static inline void *ordo_stm_allocate_lines(const struct ordo_stm *stm, size_t bytes, void **raw)
{
    char *memory = (char *)ordo_stm_allocate(stm, bytes + 128);
    *raw = memory;
    if (!memory)
        return NULL;
    memory += 128 - ((uintptr_t)memory & 127);
    memset(memory, 0, bytes);
    return memory;
}

#endif
