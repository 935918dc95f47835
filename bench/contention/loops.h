/* The measured loops of `ordo-bench contention`: one shared cache line, and all threads work on it. */
#ifndef BENCH_CONTENTION_LOOPS_H
#define BENCH_CONTENTION_LOOPS_H

#include <pthread.h>
#include <stdint.h>

#include <ordo/ordo.h>

#include "harness.h"

/** The counters of a thread. */
enum contention_counter {
    CONTENTION_OPS,      /* operations of the trial */
    CONTENTION_RETRIES,  /* compare-and-swaps that failed */
    CONTENTION_BACKWARD, /* times that were before the thread's last time; of `strict`, also equal times */
};

/** A shared cache line, and the data with which the threads use it. */
struct contention {
    /* The shared line. A variant uses a part of it. */
    _Alignas(BENCH_LINE) uint64_t value;           /* the counter, or the largest time so far */
    uint32_t next_ticket, served_ticket;           /* of the ticket lock */
    pthread_mutex_t mutex;                         /* with the members above at most 64 bytes on Linux */
    _Alignas(BENCH_LINE) struct ordo handle;       /* only read while measuring, as is all below */
    uint64_t work_ns, work_steps;                  /* private work after each operation: requested, and executed */
    double step_ns;                                /* time of a step */
    int batch;                                     /* operations between two reads of the stop flag */
    _Alignas(BENCH_LINE) atomic_uint_fast64_t ops; /* sum over the threads of a trial, for the audit */
    atomic_uint_fast64_t backward;                 /* likewise */
};

/** A way of using the line. */
struct contention_loop {
    const char *algorithm;
    uint64_t (*work)(struct bench_worker *worker);
    int (*audit)(void *context, struct ordo_error *error); /* NULL: nothing to audit */
    bool retries;                                          /* true: the loop counts CONTENTION_RETRIES */
};

#define CONTENTION_LOOPS 9

/** All loops; the last entry has algorithm == NULL. */
extern const struct contention_loop contention_loops[CONTENTION_LOOPS + 1];

/** Returns the loop of an algorithm; NULL if there is none. */
const struct contention_loop *contention_loop_find(const char *algorithm);

/** Prepares the data for trials with `work_ns` of private work, which the calling thread calibrates. */
void contention_set_up(struct contention *contention, const struct ordo *handle, uint64_t work_ns);

/** Returns the variant of a loop. */
struct bench_variant contention_variant(const struct contention_loop *loop, struct contention *contention,
                                        const char *workload);

#endif
