/* Computes the published numbers from a measured matrix. */
#ifndef ORDO_CALIBRATE_BOUND_CONCLUDE_H
#define ORDO_CALIBRATE_BOUND_CONCLUDE_H

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** Computes boundary, corrections and the boundary of corrected clocks from delta_ticks, granule_ticks and margin_ticks
 * of the calibration. Together with ordo_record_publish (record/publish.h) it publishes the next generation of a
 * record from any matrix, whatever program measured it.
 *
 * The boundary is the largest delta of any pair and direction, plus the granule, plus the margin. Pairs at
 * ORDO_DELTA_NONE were not measured. They are counted, and the boundary is that of the other pairs: readers do not use
 * it for a set of CPUs that contains an unmeasured pair. There are no corrections then. ORDO_E_REFUTED: the boundary
 * would be 0 or less. */
int ordo_boundary_conclude(struct ordo_calibration *calibration, struct ordo_error *error);

#endif
