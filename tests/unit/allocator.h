/* Memory of a domain for tests: blocks are counted, and allocations fail once none is left. */
#ifndef TESTS_UNIT_ALLOCATOR_H
#define TESTS_UNIT_ALLOCATOR_H

#include <stdlib.h>
#include <string.h>

static long allocated, left; /* number of blocks in use; number of allocations that will still succeed */

static void *allocate(void *context, size_t bytes)
{
    size_t *largest = context; /* the largest request so far; may be NULL */
    if (largest && bytes > *largest)
        *largest = bytes;
    if (left-- <= 0)
        return NULL;
    allocated++;
    void *memory = malloc(bytes);
    return memory ? memset(memory, 0xbf, bytes) : NULL; /* the caller must not rely on its content */
}

static void release(void *context, void *memory)
{
    (void)context;
    allocated--;
    free(memory);
}

#endif
