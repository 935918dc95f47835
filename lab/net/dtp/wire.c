#include "lab/net/dtp/wire.h"

static const uint64_t half_mask = (UINT64_C(1) << ORDO_NET_DTP_HALF_BITS) - 1;

uint64_t ordo_net_dtp_encode(enum ordo_net_dtp_kind kind, uint64_t value)
{
    return ((uint64_t)kind + 1) << ORDO_NET_DTP_HALF_BITS | (value & half_mask);
}

bool ordo_net_dtp_decode(uint64_t bits, enum ordo_net_dtp_kind *kind, uint64_t *value)
{
    uint64_t found = bits >> ORDO_NET_DTP_HALF_BITS;
    if (found < 1 || found > ORDO_NET_DTP_MSB + 1)
        return false;
    *kind = (enum ordo_net_dtp_kind)(found - 1);
    *value = bits & half_mask;
    return true;
}

int64_t ordo_net_dtp_nearest(int64_t own, uint64_t low)
{
    int64_t ahead = (int64_t)((low - (uint64_t)own) & half_mask);
    return own + (ahead > (int64_t)(half_mask / 2) ? ahead - (int64_t)half_mask - 1 : ahead);
}

struct ordo_net_dtp_time ordo_net_dtp_time_add(struct ordo_net_dtp_time time, int64_t ticks)
{
    uint64_t low = time.low + ((uint64_t)ticks & half_mask);
    /* The bits of `ticks` above the lower half, with the sign. */
    int64_t upper = (ticks - (int64_t)((uint64_t)ticks & half_mask)) / ((int64_t)half_mask + 1);
    return (struct ordo_net_dtp_time){
        .high = (time.high + (uint64_t)upper + (low >> ORDO_NET_DTP_HALF_BITS)) & half_mask, .low = low & half_mask};
}

int64_t ordo_net_dtp_time_minus(struct ordo_net_dtp_time a, struct ordo_net_dtp_time b)
{
    return ordo_net_dtp_nearest(0, a.high - b.high) * ((int64_t)half_mask + 1) + (int64_t)a.low - (int64_t)b.low;
}
