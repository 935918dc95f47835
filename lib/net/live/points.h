/* Turns the exchanges of an edge into points, the input of net/offset. */
#ifndef ORDO_NET_LIVE_POINTS_H
#define ORDO_NET_LIVE_POINTS_H

#include "net/offset/samples.h"
#include "net/wire/message.h"

/** Points of both directions; the counts of `samples` grow, up to `room` of each. */
struct ordo_net_points {
    struct ordo_net_samples samples;
    size_t room_there, room_back;
};

/** The origins of the clocks of the two hosts, so that picoseconds fit: clock a minus `a_ns`, clock b minus `b_ns`. */
struct ordo_net_bases {
    int64_t a_ns, b_ns;
};

/** Adds the points of a pair to `all`, and those of a pure pair to `pure`. A pair is pure in a direction if its stamps
 * are all as near to the wire as the hosts can take them, and its distance in time changed by at most `tolerance_ns`:
 * it has most likely waited in no queue. (Geng et al., NSDI 2018, section 3.1.) Stamps that are absurdly far from the
 * bases add no point. False if out of memory. */
bool ordo_net_points_add(struct ordo_net_points *all, struct ordo_net_points *pure, const struct ordo_net_pair *pair,
                         const struct ordo_net_bases *bases, int64_t tolerance_ns);

/** Sorts the points by time. */
void ordo_net_points_finish(struct ordo_net_points *points);
void ordo_net_points_empty(struct ordo_net_points *points);
void ordo_net_points_free(struct ordo_net_points *points);

#endif
