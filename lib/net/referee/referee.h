/* The referee: compares what programs claim about UTC with what probes prove about the clocks of their hosts.
 *
 * A claim is an interval that shall contain UTC minus the clock of its host, at one reading of this clock. The proofs
 * are intervals that contain the clock of each host minus the clock of the reference, at one instant. Let D be UTC minus
 * the clock of the reference at this instant.
 *   [R1] If a claim is true at the reading c, then UTC minus its host's clock at the instant is in the claim's interval,
 *        widened by R |c - m| + s. m is the host's reading at the instant, R bounds the gain or loss of UTC on its clock
 *        in a unit of the clock, and s bounds the difference of the clocks' readings between CPUs.
 *   [R2] So if a claim is true, then D is in its interval, widened by [R1], plus the proved interval of its host. This is
 *        the claim's *view*. If the view does not contain D, then the claim is wrong.
 *   [R3] The claims of an authority are promised to be true. So D is in the intersection of their views, and each claim
 *        whose view is apart from it is wrong.
 *   [R4] At most K hosts are promised to have a wrong claim. Let f(x) be the number of hosts with a claim whose view does
 *        not contain x. If D is x, then f(x) hosts have a wrong claim, so f(D) <= K. A claim is wrong if f(x) > K for
 *        each x of its view.
 *   [R5] Two claims of one host are compared without the proofs: both speak of the same clock, so at least one of them
 *        is wrong if their intervals, widened to a common reading, are apart.
 * A claim that is wrong by [R3] or [R4] is refuted. Two claims whose intervals are apart contradict each other; if
 * neither is refuted, both are disputed, because at least one of them is wrong. If no x has f(x) <= K, then the promise itself is broken, and [R4] refutes
 * nothing. All rounding is outward. */
#ifndef ORDO_NET_REFEREE_REFEREE_H
#define ORDO_NET_REFEREE_REFEREE_H

#include "net/referee/types.h"

struct ordo_net_judgement {
    bool sound;                    /* false: more than K hosts have a wrong claim, so [R4] refutes nothing */
    int least_wrong;               /* least number of hosts that have a wrong claim */
    int authorities;               /* number of claims of authorities that have a view */
    bool authority;                /* there are such claims, and they agree with each other */
    struct ordo_interval truth_ns; /* D according to the authorities, if `authority` */
    int refuted, disputed;
};

/** Judges the claims. False if out of memory. */
bool ordo_net_referee_judge(const struct ordo_net_bench *bench, struct ordo_net_case *cases, int count,
                            struct ordo_net_judgement *judgement);

/** Returns the name of a verdict: "unjudged", "consistent", "disputed", "refuted". */
const char *ordo_net_verdict_name(enum ordo_net_verdict verdict);

#endif
