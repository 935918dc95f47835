/* The cost of timestamps, measured in the same run as the transactions: each stamp alone, the bare clock, and the
 * counter in its best and its worst case. The model of larger machines is fitted to these costs. */
#ifndef BENCH_TXN_STAMPS_H
#define BENCH_TXN_STAMPS_H

#include "base/error.h"
#include "engines.h"
#include "harness.h"
#include "report.h"

#define TXN_STAMP_BYTES 4096

struct txn_stamp_bench {
    _Alignas(BENCH_LINE) char room[TXN_STAMP_BYTES]; /* memory for a struct ordo_stamp of any stamp */
    _Alignas(BENCH_LINE) uint64_t counter;
    _Alignas(BENCH_LINE) uint64_t boundary_ticks;
    const struct ordo *corrected, *any; /* the clocks of the stamps corrected and any */
};

#define TXN_STAMP(stem)                                                                                                \
    int txn_stamp_##stem##_prepare(void *context, int threads, struct ordo_error *error);                              \
    uint64_t txn_stamp_##stem##_work(struct bench_worker *worker);
TXN_STAMP(ordo)
TXN_STAMP(any)
TXN_STAMP(corrected)
TXN_STAMP(logical)
TXN_STAMP(batch)
TXN_STAMP(tsc)

/** Measures the costs, and adds them and their ratios to the report. `set` holds the names of the variants until it is
 * freed. */
int txn_stamps_measure(struct bench_set *set, const struct txn_names *stamps, const struct txn_options *store,
                       const struct bench_machine *machine, const struct bench_options *options,
                       struct bench_report *report, struct ordo_error *error);

/** Returns the nanoseconds of one timestamp of this stamp at a thread count; and of one bare ordered clock read. 0: not
 * measured. */
double txn_stamp_ns(const struct bench_set *set, const char *stamp, int threads);

#endif
