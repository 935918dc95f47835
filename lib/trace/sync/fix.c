#include "trace/sync/fix.h"

#include <math.h>
#include <stdlib.h>

int ordo_fixes_add(struct ordo_fixes *fixes, const struct ordo_fix *fix, struct ordo_error *error)
{
    if (fixes->count == fixes->room) {
        int room = fixes->room ? 2 * fixes->room : 8;
        struct ordo_fix *all = room < INT32_MAX / 4 ? realloc(fixes->all, (size_t)room * sizeof *all) : NULL;
        if (!all)
            return ordo_error_set(error, ORDO_E_SYSTEM, 0, "rank %d: %d exchanges: out of memory", fixes->rank,
                                  fixes->count);
        fixes->all = all;
        fixes->room = room;
    }
    fixes->all[fixes->count++] = *fix;
    return ORDO_OK;
}

static int by_session(const void *a, const void *b)
{
    const struct ordo_fix *x = a, *y = b;
    if (x->session != y->session)
        return x->session < y->session ? -1 : 1;
    return x->sent_ns < y->sent_ns ? -1 : x->sent_ns > y->sent_ns;
}

void ordo_fixes_sort(struct ordo_fixes *fixes)
{
    if (fixes->count > 0) /* without fixes `all` may be NULL */
        qsort(fixes->all, (size_t)fixes->count, sizeof *fixes->all, by_session);
}

int ordo_fixes_sessions(const struct ordo_fixes *fixes)
{
    int sessions = 0;
    for (int from = 0; from < fixes->count; from = ordo_fixes_session_end(fixes, from))
        sessions++;
    return sessions;
}

/* Returns the round trip: in the difference of the two bounds the offset cancels. */
static int64_t round_trip(const struct ordo_fix *fix)
{
    return fix->high_ns - fix->low_ns;
}

static int by_round_trip(const void *a, const void *b)
{
    const struct ordo_fix *x = a, *y = b;
    if (round_trip(x) != round_trip(y))
        return round_trip(x) < round_trip(y) ? -1 : 1;
    return x->sent_ns < y->sent_ns ? -1 : x->sent_ns > y->sent_ns;
}

struct ordo_condensed ordo_fixes_condense(struct ordo_fix *fixes, int from, int end)
{
    int kept = ordo_fixes_kept(end - from);
    qsort(fixes + from, (size_t)(end - from), sizeof *fixes, by_round_trip);
    const struct ordo_fix *first = &fixes[from];
    struct ordo_condensed point = {first->sent_ns, first->low_ns, 0, (double)round_trip(first)};
    double at = 0;
    for (int i = from; i < from + kept; i++) {
        double middle =
            (double)(fixes[i].sent_ns - first->sent_ns) + (double)(fixes[i].received_ns - fixes[i].sent_ns) / 2;
        double offset = (double)(fixes[i].low_ns - first->low_ns) + (double)round_trip(&fixes[i]) / 2;
        at += middle / kept;
        point.offset_ns += offset / kept;
    }
    point.at_ns += llrint(at);
    return point;
}
