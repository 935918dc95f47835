#include "trace/otf2/clock.h"

#include <math.h>
#include <stdlib.h>

/* Converts a distance of ticks, which may be negative, to ns. */
static int64_t distance_ns(const struct ordo_otf2_definitions *all, int64_t ticks)
{
    const int64_t most = INT64_MAX / 8;
    __int128 ns = (__int128)ticks * 1000000000 / (__int128)all->hz;
    return ns > most ? most : ns < -most ? -most : (int64_t)ns;
}

OTF2_CallbackCode ordo_otf2_take_offset(void *user, OTF2_TimeStamp time, int64_t offset, double deviation)
{
    struct ordo_otf2_offsets *offsets = user;
    if (offsets->count == offsets->room) {
        size_t room = offsets->room ? 2 * offsets->room : 8;
        struct ordo_otf2_offset *of = realloc(offsets->of, room * sizeof *of);
        offsets->no_memory |= !of;
        if (!of)
            return OTF2_CALLBACK_INTERRUPT;
        offsets->of = of;
        offsets->room = room;
    }
    double deviation_ns = isfinite(deviation) ? fabs(deviation) * 1e9 / (double)offsets->all->hz : 0;
    offsets->of[offsets->count++] = (struct ordo_otf2_offset){
        ordo_otf2_ns(offsets->all, time), distance_ns(offsets->all, offset), fmin(deviation_ns, 1e15)};
    return OTF2_CALLBACK_SUCCESS;
}

/* Returns the time of the master's clock at a global time: the inverse of its offset records, linear between and beyond
 * them. Without records the master's clock is global time. */
static int64_t master_at(const struct ordo_otf2_offsets *master, int64_t global_ns)
{
    const struct ordo_otf2_offset *of = master ? master->of : NULL;
    size_t count = master ? master->count : 0, at = 1;
    if (count == 0)
        return global_ns;
    while (at + 1 < count && of[at].local_ns + of[at].offset_ns < global_ns)
        at++;
    const struct ordo_otf2_offset *a = &of[at - 1], *b = count > 1 ? &of[at] : a;
    double length = (double)(b->local_ns + b->offset_ns - a->local_ns - a->offset_ns);
    double part = length > 0 ? (double)(global_ns - a->local_ns - a->offset_ns) / length : 0;
    return global_ns - a->offset_ns - (int64_t)llround(part * (double)(b->offset_ns - a->offset_ns));
}

/* [O1] A record has a standard deviation and no bound. The offset is taken to be within 3 standard deviations of the
 *      record, and within a tick, which is the rounding of the record. Bounds that follow from it hold if this does. */
static void send_offset(struct ordo_process_out *out, const struct ordo_otf2_definitions *all, int32_t rank,
                        size_t session, const struct ordo_otf2_offset *offset, const struct ordo_otf2_offsets *master)
{
    int64_t wide_ns = (int64_t)ceil(3 * offset->deviation_ns) + (int64_t)(1000000000 / all->hz) + 1; /* [O1] */
    int64_t clock_ns = offset->local_ns - master_at(master, offset->local_ns + offset->offset_ns);
    struct ordo_otf2_fix fix = {(int64_t)session, offset->local_ns, clock_ns - wide_ns, clock_ns + wide_ns, rank};
    ordo_process_send(out, ORDO_OTF2_FIX, &fix, sizeof fix, NULL, 0);
}

void ordo_otf2_send_fixes(struct ordo_process_out *out, const struct ordo_otf2_definitions *all,
                          const struct ordo_otf2_offsets *offsets)
{
    const struct ordo_otf2_offsets *master = NULL;
    struct ordo_map done = {0};
    for (size_t i = 0; i < all->location_count && !master; i++)
        if (all->locations[i].rank == 0 && offsets[i].count > 0)
            master = &offsets[i];
    for (size_t i = 0; i < all->location_count; i++) {
        int32_t rank = all->locations[i].rank;
        uint64_t *place = rank > 0 && offsets[i].count > 0 ? ordo_map_add(&done, (uint64_t)rank, 0) : NULL;
        if (!place || *place)
            continue;
        *place = 1;
        for (size_t k = 0; k < offsets[i].count; k++)
            send_offset(out, all, rank, k, &offsets[i].of[k], master);
    }
    ordo_map_free(&done);
}
