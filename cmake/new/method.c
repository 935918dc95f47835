/* Authors, paper, section. Here: straight lines between the middles of the bounds of consecutive sessions. */
#include "trace/method/method.h"

static double middle_ns(const struct ordo_knot *knot)
{
    return (knot->low_ns + knot->high_ns) / 2;
}

static int fit_NAME(const struct ordo_method_input *input, struct ordo_curve *curve, struct ordo_error *error)
{
    const struct ordo_knot *knots = input->band->knots;
    (void)error;
    for (int k = 0; k < curve->count; k++) { /* piece 0 ends at the first knot; piece k begins at knot k - 1 */
        int from = k > 0 ? k - 1 : 0, to = from + 1;
        curve->pieces[k].estimate[0] = middle_ns(&knots[from]);
        if (k > 0 && to < input->band->count)
            curve->pieces[k].estimate[1] =
                ((double)(knots[to].base_ns - knots[from].base_ns) + middle_ns(&knots[to]) - middle_ns(&knots[from])) /
                (double)(knots[to].at_ns - knots[from].at_ns);
    }
    return ORDO_OK;
}

const struct ordo_method ordo_method_NAME = {.name = "NAME", .title = "one line for people", .fit = fit_NAME};
