/* Exchanges between a client and a reference, and what they prove about the offset whatever the estimator makes of
 * them.
 *
 * Sign everywhere: offset = client - reference. In the terms of interval.h the reference is clock a and the client b,
 * and the visits' instants (at_ab, at_ba) are on the *client's* clock. The bounds hold at these very instants: the
 * answer was read before `received`, and the clock of the reference had then gone on, so received - answered is at
 * least the offset at `received`; likewise sent - answered is at most the offset at `sent`. */
#ifndef ORDO_CLUSTER_OFFSET_EXCHANGE_H
#define ORDO_CLUSTER_OFFSET_EXCHANGE_H

#include "base/visit.h"

/** The client reads its clock, sends; the reference receives, reads its clock, sends that; the client reads again. */
struct ordo_exchange {
    int64_t sent_ns, answered_ns, received_ns;
};

/** The two bounds that are tightest, each direction kept apart; `count` must be positive. */
struct ordo_visit ordo_exchange_visit(const struct ordo_exchange *exchanges, int count);

#endif
