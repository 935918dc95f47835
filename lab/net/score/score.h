/* How good a protocol was, judged by the true clocks: the same for every protocol.
 *
 * A protocol claims, at moments that the judge chooses, by how much a host's clock differs from that of host 0, and, if it can,
 * between which bounds the difference lies. The protocol has converged when the worst error of all hosts has come to
 * stay within half as much again as it is in the last half of the run; what is said of errors is of the time from then on. */
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

/** What is collected while a protocol runs; zeros to begin with. */
struct ordo_net_claims {
    struct ordo_net_claim *claim;
    size_t count, room;
    int64_t widest_ps;        /* the largest distance of a bound from its claim */
    uint64_t bounded, broken; /* claims with a bound, and those whose bound did not hold */
    bool full;                /* memory ran out */
};

/** `host` claims that its clock minus host 0's is `offset_ps` at `true_ps`, and lies in `bound` if that is not NULL. */
void ordo_net_claim(struct ordo_net_claims *claims, const struct ordo_net *net, int host, int64_t true_ps,
                    double offset_ps, const struct ordo_interval *bound);

/** A host takes a time of its own for that of host 0, and is wrong by `error_ps`; it promised at most `bound_ps`, if that is
 * not negative. For protocols that do not say offsets, but keep a time. */
void ordo_net_claim_error(struct ordo_net_claims *claims, int64_t true_ps, double error_ps, int64_t bound_ps);
void ordo_net_claims_free(struct ordo_net_claims *claims);

enum { ORDO_NET_CURVE = 1001 };

struct ordo_net_score {
    int hosts;
    size_t claims;                                      /* that count */
    double mean_signed_ns, mean_absolute_ns, stddev_ns; /* the last of the signed error */
    double p50_ns, p75_ns, p95_ns, p99_ns, max_ns;      /* of |error| */
    double curve_ns[ORDO_NET_CURVE]; /* |error| that a share of 0, 1, .. 1000 permille does not exceed */
    double bound_ns;                 /* the widest; NAN: it never gave one, or not for every claim */
    bool bound_held;
    double bytes_per_second_per_host;
    double converged_after_s;     /* NAN: it did not */
    struct ordo_net_meter served; /* what host 0 sent and received */
};

/** What errors in ns come to: the fields from `claims` to `curve_ns`. `count` must be positive; the errors lose their signs and their order. */
void ordo_net_score_describe(struct ordo_net_score *score, double *errors, size_t count);

/** Sorts and empties `claims`. ORDO_E_MEASURE: it claimed nothing; ORDO_E_SYSTEM: out of memory. */
int ordo_net_score_make(struct ordo_net_score *score, struct ordo_net_claims *claims, const struct ordo_net *net,
                        struct ordo_error *error);

/** The same for claims of a simulation without a struct ordo_net, with the bytes that all hosts sent. */
int ordo_net_score_claims(struct ordo_net_score *score, struct ordo_net_claims *claims, int hosts, double seconds,
                          uint64_t bytes, struct ordo_error *error);

#endif
