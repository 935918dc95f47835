/* A bound on the rate of the offset between two clocks a and b, if |rate - 1| <= r for each clock.
 *
 * While clock a advances by 1, the true time advances by at most 1 / (1 - r), and clock b by at most (1 + r) / (1 - r).
 *   [R1] So the rate of the offset b - a, per time of clock a, is at most (1 + r) / (1 - r) - 1 = 2 r / (1 - r). The
 *        rate is at least -2 r / (1 + r), which is nearer to 0.
 * 2 r would be too small: by a thousandth for r = 1,000 ppm, and by a tenth for r = 100,000 ppm. */
#ifndef ORDO_NET_OFFSET_RATE_H
#define ORDO_NET_OFFSET_RATE_H

/** Returns the bound of [R1], for 0 <= r < 1. The bound is below 1/2 if r < 1/5. */
static inline double ordo_net_rate_apart(double r)
{
    return 2 * r / (1 - r);
}

#endif
