/* What a calibration that is refused proves against the record that it was to replace. */
#ifndef ORDO_CALIBRATE_SESSION_REFUTED_H
#define ORDO_CALIBRATE_SESSION_REFUTED_H

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** Marks the record that `options->replaces` names (or the one of the kernel's clock next to it) DISRUPTED if the visits prove
 * that it is wrong, and adds that to `error`, the reason for which nothing will be published. Without that name: does nothing. */
void ordo_session_mark_refuted(const struct ordo_calibrate_options *options, const struct ordo_calibration *measured,
                               struct ordo_error *error);

#endif
