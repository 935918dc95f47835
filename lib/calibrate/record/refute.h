/* Contradictions between a measurement and a record that programs still rely on. */
#ifndef ORDO_CALIBRATE_RECORD_REFUTE_H
#define ORDO_CALIBRATE_RECORD_REFUTE_H

#include <stdbool.h>

#include <ordo/record.h>

#include "calibrate/record/calibration.h"

/** True if a calibration proves the record wrong; then fills `refuted`. The calibration must be of the same boot and of
 * the record's clock: a record of another boot or another clock is never refuted. A record is wrong if the whole
 * interval of the offset of two covered CPUs is outside of [-B, B], or if the clock has not run at the record's rate
 * (`ordo check --mark` checks the same two conditions). Offsets count only if the calibration began after the
 * measurement of the record began, because earlier messages do not contradict the record. The status of the record does
 * not matter, because programs still have handles of it. */
bool ordo_calibration_refutes(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                              struct ordo_refutation *refuted);

/** True if the visits of a calibration prove the record wrong, in the same sense, even if the calibration itself
 * failed: each message bounds the offset at its own time, even if a clock has stepped since. */
bool ordo_visits_refute(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                        struct ordo_refutation *refuted);

/** Appends to `error` that the published record is proved wrong, and whether it was marked. `error` contains the reason
 * why no new record is published. */
void ordo_refutation_append(struct ordo_error *error, bool marked);

#endif
