#include "sweep.h"

#include "base/error.h"

const struct bench_sweep_step bench_sweep_steps[BENCH_SWEEP_STEPS] = {
    {"ordo:B/8", 0.125}, {"ordo:B/4", 0.25}, {"ordo:B/2", 0.5}, {"ordo", 1},
    {"ordo:2B", 2},      {"ordo:4B", 4},     {"ordo:8B", 8}};

void bench_sweep_check(const struct argp_state *state, const struct bench_options *options, bool ordo)
{
    if (!ordo)
        cli_wrong(state, "--sweep: only the stamp ordo has a boundary, and it is not chosen: add it to --stamp");
    if (options->boundary_given && options->boundary_ticks < BENCH_SWEEP_LEAST)
        cli_wrong(state, "--sweep: a boundary below %d ticks has no eighth: give a larger one by --boundary",
                  BENCH_SWEEP_LEAST);
}

int bench_sweep_check_boundary(const struct bench_boundary *boundary, struct ordo_error *error)
{
    if (ordo_boundary(&boundary->handle) >= BENCH_SWEEP_LEAST)
        return ORDO_OK;
    return ordo_error_set(
        error, ORDO_E_BOUNDARY, 0,
        "--sweep: the record's boundary is below %d ticks and has no eighth: give a larger one by --boundary",
        BENCH_SWEEP_LEAST);
}
