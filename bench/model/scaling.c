#include "model/scaling.h"

#include <math.h>

/* Returns the transfers of changed elements per operation. */
static double refetches(const struct model_costs *costs, int threads)
{
    return costs->lines * (1 - exp(-(threads - 1) * costs->stale));
}

/* Returns the average of the rest of the boundary that a marked thread waits for, over all positions in the order of
 * marking. */
static double boundary_left_ns(const struct model_costs *costs, int threads)
{
    double sum = 0;
    for (int k = 1; k < threads; k++)
        sum += fmax(0, costs->boundary_ns - k * costs->transfer_ns);
    return threads > 1 ? sum / (threads - 1) : 0;
}

/* Returns the throughput, per second, of `threads` customers that think and then queue at one station. Solved by mean
 * value analysis. */
static double closed_network(double think_ns, double station_ns, int threads)
{
    double queue = 0, per_ns = 0;
    for (int n = 1; n <= threads; n++) {
        double stay_ns = station_ns * (1 + queue);
        per_ns = n / (think_ns + stay_ns);
        queue = per_ns * stay_ns;
    }
    return per_ns * 1e9;
}

double model_ops_per_s(const struct model_costs *costs, int threads)
{
    double others = threads - 1, s = costs->flushes_per_op, renewals = 1 - exp(-others * s);
    double own_ns = costs->work_ns + s * others * costs->transfer_ns + refetches(costs, threads) * costs->transfer_ns +
                    renewals * (costs->transfer_ns + costs->clock_ns + boundary_left_ns(costs, threads));
    double shared_ns = costs->counter && threads > 1 ? (s + renewals) * costs->transfer_ns : 0;
    return closed_network(own_ns, shared_ns, threads);
}

double model_fit(const struct model_costs *costs, double ns_per_op)
{
    struct model_costs trial = *costs;
    double low = 0, high = 10;
    for (int step = 0; step < 60; step++) {
        trial.stale = (low + high) / 2;
        if (2e9 / model_ops_per_s(&trial, 2) < ns_per_op)
            low = trial.stale;
        else
            high = trial.stale;
    }
    return low;
}
