#include <math.h>

#include "base/minmax.h"
#include "lab/net/evaluate/daemon.h"

struct ordo_net_histogram ordo_net_histogram_of(const double *errors_ns, size_t count)
{
    struct ordo_net_histogram histogram = {.low_ns = errors_ns[0], .high_ns = errors_ns[0]};
    for (size_t i = 1; i < count; i++) {
        histogram.low_ns = fmin(histogram.low_ns, errors_ns[i]);
        histogram.high_ns = fmax(histogram.high_ns, errors_ns[i]);
    }
    double width_ns = (histogram.high_ns - histogram.low_ns) / ORDO_NET_HISTOGRAM;
    for (size_t i = 0; i < count; i++) {
        int64_t bin = width_ns > 0 ? (int64_t)((errors_ns[i] - histogram.low_ns) / width_ns) : 0;
        histogram.count[ordo_min(bin, ORDO_NET_HISTOGRAM - 1)]++;
    }
    return histogram;
}
