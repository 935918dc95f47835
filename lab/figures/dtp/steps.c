/* The steps of reading a remote clock, and the error that each of them adds. */
#include "lab/figures/dtp/dtp.h"
#include "lab/figures/simulate.h"

enum { HOSTS = 12 };

/* A way to read the clock of host 0, and the load of the network. */
struct way {
    const char *name, *protocol;
    double load;
};

/* Each way but the last leaves out one source of errors of the way before it. */
static const struct way ways[] = {
    {"stamps of programs (steps 2 and 4), busy network (step 3)", "ptp:stamps=software:jitter-ns=5000", 0.6},
    {"stamps at the wire, busy network (step 3)", "ptp", 0.6},
    {"stamps at the wire, idle network (steps 1 and 5)", "ptp", 0},
    {"no packets: DTP", "dtp", 0.6},
};

int figure_dtp_steps(struct ordo_figure_run *run, struct ordo_error *error)
{
    enum { WAYS = sizeof ways / sizeof *ways };
    struct ordo_net_outcome outcome;
    double p99_ns[WAYS];
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "errors of a remote reading", "|error| (ns)",
                                                        "share of smaller errors", ORDO_FIGURE_LOG_X);
    for (int i = 0; i < WAYS; i++) {
        struct ordo_net_options options = ordo_figure_network(run, ORDO_NET_TREE, HOSTS, 15);
        options.traffic.load = ways[i].load;
        int code = ordo_figure_simulate(ways[i].protocol, &options, &outcome, error);
        if (code)
            return code;
        ordo_figure_distribution(panel, ways[i].name, &outcome.score);
        p99_ns[i] = outcome.score.p99_ns;
    }
    ordo_figure_claim(run, p99_ns[0] > p99_ns[1], "the network stack adds a delay that varies (steps 2 and 4)");
    ordo_figure_claim(run, p99_ns[1] > p99_ns[2], "the network's jitter adds an error (step 3)");
    ordo_figure_claim(run, p99_ns[3] < p99_ns[1], "counters in the physical layer avoid the errors of packets");
    return ORDO_OK;
}
