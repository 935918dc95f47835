#include "cluster/offset/exchange.h"

struct ordo_visit ordo_exchange_visit(const struct ordo_exchange *exchanges, int count)
{
    struct ordo_visit visit = ordo_visit_plain(INT64_MAX, INT64_MAX, 0, 0);
    for (const struct ordo_exchange *at = exchanges; at < exchanges + count; at++) {
        if (at->received_ns - at->answered_ns < visit.delta_ab) {
            visit.delta_ab = at->received_ns - at->answered_ns;
            visit.at_ab = (uint64_t)at->received_ns;
        }
        if (at->answered_ns - at->sent_ns < visit.delta_ba) {
            visit.delta_ba = at->answered_ns - at->sent_ns;
            visit.at_ba = (uint64_t)at->sent_ns;
        }
    }
    return ordo_visit_plain(visit.delta_ab, visit.delta_ba, visit.at_ab, visit.at_ba);
}
