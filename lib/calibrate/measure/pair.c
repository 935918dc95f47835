#include "calibrate/measure/pair.h"

#include <ordo/clock.h>

static int outcome(const struct ordo_pair *pair, int code, struct ordo_error *error)
{
    if (code)
        return ordo_error_set(error, code, 0, "the other CPU did not answer for %g s",
                              (double)ordo_pair_patience_ns(pair) / 1e9);
    return ORDO_OK;
}

int ordo_pair_measure_a(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error)
{
    return outcome(pair, ordo_pair_side_a(pair, runs, ordo_clock_read), error);
}

int ordo_pair_measure_b(struct ordo_pair *pair, struct ordo_pair_runs runs, struct ordo_error *error)
{
    return outcome(pair, ordo_pair_side_b(pair, runs, ordo_clock_read), error);
}
