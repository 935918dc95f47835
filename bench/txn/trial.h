/* A store as a variant of the measuring harness, and what its trials gave. */
#ifndef BENCH_TXN_TRIAL_H
#define BENCH_TXN_TRIAL_H

#include "companion.h"
#include "harness.h"
#include "store.h"

/** All trials of one number of threads that count. */
struct mvcc_result {
    int threads;
    int trials; /* the first is not among the rest: it warms up */
    struct mvcc_work work;
    struct mvcc_memory memory; /* after the latest trial */
};

/** The context of a variant. */
struct mvcc_subject {
    struct mvcc_store store;
    struct mvcc_companion *companion; /* or NULL */
    const struct bench_set *stamps;   /* what they cost: for the report, as is the clock's rate */
    const double *tick_hz;
    struct mvcc_result *results; /* [result_count] */
    int result_count;
    struct mvcc_result *current;
};

/** Opens the subject's store, whose engine, workload and so on are set, for these numbers of threads. */
int mvcc_subject_open(struct mvcc_subject *subject, const struct bench_options *options, struct ordo_error *error);

void mvcc_subject_close(struct mvcc_subject *subject);

/** The variant that measures it. */
struct bench_variant mvcc_subject_variant(struct mvcc_subject *subject);

/** What the trials of a cell gave. */
const struct mvcc_result *mvcc_cell_result(const struct bench_cell *cell);

#endif
