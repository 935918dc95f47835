/* The computations of a slave from a Sync and a Delay_Req: the delay of one direction, and by how much the slave's
 * clock is ahead of its master's.
 *
 * The slave's stamps are those of its free clock, so they do not move when the clock is steered. The delay is the
 * median of the last ten measured delays (IEEE Std 1588-2008, 11.3, gives the sums; ptp4l(8) takes the median by
 * default). */
#ifndef ORDO_LAB_NET_PTP_EXCHANGE_H
#define ORDO_LAB_NET_PTP_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDO_NET_PTP_DELAYS = 10 };

/** The measurements of a slave. Initialise with zeros. */
struct ordo_net_ptp_exchange {
    bool synced;
    /* Of the last Sync: the slave's stamp; and this stamp less the master's stamp and less the correction. */
    int64_t came_ps, there_ps;
    int64_t delays_ps[ORDO_NET_PTP_DELAYS], delay_ps;
    int count;
};

/** Takes a Sync, which left at `left_ps` of the master's time, and came at `came_ps`. */
void ordo_net_ptp_take_sync(struct ordo_net_ptp_exchange *exchange, int64_t left_ps, int64_t came_ps,
                            int64_t correction_ps);

/** Takes a Delay_Req, after a Sync: it left at `left_ps`, and came at `came_ps` of the master's time. `rate` is the
 * estimated rate at which the slave's clock gains on the master's. */
void ordo_net_ptp_take_delay(struct ordo_net_ptp_exchange *exchange, int64_t left_ps, int64_t came_ps,
                             int64_t correction_ps, double rate);

/** Takes an exchange with a peer at the other end of the link: the question left at `asked_ps` and the answer came at
 * `answered_ps` of the own clock; the peer held the question for `held_ps` of its own clock. */
void ordo_net_ptp_take_peer(struct ordo_net_ptp_exchange *exchange, int64_t asked_ps, int64_t answered_ps,
                            int64_t held_ps);

/** Returns by how much the slave's free clock was ahead of the master's time when it showed `came_ps`. */
int64_t ordo_net_ptp_offset(const struct ordo_net_ptp_exchange *exchange);

#endif
