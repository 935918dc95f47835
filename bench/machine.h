/* The CPUs that a command runs on. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "machine/topology/topology.h"
#include "options.h"

struct bench_machine {
    struct ordo_topology *topology;
    unsigned *cpus; /* ascending; thread i is pinned to cpus[i], or to cpus[i % cpu_count] if threads may share CPUs */
    int cpu_count;
};

/** Reads the machine's topology and selects the CPUs of `options->cpus`. If `options` has no thread counts, fills in 1,
 * 2, 4, ... and the number of CPUs. Refuses a thread count above the number of CPUs, unless `options->oversubscribe`.
 * ORDO_E_INVALID: the list of CPUs is wrong. */
int bench_machine_open(struct bench_machine *machine, struct bench_options *options, struct ordo_error *error);

/** Returns the CPU of a thread. */
static inline unsigned bench_machine_cpu(const struct bench_machine *machine, int thread)
{
    return machine->cpus[thread % machine->cpu_count];
}

void bench_machine_close(struct bench_machine *machine);

#endif
