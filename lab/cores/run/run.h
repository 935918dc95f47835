/* The simulated machine at work: threads of a program as coroutines on simulated CPUs, each with a virtual time. One
 * thread of the operating system runs everything, so a run is deterministic.
 *
 * Order. The CPU that is furthest behind runs. Before each access of the program its CPU waits until its time is the
 * smallest (or at most `slack_ps` above it, if the access hits in the CPU's own caches). Therefore values pass from CPU
 * to CPU in the order of virtual time: if B reads a value that A wrote, B's time at the read is at least A's time at
 * the write, minus slack_ps. Stores of atomics wait in a buffer until the simulated line is there (buffer.h). */
#ifndef ORDO_LAB_CORES_RUN_H
#define ORDO_LAB_CORES_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "lab/cores/machine/machine.h"

struct cores_options {
    const struct cores_machine *machine;
    uint64_t seed;
    uint64_t slack_ps;      /* by which a CPU may run ahead while it hits in its own caches; 0: exact order */
    uint64_t quantum_ps;    /* time after which a thread makes way for another one of the same CPU */
    uint64_t stall_ps;      /* CPUs lose this time at random moments, and stores are as late ... */
    uint64_t stall_each_ps; /* ... at this mean distance; 0: never */
    uint64_t skew_ticks;    /* the clocks of two CPUs differ by at most this number of ticks */
    int64_t rate_ppb;       /* their rates differ by at most this; 0: not at all */
    bool counts_lines;      /* remember the places in the program that cost most */
};

/** Runs a program's main on the machine, on a floating CPU: a thread that is pinned to no CPU runs on one of its own,
 * in addition to those of the machine. Sets `result` to the value of main; never returns if the program calls exit().
 * ORDO_E_SYSTEM: no memory. */
int cores_run(const struct cores_options *options, int (*main)(int argc, char **argv), int argc, char **argv,
              int *result, struct ordo_error *error);

/** Selects the low, likely or high value (0, 1, 2) of the machine's ranges from now on. The caches stay warm,
 * as between two measurements of a real machine. */
void cores_step(int step);

#endif
