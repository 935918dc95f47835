#include "calibrate/measure/pair.h"

#include <ordo/record.h>

static int outcome(const struct ordo_pair *pair, int code, struct ordo_error *error)
{
    if (code)
        return ordo_error_set(error, code, 0, "the other CPU did not answer for %g s",
                              (double)ordo_pair_patience_ns(pair) / 1e9);
    return ORDO_OK;
}

int ordo_pair_measure_a(struct ordo_pair *pair, uint32_t clock, struct ordo_pair_runs runs, struct ordo_error *error)
{
    int code = ordo_record_clock_is_kernels(clock) ? ordo_pair_side_a(pair, runs, ordo_monotonic_read)
                                                   : ordo_pair_side_a(pair, runs, ordo_clock_read);
    return outcome(pair, code, error);
}

int ordo_pair_measure_b(struct ordo_pair *pair, uint32_t clock, struct ordo_pair_runs runs, struct ordo_error *error)
{
    int code = ordo_record_clock_is_kernels(clock) ? ordo_pair_side_b(pair, runs, ordo_monotonic_read)
                                                   : ordo_pair_side_b(pair, runs, ordo_clock_read);
    return outcome(pair, code, error);
}
