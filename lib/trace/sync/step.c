/* [P1] A low bound l comes from a reading s of the clock, taken at a global time of at most u = s - l. A high bound h
 *      comes from a reading r, taken at a global time of at least v = r - h. Let D = |u - v|.
 *      - If u < v, the clock ran for at least D from s to r, so r - s >= (1 - limit) D.
 *      - If u > v, the clock ran for at most D from r to s, so s - r <= (1 + limit) D.
 *      Both cases give l - h <= limit D. Readings are rounded down: those of the clock by up to its granule g, those
 *      of the master by up to its granule m. The rounding changes r - s by up to g, and D by up to m, so l - h may
 *      exceed limit D by up to (1 + limit) m + g.
 * [P2] The bounds are sorted by their global times u and v. This is the order of the events even if the clock was set
 *      back. A clock that was set back shows some of its times twice, so windows of its own time would mix bounds from
 *      before the step with bounds from after the step.
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

/* Returns by how many ns two bounds contradict each other [P1]; <= 0 if they do not. */
static double excess(const struct bound *earlier, const struct bound *later, double limit, double slack_ns)
{
    double falls = apart(earlier->offset_ns, later->offset_ns);
    return (earlier->high ? -falls : falls) - limit * apart(later->global_ns, earlier->global_ns) - slack_ns;
}

/* Finds the last bound before `later` that contradicts it, and describes the step between these two bounds. Such a
 * bound must exist. */
static void describe_step(struct ordo_step *step, const struct bound *all, const struct bound *later, double limit,
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
            describe_step(step, all, at, limit, slack_ns);
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
