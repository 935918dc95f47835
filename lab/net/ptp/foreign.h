/* The masters that a port hears of, and the best of them that can be relied upon (IEEE Std 1588-2008, 9.3.2.4 and 9.3.2.5). */
#ifndef ORDO_LAB_NET_PTP_FOREIGN_H
#define ORDO_LAB_NET_PTP_FOREIGN_H

#include "lab/net/ptp/dataset.h"

enum { ORDO_NET_PTP_FOREIGN = 5 /* as many as a port has to remember */ };

/** Zeros: none. Times are those of the clock that hears. */
struct ordo_net_ptp_foreign {
    struct ordo_net_ptp_heard {
        struct ordo_net_ptp_dataset dataset;
        int64_t last_ps, before_ps; /* of the last two Announces */
        int count;                  /* of them, up to 2; 0: no record */
    } heard[ORDO_NET_PTP_FOREIGN];
};

/** An Announce has come. Where all records are of others it takes the place of the worst, unless it is worse itself. One that has gone through
 * 255 clocks or more is not heard: it runs in circles. */
void ordo_net_ptp_hear(struct ordo_net_ptp_foreign *foreign, const struct ordo_net_ptp_dataset *dataset,
                       int64_t now_ps);

/** Forgets who was silent for three intervals, and returns the best of those who were heard twice within four; NULL: none. */
const struct ordo_net_ptp_dataset *ordo_net_ptp_best(struct ordo_net_ptp_foreign *foreign, int64_t now_ps,
                                                     int64_t interval_ps);

#endif
