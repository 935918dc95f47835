/* The measuring harness: variants x thread counts, in interleaved rounds.
 *
 *     for each round (the first warms up and is dropped)
 *         for each cell (a variant at a thread count; every other round in the opposite order)
 *             one trial: prepare, N pinned threads begin together and work until the stop flag is set, audit
 *
 * A slow change (in the host of a virtual CPU, the frequency, a neighbour's load) then affects all variants alike. Two
 * cells are compared by their trials in the same round. Variants to be compared should be adjacent in the list. */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/quantile.h"
#include "machine.h"
#include "options.h"

/** 128 bytes, two cache lines: processors prefetch lines in pairs. */
#define BENCH_LINE 128
#define BENCH_COUNTERS 16
#define BENCH_NAME 80 /* bytes; enough for every bench_name */

/** One thread of a trial, on cache lines of its own. */
struct bench_worker {
    _Alignas(BENCH_LINE) const atomic_bool *stop;
    int index;                         /* 0 .. threads - 1 */
    int threads;                       /* number of threads in this trial */
    void *context;                     /* the variant's context */
    void *own;                         /* the thread's own data, between enter and leave; NULL before */
    uint64_t counters[BENCH_COUNTERS]; /* further counters, defined by the variant; 0 at first */
};

/** A measured implementation. Only `work` is timed. The other functions are optional. */
struct bench_variant {
    const char *algorithm; /* the word on the command line and in the result */
    const char *stamp;     /* NULL for a baseline */
    const char *workload;
    void *context;
    /* Called before each trial, in the calling thread. */
    int (*prepare)(void *context, int threads, struct ordo_error *error);
    /* Called in each thread after pinning, before any thread works. */
    int (*enter)(struct bench_worker *worker, struct ordo_error *error);
    /* Executes operations until bench_running() returns false, at least one. Returns their number. */
    uint64_t (*work)(struct bench_worker *worker);
    /* Called in each thread after its work, unless the trial was cancelled earlier. */
    void (*leave)(struct bench_worker *worker);
    /* Called after each trial, in the calling thread. Returns ORDO_OK, or a code with a message that names the fault.
     * NULL if there is no structure to audit. */
    int (*audit)(void *context, struct ordo_error *error);
};

/** True if the worker should continue. Call it about once per 100 short operations. */
static inline bool bench_running(const struct bench_worker *worker)
{
    /* Relaxed: the flag carries no data, and a thread may see it late. */
    return !atomic_load_explicit(worker->stop, memory_order_relaxed);
}

/** A variant at a thread count, with the results of all rounds. */
struct bench_cell {
    const struct bench_variant *variant;
    int threads;
    double *ops_per_s;                 /* [runs], sum of all threads */
    uint64_t ops;                      /* sum over all rounds but the warm-up, as are the counters */
    uint64_t counters[BENCH_COUNTERS]; /* summed over the threads */
    double wall_s, cpu_s;              /* sums over threads and rounds; cpu_s < wall_s: a thread slept or waited */
    double waited_s;                   /* sum of the times in which a ready thread did not have its CPU */
    bool audit_failed;                 /* in any round, also in the warm-up */
};

/** Cells that are measured together. */
struct bench_set {
    struct bench_cell *cells; /* for each thread count, the variants in their order */
    int cell_count;
    int runs;
    double *values; /* [runs], temporary values */
};

/** Measures `count` variants at all thread counts of `options`. `variants` must outlive the set. If pinning or a
 * function of a variant fails, the measurement ends with its code. A failed audit is noted in the cell and printed on
 * stderr, and the measurement continues. */
int bench_measure(struct bench_set *set, const struct bench_variant *variants, int count,
                  const struct bench_machine *machine, const struct bench_options *options, struct ordo_error *error);

void bench_free(struct bench_set *set);

/** Returns the cell of "algorithm" or "algorithm/stamp" at a thread count; NULL if it was not measured. */
const struct bench_cell *bench_find(const struct bench_set *set, const char *name, int threads);

/** Writes "algorithm" or "algorithm/stamp". */
void bench_name(const struct bench_variant *variant, char *text, size_t size);

/** Returns the median and the interval of the operations per second of all rounds. */
struct ordo_median bench_ops_per_s(const struct bench_set *set, const struct bench_cell *cell);

/** Returns the nanoseconds of one operation in one thread: the number of threads of the cell, divided by its median
 * operations per second. */
double bench_ns_per_op(const struct bench_set *set, const struct bench_cell *cell);

/** Returns the smallest share of its time, over all cells, in which a cell's threads did not wait for one of the
 * `cpus`. If there are more threads than CPUs, the time is each thread's fair part. */
double bench_least_cpu_share(const struct bench_set *set, int cpus);

/** Returns the median and the interval of the ratios of operations per second, each between two trials of the same
 * round. */
struct ordo_median bench_ratio(const struct bench_set *set, const struct bench_cell *of, const struct bench_cell *over);

/** Returns the median over the rounds of the difference in nanoseconds per operation, `of` minus `over`. */
double bench_added_ns(const struct bench_set *set, const struct bench_cell *of, const struct bench_cell *over);

/** Returns the median and the interval over the rounds of (of - base) / (over - base), in nanoseconds per operation. */
struct ordo_median bench_added_ratio(const struct bench_set *set, const struct bench_cell *of,
                                     const struct bench_cell *over, const struct bench_cell *base);

#endif
