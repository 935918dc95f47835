/* The score of a protocol, judged by the true clocks in the same way for every protocol.
 *
 * A protocol claims, at moments that the judge chooses, by how much a host's clock differs from that of host 0, and, if
 * it can, bounds of the difference. The protocol has converged at the time from which on the worst error of all hosts
 * stays within 1.5 times the worst error in the last half of the run; the score covers the errors from this time on. */
#ifndef ORDO_LAB_NET_SCORE_SCORE_H
#define ORDO_LAB_NET_SCORE_SCORE_H

#include <stddef.h>

#include "base/error.h"
#include "base/interval.h"
#include "lab/net/sim/network.h"

struct ordo_net_claim {
    double at_s; /* true time */
    double error_ns;
};

/** The claims collected while a protocol runs. Initialise with zeros. */
struct ordo_net_claims {
    struct ordo_net_claim *claim;
    size_t count, room;
    int64_t widest_ps;        /* the largest distance of a bound from its claim */
    uint64_t bounded, broken; /* number of claims with a bound, and of claims whose bound did not hold */
    bool full;                /* memory ran out */
};

/** Adds a claim of `host`: at `true_ps`, its clock minus host 0's clock is `offset_ps`, and certainly within `bound`.
 * If `bound` is NULL, the host claims no bound. */
void ordo_net_claim(struct ordo_net_claims *claims, const struct ordo_net *net, int host, int64_t true_ps,
                    double offset_ps, const struct ordo_interval *bound);

/** Adds a claim of a host that its own time is that of host 0. The claim is wrong by `error_ps`. The host promised an
 * error of at most `bound_ps`; if `bound_ps` is negative, it promised nothing. For protocols that keep a time and do
 * not state offsets. */
void ordo_net_claim_error(struct ordo_net_claims *claims, int64_t true_ps, double error_ps, int64_t bound_ps);
void ordo_net_claims_free(struct ordo_net_claims *claims);

enum { ORDO_NET_CURVE = 1001, ORDO_NET_PARTS = 200, ORDO_NET_PART_CURVE = 41 };

/** The signed errors in a part of a run. */
struct ordo_net_part {
    size_t claims; /* 0: there are none, and the other fields are 0 */
    double at_s, mean_ns, stddev_ns;
    double curve_ns[ORDO_NET_PART_CURVE]; /* the quantiles at 0, 25, .. 1000 permille */
};

struct ordo_net_score {
    int hosts;
    size_t claims;                                      /* the number of claims that count */
    double mean_signed_ns, mean_absolute_ns, stddev_ns; /* stddev_ns: of the signed error */
    double p50_ns, p75_ns, p95_ns, p99_ns, max_ns;      /* of |error| */
    double curve_ns[ORDO_NET_CURVE];                    /* the quantiles of |error| at 0, 1, .. 1000 permille */
    double signed_ns[ORDO_NET_CURVE];                   /* the same of the signed error */
    struct ordo_net_part course[ORDO_NET_PARTS];        /* all claims, in equal parts of the run */
    double bound_ns;                                    /* the widest bound; NAN: not every claim had a bound */
    bool bound_held;
    double bytes_per_second_per_host;
    double converged_after_s;     /* NAN: the protocol did not converge */
    struct ordo_net_meter served; /* the traffic of host 0 */
};

/** Fills in the fields from `claims` to `signed_ns` from errors in ns. `count` must be positive. The errors lose their
 * signs and their order. */
void ordo_net_score_describe(struct ordo_net_score *score, double *errors, size_t count);

/** Makes the score; sorts and empties `claims`.
 *
 * ORDO_E_MEASURE: there are no claims.
 * ORDO_E_SYSTEM: out of memory. */
int ordo_net_score_make(struct ordo_net_score *score, struct ordo_net_claims *claims, const struct ordo_net *net,
                        struct ordo_error *error);

/** Makes the score of a simulation without a struct ordo_net. `bytes` is the number of bytes that all hosts sent. */
int ordo_net_score_claims(struct ordo_net_score *score, struct ordo_net_claims *claims, int hosts, double seconds,
                          uint64_t bytes, struct ordo_error *error);

#endif
