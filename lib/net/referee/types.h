/* A claim before the referee, the proofs, and the verdict. */
#ifndef ORDO_NET_REFEREE_TYPES_H
#define ORDO_NET_REFEREE_TYPES_H

#include <stdbool.h>

#include "base/interval.h"

/** The verdict about a claim. */
enum ordo_net_verdict {
    ORDO_NET_UNJUDGED,   /* there is nothing to compare it with */
    ORDO_NET_CONSISTENT, /* it contradicts no other claim */
    ORDO_NET_DISPUTED,   /* it contradicts another claim, and it is not known which of them is wrong */
    ORDO_NET_REFUTED     /* it is wrong */
};

/** A claim, and the findings about it. */
struct ordo_net_case {
    int host;
    bool authority;              /* it is promised to be true */
    int64_t reading_ns;          /* reading of the host's clock */
    struct ordo_interval utc_ns; /* UTC minus the host's clock at this reading */

    enum ordo_net_verdict verdict;
    struct ordo_interval view_ns; /* D, if the claim is true [R2]; [INT64_MIN, INT64_MAX]: nothing is proved */
    int against;                  /* index of the claim that is furthest from it; -1: all claims overlap with it */
    int64_t gap_ns;               /* the distance from that claim */
    int hosts_against;            /* number of hosts with a wrong claim if this claim is true [R4] */
};

/** The proof about the clock of a host. */
struct ordo_net_proof {
    bool proved;
    struct ordo_interval offset_ns; /* the host's clock minus the reference's at the instant */
};

struct ordo_net_bench {
    int hosts;
    const struct ordo_net_proof *proof; /* by host */
    int64_t at_ns;                      /* the instant: a reading of the clock of host 0 */
    double rate;                        /* R */
    int64_t stamp_ns;                   /* s */
    int wrong;                          /* K */
};

#endif
