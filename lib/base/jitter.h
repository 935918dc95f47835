/* The jitter of a clock signal: by how much its periods, one by one and together, depart from their mean.
 *
 * F. Herzel, B. Razavi, A study of oscillator jitter due to supply and substrate noise, IEEE Trans. Circuits and
 * Systems II 46(1), 1999, as in IBM Research Report RZ 3604, equations 1 to 3. With T the mean period and D_n the n-th
 * one minus T:
 *
 *     absolute        the sum of D over a span of cycles; the standard deviation over all such spans
 *     cycle           the root of the mean of D_n^2
 *     cycle to cycle  the root of the mean of (T_n+1 - T_n)^2
 *
 * The conversion (equations 4 and 5 there, after Fakhfakh et al.): absolute / sqrt(span) = cycle / sqrt(T) = cycle to
 * cycle / (sqrt(2) sqrt(T)). It is right only if the D_n are white, that is, independent of each other: then variances
 * add up. If the *edges* are noisy by themselves, a late edge makes a long period and then a short one; the absolute
 * jitter does not grow with the span at all, and the conversion is wrong by any factor. For this reason periods are
 * tested before the conversion. */
#ifndef ORDO_BASE_JITTER_H
#define ORDO_BASE_JITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ordo_jitter {
    size_t periods, span; /* span: cycles of a span of the absolute jitter */
    double period_fs;     /* the mean */
    double absolute_fs, cycle_fs, cycle_to_cycle_fs;
};

/** Returns the jitter of `edges` times of edges, ascending, at least span + 2 of them; `span` is positive. */
struct ordo_jitter ordo_jitter_of(const int64_t *edge_fs, size_t edges, size_t span);

enum { ORDO_WHITENESS_LAGS = 20, ORDO_WHITENESS_LEAST = 100 };

/** The result of a test of whether periods are white: G. M. Ljung, G. E. P. Box, On a measure of lack of fit in time
 * series models, Biometrika 65(2), 1978. */
struct ordo_whiteness {
    double statistic,
        limit;         /* of chi square with 20 degrees of freedom; one white series in a thousand exceeds the limit */
    double neighbours; /* the correlation of a period and the next */
    bool is_white;
};

/** Tests at least ORDO_WHITENESS_LEAST periods. Periods that are all equal are white. */
struct ordo_whiteness ordo_jitter_whiteness(const int64_t *edge_fs, size_t edges);

/** These return the cycle jitter, and the cycle-to-cycle jitter, of a clock of white noise with a known absolute
 * jitter over a span; all in one unit. */
double ordo_jitter_cycle(double absolute, double period, double span);
double ordo_jitter_cycle_to_cycle(double absolute, double period, double span);

#endif
