#include "memory.h"

#include <jemalloc/jemalloc.h>
#include <stdio.h>
#include <unistd.h>

/* Huge pages, if the kernel offers them on request; databases use them, too. Records are read at random, and without
 * huge pages most of the time would be spent in TLB misses. MALLOC_CONF in the environment overrides this setting. */
const char *malloc_conf = "thp:always";

#define MOST_ARENAS 4096

/* Above this size every size class of jemalloc is a multiple of 128 bytes. Aligning to 128 bytes then wastes no memory,
 * and a sized free needs only the requested size. */
#define SMALL_BYTES 512
#define ALIGN 128

static size_t rounded_up(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

void *txn_memory_allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    return bytes > SMALL_BYTES ? mallocx(rounded_up(bytes), MALLOCX_ALIGN(ALIGN))
                               : mallocx(bytes, MALLOCX_ALIGN(align));
}

void txn_memory_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    if (bytes > SMALL_BYTES)
        sdallocx(memory, rounded_up(bytes), MALLOCX_ALIGN(ALIGN));
    else
        dallocx(memory, 0);
}

int txn_memory_use_arena(int index, struct ordo_error *error)
{
    static unsigned arenas[MOST_ARENAS]; /* 0: none yet, because arena 0 is the main thread's */
    size_t bytes = sizeof *arenas;
    int failed = 0;
    if (index >= MOST_ARENAS)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d arenas: more than jemalloc has", index);
    if (arenas[index] == 0)
        failed = mallctl("arenas.create", &arenas[index], &bytes, NULL, 0);
    if (!failed)
        failed = mallctl("thread.arena", NULL, NULL, &arenas[index], sizeof *arenas);
    return failed ? ordo_error_set(error, ORDO_E_SYSTEM, failed, "thread %d: jemalloc gives it no arena", index)
                  : ORDO_OK;
}

struct txn_memory txn_memory_now(void)
{
    struct txn_memory memory = {0};
    uint64_t epoch = 1;
    size_t allocated = 0, bytes = sizeof allocated;
    unsigned long pages = 0;
    /* Refreshes the statistics: jemalloc updates them only when the epoch is written. */
    (void)mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
    if (mallctl("stats.allocated", &allocated, &bytes, NULL, 0) == 0)
        memory.allocated_bytes = allocated;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%*u %lu", &pages) == 1)
        memory.resident_bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
    if (file)
        (void)fclose(file);
    return memory;
}
