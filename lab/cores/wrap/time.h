/* The time that the simulated kernel tells. */
#ifndef ORDO_LAB_CORES_WRAP_TIME_H
#define ORDO_LAB_CORES_WRAP_TIME_H

#include <stdint.h>
#include <time.h>

/** The virtual time at which the kernel's clocks show `time`. */
uint64_t cores_time_ps(const struct timespec *time);

/** Divides all naps of the program from now on: a warm-up need not last as long as a measurement. */
void cores_time_hurry(unsigned divisor);

#endif
