/* Let t count from the begin of the range. A line a + b t meets the bounds from above if a <= A(b), the least of
 * u - b t over all of them, and the bounds from below if a >= B(b), the largest of l - b t.
 *
 * [L1] A is concave and B is convex, and both are linear between the slopes of their hulls' edges. B - A is therefore
 *      convex: its minimum over the allowed slopes is at an edge's slope or at the steepest allowed slope, and the
 *      slopes b with B(b) <= A(b) are an interval. If B - A is positive at all of these slopes, no line meets the bounds.
 * [L2] The lines that meet the bounds are a convex polygon in (a, b), whose corners have these slopes or the ends of the
 *      interval. The largest and the least value a + b t of its lines at a time t are at corners.
 * [L3] As a function of t the largest value is convex and the least is concave. Between two times at which they are
 *      known, the chord is therefore on the safe side. Outside the range they move by at most the steepest rate.
 * [L4] A line is described by its values x and y at the ends of the range. The lines that meet the bounds are a convex
 *      set of points (x, y) that touches the four sides of its bounding box. The centre of the box is in the set:
 *      otherwise a line separates the centre from the set, without loss of generality with a normal (p, q), p and q not
 *      negative, so that p x + q y > 0 for all points relative to the centre. For a box of half widths 1, the point on
 *      the left side gives q >= q y > p, and the point on the lower side gives p >= p x > q.
 * [L5] The results are widened by the rounding errors of double, which are below 2^-50 of the range and of the offsets,
 *      and by 1 ns. */
#include "trace/device/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ordo_device_line_add(struct ordo_device_line_bounds *bounds, int64_t at_ns, int64_t offset_ns)
{
    if (bounds->count == bounds->room) {
        size_t room = bounds->room ? 2 * bounds->room : 8;
        struct ordo_device_line_bound *all = realloc(bounds->all, room * sizeof *all);
        if (!all)
            return -1;
        bounds->all = all;
        bounds->room = room;
    }
    bounds->all[bounds->count++] = (struct ordo_device_line_bound){at_ns, offset_ns};
    return 0;
}

void ordo_device_line_bounds_free(struct ordo_device_line_bounds *bounds)
{
    free(bounds->all);
    *bounds = (struct ordo_device_line_bounds){0};
}

static int by_at(const void *a, const void *b)
{
    const struct ordo_device_line_bound *x = a, *y = b;
    return x->at_ns != y->at_ns ? (x->at_ns < y->at_ns ? -1 : 1)
                                : (x->offset_ns > y->offset_ns) - (x->offset_ns < y->offset_ns);
}

/* True if the middle bound is never tighter than both of its neighbours; `sign` is 1 for bounds from above, -1 for bounds
 * from below. */
static bool is_loose(const struct ordo_device_line_bound *a, const struct ordo_device_line_bound *b,
                     const struct ordo_device_line_bound *c, int sign)
{
    long double ab = (long double)b->at_ns - (long double)a->at_ns, ac = (long double)c->at_ns - (long double)a->at_ns;
    long double up = (long double)b->offset_ns - (long double)a->offset_ns;
    long double line = (long double)c->offset_ns - (long double)a->offset_ns;
    return sign * (up * ac - line * ab) >= 0;
}

void ordo_device_line_reduce(struct ordo_device_line_bounds *bounds, bool from_above)
{
    int sign = from_above ? 1 : -1;
    size_t kept = 0;
    if (bounds->count > 0)
        qsort(bounds->all, bounds->count, sizeof *bounds->all, by_at);
    for (size_t i = 0; i < bounds->count; i++) {
        struct ordo_device_line_bound *all = bounds->all, next = all[i];
        if (kept > 0 && all[kept - 1].at_ns == next.at_ns) { /* of one time, only the tightest */
            if (from_above)
                continue;
            kept--;
        }
        while (kept >= 2 && is_loose(&all[kept - 2], &all[kept - 1], &next, sign))
            kept--;
        all[kept++] = next;
    }
    bounds->count = kept;
}

/* The hulls of both sides in relative coordinates. */
struct fit {
    const struct ordo_device_line_bounds *above, *below;
    const struct ordo_device_line_limits *limits;
    int64_t base_ns;
    double slack;   /* [L5] */
    double *slopes; /* [L1] sorted; the steepest allowed slopes are among them */
    size_t count;
};

