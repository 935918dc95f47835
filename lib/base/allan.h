/* The stability of a clock over a span of time: Allan deviation and time deviation.
 *
 * W. J. Riley, Handbook of Frequency Stability Analysis, NIST Special Publication 1065 (2008), sections 5.2.4 (the
 * overlapping Allan deviation), 5.2.5 (the modified Allan deviation) and 5.2.6 (the time deviation). */
#ifndef ORDO_BASE_ALLAN_H
#define ORDO_BASE_ALLAN_H

#include <stddef.h>
#include <stdint.h>

/** The lead of a clock, that is, its time minus another clock's time, in ns, sampled at equal intervals. */
struct ordo_phase {
    const double *lead_ns;
    size_t count;
    int64_t apart_ns; /* interval from one sample to the next */
};

/** Returns the overlapping Allan deviation over `step` intervals, as a fraction (1e-9 is 1 ppb): the typical difference
 * between the rates of two successive spans of this length. It is 0 if the rate is constant. NAN if there are fewer
 * than 2 * step + 1 values, or `step` is 0. O(count). */
double ordo_allan_deviation(const struct ordo_phase *phase, size_t step);

/** Returns the time deviation over `step` intervals, in ns: the typical difference between the mean lead of `step`
 * values and the lead that a constant rate predicts. NAN if there are fewer than 3 * step values, or `step` is 0.
 * O(count). */
double ordo_time_deviation_ns(const struct ordo_phase *phase, size_t step);

/** Resamples `count` values, taken at the ascending times `at_ns`, by linear interpolation. The new samples are
 * `apart_ns` apart and begin at the first time; at most `room` are made. Returns the number of new samples, which is
 * limited by the last of the times. `count` must be positive. */
size_t ordo_phase_even(const double *at_ns, const double *lead_ns, size_t count, int64_t apart_ns, double *even_ns,
                       size_t room);

#endif
