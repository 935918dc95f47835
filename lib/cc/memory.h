/* The memory of databases and recorders: the caller's allocator, or that of the C library. */
#ifndef ORDO_CC_MEMORY_H
#define ORDO_CC_MEMORY_H

#include <stdlib.h>

#include <ordo/cc/txn.h>

static inline void *cc_default_allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static inline void cc_default_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

/* Returns `given` if it has both functions, otherwise aligned_alloc and free. */
static inline struct ordo_memory cc_memory_or_default(const struct ordo_memory *given)
{
    const struct ordo_memory standard = {cc_default_allocate, cc_default_release, NULL};
    return given->allocate && given->release ? *given : standard;
}

#endif
