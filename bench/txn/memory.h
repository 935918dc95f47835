/* The memory of the engines: jemalloc with an arena for each thread, so that versions of different threads are not
 * interleaved; with sized frees where these save a lookup. */
#ifndef BENCH_TXN_MEMORY_H
#define BENCH_TXN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct txn_memory {
    uint64_t allocated_bytes; /* bytes allocated by the program, as counted by jemalloc */
    uint64_t resident_bytes;  /* bytes of the process's resident pages */
};

/** The functions of a struct ordo_memory. `align` is at most 128. */
void *txn_memory_allocate(void *context, size_t align, size_t bytes);
void txn_memory_release(void *context, void *memory, size_t bytes);

/** Makes the calling thread allocate from the arena with this index. The first call creates the arena. Only one thread
 * at a time may use an index. */
int txn_memory_use_arena(int index, struct ordo_error *error);

struct txn_memory txn_memory_now(void);

#endif
