/* Machine, boundary and report of a command that measures sets: `rlu`, and `model`, which is fitted to such
 * measurements. */
#ifndef BENCH_RLU_RUN_H
#define BENCH_RLU_RUN_H

#include "boundary.h"
#include "report.h"
#include "rlu/arguments.h"

#define RLU_VARIANTS 64

struct rlu_run {
    struct rlu_options options;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct bench_report report;
    double begin_ns; /* clock and counter, read at once; a second reading at the end gives the rate */
    uint64_t begin_ticks;
    struct rlu_bench benches[RLU_VARIANTS]; /* of the set that is being measured */
    struct bench_variant variants[RLU_VARIANTS];
    int count;
    unsigned multiget_keys; /* of the set; 0: operations on one key */
    char workload[64];
};

/** Opens the parts that `options` need, and begins the report of `command`. Close the run after an error, too.
 * ORDO_E_INVALID: the command line is wrong. */
int rlu_run_open(struct rlu_run *run, const char *command, struct ordo_error *error);

/** Measures the chosen engines of a structure; with --sweep, the stamp ordo once for each step. The set is valid until
 * the next call. Free it after an error, too. */
int rlu_run_measure(struct rlu_run *run, enum rlu_structure structure, int update_percent, struct bench_set *set,
                    struct ordo_error *error);

/** Ends the report (or discards it if `code` is an error of the measurement) and closes the run. Returns the exit code
 * of the command. */
int rlu_run_close(struct rlu_run *run, const char *command, int code, const struct ordo_error *error);

#endif
