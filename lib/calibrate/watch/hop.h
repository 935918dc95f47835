/* Moves a thread to one CPU without the topology, as a watcher does many times a second. */
#ifndef ORDO_CALIBRATE_WATCH_HOP_H
#define ORDO_CALIBRATE_WATCH_HOP_H

#include <stdbool.h>
#include <stdint.h>

/** Binds the calling thread to `cpu`. True if it runs there now; false if the CPU is offline or the cgroup forbids
 * it. */
bool ordo_hop_to(unsigned cpu);

/** Lets the calling thread run wherever its cgroup allows; writes these CPUs, ascending, at most `most` of them, into
 * `cpus`. Returns their number. */
int ordo_hop_allowed(unsigned *cpus, int most);

/** Does the same, and writes the CPUs as "0-3,8" into `list`, cut if `size` is too small. Returns a checksum of the
 * whole set. */
uint64_t ordo_hop_release(char *list, unsigned size);

/** Lets the calling thread run wherever its cgroup allows. True if `cpus`, `count` different ones, are all of these
 * CPUs. */
bool ordo_hop_allows_only(const unsigned *cpus, int count);

#endif
