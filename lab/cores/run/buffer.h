/* The values of stores that are not yet visible to other CPUs.
 *
 * A plain store is visible at once, which is sound for a program without data races: another CPU may read the stored
 * value only after it has read an atomic that was stored later, and atomics are buffered. The buffer is first in, first
 * out on machines with total store order; on the others, only a releasing store waits for the earlier ones. */
#ifndef ORDO_LAB_CORES_BUFFER_H
#define ORDO_LAB_CORES_BUFFER_H

#include "lab/cores/run/cpu.h"

/** Buffers a store of the running CPU that becomes visible at `visible_ps`. */
void cores_buffer_store(uintptr_t address, unsigned size, const void *value, uint64_t visible_ps);

/** Reads an atomic as the running CPU sees it: with its own buffered stores. */
void cores_buffer_load(uintptr_t address, unsigned size, void *value);

/** Makes the running CPU's stores visible if one of them is in [address, address + bytes): the program is about to
 * access these bytes itself. */
void cores_buffer_flush(uintptr_t address, size_t bytes);

/** Makes all stores of a CPU visible. */
void cores_buffer_drain(struct cores_cpu *cpu);

/** Makes all stores visible whose time has come. */
void cores_buffer_reach(uint64_t now_ps);

#endif
