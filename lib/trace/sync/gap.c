/* The gap at a slope s is the least of the upper bounds less the greatest of the lower bounds, both seen along lines of
 * slope s. It is the minimum of functions that are linear in s, so it is concave, and a search that halves the interval
 * of slopes by thirds finds its maximum. */
#include "trace/sync/gap.h"

#include <math.h>

enum { STEPS = 54 };

struct gap_sides {
    const struct ordo_likely *high, *low;
    int highs, lows;
    int64_t at_ns, base_ns;
};

/* Returns the height of a sample at the time of the line. */
static double height_of(const struct gap_sides *of, const struct ordo_likely *sample, double slope)
{
    return (double)(sample->offset_ns - of->base_ns) + slope * (double)(of->at_ns - sample->at_ns);
}

static struct ordo_gap gap_at(const struct gap_sides *of, double slope)
{
    double above = INFINITY, below = -INFINITY;
    for (int i = 0; i < of->highs; i++)
        above = fmin(above, height_of(of, &of->high[i], slope));
    for (int i = 0; i < of->lows; i++)
        below = fmax(below, height_of(of, &of->low[i], slope));
    return (struct ordo_gap){of->at_ns, of->base_ns, (above + below) / 2, slope, above - below};
}

struct ordo_gap ordo_gap_find(const struct ordo_likely *high, int highs, const struct ordo_likely *low, int lows,
                              double limit)
{
    struct gap_sides of = {high, low, highs, lows, high[0].at_ns, high[0].offset_ns};
    double from = -limit, to = limit;
    for (int i = 0; i < STEPS; i++) {
        double third = (to - from) / 3;
        if (gap_at(&of, from + third).width_ns < gap_at(&of, to - third).width_ns)
            from += third;
        else
            to -= third;
    }
    return gap_at(&of, (from + to) / 2);
}
