/* Measures a pair of CPUs with <ordo/start/pair.h>, which is compiled once for each clock, and adds error messages. */
#ifndef ORDO_CALIBRATE_MEASURE_PAIR_H
#define ORDO_CALIBRATE_MEASURE_PAIR_H

#include <ordo/start/pair.h>

#include "base/error.h"
#include "base/visit.h"

/** Measure as ordo_pair_side_a and ordo_pair_side_b, with the clock of this id (enum ordo_clock_id): this program's
 * clock or the kernel's. */
int ordo_pair_measure_a(struct ordo_pair *pair, uint32_t clock, struct ordo_pair_runs runs, struct ordo_error *error);
int ordo_pair_measure_b(struct ordo_pair *pair, uint32_t clock, struct ordo_pair_runs runs, struct ordo_error *error);

#endif
