/* Computes a boundary from visits, and makes the checks that must hold before any program relies on it. */
#ifndef ORDO_CALIBRATE_BOUND_BOUNDARY_H
#define ORDO_CALIBRATE_BOUND_BOUNDARY_H

#include "base/error.h"
#include "base/visit.h"
#include "calibrate/record/calibration.h"

/** Computes deltas, offset intervals, drift, boundary and corrections of `calibration` from its visits.
 *
 * `visits[(k * count + a) * count + b]`, a < b, is visit k to the pair (a, b). There are `sweeps` visits to each pair,
 * at least a second apart. The caller sets cpus, granule_ticks, step_ticks, margin_ticks and tick_hz.
 *
 * The boundary is the largest delta of any pair, direction and repeat, plus the granule, plus the margin. The two
 * directions are kept apart, because their minimum would hide a skewed clock. Refuses with ORDO_E_REFUTED, the pair and
 * the evidence:
 *
 * - range: the clocks of a pair are more than 2^61 ticks apart, so a difference may have wrapped round;
 * - drift: the visits of a pair allow no drift of zero, or no constant drift at all (a clock that steps);
 * - order: delta_ab + delta_ba < -step in one visit: a message arrived before it was sent;
 * - movement: the offset intervals of the repeats have nothing in common;
 * - boundary: it would be 0 or less. */
int ordo_boundary_compute(struct ordo_calibration *calibration, const struct ordo_visit *visits, int sweeps,
                          struct ordo_error *error);

/** Refuses a boundary that more likely shows a disturbance of the measurement than a property of the machine, with
 * ORDO_E_MEASURE, the pair, the evidence and the remedy:
 *
 * - repeats: the smallest deltas of the repeats, in one direction of a pair, differ by more than 9 times the pair's
 *   least latency (half of the shortest round trip, in which the offset of the clocks cancels); without an offset, the
 *   largest is more than 10 times the smallest;
 * - size: the boundary without the margin exceeds 10 us although all CPUs are in one package.
 *
 * Such a boundary is safe but useless: it holds, and orders next to no events. */
int ordo_boundary_doubt(const struct ordo_calibration *calibration, const struct ordo_visit *visits, int sweeps,
                        struct ordo_error *error);

#endif
