/* A measurement from the first look at the clock to the boundary. */
#ifndef ORDO_CALIBRATE_SESSION_MEASURE_H
#define ORDO_CALIBRATE_SESSION_MEASURE_H

#include <stdbool.h>

#include "calibrate/record/calibration.h"
#include "machine/topology/topology.h"

/** Sweeps are this far apart, so that a drift has time to show. */
#define ORDO_SESSION_GAP_NS 1000000000u

/** Runs of the last look at a pair, in each direction, before the short blocks that end it. */
#define ORDO_SESSION_LAST_RUNS 128u

/** Those of the kernel's clock: all CPUs read one clock, which they see drift apart only if the kernel is wrong. */
#define ORDO_SESSION_KERNEL_GAP_NS 200000000u

/** How often a machine is measured before an implausible boundary is its answer. */
#define ORDO_SESSION_ATTEMPTS 3

/** Attempt `attempt`, from 1: fills a new result, whose clock and CPUs are those to measure, by options without zeros. The errors
 * are those of ordo_calibrate. `*implausible` says whether it failed only because what was measured is more likely a
 * disturbance than the machine, so that another attempt may succeed. */
int ordo_session_measure(const struct ordo_calibrate_options *options, const struct ordo_topology *topology,
                         int attempt, struct ordo_calibration *result, bool *implausible, struct ordo_error *error);

#endif
