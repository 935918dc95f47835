/* The choice of the Intel Trace Collector (2019, "Clock Synchronization"): a straight line if there are sessions at the
 * start and at the end only; a constrained spline if the program called VT_timesync in between. */
#include "trace/method/method.h"

extern const struct ordo_method ordo_method_linear, ordo_method_spline;

static int fit_as_collector(const struct ordo_method_input *input, struct ordo_curve *curve, struct ordo_error *error)
{
    enum { START_AND_END = 2 };
    bool called = input->band->count > START_AND_END;
    return (called ? ordo_method_spline : ordo_method_linear).fit(input, curve, error);
}

const struct ordo_method ordo_method_collector = {
    .name = "collector",
    .title = "linear with sessions at the start and the end, spline with more (Intel Trace Collector)",
    .fit = fit_as_collector,
};
