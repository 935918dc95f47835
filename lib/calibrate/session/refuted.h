/* Marks the record that a refused calibration proves wrong. */
#ifndef ORDO_CALIBRATE_SESSION_REFUTED_H
#define ORDO_CALIBRATE_SESSION_REFUTED_H

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** Marks the record at `options->replaces` DISRUPTED if the visits prove it wrong, and appends this to `error`, which
 * contains the reason why nothing will be published. If the kernel's clock was measured, the marked record is that of
 * the kernel's clock, next to the record at `replaces`. Does nothing if `replaces` is NULL. */
void ordo_session_mark_refuted(const struct ordo_calibrate_options *options, const struct ordo_calibration *measured,
                               struct ordo_error *error);

#endif
