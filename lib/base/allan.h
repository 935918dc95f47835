/* How stable a clock is over a span of time: Allan deviation and time deviation.
 *
 * W. J. Riley, Handbook of Frequency Stability Analysis, NIST Special Publication 1065 (2008), sections 5.2.4 (the
 * overlapping Allan deviation), 5.2.5 (the modified one) and 5.2.6 (the time deviation). */
#ifndef ORDO_BASE_ALLAN_H
#define ORDO_BASE_ALLAN_H

#include <stddef.h>
#include <stdint.h>

/** The lead of a clock over another, in ns, at equal distances in time. */
struct ordo_phase {
    const double *lead_ns;
    size_t count;
    int64_t apart_ns; /* from one value to the next */
};

/** Returns the overlapping Allan deviation over `step` values, a fraction (1e-9 is 1 ppb): the usual difference
 * between the rates of two successive spans of that length. It is 0 for every constant rate. NAN if there are fewer
 * than 2 * step + 1 values, or `step` is 0. O(count). */
double ordo_allan_deviation(const struct ordo_phase *phase, size_t step);

/** Returns the time deviation over `step` values, in ns: the usual difference between the lead, as a mean of `step`
 * values, and the lead predicted by a constant rate. NAN if there are fewer than 3 * step values, or `step` is 0.
 * O(count). */
double ordo_time_deviation_ns(const struct ordo_phase *phase, size_t step);

/** Interpolates `count` values, taken at the ascending times `at_ns`, at up to `room` times `apart_ns` apart from the
 * first time on, by straight lines between neighbours. Returns how many fit into the time of the values. `count` must
 * be positive. */
size_t ordo_phase_even(const double *at_ns, const double *lead_ns, size_t count, int64_t apart_ns, double *even_ns,
                       size_t room);

#endif
