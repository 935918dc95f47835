/* Where stamps are taken: at the wire, by the network interface, or in the software of a host.
 *
 * Software stamps what it sends before it leaves, and what comes after it has come, late by an exponential time. So software makes a way look
 * longer, never shorter, and an interval that stamps at the wire prove holds with it as well. */
#ifndef ORDO_LAB_NET_SERVO_STAMPS_H
#define ORDO_LAB_NET_SERVO_STAMPS_H

#include <stdbool.h>
#include <stdint.h>

struct ordo_net_stamps {
    bool software;
    int jitter_ns; /* the mean of what lies between the wire and a stamp of software */
    int waking_ns; /* what more it always takes before a program that slept has stamped what came; not on host 0, which serves */
};

/** 2 us and none: a driver's stamps on a server. */
struct ordo_net_stamps ordo_net_stamps_defaults(void);

/** The stamp of what this node sent or received, from the stamp at the wire. */
int64_t ordo_net_stamps_sent(const struct ordo_net_stamps *stamps, int64_t wire_ps, uint64_t *random);
int64_t ordo_net_stamps_came(const struct ordo_net_stamps *stamps, int node, int64_t wire_ps, uint64_t *random);

#endif
