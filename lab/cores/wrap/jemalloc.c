/* The functions of jemalloc that the programs call: every CPU of the simulated machine has an arena anyway. */
#include <errno.h>
#include <jemalloc/jemalloc.h>

#include "lab/cores/wrap/memory.h"

int mallctl(const char *name, void *old, size_t *old_bytes, void *new, size_t new_bytes)
{
    (void)name;
    (void)old;
    (void)old_bytes;
    (void)new;
    (void)new_bytes;
    return 0;
}

void *mallocx(size_t bytes, int flags)
{
    return hooked_aligned_alloc(flags & 63 ? (size_t)1 << (flags & 63) : 1, bytes);
}

void dallocx(void *memory, int flags)
{
    (void)flags;
    hooked_free(memory);
}

void sdallocx(void *memory, size_t bytes, int flags)
{
    (void)bytes;
    (void)flags;
    hooked_free(memory);
}
