/* A measurement, from the first reading of the clock to the boundary. */
#ifndef ORDO_CALIBRATE_SESSION_MEASURE_H
#define ORDO_CALIBRATE_SESSION_MEASURE_H

#include <stdbool.h>

#include "calibrate/record/calibration.h"
#include "machine/topology/topology.h"

/** The pause between sweeps, in ns: long enough to detect a drift. */
#define ORDO_SESSION_GAP_NS 1000000000u

/** Number of runs in each direction of the last visit to a pair, before its short blocks. */
#define ORDO_SESSION_LAST_RUNS 128u

/** The pause between sweeps for the kernel's clock, in ns. It is shorter, because all CPUs read one clock, whose
 * readings can drift apart only if the kernel is wrong. */
#define ORDO_SESSION_KERNEL_GAP_NS 200000000u

/** The number of measurements after which an implausible boundary is final. */
#define ORDO_SESSION_ATTEMPTS 3

/** Makes attempt `attempt`, counted from 1: measures the clock and the CPUs that `result` states, and fills the other
 * members of `result`. The options must be complete (no zeros that mean a default). Returns the codes of
 * ordo_calibrate. Sets `*implausible` if the attempt failed only because its result probably shows a disturbance, so
 * that another attempt may succeed. */
int ordo_session_measure(const struct ordo_calibrate_options *options, const struct ordo_topology *topology,
                         int attempt, struct ordo_calibration *result, bool *implausible, struct ordo_error *error);

#endif
