/* The parallel machines of Table I as simulated clusters, and a synchronisation of one of them that is judged by
 * Check-Global-Clock (Algorithm 6). */
#ifndef ORDO_LAB_FIGURES_HCA3_MACHINE_H
#define ORDO_LAB_FIGURES_HCA3_MACHINE_H

#include "cluster/transport/sim.h"
#include "lab/figures/figure.h"

enum hca3_machine { HCA3_JUPITER, HCA3_HYDRA, HCA3_TITAN, HCA3_MACHINES };

/** Returns a cluster with `nodes` nodes of the machine, all their cores used, and the ranks of a node on one clock. */
struct ordo_sim_options hca3_cluster(enum hca3_machine machine, int nodes, uint64_t seed);

/** Lets messages wait for each other at the ports of the nodes. Synchronisations have one message at a time on most ports,
 * and do not need this; barriers do. */
void hca3_add_ports(struct ordo_sim_options *cluster, enum hca3_machine machine);

/** A synchronisation of a cluster. */
struct hca3_synchronised {
    double seconds;     /* duration on the slowest rank */
    double worst_us[2]; /* largest measured offset to the reference, at once and 10 s later */
    uint64_t messages;  /* of the synchronisation and the two checks */
};

/** An algorithm of a figure. `algorithm` has the fit points and exchanges of the paper; `spread` has fewer points over
 * the same time, so that a simulation with many runs is short: the error of a line depends on the time that its points
 * span, and the duration is that of `algorithm`. */
struct hca3_contender {
    const char *name, *algorithm, *spread;
};

enum { HCA3_MOST_RUNS = 10 };

/** The runs of one contender. */
struct hca3_series {
    int runs;
    struct hca3_synchronised run[HCA3_MOST_RUNS];
};

/** The runs to make: each with a seed, and therefore with clocks of its own. */
struct hca3_trial {
    enum hca3_machine machine;
    int nodes, runs, percent; /* percent: share of the ranks that is checked */
    uint64_t seed;
    double wander_ppb; /* 0: that of hca3_cluster */
    bool apart;        /* true: each rank has a clock of its own */
    bool bare; /* true: only the algorithm, without the pass in which ordo_sync_run measures all offsets again */
};

/** Makes the runs by an algorithm, as "hca3:fit=500,pingpong=100,window=0ms". Returns the codes of ordo_sim_run and of
 * ordo_sync_run. */
int hca3_repeat(const struct hca3_trial *trial, const char *algorithm, struct hca3_series *series,
                struct ordo_error *error);

/** Returns the mean of the largest offsets, in us: at once (0) or 10 s later (1). */
double hca3_mean_us(const struct hca3_series *series, int when);

/** Returns the largest of the largest offsets, in us. */
double hca3_most_us(const struct hca3_series *series, int when);

/** Returns the mean duration, in seconds. */
double hca3_mean_seconds(const struct hca3_series *series);

/** Draws the two panels of Figures 3 to 6: the largest offset of each run over its duration, and the mean of a
 * contender as a horizontal bar. */
void hca3_draw(struct ordo_figure_run *run, const struct hca3_contender *contenders, const struct hca3_series *series,
               int count);

#endif
