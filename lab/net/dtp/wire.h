/* DTP on the wire: a message is in the 56 bits that an idle block of 10 Gbit/s Ethernet has to spare.
 *
 * A message has three bits for its kind, and 53 bits of a counter. A counter has 106 bits, in two halves. INIT,
 * INIT-ACK, BEACON and JOIN carry the lower half. The receiver completes it from its own counter, which is right as
 * long as the two counters are less than 2^52 ticks apart (333 days). MSB carries the upper half, for receivers that
 * may be further apart: a device that joins a network, and a program that reads the counter of its device. */
#ifndef ORDO_LAB_NET_DTP_WIRE_H
#define ORDO_LAB_NET_DTP_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/net/dtp/device.h"

enum { ORDO_NET_DTP_HALF_BITS = 53, ORDO_NET_DTP_MESSAGE_BITS = 56 };

/** A counter of 106 bits. Both halves are below 2^53. */
struct ordo_net_dtp_time {
    uint64_t high, low;
};

/** Returns the 56 bits of a message with the lower 53 bits of `value`. An idle block without a message is 0. */
uint64_t ordo_net_dtp_encode(enum ordo_net_dtp_kind kind, uint64_t value);

/** Reads a message. Returns false if the bits are an idle block or contain no known message. */
bool ordo_net_dtp_decode(uint64_t bits, enum ordo_net_dtp_kind *kind, uint64_t *value);

/** Returns the number nearest to `own` whose lower 53 bits are `low`. */
int64_t ordo_net_dtp_nearest(int64_t own, uint64_t low);

/** Returns a counter a number of ticks later; the counter wraps at 2^106. */
struct ordo_net_dtp_time ordo_net_dtp_time_add(struct ordo_net_dtp_time time, int64_t ticks);

/** Returns the ticks from `b` to `a`, which must be less than 2^62 ticks apart. */
int64_t ordo_net_dtp_time_minus(struct ordo_net_dtp_time a, struct ordo_net_dtp_time b);

#endif
