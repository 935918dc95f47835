/* The ticks that a simulated CPU's clock shows. */
#ifndef ORDO_LAB_CORES_CLOCK_H
#define ORDO_LAB_CORES_CLOCK_H

#include "lab/cores/run/cpu.h"

/** The clock of a CPU at the virtual time `ps`. */
uint64_t cores_clock_ticks(const struct cores_cpu *cpu, uint64_t ps);

#endif
