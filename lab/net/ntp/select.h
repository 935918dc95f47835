/* Selects the servers that are believed, and combines their offsets.
 *
 * D. L. Mills, J. Martin, J. Burbank, W. Kasch, RFC 5905 (2010), sections 11.2.1 and 11.2.3. Clustering (11.2.2), which
 * drops servers for their jitter until three are left, is left out, because these servers have small weights already.
 *
 * Section 11.2.1 looks for the largest majority of n sources that have a common range. This range is from the first to
 * the last point that n intervals contain. By the rule of the middles, the number of middles outside the range must not
 * exceed the number of sources that are left out. The rule can fail although no source is false: if the servers' own
 * time is as wrong as they state, all intervals contain the truth, but most middles are outside the common range. RFC
 * 5905 then believes no server, and the clock runs free. Here the rule is dropped in this case:
 *   [N2] Suppose more than half of the intervals contain the truth. Each end of the common range is contained in n
 *        intervals, and n is more than half too. Each end is therefore contained in an interval that also contains the
 *        truth. These two intervals have the truth in common, so each point of the range is in one of them. With the
 *        rule or without it, a point of the range is therefore away from the truth by at most the width of an interval
 *        that contains the truth.
 * The bound is proved without the selection, see [N1]. */
#ifndef ORDO_LAB_NET_NTP_SELECT_H
#define ORDO_LAB_NET_NTP_SELECT_H

#include <stdbool.h>

#include "base/interval.h"

enum { ORDO_NET_NTP_SERVERS = 8 };

/** The statement of one server: the offset is within `distance_ps` of `offset_ps`. */
struct ordo_net_ntp_source {
    double offset_ps, distance_ps;
    bool believed; /* set by ordo_net_ntp_select */
};

/** The common range of the largest majority. */
struct ordo_net_ntp_common {
    double low_ps, high_ps;
};

/** Believes the sources whose middles are within the common range of the largest majority. If no majority keeps the
 * rule of the middles, believes the sources whose intervals overlap the range. Returns false, and believes no source,
 * if no majority has a point in common. At most ORDO_NET_NTP_SERVERS sources. */
bool ordo_net_ntp_select(struct ordo_net_ntp_source *sources, int count, struct ordo_net_ntp_common *common);

/** Returns the mean offset of the believed sources, each weighted by the inverse of its distance (section 11.2.3),
 * limited to the common range [N2]. */
double ordo_net_ntp_combine(const struct ordo_net_ntp_source *sources, int count,
                            const struct ordo_net_ntp_common *common);

/** Finds an interval that contains the truth if at most `wrong` of these intervals do not.
 *   [N1] At least count - wrong intervals contain the truth. The truth is therefore not before the first point that
 *        this many intervals contain, and not after the last such point.
 * The result does not depend on which sources are believed. Returns false if no point is in count - wrong intervals
 * (more than `wrong` intervals are then wrong), or if count <= wrong. At most ORDO_NET_NTP_SERVERS intervals. */
bool ordo_net_ntp_prove(const struct ordo_interval *intervals, int count, int wrong, struct ordo_interval *proved);

#endif
