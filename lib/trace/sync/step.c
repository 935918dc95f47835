/* [P1] A low bound l comes from a reading s of the clock, and the global time then was at most g = s - l; a high bound h
 *      from a reading r, and the global time was at least r - h. So if the low bound is the earlier one by these times, the
 *      clock ran for at least their distance D from s to r, and r - s is at least (1 - limit) D: that is, h is at least
 *      l - limit D. If it is the later one, s - r is at most (1 + limit) D: l is at most h + limit D, which says the same.
 * [P2] The order of these times is that of the events, also of a clock that was set back, and shows some of its times twice.
 *      Windows of its own time would mix what was before the step with what came after it.
 * [P3] So the bounds are visited in the order of the global times; the largest low bound and the smallest high bound
 *      move apart by the limit. The first bound that contradicts one of them came after the step, and the last bound that
 *      it contradicts before. */
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

/* Of times that are centuries apart, something. */
static double apart(int64_t a_ns, int64_t b_ns)
{
    return (double)(int64_t)((uint64_t)a_ns - (uint64_t)b_ns);
}

/* By how much two bounds contradict each other, [P1]; not positive: they do not. */
static double excess(const struct bound *earlier, const struct bound *later, double limit, double slack_ns)
{
    double falls = apart(earlier->offset_ns, later->offset_ns);
    return (earlier->high ? -falls : falls) - limit * apart(later->global_ns, earlier->global_ns) - slack_ns;
}

/* The last bound that `later` contradicts, as one was found to. */
static void tell(struct ordo_step *step, const struct bound *all, const struct bound *later, double limit,
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

/* [P3] Of each kind only the bound that reaches farthest counts: it is kept as it is, and carried where it is compared. */
static void visit(struct ordo_step *step, const struct bound *all, int count, double limit, double slack_ns)
{
    const struct bound *most[2] = {NULL, NULL}; /* low, high */
    for (int i = 0; i < count && !step->found; i++) {
        const struct bound *at = &all[i], *other = most[!at->high], *same = most[at->high];
        if (other && excess(other, at, limit, slack_ns) > 0)
            tell(step, all, at, limit, slack_ns);
        double rises = same ? apart(at->offset_ns, same->offset_ns) : 0;
        if (!same || (at->high ? -rises : rises) + limit * apart(at->global_ns, same->global_ns) >= 0)
            most[at->high] = at;
    }
}

int ordo_step_find(struct ordo_step *step, const struct ordo_fixes *fixes, double limit, int64_t granule_ns,
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
    visit(step, all, 2 * fixes->count, limit, 2 * (double)granule_ns);
    free(all);
    return ORDO_OK;
}
