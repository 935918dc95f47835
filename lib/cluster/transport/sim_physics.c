#include "cluster/transport/sim_physics.h"

#include <math.h>
#include <stdbool.h>

#include "base/random.h"

struct ordo_sim_options ordo_sim_defaults(void)
{
    return (struct ordo_sim_options){
        .ranks = 512,
        .ranks_per_socket = 8,
        .sockets_per_node = 2,
        .seed = 1,
        .clocks = ORDO_SIM_PER_NODE,
        .offset_ns = 1000000000,
        .skew_ppb = 20000,
        .wander_period_s = 60,
        .granule_ns = 1,
        .latency_ns = 1000,
        .node_latency_ns = 300,
        .jitter_ns = 200,
        .tail_chance = 0.01,
        .tail_ns = 2000,
        .call_ns = 25,
    };
}

int ordo_sim_socket_of(const struct ordo_sim_options *options, int rank)
{
    return rank / options->ranks_per_socket;
}

int ordo_sim_node_of(const struct ordo_sim_options *options, int rank)
{
    return rank / options->ranks_per_socket / options->sockets_per_node;
}

static int clock_of_rank(const struct ordo_sim_options *options, int rank)
{
    switch (options->clocks) {
    case ORDO_SIM_PER_NODE:
        return ordo_sim_node_of(options, rank);
    case ORDO_SIM_PER_SOCKET:
        return ordo_sim_socket_of(options, rank);
    default:
        return rank;
    }
}

/* Returns the gain of a clock by the change of its rate after bend_at_true_ns. */
static double bent_ns(const struct ordo_sim_options *options, int64_t true_ns)
{
    const double minute_ns = 60e9, hour_ns = 3600e9;
    double since_ns = fmax((double)(true_ns - options->bend_at_true_ns), 0);
    double growing_ns = fmin(fmax(since_ns - minute_ns, 0), hour_ns - minute_ns), late_ns = fmax(since_ns - hour_ns, 0);
    double more_ppb = options->bend_late_ppb - options->bend_ppb;
    double mean = growing_ns / (hour_ns - minute_ns) / 2;
    return (options->bend_ppb * since_ns + more_ppb * (mean * growing_ns + late_ns)) * 1e-9;
}

int64_t ordo_sim_clock_at(const struct ordo_sim_options *options, int rank, int64_t true_ns)
{
    uint64_t random = options->seed ^ (uint64_t)clock_of_rank(options, rank) << 32;
    double offset_ns = (2 * ordo_random_unit(&random) - 1) * (double)options->offset_ns;
    double gained_ns = (2 * ordo_random_unit(&random) - 1) * options->skew_ppb * 1e-9 * (double)true_ns;
    if (options->wander_ppb != 0) {
        double phase = 2 * M_PI * ordo_random_unit(&random);
        double per_ns = 2 * M_PI / (options->wander_period_s * 1e9);
        gained_ns += options->wander_ppb * 1e-9 / per_ns * (cos(phase) - cos(phase + per_ns * (double)true_ns));
    }
    gained_ns += (clock_of_rank(options, rank) % 2 ? -1 : 1) * bent_ns(options, true_ns);
    bool stepped = true_ns >= options->step_at_true_ns &&
                   clock_of_rank(options, rank) == clock_of_rank(options, options->step_rank);
    return true_ns + (int64_t)offset_ns + (int64_t)floor(gained_ns) + (stepped ? options->step_ns : 0);
}

int64_t ordo_sim_latency(const struct ordo_sim_options *options, int from, int to, uint64_t *random)
{
    bool near = ordo_sim_node_of(options, from) == ordo_sim_node_of(options, to);
    double base_ns = (double)(near ? options->node_latency_ns : options->latency_ns);
    double delay_ns = base_ns * (to > from ? 1 + options->asymmetry : 1 - options->asymmetry);
    delay_ns -= (double)options->jitter_ns * log(1 - ordo_random_unit(random));
    if (ordo_random_unit(random) < options->tail_chance)
        delay_ns += (double)options->tail_ns * pow(1 - ordo_random_unit(random), -1 / 1.5);
    return (int64_t)fmin(delay_ns, 1e10);
}
