/* Narrows an interval by the stamps that a prober has of an exchange. */
#ifndef ORDO_NET_LIVE_NARROW_H
#define ORDO_NET_LIVE_NARROW_H

#include "net/live/fix.h"
#include "net/live/prober.h"

/* True if both stamps are times: positive, and so small that their difference fits. */
static inline bool ordo_net_stamps_known(int64_t a_ns, int64_t b_ns)
{
    const int64_t farthest_ns = INT64_C(1) << 62;
    return a_ns > 0 && b_ns > 0 && a_ns < farthest_ns && b_ns < farthest_ns;
}

/** Narrows the interval by the known stamps of ping `number`. Stamps of every kind bound the offset [U1, U2]. */
static inline void ordo_net_fix_take(struct ordo_net_fix *fix, const struct ordo_net_prober *prober, uint64_t number)
{
    const struct ordo_net_open_pair *open = &prober->open[number / 2 % ORDO_NET_OPEN_PAIRS];
    const struct ordo_net_exchange *x = &open->pair.of[number % 2];
    if (open->number != number / 2 || !x->received_ns)
        return;
    if (ordo_net_stamps_known(x->sent_ns, x->received_ns))
        ordo_net_fix_narrow(fix, x->sent_ns, x->received_ns - x->sent_ns, true);
    if (ordo_net_stamps_known(x->back_ns, x->returned_ns))
        ordo_net_fix_narrow(fix, x->back_ns, x->returned_ns - x->back_ns, false);
}

#endif
