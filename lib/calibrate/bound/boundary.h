/* Computes a boundary from visits (lib/base/visit.h), and makes the checks that must hold before any program relies on
 * the boundary. */
#ifndef ORDO_CALIBRATE_BOUND_BOUNDARY_H
#define ORDO_CALIBRATE_BOUND_BOUNDARY_H

#include "base/error.h"
#include "base/visit.h"
#include "calibrate/record/calibration.h"

/** Computes deltas, offset intervals, drift, boundary and corrections of `calibration` from its visits.
 *
 * `visits[(k * count + a) * count + b]`, a < b, is visit k to the pair (a, b). Each pair has `sweeps` visits, also
 * called its repeats, at least a second apart. The caller sets cpus, granule_ticks, step_ticks, margin_ticks and
 * tick_hz.
 *
 * The boundary is the largest delta of any pair, direction and repeat, plus the granule, plus the margin. The two
 * directions are treated separately, because their minimum would hide a skewed clock. Returns ORDO_E_REFUTED, with the
 * pair and the evidence in `error`, in each of these cases:
 *
 * - range: the clocks of a pair are more than 2^61 ticks apart, so their difference may have wrapped around;
 * - drift: the visits of a pair exclude a drift of 0, or exclude every constant drift (a clock stepped);
 * - order: delta_ab + delta_ba < -step in one visit, so a message arrived before it was sent;
 * - movement: the intersection of the offset intervals of the repeats is empty;
 * - boundary: the boundary would be 0 or less. */
int ordo_boundary_compute(struct ordo_calibration *calibration, const struct ordo_visit *visits, int sweeps,
                          struct ordo_error *error);

/** Checks that the boundary probably shows a property of the machine, not a disturbance of the measurement. Returns
 * ORDO_E_MEASURE, with the pair, the evidence and the remedy in `error`, in each of these cases:
 *
 * - repeats: in one direction of a pair, the smallest deltas of the repeats differ by more than 9 times the pair's
 *   least latency. This latency is half of the shortest round trip, in which the offset of the clocks cancels. Without
 *   an offset, the largest of these deltas is then more than 10 times the smallest;
 * - size: the boundary without the margin exceeds 10 us although all CPUs are in one package.
 *
 * A refused boundary is valid, but so large that it orders almost no events. */
int ordo_boundary_doubt(const struct ordo_calibration *calibration, const struct ordo_visit *visits, int sweeps,
                        struct ordo_error *error);

#endif
