/* A store as a variant of the harness, and the results of its trials. */
#ifndef BENCH_TXN_TRIAL_H
#define BENCH_TXN_TRIAL_H

#include "companion.h"
#include "harness.h"
#include "store.h"

/** The results of all trials at one thread count. */
struct txn_result {
    int threads;
    int trials; /* number of trials, the warm-up included; `work` excludes the warm-up */
    struct txn_work work;
    struct txn_memory memory; /* after the latest trial */
};

/** The context of a variant. */
struct txn_subject {
    struct txn_store store;
    struct txn_companion *companion; /* NULL: no companion */
    const struct bench_set *stamps;  /* costs of the stamps, for the report */
    const double *tick_hz;
    struct txn_result *results; /* [result_count] */
    int result_count;
    struct txn_result *current;
};

/** Opens the subject's store for the thread counts of `options`. Its engine, workload and other inputs must be set. */
int txn_subject_open(struct txn_subject *subject, const struct bench_options *options, struct ordo_error *error);

void txn_subject_close(struct txn_subject *subject);

/** Returns the variant that measures the subject. */
struct bench_variant txn_subject_variant(struct txn_subject *subject);

/** Returns the results of a cell's trials. */
const struct txn_result *txn_cell_result(const struct bench_cell *cell);

#endif
