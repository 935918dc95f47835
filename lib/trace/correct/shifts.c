/* Each constraint says that one shift is at least another shift plus a constant. A system of such constraints has a
 * least solution unless the constants around some loop of constraints have a positive sum. The solver raises the shifts
 * that are too low until all constraints hold (Bellman and Ford).
 *
 * [S1] The solver sweeps over all marks in an order of happens-before, then in the reverse order, and so on. A sweep in
 *      order carries a shift along a chain of messages of any length; a reverse sweep carries a shift back to the first
 *      mark of a rank. The number of sweeps therefore grows with the number of times that a chain of constraints
 *      changes its direction in time, and not with the length of the chain: messages in one direction need three
 *      sweeps.
 * [S2] The explanation of a raised mark is a constraint that demands at least the mark's present shift. Every raised
 *      mark has one: the constraint that raised the mark last, because the source of this constraint can only have
 *      risen since. The search for a loop walks from each mark to the source of its explanation, and so on. If the walk
 *      returns to a mark, the sum of the constants around that loop is >= 0; a positive sum proves that there is no
 *      solution. If there is no solution, the walk finds a loop sooner or later: the shifts then rise for ever, but a
 *      walk without a loop explains a shift of at most the sum of all positive constants.
 * [S3] If every step of a loop leads from an event to a later event in happens-before, on the same rank or by a
 *      message, the trace itself is impossible. The constants of such a loop add up to its local intervals, less
 *      `stretch` times each interval; no stretch below 1 makes this sum negative. The marks of such a loop have no
 *      place in an order of happens-before, so the marks without a place are searched first. */
#include "trace/correct/shifts.h"

#include <stdlib.h>

enum { SWEEPS_TRIED = 4, SWEEPS_LEAST = 64, FIRST_LOOK = 8 };

static bool raise_to(struct ordo_mark *mark, double shift_ns)
{
    if (shift_ns <= mark->shift_ns)
        return false;
    mark->shift_ns = shift_ns;
    mark->raised = 1;
    return true;
}

static double asked_of_effect(const struct ordo_mark *from, const struct ordo_mark *effect)
{
    return from->shift_ns + ordo_mark_later(from->time_ns, effect->time_ns);
}

static double asked_of_neighbour(const struct ordo_marks *marks, const struct ordo_mark *from,
                                 const struct ordo_mark *neighbour)
{
    return from->shift_ns - ordo_mark_fall(marks->stretch[from->rank], from->time_ns, neighbour->time_ns);
}

/* Raises the marks that are lower than a constraint from mark `at` demands. Returns the number of raised marks. Does
 * nothing if mark `at` was not raised since its last visit, because the constraints from it then hold. */
static uint64_t raise_from(struct ordo_marks *marks, uint32_t at)
{
    struct ordo_mark *all = marks->all, *mark = &all[at];
    uint64_t raised = 0;
    if (!mark->raised)
        return 0;
    mark->raised = 0;
    for (uint32_t to = ordo_mark_effect(all, at); to != ORDO_MARK_NONE; to = ordo_mark_next_effect(all, at, to))
        raised += raise_to(&all[to], asked_of_effect(mark, &all[to]));
    if (mark->before != ORDO_MARK_NONE)
        raised += raise_to(&all[mark->before], asked_of_neighbour(marks, mark, &all[mark->before]));
    if (mark->after != ORDO_MARK_NONE)
        raised += raise_to(&all[mark->after], asked_of_neighbour(marks, mark, &all[mark->after]));
    return raised;
}

/* Enumerates the direct successors of a mark in happens-before: first its effects, then its later neighbours on its
 * rank. If a file has a rank's events out of order, the mark `before` can be a later neighbour. */
struct walk {
    uint32_t effect;
    int neighbours;
};

static struct walk walk_from(const struct ordo_mark *all, uint32_t at)
{
    return (struct walk){ordo_mark_effect(all, at), all[at].sort == ORDO_MARK_BETWEEN ? 2 : 0};
}

static uint32_t walk_on(const struct ordo_mark *all, uint32_t at, struct walk *walk)
{
    uint32_t to = walk->effect;
    if (to != ORDO_MARK_NONE) {
        walk->effect = ordo_mark_next_effect(all, at, to);
        return to;
    }
    while (walk->neighbours < 2) {
        bool next = walk->neighbours++ == 0;
        to = next ? all[at].after : all[at].before;
        if (to != ORDO_MARK_NONE && (next ? all[to].time_ns >= all[at].time_ns : all[to].time_ns > all[at].time_ns))
            return to;
    }
    return ORDO_MARK_NONE;
}

/* Adds 1 to the number of marks that a mark waits for. A point between can wait for all ranks; its number is in
 * `before`, which is free because the point has no neighbours. */
static void add_wait(struct ordo_mark *mark)
{
    if (mark->sort == ORDO_MARK_BETWEEN)
        mark->before++;
    else
        mark->waits++;
}

