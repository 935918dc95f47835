/* [K7] If no call was dropped, the calls of one communicator have the same order on all of its ranks (MPI 4.0, 6.14).
 *      Counting then gives each collective one number on all ranks. Calls without a communicator are taken to be of
 *      MPI_COMM_WORLD.
 * [K8] Suppose one run of calls without a gap was dropped from one of two ranks, so that this rank has m calls and the
 *      other m + d. For some p, its calls before p have the same index on both ranks, and its later calls have an index
 *      higher by d on the other rank. Such a p is consistent if the two operations of each pair are equal and if some
 *      pair of clocks with the declared skew can have taken all readings. The true p is consistent, so it lies between
 *      S, the least p whose later pairs are consistent, and P, the largest p whose earlier pairs are. Pairs before S,
 *      and pairs from P on, are the same for every p between: they alone are used. If d is 0, p means nothing: either
 *      all pairs are consistent, or none is used.
 * [K9] If more was dropped than [K8] supposes, wrong pairs would shift a bound by the time between two calls. Unless the
 *      calls come at intervals as regular as their own durations and the shift is the same for all of them, some pair
 *      then contradicts another, S exceeds P, and no call is used. */
#include "trace/correct/holes.h"

#include <math.h>
#include <stdbool.h>

#include "trace/event/event.h"

/* The tightest bounds of the offset so far, relative to `base_ns`, when the clock of the rank with fewer calls showed
 * `at_ns`. `back`: pairs are taken from the last to the first. */
struct window {
    double low, high;
    int64_t at_ns, base_ns;
    bool back, some;
};

/* True if a part waits for others, and if others wait for a part. In a rooted call only the root, or all but it. */
static bool is_cause(const struct ordo_part *part, uint8_t waits)
{
    return waits == ORDO_COLLECTIVE_ALL_TO_ALL || waits == ORDO_COLLECTIVE_ALL_TO_ONE
               ? part->begin_ns != INT64_MIN
               : waits == ORDO_COLLECTIVE_ONE_TO_ALL && part->root == part->rank && part->begin_ns != INT64_MIN;
}

static bool is_effect(const struct ordo_part *part, uint8_t waits)
{
    return waits == ORDO_COLLECTIVE_ALL_TO_ALL || waits == ORDO_COLLECTIVE_ONE_TO_ALL
               ? part->end_ns != INT64_MAX
               : waits == ORDO_COLLECTIVE_ALL_TO_ONE && part->root == part->rank && part->end_ns != INT64_MAX;
}

static double apart(int64_t a_ns, int64_t b_ns)
{
    return (double)(int64_t)((uint64_t)a_ns - (uint64_t)b_ns);
}

/* Carries the bounds to another reading at the largest rate. */
static void carry(struct window *window, int64_t at_ns, double limit)
{
    double change_ns = limit * fabs(apart(at_ns, window->at_ns));
    window->low -= change_ns;
    window->high += change_ns;
    window->at_ns = at_ns;
}

/* Takes the bound of one side: from above at the other rank's end, from below at its begin. */
static void take_side(struct window *window, bool above, const struct ordo_part *one, const struct ordo_part *other,
                      uint8_t kind, double limit)
{
    bool bounds = above ? is_cause(one, kind) && is_effect(other, kind) : is_cause(other, kind) && is_effect(one, kind);
    int64_t at_ns = above ? other->end_ns : other->begin_ns, there_ns = above ? one->begin_ns : one->end_ns;
    if (!bounds)
        return;
    if (!window->some)
        *window = (struct window){-INFINITY, INFINITY, at_ns, at_ns - there_ns, window->back, true};
    carry(window, at_ns, limit);
    double offset = apart(at_ns - there_ns, window->base_ns);
    if (above)
        window->high = fmin(window->high, offset);
    else
        window->low = fmax(window->low, offset);
}

/* Takes a pair into the window. True if it is consistent with all earlier pairs. */
static bool take_pair_of_calls(struct window *window, const struct ordo_part *one, const struct ordo_part *other,
                               const uint8_t *waits, double limit, double slack_ns)
{
    bool rooted = waits[one->name] != ORDO_COLLECTIVE_PREFIX; /* otherwise `root` is a place */
    if (one->name != other->name || (rooted && one->root != other->root))
        return false;
    take_side(window, window->back, one, other, waits[one->name], limit);
    take_side(window, !window->back, one, other, waits[one->name], limit);
    return window->low <= window->high + slack_ns;
}

struct sequences {
    const struct ordo_part *one, *other;
    size_t count, shift;
    const uint8_t *waits;
    double limit, slack_ns;
};

/* [K8] Returns P. */
static size_t consistent_before(const struct sequences *of)
{
    struct window window = {0};
    size_t at = 0;
    while (at < of->count &&
           take_pair_of_calls(&window, &of->one[at], &of->other[at], of->waits, of->limit, of->slack_ns))
        at++;
    return at;
}

/* [K8] Returns S. */
static size_t consistent_after(const struct sequences *of)
{
    struct window window = {.back = true};
    size_t at = of->count;
    while (at > 0 && take_pair_of_calls(&window, &of->one[at - 1 + of->shift], &of->other[at - 1], of->waits, of->limit,
                                        of->slack_ns))
        at--;
    return at;
}

/* True if the pairs before S and from P on are consistent with each other. */
static bool all_consistent(const struct sequences *of, size_t before, size_t after)
{
    struct window window = {0};
    for (size_t i = 0; i < of->count; i++) {
        size_t to = i < before ? i : i + of->shift;
        if ((i < before || i >= after) &&
            !take_pair_of_calls(&window, &of->one[to], &of->other[i], of->waits, of->limit, of->slack_ns))
            return false;
    }
    return true;
}

size_t ordo_holes_number(const struct ordo_part *one, size_t count_one, struct ordo_part *other, size_t count,
                         const uint8_t *waits, double limit, double slack_ns, size_t *odd)
{
    struct sequences of = {one, other, count, count_one - count, waits, limit, slack_ns};
    size_t most = consistent_before(&of), least = of.shift ? consistent_after(&of) : most, used = 0;
    bool some = of.shift ? least <= most && all_consistent(&of, least, most) : most == count;
    *odd = most;
    for (size_t i = 0; i < count; i++) {
        bool known = some && (of.shift == 0 || i < least || i >= most);
        other[i].number = !known ? UINT32_MAX : one[of.shift == 0 || i < least ? i : i + of.shift].number;
        used += known;
    }
    return used;
}
