/* Bounds an offset of bounded rate by every single probe: the hull's corners are not enough for this.
 *
 * A probe near an instant bounds the offset there to within little more than its delay, whatever the probes long before
 * and after show. If a rate may change at any time, for example because a clock is steered, no bound is tighter. */
#ifndef ORDO_NET_OFFSET_CONE_H
#define ORDO_NET_OFFSET_CONE_H

#include "net/offset/hull.h"

/** Returns an interval that holds the offset at `at_ps` on clock a, by [H1] of hull.h for each point. Each direction
 * must have at least one. Takes time linear in the number of points. */
struct ordo_interval ordo_net_cones_prove(const struct ordo_net_samples *samples, int64_t at_ps,
                                          const struct ordo_net_limits *limits);

#endif
