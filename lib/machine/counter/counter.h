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
    int64_t ticks;      /* the mode of the non-zero steps between unordered reads in a row: what the boundary adds */
    int64_t step_ticks; /* what one reading may hide: at least the counter's own step, whatever a read costs */
    bool coarse;        /* it advances by several ticks at a time: equal times are ordinary */
};

/** Measures the step of the clock with this id (enum ordo_clock_id), that of this program or the kernel's, on the calling
 * thread's CPU. (The mode, not the greatest common divisor: a step of 10 ns is 26 ticks at 2.596 GHz, and now and then 25.)
 * Returns 0, or ORDO_E_SYSTEM if out of memory. */
int ordo_granule_measure_by(uint32_t clock, struct ordo_granule *granule, struct ordo_error *error);

/** The step that `count` readings of the counter show, in ticks: `plain` were taken as fast as it goes, `varied` with
 * different amounts of work in between. Pure; `steps` is room for `count`. 1 where no reading differs from the one
 * before it. */
struct ordo_granule ordo_granule_of(const uint64_t *plain, const uint64_t *varied, size_t count, int64_t *steps);

/** The hardware clock before and after one reading of another clock. */
struct ordo_bracket {
    uint64_t before_ticks, units, after_ticks;
};

/** The one that took the fewest ticks, the first of several; `count` must be positive. */
const struct ordo_bracket *ordo_bracket_narrowest(const struct ordo_bracket *brackets, int count);

/** The narrowest of a hundred brackets around readings of `source`, all on the calling thread, which must be pinned. */
struct ordo_bracket ordo_bracket_take(const struct ordo_clock_source *source);

/** The same by the clock with this id. */
struct ordo_bracket ordo_bracket_take_by(uint32_t clock, const struct ordo_clock_source *source);

/** The one between whose two readings of the clock the fewest ticks passed, the first of several, and in it what all of them
 * say of how long the machine was suspended: the narrowest may have lost the CPU before it read that. `count` must be
 * positive. */
struct ordo_record_moment ordo_moment_narrowest(const struct ordo_record_moment *moments, int count);

/** What ordo_record_now says, the narrowest of many readings, so that losing the CPU in between does no harm. 0, or -1
 * with errno. */
int ordo_moment_take(struct ordo_record_moment *moment);

/** The same for the clock with this id. */
int ordo_moment_take_by(uint32_t clock, struct ordo_record_moment *moment);

/** Chooses from `all` (ending with NULL) what can measure the counter's rate, monotonic_raw first wherever it stands,
 * `room` at most; returns how many. */
int ordo_rate_sources(const struct ordo_clock_source *const *all, const struct ordo_clock_source **chosen, int room);

/** Ticks per second between two brackets of one source, as an interval that contains the true rate if the source's is
 * true and it is read to within its unit. */
void ordo_bracket_rate(const struct ordo_bracket *first, const struct ordo_bracket *last, uint64_t unit_hz,
                       double *low_hz, double *high_hz);

#endif
