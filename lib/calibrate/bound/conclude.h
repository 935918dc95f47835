/* From a measured matrix to what is published of it. */
#ifndef ORDO_CALIBRATE_BOUND_CONCLUDE_H
#define ORDO_CALIBRATE_BOUND_CONCLUDE_H

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** Computes boundary, corrections and the boundary of corrected clocks from delta_ticks, granule_ticks and margin_ticks
 * of the calibration. Together with ordo_record_publish (record/publish.h) it publishes the next generation of a record
 * from any matrix, whoever measured it.
 *
 * The boundary is the largest delta of any pair and direction, plus the granule, plus the margin. Pairs at
 * ORDO_DELTA_NONE were not measured: they are counted, the boundary is that of the others (readers take it for no set
 * with such a pair), and there are no corrections. ORDO_E_REFUTED where the boundary would be 0 or less. */
int ordo_boundary_conclude(struct ordo_calibration *calibration, struct ordo_error *error);

#endif
