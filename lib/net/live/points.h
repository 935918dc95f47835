/* Turns the exchanges of an edge into points, the input of net/offset. */
#ifndef ORDO_NET_LIVE_POINTS_H
#define ORDO_NET_LIVE_POINTS_H

#include "net/offset/samples.h"
#include "net/wire/message.h"

/** Points of both directions. `room_there` and `room_back` are the sizes of the arrays of `samples`. */
struct ordo_net_points {
    struct ordo_net_samples samples;
    size_t room_there, room_back;
};

/** The origins of the two clocks: points contain clock a minus a_ns, and clock b minus b_ns, in ps. Without origins,
 * the ps would overflow. */
struct ordo_net_bases {
    int64_t a_ns, b_ns;
};

/** Adds the points of a pair to `all`, and those of a pure pair also to `pure`. A pair is pure in a direction if
 * - its stamps are the best that both hosts can take, and
 * - the time between its two probes at arrival differs by at most `tolerance_ns` from that at departure, so that they
 *   have probably not waited in a queue (Geng et al., NSDI 2018, section 3.1).
 * A stamp that is more than 100 s from its base gives no point. False if out of memory. */
bool ordo_net_points_add(struct ordo_net_points *all, struct ordo_net_points *pure, const struct ordo_net_pair *pair,
                         const struct ordo_net_bases *bases, int64_t tolerance_ns);

/** Sorts the points by time. */
void ordo_net_points_finish(struct ordo_net_points *points);
void ordo_net_points_empty(struct ordo_net_points *points);
void ordo_net_points_free(struct ordo_net_points *points);

#endif
