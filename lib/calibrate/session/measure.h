/* A measurement from the first look at the clock to the boundary. */
#ifndef ORDO_CALIBRATE_SESSION_MEASURE_H
#define ORDO_CALIBRATE_SESSION_MEASURE_H

#include "calibrate/record/calibration.h"
#include "machine/topology/topology.h"

/** Sweeps are this far apart, so that a drift has time to show. */
#define ORDO_SESSION_GAP_NS 1000000000u

/** Fills a new result, whose CPUs are those to measure, by options without zeros. The errors are those of ordo_calibrate. */
int ordo_session_measure(const struct ordo_calibrate_options *options, const struct ordo_topology *topology,
                         struct ordo_calibration *result, struct ordo_error *error);

#endif
