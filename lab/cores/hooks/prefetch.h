/* Included before every file that is compiled for a simulated machine: the compiler puts no hook at a prefetch. */
#ifndef ORDO_LAB_CORES_PREFETCH_H
#define ORDO_LAB_CORES_PREFETCH_H

void cores_hook_prefetch(const void *address, int writes);

#define CORES_PREFETCH_WRITES(address, writes, ...) writes
#define __builtin_prefetch(...)                                                                                        \
    cores_hook_prefetch((const void *)CORES_PREFETCH_FIRST(__VA_ARGS__, 0), CORES_PREFETCH_WRITES(__VA_ARGS__, 0, 0))
#define CORES_PREFETCH_FIRST(address, ...) (address)

#endif
