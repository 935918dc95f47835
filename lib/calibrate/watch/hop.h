/* Onto one CPU, without the topology: what a watcher does many times a second. */
#ifndef ORDO_CALIBRATE_WATCH_HOP_H
#define ORDO_CALIBRATE_WATCH_HOP_H

#include <stdbool.h>
#include <stdint.h>

/** Binds the calling thread to `cpu`. Whether it runs there now: a CPU that is offline or that the cgroup forbids says no. */
bool ordo_hop_to(unsigned cpu);

/** Lets the calling thread run wherever its cgroup allows; these CPUs, ascending and `most` of them at most, into `cpus`.
 * Returns how many. */
int ordo_hop_allowed(unsigned *cpus, int most);

/** The same, and writes them as "0-3,8" into `list`, cut short if that is too small. Returns a checksum of the whole set. */
uint64_t ordo_hop_release(char *list, unsigned size);

/** Lets the calling thread run wherever its cgroup allows. True if these CPUs, `count` different ones, are all of those. */
bool ordo_hop_allows_only(const unsigned *cpus, int count);

#endif
