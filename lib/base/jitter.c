#include "base/jitter.h"

#include <math.h>

static double mean_period(const int64_t *edge_fs, size_t edges)
{
    return (double)(edge_fs[edges - 1] - edge_fs[0]) / (double)(edges - 1);
}

/* Returns the standard deviation of the lengths of all spans of `span` cycles; the spans overlap. */
static double absolute_jitter(const int64_t *edge_fs, size_t edges, size_t span, double period_fs)
{
    size_t count = edges - span;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)(edge_fs[i + span] - edge_fs[i]) - (double)span * period_fs;
    for (size_t i = 0; i < count; i++) {
        double off = (double)(edge_fs[i + span] - edge_fs[i]) - (double)span * period_fs - sum / (double)count;
        squares += off * off;
    }
    return sqrt(squares / (double)count);
}

struct ordo_jitter ordo_jitter_of(const int64_t *edge_fs, size_t edges, size_t span)
{
    struct ordo_jitter jitter = {.periods = edges - 1, .span = span, .period_fs = mean_period(edge_fs, edges)};
    double squares = 0, steps = 0;
    for (size_t i = 0; i + 1 < edges; i++) {
        double off = (double)(edge_fs[i + 1] - edge_fs[i]) - jitter.period_fs;
        squares += off * off;
        double step =
            i + 2 < edges ? (double)(edge_fs[i + 2] - edge_fs[i + 1]) - (double)(edge_fs[i + 1] - edge_fs[i]) : 0;
        steps += step * step;
    }
    jitter.absolute_fs = absolute_jitter(edge_fs, edges, span, jitter.period_fs);
    jitter.cycle_fs = sqrt(squares / (double)jitter.periods);
    jitter.cycle_to_cycle_fs = sqrt(steps / (double)(jitter.periods - 1));
    return jitter;
}

struct ordo_jitter_edges ordo_jitter_edges(const int64_t *edge_fs, size_t edges)
{
    double middle = (double)(edges - 1) / 2, mean = 0, squares = 0, products = 0, least = INFINITY, most = -INFINITY;
    struct ordo_jitter_edges line = {0};
    for (size_t i = 0; i < edges; i++)
        mean += ((double)(edge_fs[i] - edge_fs[0]) - mean) / (double)(i + 1);
    for (size_t i = 0; i < edges; i++) {
        squares += ((double)i - middle) * ((double)i - middle);
        products += ((double)i - middle) * ((double)(edge_fs[i] - edge_fs[0]) - mean);
    }
    line.period_fs = products / squares;
    for (size_t i = 0; i < edges; i++) {
        double off = (double)(edge_fs[i] - edge_fs[0]) - mean - line.period_fs * ((double)i - middle);
        line.rms_fs += off * off / (double)edges;
        least = fmin(least, off);
        most = fmax(most, off);
    }
    line.rms_fs = sqrt(line.rms_fs);
    line.peak_fs = most - least;
    return line;
}

/* Returns the sum of D_n D_(n + lag) over all n, where D_n is the deviation of period n from the mean. */
static double product(const int64_t *edge_fs, size_t edges, size_t lag, double period_fs)
{
    double sum = 0;
    for (size_t i = 0; i + lag + 1 < edges; i++)
        sum += ((double)(edge_fs[i + 1] - edge_fs[i]) - period_fs) *
               ((double)(edge_fs[i + lag + 1] - edge_fs[i + lag]) - period_fs);
    return sum;
}

struct ordo_whiteness ordo_jitter_whiteness(const int64_t *edge_fs, size_t edges)
{
    /* 99.9% of chi square with 20 degrees of freedom */
    struct ordo_whiteness white = {.limit = 45.315, .is_white = true};
    double period_fs = mean_period(edge_fs, edges), n = (double)(edges - 1);
    double all = product(edge_fs, edges, 0, period_fs);
    for (size_t lag = 1; all > 0 && lag <= ORDO_WHITENESS_LAGS; lag++) {
        double correlation = product(edge_fs, edges, lag, period_fs) / all;
        white.neighbours = lag == 1 ? correlation : white.neighbours;
        white.statistic += n * (n + 2) * correlation * correlation / (n - (double)lag);
    }
    white.is_white = white.statistic <= white.limit;
    return white;
}

double ordo_jitter_cycle(double absolute, double period, double span)
{
    return absolute * sqrt(period / span);
}

double ordo_jitter_cycle_to_cycle(double absolute, double period, double span)
{
    return sqrt(2) * ordo_jitter_cycle(absolute, period, span);
}
