/* The plan of a sandbox: the daemon to run, its rate, and the duration. */
#ifndef ORDO_LAB_SANDBOX_PLAN_H
#define ORDO_LAB_SANDBOX_PLAN_H

#include "lab/net/evaluate/daemon.h"

struct sandbox_plan {
    const struct ordo_net_daemon *daemon;
    int log2_rate;
    double seconds;
};

#endif
