/* Exchanges between a client and a reference, and the bounds that exchanges prove on the offset. The bounds do not
 * depend on an estimator.
 *
 * Sign everywhere: offset = client - reference. In the terms of interval.h the reference is clock a and the client is
 * clock b. The instants of a visit (at_ab, at_ba) are on the *client's* clock, and each bound holds at its instant:
 *
 *     offset at `received` <= received - answered, because the reference's clock was read before `received`, and has
 *                             advanced since
 *     offset at `sent`     >= sent - answered, likewise */
#ifndef ORDO_CLUSTER_OFFSET_EXCHANGE_H
#define ORDO_CLUSTER_OFFSET_EXCHANGE_H

#include "base/visit.h"

/** One exchange, as three readings of a clock:
 *     sent: the client reads its clock, and sends a message;
 *     answered: the reference receives the message, reads its clock, and sends the reading;
 *     received: the client receives the reading, and reads its clock again. */
struct ordo_exchange {
    int64_t sent_ns, answered_ns, received_ns;
};

/** Returns the tightest bounds that the exchanges prove, one for each direction. `count` must be positive. */
struct ordo_visit ordo_exchange_visit(const struct ordo_exchange *exchanges, int count);

#endif
