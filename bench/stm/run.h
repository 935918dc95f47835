/* Machine, boundary and report of `ordo-bench stm`. */
#ifndef BENCH_STM_RUN_H
#define BENCH_STM_RUN_H

#include "boundary.h"
#include "report.h"
#include "stm/arguments.h"

#define STM_VARIANTS 24 /* each stamp twice, and the baselines */

struct stm_run {
    struct stm_options options;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct bench_report report;
    double begin_ns; /* clock and counter, read at once; a second reading at the end gives the rate */
    uint64_t begin_ticks;
    struct stm_bench benches[STM_VARIANTS]; /* of the set that is being measured */
    struct bench_variant variants[STM_VARIANTS];
    char names[STM_VARIANTS][24]; /* stamps with a suffix */
    int count;
    char workload[64];
};

/** Opens the parts that `options` need, and begins the report of `command`. Close the run after an error, too.
 * ORDO_E_INVALID: the command line is wrong. */
int stm_run_open(struct stm_run *run, const char *command, struct ordo_error *error);

/** Measures the chosen engines of a structure; with --sweep, the stamp ordo once for each step. The set is valid until
 * the next call. Free it after an error, too. */
int stm_run_measure(struct stm_run *run, enum stm_structure structure, int update_percent, struct bench_set *set,
                    struct ordo_error *error);

/** Ends the report (or discards it if `code` is an error of the measurement) and closes the run. Returns the exit code
 * of the command. */
int stm_run_close(struct stm_run *run, const char *command, int code, const struct ordo_error *error);

#endif
