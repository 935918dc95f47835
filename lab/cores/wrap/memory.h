/* The program's memory. In the compiled program the names malloc, memcpy and so on are replaced by hooked_malloc,
 * hooked_memcpy and so on (objcopy --redefine-syms); the simulator itself calls the C library's. */
#ifndef ORDO_LAB_CORES_WRAP_MEMORY_H
#define ORDO_LAB_CORES_WRAP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** Prepares the memory; earlier calls of malloc get the C library's. */
int cores_memory_open(int cpus, struct ordo_error *error);

/** Finds the block that contains the address; false if the address is not in the program's heap. */
bool cores_memory_block(uintptr_t address, uintptr_t *block, size_t *bytes);

void *hooked_malloc(size_t bytes);
void *hooked_calloc(size_t count, size_t bytes);
void *hooked_realloc(void *memory, size_t bytes);
void *hooked_aligned_alloc(size_t alignment, size_t bytes);
int hooked_posix_memalign(void **memory, size_t alignment, size_t bytes);
void hooked_free(void *memory);
void *hooked_memcpy(void *to, const void *from, size_t bytes);
void *hooked_memmove(void *to, const void *from, size_t bytes);
void *hooked_memset(void *to, int byte, size_t bytes);
int hooked_memcmp(const void *a, const void *b, size_t bytes);

#endif
