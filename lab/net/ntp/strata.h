/* The strata of NTP: hosts that ask each other, and not only the servers.
 *
 * RFC 5905: a server with a reference has stratum 1, and every other host has one more than the host by which it steers
 * its clock. Stratum 16 means unsynchronised, so a host below stratum 15 stays so. Among the hosts that it asks, a host
 * chooses the lowest stratum, and among these the least root distance. The choices form a spanning tree of shortest
 * paths. Host h asks only hosts before h, so that no two hosts steer by each other. */
#ifndef ORDO_LAB_NET_NTP_STRATA_H
#define ORDO_LAB_NET_NTP_STRATA_H

#include <stdint.h>

enum { ORDO_NET_NTP_UNSYNCHRONISED = 16 };

/** What a host knows of a host that it asks. */
struct ordo_net_ntp_upstream {
    int host, stratum;   /* stratum 0: it has not answered */
    int64_t distance_ps; /* its root distance: its time is within this of the time of host 0 */
};

/** Picks up to `count` different hosts below `host` at random, in ascending order. Returns their number. */
int ordo_net_ntp_pick(int host, int count, uint64_t *random, int *picked);

/** Returns the index of the upstream to steer by; -1 if none is synchronised, or all have stratum 15. */
int ordo_net_ntp_choose(const struct ordo_net_ntp_upstream *upstreams, int count);

#endif
