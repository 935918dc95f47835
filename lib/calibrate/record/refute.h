/* Contradictions between a measurement and a record that programs still rely on. */
#ifndef ORDO_CALIBRATE_RECORD_REFUTE_H
#define ORDO_CALIBRATE_RECORD_REFUTE_H

#include <stdbool.h>

#include <ordo/record.h>

#include "calibrate/record/calibration.h"

/** True if a calibration, measured in this boot by the clock of the record, proves the record wrong: the whole interval
 * of the offset of two CPUs that the record covers is outside of [-B, B], or the clock has not run at the record's
 * rate (`ordo check --mark` marks the same two). `refuted` is filled then. A record of another boot or another clock
 * is never refuted. Offsets count only if the calibration began after the measurement of the record did, because
 * messages from before that do not contradict it. The status of the record does not matter, because programs still
 * hold handles on it. */
bool ordo_calibration_refutes(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                              struct ordo_refutation *refuted);

/** True if the visits of a calibration prove the same, whatever became of the calibration: each message bounds the
 * offset at its own time, even if a clock has stepped since. */
bool ordo_visits_refute(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                        struct ordo_refutation *refuted);

/** Appends to the reason why nothing is published that the record in place is proved wrong, and whether it was
 * marked. */
void ordo_refutation_append(struct ordo_error *error, bool marked);

#endif