static double since_begin(const struct fit *fit, const struct ordo_device_line_bound *bound)
{
    return (double)(bound->at_ns - fit->limits->from_ns);
}

static double offset_from_base(const struct fit *fit, const struct ordo_device_line_bound *bound)
{
    return (double)(bound->offset_ns - fit->base_ns);
}

static double edge(const struct fit *fit, const struct ordo_device_line_bounds *of, size_t at)
{
    const struct ordo_device_line_bound *a = &of->all[at], *b = a + 1;
    return (offset_from_base(fit, b) - offset_from_base(fit, a)) / (double)(b->at_ns - a->at_ns);
}

/* Returns A(b) or B(b): the value of the hull's corner that a line of this slope touches, at the begin of the range. */
static double touch_hull(const struct fit *fit, const struct ordo_device_line_bounds *of, double slope, int sign)
{
    size_t low = 0, high = of->count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sign * (edge(fit, of, middle) - slope) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct ordo_device_line_bound *at = &of->all[low];
    return offset_from_base(fit, at) - slope * since_begin(fit, at) + sign * fit->limits->loose_ns;
}

static double top(const struct fit *fit, double slope)
{
    return fit->above->count > 0 ? touch_hull(fit, fit->above, slope, 1) : INFINITY;
}

static double bottom(const struct fit *fit, double slope)
{
    return fit->below->count > 0 ? touch_hull(fit, fit->below, slope, -1) : -INFINITY;
}

static double gap(const struct fit *fit, double slope)
{
    return bottom(fit, slope) - top(fit, slope) - fit->slack;
}

