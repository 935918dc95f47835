/* One visit of two ranks to a pair of cache lines: they exchange readings of one clock. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_LINE_H
#define ORDO_CLUSTER_VERIFY_NODE_LINE_H

#include <stdatomic.h>

#include "base/visit.h"
#include "cluster/verify/node_clock.h"
#include "cluster/verify/node_wait.h"

/** A reading and its number. */
struct ordo_node_line {
    _Alignas(128) _Atomic uint64_t sequence;
    _Atomic uint64_t reading;
    _Atomic uint64_t claim;
};

struct ordo_node_visit {
    struct ordo_node_line *to, *back;
    struct ordo_node_waiter *waiter;
    uint64_t number; /* ascends from visit to visit on the same lines */
    int exchanges;
    int64_t visit_ns;
    int64_t *back_units;       /* the largest step backwards between two readings of this side's clock */
    struct ordo_visit *result; /* a fills in its direction, b the other */
    bool again;                /* there is a result, which only a better one replaces */
};

/** The parts of the lower and of the higher rank. False if a rank has given up. */
bool ordo_node_visit_a(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock);
bool ordo_node_visit_b(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock);

#endif
