/* Programs that read the counters of their devices by daemons, on simulated processors.
 *
 * Each host has a TSC of its own rate. A reading of the counter takes a constant time and a random time on the way to
 * the device, and as much on the way back; half of the difference is the error of a reading. */
#ifndef ORDO_LAB_NET_DTP_PROGRAMS_H
#define ORDO_LAB_NET_DTP_PROGRAMS_H

#include "lab/net/dtp/daemon.h"
#include "lab/net/dtp/precision.h"

struct ordo_net_dtp_programs_options {
    int smooth;    /* readings in the mean of a daemon */
    int jitter_ns; /* mean of the random time of each way, which is exponential */
    uint64_t seed;
};

struct ordo_net_dtp_programs {
    struct ordo_net_dtp_programs_options options;
    struct ordo_net_dtp_daemon *daemon; /* by host */
    double *tsc_hz;
    uint64_t random;
};

/** Makes the daemons of `hosts` hosts. Returns false if out of memory. */
bool ordo_net_dtp_programs_make(struct ordo_net_dtp_programs *programs, int hosts,
                                const struct ordo_net_dtp_programs_options *options);
void ordo_net_dtp_programs_free(struct ordo_net_dtp_programs *programs);

/** Lets the daemon of a host read its device, whose counter is `counter` at the true time. */
void ordo_net_dtp_programs_poll(struct ordo_net_dtp_programs *programs, int host, int64_t true_fs, int64_t counter);

/** Finds by how many ticks the time of a program is ahead of the true counter of its device. Returns false if the
 * daemon cannot tell the time yet. */
bool ordo_net_dtp_programs_read(const struct ordo_net_dtp_programs *programs, int host, int64_t true_fs,
                                int64_t counter, double *ahead);

#endif
