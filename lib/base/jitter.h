/* The jitter of a clock signal: by how much its periods, one by one and together, depart from their mean.
 *
 * F. Herzel, B. Razavi, A study of oscillator jitter due to supply and substrate noise, IEEE Trans. Circuits and Systems II 46(1), 1999, as in IBM
 * Research Report RZ 3604, equations 1 to 3. With T the mean period and D_n the n-th one less T:
 *
 *     absolute        the sum of D over a span of cycles; of it the standard deviation over all such spans
 *     cycle           the root of the mean of D_n^2
 *     cycle to cycle  the root of the mean of (T_n+1 - T_n)^2
 *
 * The conversion (equations 4 and 5 there, after Fakhfakh et al.): absolute / sqrt(span) = cycle / sqrt(T) = cycle to cycle / (sqrt(2) sqrt(T)).
 * It is right if the D_n are white, that is independent of each other, and only then: variances then add up. If the *edges* are noisy
 * by themselves, a late one makes a long period and then a short one; the absolute jitter does not grow with the span at
 * all, and the conversion is wrong by any factor. So what is to be converted is tested. */
#ifndef ORDO_BASE_JITTER_H
#define ORDO_BASE_JITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ordo_jitter {
    size_t periods, span; /* span: cycles of the absolute jitter */
    double period_fs;     /* the mean */
    double absolute_fs, cycle_fs, cycle_to_cycle_fs;
};

/** `edges` times of edges, ascending, at least span + 2; `span` positive. */
struct ordo_jitter ordo_jitter_of(const int64_t *edge_fs, size_t edges, size_t span);

enum { ORDO_WHITENESS_LAGS = 20, ORDO_WHITENESS_LEAST = 100 };

/** Whether periods are white: G. M. Ljung, G. E. P. Box, On a measure of lack of fit in time series models, Biometrika 65(2), 1978. */
struct ordo_whiteness {
    double statistic,
        limit;         /* of chi square with 20 degrees of freedom; one white series in a thousand exceeds the limit */
    double neighbours; /* the correlation of a period and the next */
    bool is_white;
};

/** At least ORDO_WHITENESS_LEAST periods. Periods that are all alike are white. */
struct ordo_whiteness ordo_jitter_whiteness(const int64_t *edge_fs, size_t edges);

/** The cycle jitter, and the cycle-to-cycle jitter, of a clock of white noise whose absolute jitter over a span is known; all in one unit. */
double ordo_jitter_cycle(double absolute, double period, double span);
double ordo_jitter_cycle_to_cycle(double absolute, double period, double span);

#endif
