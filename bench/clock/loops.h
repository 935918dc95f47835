/* The measured loops of `ordo-bench clock`. */
#ifndef BENCH_CLOCK_LOOPS_H
#define BENCH_CLOCK_LOOPS_H

#include <ordo/any.h>
#include <ordo/now.h>

#include "harness.h"

#define CLOCK_NODES 64

/** One node per 64-byte line. Each node points to another node. */
struct clock_node {
    _Alignas(64) const struct clock_node *next;
};

/** The data that all loops work on. */
struct clock_bench {
    _Alignas(BENCH_LINE) struct ordo handle; /* only read while measuring */
    struct ordo_corrected corrected;         /* only read while measuring; its table follows */
    struct ordo_any any, any_kernel;         /* on the counter, and on the kernel's clock */
    struct ordo_now_handle page;             /* of the published time; only read while measuring */
    struct ordo_now_slot slot;
    struct ordo_now_head head;
    struct clock_node nodes[CLOCK_NODES]; /* only read while measuring */
    int64_t corrections[ORDO_CORRECTED_CPUS];
    _Alignas(BENCH_LINE) uint64_t counter; /* the logical clock, and the contended counter */
    _Alignas(BENCH_LINE) char end[1];      /* keeps other objects off the counter's lines */
};

/** The boundary that a loop needs. */
enum clock_need {
    CLOCK_NEEDS_NOTHING,
    CLOCK_NEEDS_BOUNDARY, /* any boundary: the loop waits for it */
    CLOCK_NEEDS_RECORD,   /* a record: the loop is compared with the same call on the other kind of handle */
};

struct clock_loop {
    const char *algorithm, *stamp;
    uint64_t (*work)(struct bench_worker *worker);
    enum clock_need need;
};

/** The tables of all loops. The last entry of each has algorithm == NULL. */
extern const struct clock_loop clock_isolated[], clock_allocation[], clock_in_context[];

/** Links the nodes into one ring, in an order that no prefetcher predicts. */
void clock_bench_prepare(struct clock_bench *bench, const struct ordo *handle);

#endif
