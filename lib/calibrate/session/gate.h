/* The stricter gates for a clock of the class `measured`: the kernel does not vouch for it, so the measurement must.
 *
 *  G1  At least 5 sweeps, the first and the last at least 10 s apart. A step of a clock is detected only between two
 *      visits, and a drift of r ppm moves a pair by 10 r us in that time, some hundred times the latency of a message.
 *  G2  The interval of all drifts, which contains 0 (boundary.h refuses any other), is narrower than 1 ppm. The drift
 *      that the sweeps leave possible then takes at least 0.1 s to use up a boundary of 100 ns, and the watcher
 *      measures more often.
 *  G3  The counter keeps its rate: between any two consecutive sweeps it is the same to within 10 ppm by
 *      CLOCK_MONOTONIC_RAW, and two of the kernel's clocks agree about it to within 500 ppm, by which a time server may
 *      slew one of them. A counter that follows the frequency of a core, or stands still in idle, changes its rate by a
 *      thousand times that. The gate shows nothing if the kernel makes its clocks of the same counter, as kvm-clock and
 *      Hyper-V's page do; then the hypervisor vouches for the rate.
 *  G4  No direction of a pair has minima in two sweeps that differ tenfold (ordo_boundary_doubt).
 *
 * A failed gate does not prove a fault of the clock. The measurement is repeated, and in the end refused as
 * inconclusive. */
#ifndef ORDO_CALIBRATE_SESSION_GATE_H
#define ORDO_CALIBRATE_SESSION_GATE_H

#include "base/error.h"
#include "calibrate/record/calibration.h"

enum { ORDO_GATE_SWEEPS = 5, ORDO_GATE_DRIFT_PPB = 1000, ORDO_GATE_RATES = 2, ORDO_GATE_VALID_DAYS = 7 };
#define ORDO_GATE_SPAN_S 10
#define ORDO_GATE_RATE_PPM 10

/** Returns the pause before each sweep but the first, in ns: at least `least_ns`, and long enough for `sweeps` to span
 * the time of G1. */
uint64_t ordo_gate_pause_ns(int sweeps, uint64_t least_ns);

/** Checks G1 to G3 of a concluded calibration.
 *
 * ORDO_OK: they hold
 * ORDO_E_MEASURE: one does not; `error` names it with its number and the remedy */
int ordo_gate_check(const struct ordo_calibration *calibration, struct ordo_error *error);

#endif
