/* --sweep: the stamp ordo at several boundaries, smaller and larger than that of the other variants. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "boundary.h"

#define BENCH_SWEEP_LEAST 8 /* ticks: an eighth of it is still a boundary */
#define BENCH_SWEEP_STEPS 7

/** The steps; the boundary as it is has no suffix. */
struct bench_sweep_step {
    const char *stamp;
    double factor;
};
extern const struct bench_sweep_step bench_sweep_steps[BENCH_SWEEP_STEPS];

/** When the command line was read: ends the program with a line unless `ordo` is among the stamps and --boundary, if
 * given, has an eighth. */
void bench_sweep_check(const struct argp_state *state, const struct bench_options *options, bool ordo);

/** When the boundary was opened. ORDO_E_BOUNDARY: it has no eighth. */
int bench_sweep_check_boundary(const struct bench_boundary *boundary, struct ordo_error *error);

#endif
