/* Memory of a domain: the caller's functions, or malloc and free. */
#ifndef ORDO_CC_DOMAIN_MEMORY_H
#define ORDO_CC_DOMAIN_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** The functions that allocate and release a domain's memory. `allocate` returns memory aligned for any scalar, or
 * NULL. Both functions must be thread-safe. All zero: malloc and free. */
struct ordo_cc_memory {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory);
    void *context;
};

static inline void *ordo_cc_allocate(const struct ordo_cc_memory *memory, size_t bytes)
{
    return memory->allocate ? memory->allocate(memory->context, bytes) : malloc(bytes);
}

/** Releases memory; NULL is ignored. */
static inline void ordo_cc_release(const struct ordo_cc_memory *memory, void *what)
{
    if (!what)
        return;
    if (memory->allocate)
        memory->release(memory->context, what);
    else
        free(what);
}

/** Returns zeroed memory that starts at a multiple of `alignment`, a power of two; `*raw` is the pointer to release.
 * NULL: out of memory. */
static inline void *ordo_cc_allocate_aligned(const struct ordo_cc_memory *memory, size_t bytes, size_t alignment,
                                             void **raw)
{
    char *start = (char *)ordo_cc_allocate(memory, bytes + alignment);
    *raw = start;
    if (!start)
        return NULL;
    start += alignment - ((uintptr_t)start & (alignment - 1));
    memset(start, 0, bytes);
    return start;
}

#endif
