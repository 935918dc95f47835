/* Mean-RTT-Offset (Jones and Koenig, CCPE 2013; Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 8). Each exchange
 * gives one offset, on the assumption that the answer travelled for half of the pair's mean round trip. The estimate is
 * the median of these offsets. */
#include <stdlib.h>

#include "cluster/offset/estimator.h"

enum { WARM_UP = 10, MEASURED = 100 };

static int compare_trips(const void *a, const void *b)
{
    const struct ordo_exchange *x = a, *y = b;
    int64_t trip_x = x->received_ns - x->sent_ns, trip_y = y->received_ns - y->sent_ns;
    return (trip_x > trip_y) - (trip_x < trip_y);
}

static int compare_offsets(const void *a, const void *b)
{
    const struct ordo_exchange *x = a, *y = b;
    int64_t offset_x = x->received_ns - x->answered_ns, offset_y = y->received_ns - y->answered_ns;
    return (offset_x > offset_y) - (offset_x < offset_y);
}

/* Returns the mean round trip. Leaves out the first few round trips, and those above 1.5 times the upper quartile. */
static int64_t mean_trip(struct ordo_exchange *exchanges, int count)
{
    int warm_up = count > WARM_UP ? WARM_UP : 0, used = 0;
    exchanges += warm_up;
    count -= warm_up;
    qsort(exchanges, (size_t)count, sizeof *exchanges, compare_trips);
    const struct ordo_exchange *quartile = &exchanges[count * 3 / 4];
    int64_t most_ns = (quartile->received_ns - quartile->sent_ns) * 3 / 2, sum_ns = 0;
    for (int i = 0; i < count && exchanges[i].received_ns - exchanges[i].sent_ns <= most_ns; i++, used++)
        sum_ns += exchanges[i].received_ns - exchanges[i].sent_ns;
    return used ? sum_ns / used : most_ns;
}

static struct ordo_offset estimate_mean_rtt(struct ordo_exchange *exchanges, int count, int64_t rtt_ns)
{
    qsort(exchanges, (size_t)count, sizeof *exchanges, compare_offsets);
    const struct ordo_exchange *median = &exchanges[(count - 1) / 2];
    return (struct ordo_offset){median->received_ns, median->received_ns - median->answered_ns - rtt_ns / 2};
}

const struct ordo_offset_estimator ordo_offset_estimator_mean_rtt = {
    .name = "mean-rtt",
    .title = "median of one-way differences less half the mean round trip (Mean-RTT-Offset)",
    .rtt_exchanges = WARM_UP + MEASURED,
    .rtt_ns = mean_trip,
    .estimate = estimate_mean_rtt,
};
