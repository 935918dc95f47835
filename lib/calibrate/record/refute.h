/* What a measurement proves against a record that programs still rely on. */
#ifndef ORDO_CALIBRATE_RECORD_REFUTE_H
#define ORDO_CALIBRATE_RECORD_REFUTE_H

#include <stdbool.h>

#include <ordo/record.h>

#include "calibrate/record/calibration.h"

/** True if a calibration, measured in this boot by the clock of the record, proves that the record is wrong: the offset of
 * two CPUs that the record covers is outside of [-B, B] as a whole, or the clock has not run at the record's rate (what
 * `ordo check --mark` marks). `refuted` is filled then. A record of another boot or another clock is never refuted. Offsets
 * count only if the calibration began after the measurement of the record did: messages from before are nothing against it. The
 * status of the record does not matter, because the handles on it live on. */
bool ordo_calibration_refutes(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                              struct ordo_refutation *refuted);

/** The same by the visits of a calibration, whatever became of it afterwards: each message bounds the offset at its own
 * time, also if a clock has stepped since. */
bool ordo_visits_refute(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                        struct ordo_refutation *refuted);

/** Adds to the reason for which nothing is published that the record in place is proved wrong, and whether it was marked. */
void ordo_refutation_append(struct ordo_error *error, bool marked);

#endif
