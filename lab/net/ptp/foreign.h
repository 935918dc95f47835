/* The masters of which a port has heard, and the best qualified one (IEEE Std 1588-2008, 9.3.2.4 and 9.3.2.5). */
#ifndef ORDO_LAB_NET_PTP_FOREIGN_H
#define ORDO_LAB_NET_PTP_FOREIGN_H

#include "lab/net/ptp/dataset.h"

enum { ORDO_NET_PTP_FOREIGN = 5 /* the number of records that a port must have */ };

/** The masters of which a port has heard; all zeros: none. Times are those of the receiver's clock. */
struct ordo_net_ptp_foreign {
    struct ordo_net_ptp_heard {
        struct ordo_net_ptp_dataset dataset;
        int64_t last_ps, before_ps; /* times of the last Announce and of its predecessor */
        int count;                  /* number of Announces, up to 2; 0: the record is free */
    } heard[ORDO_NET_PTP_FOREIGN];
};

/** Takes an Announce. If all records are of other masters, the Announce replaces the worst record, but only if the
 * Announce is better than this record. Ignores an Announce that has gone through 255 clocks or more, because it
 * circulates in a loop. */
void ordo_net_ptp_hear(struct ordo_net_ptp_foreign *foreign, const struct ordo_net_ptp_dataset *dataset,
                       int64_t now_ps);

/** Forgets masters that were silent for three intervals. Returns the dataset of the best master that was heard twice
 * within four intervals; NULL if there is none. */
const struct ordo_net_ptp_dataset *ordo_net_ptp_best(struct ordo_net_ptp_foreign *foreign, int64_t now_ps,
                                                     int64_t interval_ps);

#endif
