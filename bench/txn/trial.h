/* A store as a variant of the measuring harness, and what its trials gave. */
#ifndef BENCH_TXN_TRIAL_H
#define BENCH_TXN_TRIAL_H

#include "companion.h"
#include "harness.h"
#include "store.h"

/** All trials of one number of threads that count. */
struct txn_result {
    int threads;
    int trials; /* the first is not among the rest: it warms up */
    struct txn_work work;
    struct txn_memory memory; /* after the latest trial */
};

/** The context of a variant. */
struct txn_subject {
    struct txn_store store;
    struct txn_companion *companion; /* or NULL */
    const struct bench_set *stamps;  /* their costs, for the report, like the clock's rate */
    const double *tick_hz;
    struct txn_result *results; /* [result_count] */
    int result_count;
    struct txn_result *current;
};

/** Opens the subject's store, whose engine, workload and so on are set, for these numbers of threads. */
int txn_subject_open(struct txn_subject *subject, const struct bench_options *options, struct ordo_error *error);

void txn_subject_close(struct txn_subject *subject);

/** The variant that measures it. */
struct bench_variant txn_subject_variant(struct txn_subject *subject);

/** What the trials of a cell gave. */
const struct txn_result *txn_cell_result(const struct bench_cell *cell);

#endif
