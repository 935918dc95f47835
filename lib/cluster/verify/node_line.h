/* One visit of two ranks to a pair of cache lines: readings of one clock, to and fro. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_LINE_H
#define ORDO_CLUSTER_VERIFY_NODE_LINE_H

#include <stdatomic.h>

#include "base/visit.h"
#include "cluster/verify/node_clock.h"
#include "cluster/verify/node_wait.h"

/** A reading, and which one it is. */
struct ordo_node_line {
    _Alignas(128) _Atomic uint64_t sequence;
    _Atomic uint64_t reading;
    _Atomic uint64_t claim;
};

struct ordo_node_visit {
    struct ordo_node_line *to, *back;
    struct ordo_node_waiter *waiter;
    uint64_t number; /* ascending from visit to visit on the same lines */
    int exchanges;
    int64_t visit_ns;
    int64_t *back_units;       /* of this side's clock: the largest step backwards from reading to reading */
    struct ordo_visit *result; /* a fills in its direction, b the other */
    bool again;                /* it has a result, which only a better one replaces */
};

/** The part of the lower rank, and of the higher. False once one has given up. */
bool ordo_node_visit_a(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock);
bool ordo_node_visit_b(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock);

#endif
