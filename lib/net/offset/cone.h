/* What every probe says by itself about an offset whose rate is bounded: the hull's corners are not enough for that.
 *
 * A probe near an instant bounds the offset there to within little more than its delay, whatever the probes long before and after
 * say. Where a rate may change at any time, as when a clock is steered, this is the tightest there is. */
#ifndef ORDO_NET_OFFSET_CONE_H
#define ORDO_NET_OFFSET_CONE_H

#include "net/offset/hull.h"

/** An interval that holds the offset at `at_ps` on clock a, by [H1] of hull.h for each of the points. Each direction has at least
 * one. Linear in their number. */
struct ordo_interval ordo_net_cones_prove(const struct ordo_net_samples *samples, int64_t at_ps,
                                          const struct ordo_net_limits *limits);

#endif
