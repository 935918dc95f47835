/* Computes the published numbers from a measured matrix. */
#ifndef ORDO_CALIBRATE_BOUND_CONCLUDE_H
#define ORDO_CALIBRATE_BOUND_CONCLUDE_H

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** Computes boundary, corrections and the boundary of corrected clocks from delta_ticks, granule_ticks and margin_ticks
 * of the calibration. With this function and ordo_record_publish (record/publish.h) a program can publish a record from
 * any matrix, even if another program measured the matrix.
 *
 * The boundary is the largest delta of any pair and direction, plus the granule, plus the margin. A pair whose delta is
 * ORDO_DELTA_NONE was not measured. If there are such pairs, they are counted, there are no corrections, and the
 * boundary is that of the other pairs. Readers do not use it for a set of CPUs that contains an unmeasured pair.
 * ORDO_E_REFUTED: the boundary would be 0 or less. */
int ordo_boundary_conclude(struct ordo_calibration *calibration, struct ordo_error *error);

#endif
