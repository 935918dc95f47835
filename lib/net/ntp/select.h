/* Which of several servers are believed, and what they say together.
 *
 * D. L. Mills, J. Martin, J. Burbank, W. Kasch, RFC 5905 (2010), sections 11.2.1 and 11.2.3. Clustering (11.2.2), which drops
 * servers for their jitter until three are left, is not here: the weights make little of those already. */
#ifndef ORDO_NET_NTP_SELECT_H
#define ORDO_NET_NTP_SELECT_H

#include <stdbool.h>

#include "base/interval.h"

enum { ORDO_NET_NTP_SERVERS = 8 };

/** What one server says: that the offset lies within `distance_ps` of `offset_ps`. */
struct ordo_net_ntp_source {
    double offset_ps, distance_ps;
    bool believed; /* by ordo_net_ntp_select */
};

/** Believes the sources whose middles lie in what the largest majority has in common: as few as possible are left out, and fewer
 * than half. False: there is no such majority, and nobody is believed (section 11.2.1). At most ORDO_NET_NTP_SERVERS. */
bool ordo_net_ntp_select(struct ordo_net_ntp_source *sources, int count);

/** What those say that are believed, each by the inverse of its distance (section 11.2.3). */
double ordo_net_ntp_combine(const struct ordo_net_ntp_source *sources, int count);

/** An interval that holds the truth if at most `wrong` of these do not.
 *   [N1] The truth lies in at least count - wrong of them. So it is not left of the first point that lies in so many, nor right of
 *        the last one.
 * Which points of that stretch are meant does not matter, so nothing depends on who was believed. False: there is no such point, so
 * that more are wrong, or count <= wrong. At most ORDO_NET_NTP_SERVERS. */
bool ordo_net_ntp_prove(const struct ordo_interval *intervals, int count, int wrong, struct ordo_interval *proved);

#endif
