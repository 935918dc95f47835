/* The machine's CPUs: which there are, how far apart, how to run on one. The only door to hwloc.
 *
 * A "CPU" is a processing unit as the operating system numbers it. */
#ifndef ORDO_MACHINE_TOPOLOGY_TOPOLOGY_H
#define ORDO_MACHINE_TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/** What two CPUs share, the nearest first. */
enum ordo_distance {
    ORDO_DISTANCE_CORE,
    ORDO_DISTANCE_L2,
    ORDO_DISTANCE_L3,
    ORDO_DISTANCE_PACKAGE,
    ORDO_DISTANCE_NUMA,
    ORDO_DISTANCE_MACHINE,
    ORDO_DISTANCES
};

/** "same core", "shared L2", ...; for a table. */
const char *ordo_distance_name(enum ordo_distance distance);

/** The same as a word, for JSON and CSV: "core", "l2", ... */
const char *ordo_distance_word(enum ordo_distance distance);

struct ordo_topology;

/** Reads the machine, or builds the synthetic one that hwloc's `description` ("pack:2 core:4 pu:2") describes; NULL:
 * the real one. A synthetic machine can be looked at and not be run on. */
int ordo_topology_open(struct ordo_topology **topology, const char *description, struct ordo_error *error);

void ordo_topology_close(struct ordo_topology *topology);

/** The CPUs to work with, ascending: those of a list such as "0-3,8", or all that may be used where `list` is NULL:
 * online, and allowed by the cgroup. The affinity of the caller does not count, because a thread may leave it: those
 * of `isolcpus` and those outside a `taskset` can be selected and pinned to. `*cpus` is malloc'ed. */
int ordo_topology_select(const struct ordo_topology *topology, const char *list, unsigned **cpus, int *count,
                         struct ordo_error *error);

/** The same for the affinity of the thread that opened the topology: where its launcher wants it to run. */
int ordo_topology_bound(const struct ordo_topology *topology, unsigned **cpus, int *count, struct ordo_error *error);

/** Whether the operating system runs anything on this CPU, allowed to this process or not. */
bool ordo_topology_online(const struct ordo_topology *topology, unsigned cpu);

/** Writes "0-3,8" for ascending CPU numbers, cut with "..." where it does not fit. */
void ordo_topology_format_cpus(const unsigned *cpus, int count, char *text, size_t size);

/** What two CPUs share. Both must be CPUs of the topology. */
enum ordo_distance ordo_topology_distance(const struct ordo_topology *topology, unsigned a, unsigned b);

/** What a CPU belongs to, by hwloc's numbers (the operating system's for a node); -1 where the machine has none. */
struct ordo_topology_place {
    int l3, package, numa;
};

/** Where a CPU of the topology is. */
struct ordo_topology_place ordo_topology_locate(const struct ordo_topology *topology, unsigned cpu);

/** The package (socket) that holds every CPU of the opening thread's affinity, by hwloc's number; -1 where it has CPUs
 * of several. */
int ordo_topology_socket(const struct ordo_topology *topology);

/** Binds the calling thread to one CPU and sees it run there. */
int ordo_topology_pin(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error);

/** Whether the calling thread runs on `cpu` and may run nowhere else: for after a measurement. */
int ordo_topology_check_pinned(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error);

/** Zeroed memory on the NUMA node of `cpu`, page-aligned; NULL with `error` filled. */
void *ordo_topology_alloc(const struct ordo_topology *topology, unsigned cpu, size_t bytes, struct ordo_error *error);

void ordo_topology_free(const struct ordo_topology *topology, void *memory, size_t bytes);

/** Returns how much of a processor's name is more than the blanks that fill it up. */
int ordo_topology_model_length(const char *model);

/** The processor's name, "2 cores, 4 CPUs" and the like: one line about the machine. */
void ordo_topology_describe(const struct ordo_topology *topology, char *text, size_t size);

#endif
