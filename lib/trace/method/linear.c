/* One straight line for the whole trace: least squares over the exchanges of all sessions, without the tenth of each
 * session that had the longest round trips. (Intel Trace Collector 2019, Reference Guide, "Clock Synchronization".) */
#include <stdlib.h>

#include "base/regression.h"
#include "trace/method/method.h"

/* Collects the middles of the kept fixes, relative to the first one. */
static size_t collect_middles(const struct ordo_method_input *input, double *x, double *y)
{
    const struct ordo_fix *all = input->fixes;
    size_t count = 0;
    for (int from = 0, end; from < input->fix_count; from = end) {
        for (end = from; end < input->fix_count && all[end].session == all[from].session;)
            end++;
        for (int i = from; i < from + ordo_fixes_kept(end - from); i++, count++) {
            x[count] = (double)(all[i].sent_ns - all->sent_ns) + (double)(all[i].received_ns - all[i].sent_ns) / 2;
            y[count] = (double)(all[i].low_ns - all->low_ns) + (double)(all[i].high_ns - all[i].low_ns) / 2;
        }
    }
    return count;
}

struct line {
    double at_zero, slope;
};

/* Returns the line through the mean of the points with the slope of least squares, limited to the largest rate by which
 * clocks may differ. */
static struct line line_of(const double *x, const double *y, size_t count, double most)
{
    struct ordo_line least = ordo_stats_line(x, y, count);
    struct line line = {least.at_zero, fmin(fmax(least.slope, -most), most)};
    double mean_x = 0;
    for (size_t i = 0; i < count; i++)
        mean_x += x[i] / (double)count;
    if (line.slope != least.slope)
        line.at_zero = least.mean_y - line.slope * mean_x;
    return line;
}

static int fit_linear(const struct ordo_method_input *input, struct ordo_curve *curve, struct ordo_error *error)
{
    double *x = malloc(2 * (size_t)input->fix_count * sizeof *x);
    if (!x)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d exchanges: out of memory", input->fix_count);
    double *y = x + input->fix_count;
    struct line line = line_of(x, y, collect_middles(input, x, y), ordo_band_limit(&input->band->declared));
    free(x);
    for (int k = 0; k < curve->count; k++) {
        struct ordo_piece *piece = &curve->pieces[k];
        double at = (double)(piece->from_ns - input->fixes->sent_ns);
        piece->estimate[0] = line.at_zero + line.slope * at + (double)(input->fixes->low_ns - piece->base_ns);
        piece->estimate[1] = line.slope;
    }
    return ORDO_OK;
}

const struct ordo_method ordo_method_linear = {
    .name = "linear",
    .title = "least squares over all exchanges, the worst tenth of round trips dropped",
    .fit = fit_linear,
};