static bool end_wait(struct ordo_mark *mark)
{
    return mark->sort == ORDO_MARK_BETWEEN ? --mark->before == 0 : --mark->waits == 0;
}

static bool has_waits(const struct ordo_mark *mark)
{
    return mark->sort == ORDO_MARK_BETWEEN ? mark->before > 0 : mark->waits > 0;
}

/* Puts the marks into an order of happens-before (Kahn). Returns the number of marks that have a place in this order.
 * The other marks, which are on loops or after loops, are at the end of the array. */
static size_t put_in_order(struct ordo_marks *marks, uint32_t *order)
{
    struct ordo_mark *all = marks->all;
    size_t filled = 0;
    for (uint32_t at = 1; at < marks->count; at++) {
        struct walk walk = walk_from(all, at);
        for (uint32_t to; (to = walk_on(all, at, &walk)) != ORDO_MARK_NONE;)
            add_wait(&all[to]);
    }
    for (uint32_t at = 1; at < marks->count; at++)
        if (!has_waits(&all[at]))
            order[filled++] = at;
    for (size_t i = 0; i < filled; i++) {
        struct walk walk = walk_from(all, order[i]);
        for (uint32_t to; (to = walk_on(all, order[i], &walk)) != ORDO_MARK_NONE;)
            if (end_wait(&all[to]))
                order[filled++] = to;
    }
    size_t ordered = filled;
    for (uint32_t at = 1; filled + 1 < marks->count && at < marks->count; at++)
        if (has_waits(&all[at]))
            order[filled++] = at;
    return ordered;
}

static void reset(struct ordo_marks *marks)
{
    for (size_t i = 1; i < marks->count; i++) {
        struct ordo_mark *mark = &marks->all[i];
        mark->waits = 0;
        mark->raised = 1;
        mark->shift_ns = 0;
        if (mark->sort == ORDO_MARK_BETWEEN) {
            mark->before = ORDO_MARK_NONE;
            mark->shift_ns = -INFINITY;
        }
    }
}

static bool is_effect(const struct ordo_mark *all, uint32_t of, uint32_t at)
{
    uint32_t to = ordo_mark_effect(all, of);
    while (to != ORDO_MARK_NONE && to != at)
        to = ordo_mark_next_effect(all, of, to);
    return to != ORDO_MARK_NONE;
}

/* True if the constants of the loop through `at` have a positive sum. */
static bool is_loop(const struct ordo_marks *marks, const uint32_t *from, uint32_t at, struct ordo_shifts *shifts)
{
    const struct ordo_mark *all = marks->all;
    double sum = 0, of_messages = 0, of_gaps = 0;
    uint32_t to = at;
    *shifts = (struct ordo_shifts){.at = at, .other = at, .happens_before = true};
    do {
        const struct ordo_mark *mark = &all[from[to]], *next = &all[to];
        if (is_effect(all, from[to], to)) {
            of_messages += ordo_mark_later(mark->time_ns, next->time_ns);
        } else {
            sum -= ordo_mark_fall(marks->stretch[mark->rank], mark->time_ns, next->time_ns);
            of_gaps += fabs(ordo_mark_later(mark->time_ns, next->time_ns));
            shifts->happens_before &=
                next->time_ns > mark->time_ns || (next->time_ns == mark->time_ns && mark->after == to);
        }
        if (all[shifts->at].sort == ORDO_MARK_BETWEEN)
            shifts->at = from[to];
        if (mark->sort != ORDO_MARK_BETWEEN && mark->rank != all[shifts->at].rank)
            shifts->other = from[to];
        to = from[to];
    } while (to != at);
    shifts->stretch = of_gaps > 0 ? of_messages / of_gaps : INFINITY;
    shifts->allowed = of_gaps > 0 ? -sum / of_gaps : 0;
    return sum + of_messages > 0;
}

/* Walks from each mark along `from` until it finds a loop with a positive sum. `seen` has an entry for each mark, at
 * first 0. */
static bool find_loop(const struct ordo_marks *marks, const uint32_t *from, uint32_t *seen, struct ordo_shifts *shifts)
{
    for (uint32_t start = 1; start < marks->count; start++) {
        uint32_t at = start;
        while (at != ORDO_MARK_NONE && seen[at] == 0) {
            seen[at] = start;
            at = from[at];
        }
        if (at != ORDO_MARK_NONE && seen[at] == start && is_loop(marks, from, at, shifts))
            return true;
    }
    return false;
}

/* [S3] Explains each mark that has no place in the order by a cause that has no place either. */
static void lead_back_in_order(const struct ordo_marks *marks, uint32_t *from)
{
    const struct ordo_mark *all = marks->all;
    for (uint32_t at = 1; at < marks->count; at++) {
        struct walk walk = walk_from(all, at);
        for (uint32_t to; has_waits(&all[at]) && (to = walk_on(all, at, &walk)) != ORDO_MARK_NONE;)
            from[to] = at;
    }
}

