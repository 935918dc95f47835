/* Exchanges between a client and a reference, and the bounds that they prove on the offset, whatever an estimator makes
 * of them.
 *
 * Sign everywhere: offset = client - reference. In the terms of interval.h the reference is clock a and the client b,
 * and the visits' instants (at_ab, at_ba) are on the *client's* clock. The bounds hold at these very instants. The
 * answer was read before `received`, and the reference's clock had advanced since, so received - answered is at least
 * the offset at `received`. Likewise sent - answered is at most the offset at `sent`. */
#ifndef ORDO_CLUSTER_OFFSET_EXCHANGE_H
#define ORDO_CLUSTER_OFFSET_EXCHANGE_H

#include "base/visit.h"

/** One exchange: the client reads its clock and sends; the reference receives, reads its clock and sends the reading;
 * the client receives it and reads its clock again. */
struct ordo_exchange {
    int64_t sent_ns, answered_ns, received_ns;
};

/** Returns the tightest bound of each direction. `count` must be positive. */
struct ordo_visit ordo_exchange_visit(const struct ordo_exchange *exchanges, int count);

#endif
