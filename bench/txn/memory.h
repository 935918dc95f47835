/* The engines' memory: jemalloc, with an arena for each thread, so that one thread's versions are not between another's; and sized
 * frees if they save a lookup. */
#ifndef BENCH_TXN_MEMORY_H
#define BENCH_TXN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct txn_memory {
    uint64_t allocated_bytes; /* held by the program, as jemalloc counts it */
    uint64_t resident_bytes;  /* the process's pages in memory */
};

/** A struct ordo_memory of the engines; `align` is at most 128. */
void *txn_memory_allocate(void *context, size_t align, size_t bytes);
void txn_memory_release(void *context, void *memory, size_t bytes);

/** From now on the calling thread allocates from the arena of this index, which the first call creates. One thread at a
 * time may use an index. */
int txn_memory_use_arena(int index, struct ordo_error *error);

struct txn_memory txn_memory_now(void);

#endif
