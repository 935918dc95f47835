#include "lab/net/ptp/exchange.h"

#include <math.h>

#include "base/minmax.h"

void ordo_net_ptp_take_sync(struct ordo_net_ptp_exchange *exchange, int64_t left_ps, int64_t came_ps,
                            int64_t correction_ps)
{
    exchange->synced = true;
    exchange->came_ps = came_ps;
    exchange->there_ps = came_ps - left_ps - correction_ps;
}

static int64_t median_of(const int64_t *values, int count)
{
    int64_t sorted[ORDO_NET_PTP_DELAYS];
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > values[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = values[i];
    }
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static void add_delay(struct ordo_net_ptp_exchange *exchange, int64_t delay_ps)
{
    exchange->delays_ps[exchange->count++ % ORDO_NET_PTP_DELAYS] = delay_ps;
    exchange->delay_ps = median_of(exchange->delays_ps, (int)ordo_min(exchange->count, ORDO_NET_PTP_DELAYS));
}

/* Between its two stamps, the slave's clock gains on the master's clock. The gain shortens the measured time of the way
 * back, so it is added to the sum of the times of both ways. */
void ordo_net_ptp_take_delay(struct ordo_net_ptp_exchange *exchange, int64_t left_ps, int64_t came_ps,
                             int64_t correction_ps, double rate)
{
    int64_t back_ps = came_ps - left_ps - correction_ps;
    int64_t gained_ps = llround(rate * (double)(left_ps - exchange->came_ps));
    add_delay(exchange, (exchange->there_ps + back_ps + gained_ps) / 2);
}

void ordo_net_ptp_take_peer(struct ordo_net_ptp_exchange *exchange, int64_t asked_ps, int64_t answered_ps,
                            int64_t held_ps)
{
    add_delay(exchange, (answered_ps - asked_ps - held_ps) / 2);
}

int64_t ordo_net_ptp_offset(const struct ordo_net_ptp_exchange *exchange)
{
    return exchange->there_ps - exchange->delay_ps;
}
