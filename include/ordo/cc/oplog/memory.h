/* Where logs come from: the functions of the options, or malloc. */
#ifndef ORDO_CC_OPLOG_MEMORY_H
#define ORDO_CC_OPLOG_MEMORY_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <stdlib.h>
#include <string.h>

#include <ordo/cc/oplog/types.h>

static inline void *ordo_oplog_allocate(const struct ordo_oplog *oplog, size_t bytes, size_t alignment, void **raw)
{
    const struct ordo_oplog_memory *memory = &oplog->options.memory;
    char *start =
        (char *)(memory->allocate ? memory->allocate(memory->context, bytes + alignment) : malloc(bytes + alignment));
    *raw = start;
    if (!start)
        return NULL;
    start += alignment - ((uintptr_t)start & (alignment - 1));
    memset(start, 0, bytes);
    return start;
}

static inline void ordo_oplog_release(const struct ordo_oplog *oplog, void *raw)
{
    const struct ordo_oplog_memory *memory = &oplog->options.memory;
    if (memory->allocate)
        memory->release(memory->context, raw);
    else
        free(raw);
}

#endif
