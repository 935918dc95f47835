/* A phase-locked loop: an oscillator whose edges follow the edges of a reference, `up` edges for each `down` edges.
 *
 * RZ 3604, sections 3, 6 and 7. The receiver of a channel re-synthesizes the clock of its master by such a loop (1 for
 * 1), and the timer unit makes the system's clocks from it (for example 156.25 MHz from 125 MHz: 5 for 4). Every `down`
 * edges of the reference and `up` edges of the oscillator the two phases match: the unit cell. The loop compares them
 * once in a cell.
 *
 *  J1 Each period of the oscillator has white noise. Over spans much shorter than the loop's time (a cell divided by
 *     `proportional`), the loop corrects little, and the absolute jitter grows as equation 4 states.
 *  J2 Over longer spans the phase stays near that of the reference. With k for `proportional`, its standard deviation
 *     at the beginning of a cell is noise * sqrt(up / (2 k - k^2)), without the integral part. In a chain of loops each
 *     loop adds its own deviation, and smooths the deviations before it a little.
 *  J3 Before the timer synchronisation (TS) comes, the oscillator runs free. The TS loads its phase: from then on the
 *     phases match. */
#ifndef ORDO_LAB_NET_OSMOSIS_PLL_H
#define ORDO_LAB_NET_OSMOSIS_PLL_H

#include <stddef.h>
#include <stdint.h>

struct ordo_net_pll {
    int up, down;        /* positive */
    double period_fs;    /* nominal period of the oscillator */
    double off;          /* the oscillator is slower than nominal by this share of its period */
    double noise_fs;     /* standard deviation of a period */
    double proportional; /* share of a phase difference that is corrected within a cell; below 1 */
    double integral;     /* share of a phase difference that is added to the correction of every later cell */
    size_t enabled;      /* number of the cell with which the TS comes; 0: the loop is locked from the first cell on */
    double first_fs;     /* the first edge, if the oscillator runs free at first */
    uint64_t seed;
};

/** Finds the edges of the oscillator for a reference with `edges` edges at ascending times. `own_fs` has room for
 * edges / down * up numbers. Returns the number of the oscillator's edges. */
size_t ordo_net_pll_follow(const struct ordo_net_pll *pll, const int64_t *reference_fs, size_t edges, int64_t *own_fs);

#endif