static int by_slope(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void add_slopes(struct fit *fit, const struct ordo_device_line_bounds *of)
{
    for (size_t i = 0; i + 1 < of->count; i++) {
        double slope = edge(fit, of, i);
        if (fabs(slope) < fit->limits->rate)
            fit->slopes[fit->count++] = slope;
    }
}

/* Returns the slope between `in`, where lines meet the bounds, and `out`, where none does, at which the last one does. */
static double crossing(const struct fit *fit, double in, double out)
{
    double inside = gap(fit, in), outside = gap(fit, out);
    return isfinite(inside) ? in + (out - in) * (inside / (inside - outside)) : in;
}

/* [L1] Keeps the slopes at which some line meets the bounds, with the ends of their interval. Returns false if there is
 *      none. */
static bool keep_slopes(struct fit *fit)
{
    size_t from = 0, end = fit->count;
    while (from < end && gap(fit, fit->slopes[from]) > 0)
        from++;
    if (from == end)
        return false;
    while (gap(fit, fit->slopes[end - 1]) > 0)
        end--;
    double first = from > 0 ? crossing(fit, fit->slopes[from], fit->slopes[from - 1]) : fit->slopes[from];
    double last = end < fit->count ? crossing(fit, fit->slopes[end - 1], fit->slopes[end]) : fit->slopes[end - 1];
    memmove(fit->slopes + 1, fit->slopes + from, (end - from) * sizeof *fit->slopes);
    fit->slopes[0] = first;
    fit->slopes[end - from + 1] = last;
    fit->count = end - from + 2;
    return true;
}

static double at_step(const struct ordo_device_line_limits *limits, int step)
{
    return (double)(limits->until_ns - limits->from_ns) * step / ORDO_LINE_STEPS;
}

/* [L2] */
static void sample_lines(const struct fit *fit, struct ordo_device_line *line)
{
    for (int step = 0; step <= ORDO_LINE_STEPS; step++) {
        double at = at_step(fit->limits, step);
        line->low[step] = INFINITY;
        line->high[step] = -INFINITY;
        for (size_t i = 0; i < fit->count; i++) {
            double slope = fit->slopes[i];
            line->low[step] = fmin(line->low[step], bottom(fit, slope) + slope * at);
            line->high[step] = fmax(line->high[step], top(fit, slope) + slope * at);
        }
        line->low[step] -= fit->limits->loose_ns + fit->slack;
        line->high[step] += fit->limits->loose_ns + fit->slack;
    }
}

/* Returns the tightest bound as an offset that does not change. */
static double tightest(const struct fit *fit, const struct ordo_device_line_bounds *of, int sign)
{
    double least = INFINITY;
    for (size_t i = 0; i < of->count; i++)
        least = fmin(least, sign * offset_from_base(fit, &of->all[i]));
    return sign * least;
}

/* [L4] Chooses the likely line: the middle of the bounds. If they are from one side, it chooses the constant offset next
 *      to 0 that is within them; they are whole numbers that no offset reaches. */
static void choose(const struct fit *fit, struct ordo_device_line *line)
{
    bool above = fit->above->count > 0, below = fit->below->count > 0;
    if (above && below) {
        line->likely_from = (line->low[0] + line->high[0]) / 2;
        line->likely_until = (line->low[ORDO_LINE_STEPS] + line->high[ORDO_LINE_STEPS]) / 2;
        return;
    }
    double zero = -(double)fit->base_ns;
    double one = above   ? fmin(zero, tightest(fit, fit->above, 1) - 1)
                 : below ? fmax(zero, tightest(fit, fit->below, -1) + 1)
                         : zero;
    line->likely_from = line->likely_until = one;
}

static double largest_offset(const struct fit *fit, const struct ordo_device_line_bounds *of)
{
    double most = 0;
    for (size_t i = 0; i < of->count; i++)
        most = fmax(most, fabs(offset_from_base(fit, &of->all[i])));
    return most;
}

bool ordo_device_line_fit(struct ordo_device_line *line, const struct ordo_device_line_bounds *above,
                          const struct ordo_device_line_bounds *below, const struct ordo_device_line_limits *limits)
{
    struct fit fit = {.above = above, .below = below, .limits = limits};
    double span_ns = (double)(limits->until_ns - limits->from_ns);
    fit.slopes = malloc((above->count + below->count + 4) * sizeof *fit.slopes);
    if (!fit.slopes)
        return false;
    fit.base_ns = above->count > 0 ? above->all[0].offset_ns : below->count > 0 ? below->all[0].offset_ns : 0;
    fit.slack = 1 + ldexp(span_ns + largest_offset(&fit, above) + largest_offset(&fit, below), -50); /* [L5] */
    fit.slopes[fit.count++] = -limits->rate;
    add_slopes(&fit, above);
    add_slopes(&fit, below);
    fit.slopes[fit.count++] = limits->rate;
    qsort(fit.slopes, fit.count, sizeof *fit.slopes, by_slope);
    bool some = keep_slopes(&fit);
    if (some) {
        *line = (struct ordo_device_line){.limits = *limits, .base_ns = fit.base_ns};
        line->rate_low = fit.slopes[0];
        line->rate_high = fit.slopes[fit.count - 1];
        sample_lines(&fit, line);
        choose(&fit, line);
    }
    free(fit.slopes);
    return some;
}

int64_t ordo_device_line_likely(const struct ordo_device_line *line, int64_t at_ns)
{
    const struct ordo_device_line_limits *limits = &line->limits;
    double span_ns = (double)(limits->until_ns - limits->from_ns), at = (double)(at_ns - limits->from_ns);
    double rate = span_ns > 0 ? (line->likely_until - line->likely_from) / span_ns : 0;
    return line->base_ns + llround(line->likely_from + rate * at);
}

/* [L3] Returns a bound at a time, from the values at the steps; `sign` is 1 for the high bounds, -1 for the low ones. */
static double bound_at(const struct ordo_device_line *line, const double *values, int64_t at_ns, int sign)
{
    const struct ordo_device_line_limits *limits = &line->limits;
    double span_ns = (double)(limits->until_ns - limits->from_ns), at = (double)(at_ns - limits->from_ns);
    if (at <= 0)
        return values[0] - sign * limits->rate * at;
    if (at >= span_ns)
        return values[ORDO_LINE_STEPS] + sign * limits->rate * (at - span_ns);
    int step = (int)fmin(at / span_ns * ORDO_LINE_STEPS, ORDO_LINE_STEPS - 1);
    double part = at / span_ns * ORDO_LINE_STEPS - step;
    return values[step] + (values[step + 1] - values[step]) * part;
}

bool ordo_device_line_low(const struct ordo_device_line *line, int64_t at_ns, int64_t *low_ns)
{
    double low = bound_at(line, line->low, at_ns, -1);
    if (!isfinite(low))
        return false;
    *low_ns = line->base_ns + (int64_t)floor(low);
    return true;
}

bool ordo_device_line_high(const struct ordo_device_line *line, int64_t at_ns, int64_t *high_ns)
{
    double high = bound_at(line, line->high, at_ns, 1);
    if (!isfinite(high))
        return false;
    *high_ns = line->base_ns + (int64_t)ceil(high);
    return true;
}
