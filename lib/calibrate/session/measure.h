/* A measurement, from the first reading of the clock to the boundary. */
#ifndef ORDO_CALIBRATE_SESSION_MEASURE_H
#define ORDO_CALIBRATE_SESSION_MEASURE_H

#include <stdbool.h>

#include "calibrate/record/calibration.h"
#include "machine/topology/topology.h"

/** The pause between sweeps, in ns: long enough for a drift to show. */
#define ORDO_SESSION_GAP_NS 1000000000u

/** Runs of the last visit to a pair, in each direction, before the short blocks that end it. */
#define ORDO_SESSION_LAST_RUNS 128u

/** The same pause for the kernel's clock: all CPUs read one clock, and see it drift apart only if the kernel is
 * wrong. */
#define ORDO_SESSION_KERNEL_GAP_NS 200000000u

/** The number of measurements after which an implausible boundary is final. */
#define ORDO_SESSION_ATTEMPTS 3

/** Makes attempt `attempt`, counted from 1: fills a new result, whose clock and CPUs say what to measure, by options
 * without zeros. The errors are those of ordo_calibrate. `*implausible` is true if the attempt failed only because the
 * measurement more likely shows a disturbance than the machine, so another attempt may succeed. */
int ordo_session_measure(const struct ordo_calibrate_options *options, const struct ordo_topology *topology,
                         int attempt, struct ordo_calibration *result, bool *implausible, struct ordo_error *error);

#endif
