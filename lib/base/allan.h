/* How stable a clock is over a span of time: Allan deviation and time deviation.
 *
 * W. J. Riley, Handbook of Frequency Stability Analysis, NIST Special Publication 1065 (2008), sections 5.2.4 (the
 * overlapping Allan deviation), 5.2.5 (the modified one) and 5.2.6 (the time deviation). */
#ifndef ORDO_BASE_ALLAN_H
#define ORDO_BASE_ALLAN_H

#include <stddef.h>
#include <stdint.h>

/** A clock against another at even distances in time: its lead in ns. */
struct ordo_phase {
    const double *lead_ns;
    size_t count;
    int64_t apart_ns; /* from one value to the next */
};

/** The overlapping Allan deviation over `step` values, a fraction (1e-9 is 1 ppb): by how much the rates of two such
 * spans in a row usually differ. A constant rate, whatever it is, has 0. NAN where there are fewer than 2 * step + 1
 * values, or `step` is 0. O(count). */
double ordo_allan_deviation(const struct ordo_phase *phase, size_t step);

/** The time deviation over `step` values, in ns: by how much the lead, a mean of `step` values, usually departs from
 * what a constant rate would make of it. NAN where there are fewer than 3 * step values, or `step` is 0. O(count). */
double ordo_time_deviation_ns(const struct ordo_phase *phase, size_t step);

/** Brings `count` values, taken at the ascending times `at_ns`, to `room` even distances of `apart_ns` from the first time
 * on, by straight lines between neighbours. Returns how many fit into the time there is. `count` must be positive. */
size_t ordo_phase_even(const double *at_ns, const double *lead_ns, size_t count, int64_t apart_ns, double *even_ns,
                       size_t room);

#endif
