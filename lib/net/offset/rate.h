/* A bound on the rate of the offset of two clocks, if no clock's rate is wrong by more than r.
 *
 * While clock a advances by 1, the true time advances by at most 1 / (1 - r), and clock b by at most (1 + r) / (1 - r).
 *   [R1] So the rate of the offset b - a, per time of clock a, is at most (1 + r) / (1 - r) - 1 = 2 r / (1 - r). It is
 *        at least -2 r / (1 + r), which is nearer to 0.
 * 2 r alone is too little: by a thousandth at 1,000 ppm, and by a tenth at 100,000. */
#ifndef ORDO_NET_OFFSET_RATE_H
#define ORDO_NET_OFFSET_RATE_H

/** Returns the bound of [R1], for r from 0 to below 1; below 1/2 if r is below 1/5. */
static inline double ordo_net_rate_apart(double r)
{
    return 2 * r / (1 - r);
}

#endif
