/* SKaMPI-Offset (Worsch, Reussner, Augustin, EuroPVM/MPI 2002; Hunold and Carpen-Amarie, CLUSTER 2018, Algorithm 7):
 * the middle between the tightest bounds of the two directions. The estimate is exact if the least latencies of both
 * directions are equal; otherwise its error is half the difference of the two latencies. */
#include "cluster/offset/estimator.h"

static struct ordo_offset estimate_skampi(struct ordo_exchange *exchanges, int count, int64_t rtt_ns)
{
    (void)rtt_ns;
    struct ordo_visit visit = ordo_exchange_visit(exchanges, count);
    int64_t apart_ns = (int64_t)(visit.at_ba - visit.at_ab);
    return (struct ordo_offset){(int64_t)visit.at_ab + apart_ns / 2, (visit.delta_ab - visit.delta_ba) / 2};
}

const struct ordo_offset_estimator ordo_offset_estimator_skampi = {
    .name = "skampi", .title = "middle of the tightest bounds (SKaMPI-Offset)", .estimate = estimate_skampi};
