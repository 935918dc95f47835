#include "trace/page/overview.h"

#include <stdlib.h>

uint32_t ordo_overview_lane(struct ordo_overview *overview, uint64_t a, uint64_t b)
{
    uint64_t *number = ordo_map_add(&overview->lanes, a, b);
    if (!number)
        return UINT32_MAX;
    if (*number > 0)
        return (uint32_t)(*number - 1);
    if (overview->count == overview->room) {
        uint32_t room = overview->room ? 2 * overview->room : 16;
        struct ordo_overview_lane *all = realloc(overview->all, room * sizeof *all);
        if (!all)
            return UINT32_MAX;
        overview->all = all;
        overview->room = room;
    }
    overview->all[overview->count] = (struct ordo_overview_lane){0};
    *number = ++overview->count;
    return overview->count - 1;
}

/* True if the bar is in the slot of the last short bar of its lane. Otherwise its slot becomes the last one. */
static bool joins(struct ordo_overview_lane *lane, int shift, int64_t begin_ns)
{
    int64_t slot = begin_ns >> shift;
    bool same = lane->used[shift] && lane->slots[shift] == slot;
    lane->slots[shift] = slot;
    lane->used[shift] = 1;
    return same;
}

static bool is_short(int shift, int64_t length_ns)
{
    return length_ns >= 0 && length_ns < (INT64_C(1) << shift);
}

void ordo_overview_count(struct ordo_overview *overview, uint32_t lane, int64_t begin_ns, int64_t length_ns)
{
    overview->total++;
    for (int i = 0; i < ORDO_OVERVIEW_WIDTHS; i++)
        overview->bars[i] += !is_short(i, length_ns) || !joins(&overview->all[lane], i, begin_ns);
}

int ordo_overview_choose(const struct ordo_overview *overview, uint64_t most)
{
    for (int i = 0; i < ORDO_OVERVIEW_WIDTHS; i++)
        if (overview->bars[i] <= most)
            return i;
    return -1;
}

enum ordo_overview_what ordo_overview_take(struct ordo_overview *overview, int shift, uint32_t lane, int64_t begin_ns,
                                           int64_t length_ns)
{
    if (!is_short(shift, length_ns))
        return ORDO_OVERVIEW_KEEPS;
    return joins(&overview->all[lane], shift, begin_ns) ? ORDO_OVERVIEW_JOINS : ORDO_OVERVIEW_STARTS;
}

void ordo_overview_free(struct ordo_overview *overview)
{
    ordo_map_free(&overview->lanes);
    free(overview->all);
    *overview = (struct ordo_overview){0};
}
