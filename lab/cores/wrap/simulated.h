/* The mark of a simulation in the results of the program. */
#ifndef ORDO_LAB_CORES_WRAP_SIMULATED_H
#define ORDO_LAB_CORES_WRAP_SIMULATED_H

#include "lab/cores/run/run.h"

/** Every result of the program tells these options from now on; the caller keeps them. */
void cores_simulated_open(const struct cores_options *options);

#endif
