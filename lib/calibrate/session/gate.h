/* The stricter gates for a clock of the class `measured`: the kernel does not vouch for it, so the measurement must.
 *
 *  G1  At least 5 sweeps, the first and the last at least 10 s apart. A step of a clock is detected only between two
 *      visits. A drift of r ppm changes a pair's offset by 10 r us in 10 s, which is about a hundred times the latency
 *      of a message for r = 1.
 *  G2  The interval of all drifts, which contains 0 (boundary.h refuses any other), is narrower than 1 ppm. A drift
 *      that the sweeps do not exclude then needs at least 0.1 s to change an offset by a boundary of 100 ns, and the
 *      watcher measures more often than that.
 *  G3  The counter keeps its rate. By CLOCK_MONOTONIC_RAW, the rates between any two consecutive sweeps are equal to
 *      within 10 ppm. Two of the kernel's clocks agree about the rate to within 500 ppm, by which a time server may
 *      slew one of them. If a counter follows the frequency of a core, or stands still in idle, its rate changes by a
 *      thousand times these limits. The gate proves nothing if the kernel derives its clocks from this counter, as with
 *      kvm-clock and Hyper-V's page; then the hypervisor vouches for the rate.
 *  G4  In no direction of a pair do the minima of two sweeps differ by a factor of more than 10 (ordo_boundary_doubt).
 *
 * A failed gate does not prove a fault of the clock. The measurement is repeated; after the last attempt it is refused
 * as inconclusive. */
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
 * ORDO_OK: all hold
 * ORDO_E_MEASURE: a gate fails; `error` contains its number and the remedy */
int ordo_gate_check(const struct ordo_calibration *calibration, struct ordo_error *error);

#endif
