/* Moves a thread to a CPU many times a second, without reading the topology. */
#ifndef ORDO_CALIBRATE_WATCH_HOP_H
#define ORDO_CALIBRATE_WATCH_HOP_H

#include <stdbool.h>
#include <stdint.h>

/** Pins the calling thread to `cpu`. True if the thread runs on `cpu` now; false if the CPU is offline or the cgroup
 * forbids it. */
bool ordo_hop_to(unsigned cpu);

/** Lets the calling thread run on all CPUs of its cgroup. Writes at most `most` of these CPUs, ascending, into `cpus`,
 * and returns their number. */
int ordo_hop_allowed(unsigned *cpus, int most);

/** Lets the calling thread run on all CPUs of its cgroup. Writes these CPUs into `list`, in the form "0-3,8", truncated
 * to `size`. Returns a checksum of the whole set. */
uint64_t ordo_hop_release(char *list, unsigned size);

/** Lets the calling thread run on all CPUs of its cgroup. True if these are exactly the `count` different CPUs in
 * `cpus`. */
bool ordo_hop_allows_only(const unsigned *cpus, int count);

#endif
