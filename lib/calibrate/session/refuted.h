/* Marks the record that a refused calibration proves wrong. */
#ifndef ORDO_CALIBRATE_SESSION_REFUTED_H
#define ORDO_CALIBRATE_SESSION_REFUTED_H

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** Marks the record that `options->replaces` names (or the one of the kernel's clock next to it) DISRUPTED if the
 * visits prove it wrong, and adds this to `error`, the reason why nothing will be published. Does nothing without that
 * name. */
void ordo_session_mark_refuted(const struct ordo_calibrate_options *options, const struct ordo_calibration *measured,
                               struct ordo_error *error);

#endif
