/* [P1] A low bound l comes from a reading s of the clock, taken when the global time was at most g = s - l; a high
 *      bound h comes from a reading r, taken when the global time was at least r - h. If the low bound is the earlier
 *      one by these times, the clock ran for at least their distance D from s to r, so r - s is at least (1 - limit)
 *      D: h is at least l - limit D. If the low bound is the later one, s - r is at most (1 + limit) D, which says the
 *      same: l is at most h + limit D. Readings are rounded down, by up to a granule of the clock, g, and of the
 *      master, m. The rounding changes r - s by up to g and D by up to m, so the two may differ by (1 + limit) m + g
 *      more.
 * [P2] The order of these times is the order of the events, also for a clock that was set back, which shows some of
 *      its times twice; windows of its own time would mix the bounds from before the step with those from after it.
 * [P3] The search visits the bounds in the order of the global times, and keeps the tightest low bound and the
 *      tightest high bound so far, each carried to the present time at the limit. The first bound that contradicts one
 *      of them was taken after the step; the last bound that it contradicts was taken before the step. */
#include "trace/sync/step.h"

#include <math.h>
#include <stdlib.h>

struct bound {
    int64_t global_ns, at_ns, offset_ns;
    bool high;
};

static int by_global(const void *a, const void *b)
{
    const struct bound *x = a, *y = b;
    return x->global_ns < y->global_ns ? -1 : x->global_ns > y->global_ns;
}

/* Returns a_ns - b_ns; unspecified for times that are centuries apart. */
static double apart(int64_t a_ns, int64_t b_ns)
{
    return (double)(int64_t)((uint64_t)a_ns - (uint64_t)b_ns);
}

/* Returns by how much two bounds contradict each other, [P1]. If it is not positive, they do not. */
static double excess(const struct bound *earlier, const struct bound *later, double limit, double slack_ns)
{
    double falls = apart(earlier->offset_ns, later->offset_ns);
    return (earlier->high ? -falls : falls) - limit * apart(later->global_ns, earlier->global_ns) - slack_ns;
}

/* Finds the last bound that `later` contradicts, which exists, and describes the step between the two. */
static void tell_step(struct ordo_step *step, const struct bound *all, const struct bound *later, double limit,
                      double slack_ns)
{
    const struct bound *earlier = later - 1;
    while (earlier > all && (earlier->high == later->high || excess(earlier, later, limit, slack_ns) <= 0))
        earlier--;
    bool back = later->at_ns < earlier->at_ns;
    *step = (struct ordo_step){.found = true,
                               .from_ns = back ? later->at_ns : earlier->at_ns,
                               .to_ns = back ? earlier->at_ns : later->at_ns,
                               .by_ns = apart(later->offset_ns, earlier->offset_ns)};
}

/* [P3] `most` holds the tightest bounds, with their own times; a comparison carries them to the time of the other
 *      bound. */
static void visit(struct ordo_step *step, const struct bound *all, int count, double limit, double slack_ns)
{
    const struct bound *most[2] = {NULL, NULL}; /* low, high */
    for (int i = 0; i < count && !step->found; i++) {
        const struct bound *at = &all[i], *other = most[!at->high], *same = most[at->high];
        if (other && excess(other, at, limit, slack_ns) > 0)
            tell_step(step, all, at, limit, slack_ns);
        double rises = same ? apart(at->offset_ns, same->offset_ns) : 0;
        if (!same || (at->high ? -rises : rises) + limit * apart(at->global_ns, same->global_ns) >= 0)
            most[at->high] = at;
    }
}

int ordo_step_find(struct ordo_step *step, const struct ordo_fixes *fixes, double limit, double slack_ns,
                   struct ordo_error *error)
{
    struct bound *all = malloc(((size_t)fixes->count * 2 + 1) * sizeof *all);
    *step = (struct ordo_step){0};
    if (!all)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "rank %d: %d exchanges: out of memory", fixes->rank,
                              fixes->count);
    for (int i = 0; i < fixes->count; i++) {
        const struct ordo_fix *fix = &fixes->all[i];
        all[2 * i] = (struct bound){fix->sent_ns - fix->low_ns, fix->sent_ns, fix->low_ns, false};
        all[2 * i + 1] = (struct bound){fix->received_ns - fix->high_ns, fix->received_ns, fix->high_ns, true};
    }
    qsort(all, (size_t)fixes->count * 2, sizeof *all, by_global);
    visit(step, all, 2 * fixes->count, limit, slack_ns);
    free(all);
    return ORDO_OK;
}
