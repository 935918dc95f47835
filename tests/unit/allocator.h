/* Memory of a domain for tests: blocks are counted, and allocations fail once none is left. */
#ifndef TESTS_UNIT_ALLOCATOR_H
#define TESTS_UNIT_ALLOCATOR_H

#include <stdlib.h>
#include <string.h>

static long allocated, left; /* blocks; allocations that still succeed */

static void *allocate(void *context, size_t bytes)
{
    size_t *largest = context; /* that were asked for at once, if it is not NULL */
    if (largest && bytes > *largest)
        *largest = bytes;
    if (left-- <= 0)
        return NULL;
    allocated++;
    void *memory = malloc(bytes);
    return memory ? memset(memory, 0xbf, bytes) : NULL; /* nothing in it may be taken for granted */
}

static void release(void *context, void *memory)
{
    (void)context;
    allocated--;
    free(memory);
}

#endif
