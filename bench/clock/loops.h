/* The measured loops of `ordo-bench clock`. */
#ifndef BENCH_CLOCK_LOOPS_H
#define BENCH_CLOCK_LOOPS_H

#include <ordo/any.h>

#include "harness.h"

#define CLOCK_NODES 64

/** One node per 64-byte line; each leads to another. */
struct clock_node {
    _Alignas(64) const struct clock_node *next;
};

/** What all loops work on. */
struct clock_bench {
    _Alignas(BENCH_LINE) struct ordo handle; /* read only while measuring */
    struct ordo_corrected corrected;         /* the same, and its table below */
    struct ordo_any any, any_kernel;         /* the same boundary, of the counter and of the kernel's clock */
    struct clock_node nodes[CLOCK_NODES];    /* the same */
    int64_t corrections[ORDO_CORRECTED_CPUS];
    _Alignas(BENCH_LINE) uint64_t counter; /* the logical clock, and the contended counter */
    _Alignas(BENCH_LINE) char end[1];      /* nothing shares the counter's lines */
};

/** What a loop needs of the boundary. */
enum clock_need {
    CLOCK_NEEDS_NOTHING,
    CLOCK_NEEDS_BOUNDARY, /* it waits for the boundary to pass */
    CLOCK_NEEDS_RECORD,   /* the comparison of a record's handle with a constant one: needs both */
};

struct clock_loop {
    const char *algorithm, *stamp;
    uint64_t (*work)(struct bench_worker *worker);
    enum clock_need need;
};

/** Each ends with an entry whose algorithm is NULL. */
extern const struct clock_loop clock_isolated[], clock_allocation[], clock_in_context[];

/** Links the nodes into one ring that no prefetcher guesses. */
void clock_bench_prepare(struct clock_bench *bench, const struct ordo *handle);

#endif
