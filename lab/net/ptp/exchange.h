/* What a slave computes from a Sync and a Delay_Req: the way's delay, and by how much its clock is ahead of its master's.
 *
 * The slave's stamps are of its free clock, so that they do not move when it is steered. The delay is the median of the last ten
 * (IEEE Std 1588-2008, 11.3, gives the sums; the median is what ptp4l(8) takes by default). */
#ifndef ORDO_LAB_NET_PTP_EXCHANGE_H
#define ORDO_LAB_NET_PTP_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDO_NET_PTP_DELAYS = 10 };

/** Zeros to begin with. */
struct ordo_net_ptp_exchange {
    bool synced;
    int64_t came_ps,
        there_ps; /* of the last Sync: its stamp, and what that is after the master's, less the correction */
    int64_t delays_ps[ORDO_NET_PTP_DELAYS], delay_ps;
    int count;
};

/** A Sync left the master at `left_ps` by its time, and came at `came_ps`. */
void ordo_net_ptp_take_sync(struct ordo_net_ptp_exchange *exchange, int64_t left_ps, int64_t came_ps,
                            int64_t correction_ps);

/** After a Sync: a Delay_Req left at `left_ps`, and came to the master at `came_ps` by its time. The slave's clock is believed to gain
 * `rate` on the master's. */
void ordo_net_ptp_take_delay(struct ordo_net_ptp_exchange *exchange, int64_t left_ps, int64_t came_ps,
                             int64_t correction_ps, double rate);

/** By how much the slave's free clock was ahead when it showed `came_ps`. */
int64_t ordo_net_ptp_offset(const struct ordo_net_ptp_exchange *exchange);

#endif
