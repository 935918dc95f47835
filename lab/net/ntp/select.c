#include "lab/net/ntp/select.h"

#include <math.h>
#include <stdlib.h>

/* An end of an interval, or its middle. */
struct end {
    double at_ps;
    int kind; /* -1: it begins, 0: its middle, 1: it ends */
};

static int compare_ends(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    if (a->at_ps != b->at_ps)
        return a->at_ps < b->at_ps ? -1 : 1;
    return a->kind - b->kind;
}

/* Walks over the ends from below or from above. Stops at the first end at which `needed` intervals overlap, and counts
 * the middles before it. Returns false if there is no such end. */
static bool reach_overlap(const struct end *ends, int count, int needed, bool from_above, double *at_ps, int *middles)
{
    int overlap = 0;
    for (int i = 0; i < count; i++) {
        const struct end *end = &ends[from_above ? count - 1 - i : i];
        overlap += from_above ? end->kind : -end->kind;
        *at_ps = end->at_ps;
        if (overlap >= needed)
            return true;
        *middles += end->kind == 0;
    }
    return false;
}

/* Finds the range from the first to the last point that all but `allowed` intervals contain. Returns true if the range
 * exists and at most `most` middles are outside it. */
static bool intersect(const struct end *ends, int sources, int allowed, int most, struct ordo_net_ntp_common *common)
{
    int middles = 0, needed = sources - allowed;
    return reach_overlap(ends, 3 * sources, needed, false, &common->low_ps, &middles) &&
           reach_overlap(ends, 3 * sources, needed, true, &common->high_ps, &middles) && middles <= most &&
           common->low_ps <= common->high_ps;
}

/* Finds the common range of the largest majority, with the rule of the middles or without it [N2]. */
static bool agree_most(const struct end *ends, int sources, bool by_middles, struct ordo_net_ntp_common *common)
{
    bool found = false;
    for (int allowed = 0; !found && 2 * allowed < sources; allowed++)
        found = intersect(ends, sources, allowed, by_middles ? allowed : 2 * sources, common);
    return found;
}

static bool meets(const struct ordo_net_ntp_source *source, double reach_ps, const struct ordo_net_ntp_common *common)
{
    return source->offset_ps + reach_ps >= common->low_ps && source->offset_ps - reach_ps <= common->high_ps;
}

bool ordo_net_ntp_select(struct ordo_net_ntp_source *sources, int count, struct ordo_net_ntp_common *common)
{
    struct end ends[3 * ORDO_NET_NTP_SERVERS];
    for (int i = 0; i < count; i++) {
        ends[3 * i] = (struct end){sources[i].offset_ps - sources[i].distance_ps, -1};
        ends[3 * i + 1] = (struct end){sources[i].offset_ps, 0};
        ends[3 * i + 2] = (struct end){sources[i].offset_ps + sources[i].distance_ps, 1};
    }
    qsort(ends, 3 * (size_t)count, sizeof *ends, compare_ends);
    bool by_middles = agree_most(ends, count, true, common),
         found = by_middles || agree_most(ends, count, false, common);
    for (int i = 0; i < count; i++)
        sources[i].believed = found && meets(&sources[i], by_middles ? 0 : sources[i].distance_ps, common);
    return found;
}

double ordo_net_ntp_combine(const struct ordo_net_ntp_source *sources, int count,
                            const struct ordo_net_ntp_common *common)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < count; i++)
        if (sources[i].believed) {
            sum += sources[i].offset_ps / sources[i].distance_ps;
            weights += 1 / sources[i].distance_ps;
        }
    return fmin(fmax(sum / weights, common->low_ps), common->high_ps); /* [N2] */
}

static int holding(const struct ordo_interval *intervals, int count, int64_t point)
{
    int holds = 0;
    for (int i = 0; i < count; i++)
        holds += intervals[i].low <= point && point <= intervals[i].high;
    return holds;
}

/* It is enough to try the ends of the intervals: the first point that count - wrong intervals contain is the low end of
 * an interval, and the last such point is the high end of an interval [N1]. */
bool ordo_net_ntp_prove(const struct ordo_interval *intervals, int count, int wrong, struct ordo_interval *proved)
{
    *proved = (struct ordo_interval){INT64_MAX, INT64_MIN};
    for (int i = 0; i < count && count > wrong; i++) {
        if (intervals[i].low < proved->low && holding(intervals, count, intervals[i].low) >= count - wrong)
            proved->low = intervals[i].low;
        if (intervals[i].high > proved->high && holding(intervals, count, intervals[i].high) >= count - wrong)
            proved->high = intervals[i].high;
    }
    return proved->low <= proved->high;
}
