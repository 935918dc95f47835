/* --sweep: measures the stamp ordo with several boundaries, smaller and larger than the actual boundary. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "boundary.h"

#define BENCH_SWEEP_LEAST 8 /* in ticks; an eighth of it is >= 1 */
#define BENCH_SWEEP_STEPS 7

/** The steps. The step with the actual boundary has no suffix. */
struct bench_sweep_step {
    const char *stamp;
    double factor;
};
extern const struct bench_sweep_step bench_sweep_steps[BENCH_SWEEP_STEPS];

/** Call after parsing the command line. Ends the program with a message if `ordo` is not among the stamps, or if
 * --boundary is given and an eighth of it rounds to 0. */
void bench_sweep_check(const struct argp_state *state, const struct bench_options *options, bool ordo);

/** Call after opening the boundary. ORDO_E_BOUNDARY: an eighth of the boundary rounds to 0. */
int bench_sweep_check_boundary(const struct bench_boundary *boundary, struct ordo_error *error);

#endif
