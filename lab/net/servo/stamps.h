/* The places at which stamps are taken: at the wire, by the network interface, or in the software of a host.
 *
 * Software stamps a packet before it leaves and after it has come; the time between stamp and wire is distributed
 * exponentially. With software stamps a path therefore looks longer, never shorter. A proof of an interval from stamps
 * at the wire is therefore valid for software stamps as well. */
#ifndef ORDO_LAB_NET_SERVO_STAMPS_H
#define ORDO_LAB_NET_SERVO_STAMPS_H

#include <stdbool.h>
#include <stdint.h>

struct ordo_net_stamps {
    bool software;
    int jitter_ns; /* the mean time between the wire and a software stamp */
    int waking_ns; /* further constant time to wake a receiving program; not added on host 0, the server */
};

/** Returns a jitter of 2 us and no time to wake: the stamps of a driver on a server. */
struct ordo_net_stamps ordo_net_stamps_defaults(void);

/** Returns the stamp of a sent packet from its stamp at the wire. ordo_net_stamps_came does the same for a packet that
 * came to `node`. */
int64_t ordo_net_stamps_sent(const struct ordo_net_stamps *stamps, int64_t wire_ps, uint64_t *random);
int64_t ordo_net_stamps_came(const struct ordo_net_stamps *stamps, int node, int64_t wire_ps, uint64_t *random);

#endif
