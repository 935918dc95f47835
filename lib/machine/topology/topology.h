/* The machine's CPUs: their numbers, their distances, and how to run a thread on one. Only this module uses hwloc.
 *
 * A "CPU" is a processing unit as the operating system numbers it. */
#ifndef ORDO_MACHINE_TOPOLOGY_TOPOLOGY_H
#define ORDO_MACHINE_TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/** The levels that two CPUs can share, the nearest first. */
enum ordo_distance {
    ORDO_DISTANCE_CORE,
    ORDO_DISTANCE_L2,
    ORDO_DISTANCE_L3,
    ORDO_DISTANCE_PACKAGE,
    ORDO_DISTANCE_NUMA,
    ORDO_DISTANCE_MACHINE,
    ORDO_DISTANCES
};

/** Returns "same core", "shared L2", ...; for a table. */
const char *ordo_distance_name(enum ordo_distance distance);

/** Returns the distance as one word, for JSON and CSV: "core", "l2", ... */
const char *ordo_distance_word(enum ordo_distance distance);

struct ordo_topology;

/** Reads this machine if `description` is NULL. Otherwise builds a synthetic machine from a description of hwloc's,
 * such as "pack:2 core:4 pu:2". A synthetic machine can be examined, but no thread can run on it. */
int ordo_topology_open(struct ordo_topology **topology, const char *description, struct ordo_error *error);

void ordo_topology_close(struct ordo_topology *topology);

/** Selects CPUs to work with, in ascending order: the CPUs of a list such as "0-3,8", or, if `list` is NULL, all usable
 * CPUs, which are online and allowed by the cgroup. The caller's affinity does not count, because a thread may leave
 * it: CPUs of `isolcpus` and CPUs outside a `taskset` can be selected and pinned to. The caller frees `*cpus`. */
int ordo_topology_select(const struct ordo_topology *topology, const char *list, unsigned **cpus, int *count,
                         struct ordo_error *error);

/** Selects the usable CPUs in the affinity of the thread that opened the topology: those that its launcher chose. */
int ordo_topology_bound(const struct ordo_topology *topology, unsigned **cpus, int *count, struct ordo_error *error);

/** True if the operating system can run threads on this CPU, whether or not this process may. */
bool ordo_topology_online(const struct ordo_topology *topology, unsigned cpu);

/** Writes ascending CPU numbers as a list such as "0-3,8". Cuts the list with "..." if it does not fit. */
void ordo_topology_format_cpus(const unsigned *cpus, int count, char *text, size_t size);

/** Returns the nearest level that two CPUs share. Both must be CPUs of the topology. */
enum ordo_distance ordo_topology_distance(const struct ordo_topology *topology, unsigned a, unsigned b);

/** The caches, package and node of a CPU, by hwloc's numbers (a node by the operating system's number); -1 for each
 * that the machine does not have. */
struct ordo_topology_place {
    int l3, package, numa;
};

/** Returns the place of a CPU of the topology. */
struct ordo_topology_place ordo_topology_locate(const struct ordo_topology *topology, unsigned cpu);

/** Returns hwloc's number of the package (socket) that contains every CPU in the affinity of the thread that opened the
 * topology; -1 if the affinity spans several packages. */
int ordo_topology_socket(const struct ordo_topology *topology);

/** Binds the calling thread to one CPU, and checks that it runs there. */
int ordo_topology_pin(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error);

/** Checks that the calling thread runs on `cpu` and may run nowhere else; used after a measurement. */
int ordo_topology_check_pinned(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error);

/** Allocates zeroed memory on the NUMA node of `cpu`, page-aligned. NULL with `error` filled on failure. */
void *ordo_topology_alloc(const struct ordo_topology *topology, unsigned cpu, size_t bytes, struct ordo_error *error);

void ordo_topology_free(const struct ordo_topology *topology, void *memory, size_t bytes);

/** Returns the length of a processor's name without the trailing blanks. */
int ordo_topology_model_length(const char *model);

/** Writes one line about the machine: the processor's name, "2 cores, 4 CPUs" and the like. */
void ordo_topology_describe(const struct ordo_topology *topology, char *text, size_t size);

#endif
