/* The measuring harness: variants x thread counts, in interleaved rounds.
 *
 *     for each round (the first warms up and is dropped)
 *         for each cell (a variant at a thread count; every other round in the opposite order)
 *             one trial: prepare, N pinned threads begin together and work until told to stop, audit
 *
 * Whatever changes slowly (a virtual CPU's host, the frequency, a neighbour) then touches all variants alike, and two
 * cells are compared trial by trial within a round. Variants that are to be compared stand side by side.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/quantile.h"
#include "machine.h"
#include "options.h"

/** Two lines of 64 bytes: processors fetch them in pairs. */
#define BENCH_LINE 128
#define BENCH_COUNTERS 16
#define BENCH_NAME 80 /* bytes that hold any bench_name */

/** One thread of a trial; on lines of its own. */
struct bench_worker {
    _Alignas(BENCH_LINE) const atomic_bool *stop;
    int index;                         /* 0 .. threads - 1 */
    int threads;                       /* of this trial */
    void *context;                     /* the variant's */
    void *own;                         /* the thread's, from enter to leave; NULL at first */
    uint64_t counters[BENCH_COUNTERS]; /* further counters of the variant; zero at first */
};

/** What is measured. Only `work` is timed; the other functions are optional. */
struct bench_variant {
    const char *algorithm; /* as on the command line and in the result */
    const char *stamp;     /* NULL for a baseline */
    const char *workload;
    void *context;
    /* Before each trial, in the calling thread. */
    int (*prepare)(void *context, int threads, struct ordo_error *error);
    /* In each thread once it is pinned, before any thread works. */
    int (*enter)(struct bench_worker *worker, struct ordo_error *error);
    /* Operations until bench_running says no; at least one. */
    uint64_t (*work)(struct bench_worker *worker);
    /* Runs in each thread after its work, unless the trial was cancelled before it. */
    void (*leave)(struct bench_worker *worker);
    /* Runs after each trial in the calling thread. Returns ORDO_OK, or a code with a line that names the fault. NULL if there is
     * no structure to audit. */
    int (*audit)(void *context, struct ordo_error *error);
};

/** Whether to go on. Look once per some hundred short operations. */
static inline bool bench_running(const struct bench_worker *worker)
{
    /* Relaxed: the flag carries no data, and when exactly it is seen does not matter. */
    return !atomic_load_explicit(worker->stop, memory_order_relaxed);
}

/** A variant at a thread count, with the results of the rounds. */
struct bench_cell {
    const struct bench_variant *variant;
    int threads;
    double *ops_per_s;                 /* [runs], all threads together */
    uint64_t ops;                      /* over the rounds that count, as are the counters */
    uint64_t counters[BENCH_COUNTERS]; /* summed over the threads */
    double wall_s, cpu_s;              /* summed over threads and rounds; less of cpu_s: a thread slept, or waited */
    double waited_s;                   /* the same: a thread was ready, and something else had its CPU */
    bool audit_failed;                 /* in any round, the dropped one included */
};

/** Cells measured together. */
struct bench_set {
    struct bench_cell *cells; /* for each thread count, the variants in their order */
    int cell_count;
    int runs;
    double *values; /* [runs], scratch */
};

/** Measures `count` variants at all thread counts of `options`. Failing to pin, or a hook that fails, ends it with that
 * code; a failed audit does not, it is noted in the cell and told on stderr. `variants` must outlive the set. */
int bench_measure(struct bench_set *set, const struct bench_variant *variants, int count,
                  const struct bench_machine *machine, const struct bench_options *options, struct ordo_error *error);

void bench_free(struct bench_set *set);

/** Returns the cell of "algorithm" or "algorithm/stamp" at a thread count; NULL if it was not measured. */
const struct bench_cell *bench_find(const struct bench_set *set, const char *name, int threads);

/** "algorithm" or "algorithm/stamp". */
void bench_name(const struct bench_variant *variant, char *text, size_t size);

/** Median and interval of the rounds' operations per second. */
struct ordo_median bench_ops_per_s(const struct bench_set *set, const struct bench_cell *cell);

/** Nanoseconds of one operation, as each thread sees it: the threads of the cell over its median ops_per_s. */
double bench_ns_per_op(const struct bench_set *set, const struct bench_cell *cell);

/** The least share of its time in which the threads of a cell did not wait for one of the `cpus`; if threads share these, of
 * their fair part. */
double bench_least_cpu_share(const struct bench_set *set, int cpus);

/** Median and interval of the rounds' ratios of operations per second, trial by trial of the same round. */
struct ordo_median bench_ratio(const struct bench_set *set, const struct bench_cell *of, const struct bench_cell *over);

/** Median of the rounds' differences in nanoseconds per operation, `of` minus `over`. */
double bench_added_ns(const struct bench_set *set, const struct bench_cell *of, const struct bench_cell *over);

/** Median and interval of the rounds' ratios of what `of` and `over` add to `base`, in nanoseconds per operation. */
struct ordo_median bench_added_ratio(const struct bench_set *set, const struct bench_cell *of,
                                     const struct bench_cell *over, const struct bench_cell *base);

#endif
