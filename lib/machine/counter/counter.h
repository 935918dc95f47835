/* The counter itself: its step and its rate. */
#ifndef ORDO_MACHINE_COUNTER_COUNTER_H
#define ORDO_MACHINE_COUNTER_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ordo/record.h>

#include "base/error.h"
#include "machine/clock/source.h"
#include "machine/topology/topology.h"

/** The counter's step. */
struct ordo_granule {
    int64_t ticks;      /* the mode of the non-zero steps between consecutive unordered reads; part of the boundary */
    int64_t step_ticks; /* bound on the lag of one reading: at least the counter's own step, whatever a read costs */
    bool coarse;        /* it advances by several ticks at a time, so equal times are common */
};

/** Measures the step of the clock with this id (enum ordo_clock_id), this program's or the kernel's, on the calling
 * thread's CPU. (The mode, not the greatest common divisor: a step of 10 ns is 26 ticks at 2.596 GHz, and now and then
 * 25.) Returns 0, or ORDO_E_SYSTEM if out of memory. */
int ordo_granule_measure_by(uint32_t clock, struct ordo_granule *granule, struct ordo_error *error);

/** Returns the step that `count` readings of the counter show, in ticks: `plain` were taken as fast as possible,
 * `varied` with different amounts of work in between. Pure; `steps` has room for `count`. Returns 1 tick if all
 * readings are equal. */
struct ordo_granule ordo_granule_of(const uint64_t *plain, const uint64_t *varied, size_t count, int64_t *steps);

/** The hardware clock before and after one reading of another clock. */
struct ordo_bracket {
    uint64_t before_ticks, units, after_ticks;
};

/** Returns the bracket that took the fewest ticks; of several such brackets, the first. `count` must be positive. */
const struct ordo_bracket *ordo_bracket_narrowest(const struct ordo_bracket *brackets, int count);

/** Takes a hundred brackets around readings of `source`, all on the calling thread, which must be pinned, and returns
 * the narrowest. */
struct ordo_bracket ordo_bracket_take(const struct ordo_clock_source *source);

/** Does the same as ordo_bracket_take, with readings of the clock with id `clock` around those of `source`. */
struct ordo_bracket ordo_bracket_take_by(uint32_t clock, const struct ordo_clock_source *source);

/** Returns the moment with the fewest ticks between its two readings of the clock; of several such moments, the first.
 * The suspended time in the result is combined from all moments, because in the narrowest moment the thread may have
 * been descheduled before it read the suspended time. `count` must be positive. */
struct ordo_record_moment ordo_moment_narrowest(const struct ordo_record_moment *moments, int count);

/** Calls ordo_record_now many times and takes the narrowest result, so that being descheduled in between does no harm.
 * Returns 0, or -1 with errno. */
int ordo_moment_take(struct ordo_record_moment *moment);

/** Does the same as ordo_moment_take for the clock with id `clock`. */
int ordo_moment_take_by(uint32_t clock, struct ordo_record_moment *moment);

/** Chooses at most `room` sources from `all` (ending with NULL) that can measure the counter's rate. monotonic_raw
 * comes first, whatever its position in `all`. Returns the number of chosen sources. */
int ordo_rate_sources(const struct ordo_clock_source *const *all, const struct ordo_clock_source **chosen, int room);

/** Computes ticks per second between two brackets of one source, as an interval that contains the true rate if the
 * source's rate is true and a reading is exact to within its unit. */
void ordo_bracket_rate(const struct ordo_bracket *first, const struct ordo_bracket *last, uint64_t unit_hz,
                       double *low_hz, double *high_hz);

#endif
