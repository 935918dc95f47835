/* One visit: two ranks exchange readings of one clock over two cache lines. Rank a is the lower rank, rank b the
 * higher. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_LINE_H
#define ORDO_CLUSTER_VERIFY_NODE_LINE_H

#include <stdatomic.h>

#include "base/visit.h"
#include "cluster/verify/node_clock.h"
#include "cluster/verify/node_wait.h"

/** A cache line with a reading and its number. */
struct ordo_node_line {
    _Alignas(128) _Atomic uint64_t sequence;
    _Atomic uint64_t reading;
    _Atomic uint64_t claim;
};

struct ordo_node_visit {
    struct ordo_node_line *to, *back;
    struct ordo_node_waiter *waiter;
    uint64_t number; /* number of the visit, which ascends over all visits on the same lines */
    int exchanges;
    int64_t visit_ns;
    int64_t *back_units;       /* largest step backwards between two readings of this rank's clock */
    struct ordo_visit *result; /* rank a fills in the direction from b to a, rank b that from a to b */
    bool again;                /* true: `result` has bounds already, and only tighter bounds replace them */
};

/** Play the parts of rank a and of rank b in a visit. False if a rank has given up. */
bool ordo_node_visit_a(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock);
bool ordo_node_visit_b(const struct ordo_node_visit *visit, const struct ordo_node_clock *clock);

#endif
