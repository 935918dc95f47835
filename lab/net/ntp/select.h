/* Which of several servers are believed, and what they say together.
 *
 * D. L. Mills, J. Martin, J. Burbank, W. Kasch, RFC 5905 (2010), sections 11.2.1 and 11.2.3. Clustering (11.2.2), which drops
 * servers for their jitter until three are left, is not here: the weights make little of those already.
 *
 * Section 11.2.1 leaves out as few sources as possible, fewer than half, so that the others have something in common, and no more
 * middles lie beside that than sources were left out. What they have in common is all from the first point that lies in so many
 * intervals to the last one. The rule of the middles can fail though nobody is false: where the servers' own time is as wrong as
 * they say, all intervals hold the truth, and most middles lie outside of what they share. RFC 5905 then believes nobody, and the
 * clock runs free. Here the rule is left out then:
 *   [N2] Let more than half of the sources hold the truth. Those that were not left out are more than half too, wherever they
 *        meet: so the first point lies in an interval that holds the truth, and so does the last one. The two intervals have the
 *        truth in common, so each point between lies in one of them. Whatever of it is taken, with the rule or without, is as far
 *        from the truth as one right interval is wide, at most.
 * The bound is proved without any of this, see [N1]. */
#ifndef ORDO_LAB_NET_NTP_SELECT_H
#define ORDO_LAB_NET_NTP_SELECT_H

#include <stdbool.h>

#include "base/interval.h"

enum { ORDO_NET_NTP_SERVERS = 8 };

/** What one server says: that the offset lies within `distance_ps` of `offset_ps`. */
struct ordo_net_ntp_source {
    double offset_ps, distance_ps;
    bool believed; /* by ordo_net_ntp_select */
};

/** What the largest majority has in common. */
struct ordo_net_ntp_common {
    double low_ps, high_ps;
};

/** Believes the sources whose middles lie in what the largest majority has in common; or, where no majority keeps the rule of the
 * middles, those whose intervals have a point of it. False: no majority has a point in common, and nobody is believed. At most
 * ORDO_NET_NTP_SERVERS. */
bool ordo_net_ntp_select(struct ordo_net_ntp_source *sources, int count, struct ordo_net_ntp_common *common);

/** What those say that are believed, each by the inverse of its distance (section 11.2.3), or the end of what is common that is next to
 * it [N2]. */
double ordo_net_ntp_combine(const struct ordo_net_ntp_source *sources, int count,
                            const struct ordo_net_ntp_common *common);

/** An interval that holds the truth if at most `wrong` of these do not.
 *   [N1] The truth lies in at least count - wrong of them. So it is not left of the first point that lies in so many, nor right of
 *        the last one.
 * Which points of that stretch are meant does not matter, so nothing depends on who was believed. False: there is no such point, so
 * that more are wrong, or count <= wrong. At most ORDO_NET_NTP_SERVERS. */
bool ordo_net_ntp_prove(const struct ordo_interval *intervals, int count, int wrong, struct ordo_interval *proved);

#endif
