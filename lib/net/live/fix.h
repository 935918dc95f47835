/* An interval of an offset, which is widened as time passes, and narrowed by probes.
 *
 * Let o(t) be the peer's clock minus this host's clock when this host's clock shows t. R is a bound on |o'|, and s a
 * bound on the error of a difference of two stamps.
 *   [F1] If o(t) is in [low, high], then o(u) is in [low - R |u - t|, high + R |u - t|].
 *   [F2] Let y be the peer's stamp of a probe minus this host's stamp x. A probe to the peer was received after it was
 *        sent. So o(x) <= y + s, and by [F1] o(t) <= y + s + R |t - x|. For a probe from the peer, likewise
 *        o(t) >= y - s - R |t - x|.
 * All these bounds hold, so their intersection contains o(t). If the intersection is empty, R or s was exceeded.
 * Rounding is outward. */
#ifndef ORDO_NET_LIVE_FIX_H
#define ORDO_NET_LIVE_FIX_H

#include <math.h>
#include <stdbool.h>

#include "base/interval.h"

struct ordo_net_fix {
    int64_t at_ns;                  /* instant of the interval, on this host's clock */
    bool above, below;              /* true if there is an upper bound, a lower bound */
    struct ordo_interval offset_ns; /* `high` is valid if `above`, `low` if `below` */
    double rate;                    /* R */
    int64_t stamp_ns;               /* s */
};

static inline int64_t ordo_net_fix_spread(const struct ordo_net_fix *fix, int64_t from_ns, int64_t to_ns)
{
    uint64_t apart_ns = from_ns < to_ns ? (uint64_t)to_ns - (uint64_t)from_ns : (uint64_t)from_ns - (uint64_t)to_ns;
    return (int64_t)ceil(fix->rate * (double)apart_ns) +
           1; /* the subtraction is exact in integers; a double cannot hold ns since 1970 */
}

/** Returns the interval at another instant [F1]. */
static inline struct ordo_interval ordo_net_fix_at(const struct ordo_net_fix *fix, int64_t at_ns)
{
    int64_t spread_ns = ordo_net_fix_spread(fix, fix->at_ns, at_ns);
    return (struct ordo_interval){fix->offset_ns.low - spread_ns, fix->offset_ns.high + spread_ns};
}

static inline void ordo_net_fix_move(struct ordo_net_fix *fix, int64_t at_ns)
{
    if (at_ns <= fix->at_ns)
        return;
    fix->offset_ns = ordo_net_fix_at(fix, at_ns);
    fix->at_ns = at_ns;
}

/** Narrows the interval by a probe to the peer (`there`) or from the peer [F2]: at_ns is x, and delta_ns is y. */
static inline void ordo_net_fix_narrow(struct ordo_net_fix *fix, int64_t at_ns, int64_t delta_ns, bool there)
{
    int64_t spread_ns = ordo_net_fix_spread(fix, at_ns, fix->at_ns) + fix->stamp_ns;
    if (there && (!fix->above || delta_ns + spread_ns < fix->offset_ns.high))
        fix->offset_ns.high = delta_ns + spread_ns;
    if (!there && (!fix->below || delta_ns - spread_ns > fix->offset_ns.low))
        fix->offset_ns.low = delta_ns - spread_ns;
    *(there ? &fix->above : &fix->below) = true;
}

#endif