static bool was_raised(const struct ordo_mark *mark)
{
    return mark->shift_ns > (mark->sort == ORDO_MARK_BETWEEN ? -INFINITY : 0);
}

/* Two neighbours at one time have one shift, so each could explain the other. A mark is explained by such a neighbour
 * only if the mark has no explanation yet and the neighbour has one. */
static void lead_back_in_ties(const struct ordo_marks *marks, uint32_t *from, bool on)
{
    const struct ordo_mark *all = marks->all;
    for (size_t i = 1; i < marks->count; i++) {
        uint32_t at = (uint32_t)(on ? i : marks->count - i), to = on ? all[at].after : all[at].before;
        bool tie = all[at].sort != ORDO_MARK_BETWEEN && to != ORDO_MARK_NONE && all[to].time_ns == all[at].time_ns;
        if (tie && from[to] == ORDO_MARK_NONE && from[at] != ORDO_MARK_NONE && was_raised(&all[to]))
            from[to] = at;
    }
}

/* [S2] Explains each raised mark by a constraint that demands at least its present shift. */
static void lead_back_by_shifts(const struct ordo_marks *marks, uint32_t *from)
{
    const struct ordo_mark *all = marks->all;
    for (uint32_t at = 1; at < marks->count; at++) {
        uint32_t to = ordo_mark_effect(all, at);
        for (; to != ORDO_MARK_NONE; to = ordo_mark_next_effect(all, at, to))
            if (was_raised(&all[to]) && asked_of_effect(&all[at], &all[to]) >= all[to].shift_ns)
                from[to] = at;
        for (int i = 0; i < 2; i++) {
            to = i == 0 ? all[at].before : all[at].after;
            if (to != ORDO_MARK_NONE && all[to].time_ns != all[at].time_ns && was_raised(&all[to]) &&
                asked_of_neighbour(marks, &all[at], &all[to]) >= all[to].shift_ns)
                from[to] = at;
        }
    }
    lead_back_in_ties(marks, from, true);
    lead_back_in_ties(marks, from, false);
}

static enum ordo_shifts_found look_at_marks(const struct ordo_marks *marks, bool in_order, struct ordo_shifts *shifts)
{
    uint32_t *from = calloc(marks->count, sizeof *from), *seen = calloc(marks->count, sizeof *seen);
    enum ordo_shifts_found found = ORDO_SHIFTS_NO_MEMORY;
    struct ordo_shifts loop;
    if (from && seen) {
        if (in_order)
            lead_back_in_order(marks, from);
        else
            lead_back_by_shifts(marks, from);
        found = find_loop(marks, from, seen, &loop) ? ORDO_SHIFTS_LOOP : ORDO_SHIFTS_LEAST;
        if (found == ORDO_SHIFTS_LOOP)
            *shifts = loop;
    }
    free(from);
    free(seen);
    return found;
}

/* [S1] Sweeps at most `most` times, in the given order; if `order` is NULL, in the order of the marks' indices. */
static enum ordo_shifts_found sweep(struct ordo_marks *marks, const uint32_t *order, uint64_t most,
                                    struct ordo_shifts *shifts)
{
    uint32_t last = (uint32_t)marks->count - 1;
    uint64_t next_look = FIRST_LOOK;
    for (shifts->sweeps = 1; shifts->sweeps <= most; shifts->sweeps++) {
        shifts->changed = 0;
        for (uint32_t i = 0; i < last; i++) {
            uint32_t place = shifts->sweeps % 2 ? i : last - 1 - i;
            shifts->changed += raise_from(marks, order ? order[place] : place + 1);
        }
        if (shifts->changed == 0)
            return ORDO_SHIFTS_LEAST;
        if (shifts->sweeps < next_look)
            continue;
        enum ordo_shifts_found found = look_at_marks(marks, false, shifts);
        if (found != ORDO_SHIFTS_LEAST)
            return found;
        next_look *= 2;
    }
    return ORDO_SHIFTS_GAVE_UP;
}

/* First sweeps in the order of the marks' indices, because most traces need few shifts, and the indices are almost an
 * order of happens-before. */
enum ordo_shifts_found ordo_shifts_find(struct ordo_marks *marks, uint32_t *order, uint64_t visits_most,
                                        struct ordo_shifts *shifts)
{
    *shifts = (struct ordo_shifts){0};
    reset(marks);
    if (sweep(marks, NULL, SWEEPS_TRIED, shifts) == ORDO_SHIFTS_LEAST)
        return ORDO_SHIFTS_LEAST;
    reset(marks);
    if (put_in_order(marks, order) + 1 < marks->count) {
        enum ordo_shifts_found found = look_at_marks(marks, true, shifts);
        if (found != ORDO_SHIFTS_LEAST)
            return found;
    }
    reset(marks);
    return sweep(marks, order, SWEEPS_LEAST + visits_most / marks->count, shifts);
}
