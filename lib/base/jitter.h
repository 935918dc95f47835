/* The jitter of a clock signal: the deviations of single periods, and of sums of periods, from their mean.
 *
 * F. Herzel, B. Razavi, A study of oscillator jitter due to supply and substrate noise, IEEE Trans. Circuits and
 * Systems II 46(1), 1999, as in IBM Research Report RZ 3604, equations 1 to 3. Let T_n be the n-th period, T the mean
 * period, and D_n = T_n - T:
 *
 *     absolute        the standard deviation, over all spans of a number of cycles, of the sum of D in a span
 *     cycle           the root of the mean of D_n^2
 *     cycle to cycle  the root of the mean of (T_n+1 - T_n)^2
 *
 * The conversion (equations 4 and 5 there, after Fakhfakh et al.): absolute / sqrt(span) = cycle / sqrt(T) = cycle to
 * cycle / (sqrt(2) sqrt(T)). It is correct only if the D_n are white, that is, independent of each other, because then
 * variances add up. If instead each *edge* has noise of its own, a late edge makes one period too long and the next
 * period too short. The absolute jitter then does not grow with the span, and the conversion may be wrong by any
 * factor. Therefore the periods are tested before the conversion. */
#ifndef ORDO_BASE_JITTER_H
#define ORDO_BASE_JITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ordo_jitter {
    size_t periods, span; /* span: number of cycles of a span of the absolute jitter */
    double period_fs;     /* the mean period */
    double absolute_fs, cycle_fs, cycle_to_cycle_fs;
};

/** Returns the jitter of a signal with `edges` edges at the times `edge_fs`. `span` must be positive, and `edges` at least
 * span + 2.
 *
 * A constant may be subtracted from all periods, so that a signal of any length fits into 64 bits: the results are the
 * same if edge_fs[i] is the time of edge i minus i times the constant. Only period_fs then is smaller by the
 * constant. */
struct ordo_jitter ordo_jitter_of(const int64_t *edge_fs, size_t edges, size_t span);

/** The distances of the edges from the straight line that fits them best (least squares), in fs. A signal whose edges have
 * noise of their own has a small distance of any length; a signal whose periods have noise drifts away from the line. */
struct ordo_jitter_edges {
    double rms_fs, peak_fs; /* peak: from the earliest edge to the latest edge, against the line */
    double period_fs;       /* of the line */
};

/** Returns the distances of at least 2 edges. A constant may be subtracted from all periods, as in ordo_jitter_of. */
struct ordo_jitter_edges ordo_jitter_edges(const int64_t *edge_fs, size_t edges);

enum { ORDO_WHITENESS_LAGS = 20, ORDO_WHITENESS_LEAST = 100 };

/** The result of a test of whether periods are white: G. M. Ljung, G. E. P. Box, On a measure of lack of fit in time
 * series models, Biometrika 65(2), 1978. */
struct ordo_whiteness {
    double statistic,
        limit;         /* of chi square with 20 degrees of freedom: a white series exceeds it with probability 0.001 */
    double neighbours; /* correlation of a period and the next period */
    bool is_white;
};

/** Tests whether the periods are white. There must be at least ORDO_WHITENESS_LEAST periods. Equal periods count as
 * white. */
struct ordo_whiteness ordo_jitter_whiteness(const int64_t *edge_fs, size_t edges);

/** Return the cycle jitter and the cycle-to-cycle jitter of a clock with white noise, computed from its absolute jitter
 * over a span. All arguments and results have the same unit. */
double ordo_jitter_cycle(double absolute, double period, double span);
double ordo_jitter_cycle_to_cycle(double absolute, double period, double span);

#endif
