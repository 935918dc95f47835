#include "lab/net/ptp/foreign.h"

#include <stddef.h>

enum { STEPS_MOST = 254, SILENT_INTERVALS = 3, HEARD_INTERVALS = 4 };

/* Returns the record for a master: the master's own record, a free record, or the worst record if its master is worse
 * than this master. Returns NULL if there is no such record. */
static struct ordo_net_ptp_heard *place_for(struct ordo_net_ptp_foreign *foreign,
                                            const struct ordo_net_ptp_dataset *dataset)
{
    struct ordo_net_ptp_heard *place = NULL, *end = foreign->heard + ORDO_NET_PTP_FOREIGN;
    for (struct ordo_net_ptp_heard *at = foreign->heard; at < end; at++)
        if (at->count && ordo_net_ptp_same_port(at->dataset.sender, dataset->sender))
            return at;
    for (struct ordo_net_ptp_heard *at = foreign->heard; at < end; at++) {
        if (at->count == 0)
            return at;
        if (!place || ordo_net_ptp_is_better(&place->dataset, &at->dataset))
            place = at;
    }
    return ordo_net_ptp_is_better(dataset, &place->dataset) ? place : NULL;
}

void ordo_net_ptp_hear(struct ordo_net_ptp_foreign *foreign, const struct ordo_net_ptp_dataset *dataset, int64_t now_ps)
{
    struct ordo_net_ptp_heard *place = dataset->steps <= STEPS_MOST ? place_for(foreign, dataset) : NULL;
    if (!place)
        return;
    if (!ordo_net_ptp_same_port(place->dataset.sender, dataset->sender))
        place->count = 0;
    place->dataset = *dataset;
    place->before_ps = place->last_ps;
    place->last_ps = now_ps;
    place->count += place->count < 2;
}

const struct ordo_net_ptp_dataset *ordo_net_ptp_best(struct ordo_net_ptp_foreign *foreign, int64_t now_ps,
                                                     int64_t interval_ps)
{
    const struct ordo_net_ptp_dataset *best = NULL;
    for (int i = 0; i < ORDO_NET_PTP_FOREIGN; i++) {
        struct ordo_net_ptp_heard *heard = &foreign->heard[i];
        if (now_ps - heard->last_ps > SILENT_INTERVALS * interval_ps)
            heard->count = 0;
        if (heard->count == 2 && now_ps - heard->before_ps <= HEARD_INTERVALS * interval_ps &&
            ordo_net_ptp_is_better(&heard->dataset, best))
            best = &heard->dataset;
    }
    return best;
}
