/* Bounds the offset by every single probe and the bound on the rate. For this, the corners of the hulls are not enough.
 *
 * A probe near an instant bounds the offset at the instant by little more than the delay of the probe. This needs no
 * probes at other times, so the bound is good even if the rate changes at any time, for example if a clock is
 * steered. */
#ifndef ORDO_NET_OFFSET_CONE_H
#define ORDO_NET_OFFSET_CONE_H

#include "net/offset/hull.h"

/** Returns an interval that contains the offset at `at_ps` on clock a, by [H1] of hull.h for each point. Each direction
 * must have at least one point. The time is linear in the number of points. */
struct ordo_interval ordo_net_cones_prove(const struct ordo_net_samples *samples, int64_t at_ps,
                                          const struct ordo_net_limits *limits);

#endif
