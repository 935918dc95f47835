/* Table I: the machines of the experiments, as the clusters that the other figures simulate. */
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/hca3/machine.h"

enum { EXCHANGES = 1000 };

/* Exchanges messages between the first ranks of two nodes. */
static int pingpong_nodes(struct ordo_transport *world, void *context)
{
    int peer = world->size / 2, code = ORDO_OK;
    char byte = 0;
    for (int i = 0; i < EXCHANGES && !code; i++) {
        if (world->rank == 0) {
            code = world->send(world, peer, 1, &byte, 1);
            code = code ? code : world->receive(world, peer, 1, &byte, 1);
        } else if (world->rank == peer) {
            code = world->receive(world, 0, 1, &byte, 1);
            code = code ? code : world->send(world, 0, 1, &byte, 1);
        }
    }
    if (world->rank == 0)
        *(double *)context = (double)ordo_sim_true_ns(world) / EXCHANGES / 2e3;
    return code;
}

/* Returns the mean one-way latency between two nodes in us. */
static int latency_us(struct ordo_figure_run *run, enum hca3_machine machine, double *us, struct ordo_error *error)
{
    struct ordo_sim_options cluster = hca3_cluster(machine, 2, ordo_figure_seed(run));
    struct ordo_sim_result result;
    return ordo_sim_run(&cluster, pingpong_nodes, us, &result, error);
}

int ordo_figure_hca3_table1(struct ordo_figure_run *run, struct ordo_error *error)
{
    uint64_t seed = ordo_figure_seed(run);
    double us[HCA3_MACHINES];
    for (int machine = 0; machine < HCA3_MACHINES; machine++) {
        int code = latency_us(run, (enum hca3_machine)machine, &us[machine], error);
        if (code)
            return code;
    }
    /* Numbers of cores are facts. */
    ordo_figure_value(run, "cores of Jupiter: 36 nodes, two processors of 8", "", 36 * 16,
                      hca3_cluster(HCA3_JUPITER, 36, seed).ranks, ORDO_FIGURE_EQUAL, 1);
    ordo_figure_value(run, "cores of Hydra: 36 nodes, two processors of 16", "", 36 * 32,
                      hca3_cluster(HCA3_HYDRA, 36, seed).ranks, ORDO_FIGURE_EQUAL, 1);
    ordo_figure_value(run, "cores of 1024 nodes of Titan, 16 of each", "", 1024 * 16,
                      hca3_cluster(HCA3_TITAN, 1024, seed).ranks, ORDO_FIGURE_EQUAL, 1);
    /* Within 25%: the paper says 3 to 4 us. */
    ordo_figure_value(run, "latency of a ping-pong on Jupiter", "us", 3.5, us[HCA3_JUPITER], ORDO_FIGURE_EQUAL, 1.25);
    ordo_figure_claim(run, us[HCA3_HYDRA] < us[HCA3_JUPITER], "Hydra's network has a smaller latency than Jupiter's");
    return ORDO_OK;
}
