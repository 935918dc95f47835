/* All constraints say that one shift is at least another one plus a constant. Such a system has a least solution, unless
 * there is a loop of constraints whose constants have a positive sum; it is found by raising the shifts that are too low
 * (Bellman and Ford).
 *
 * [S1] Marks are visited in an order of happens-before, then in the reverse one, and so on. A visit in order carries a shift
 *      along a chain of messages of any length, and a visit in reverse along a rank to its beginning. So the number of
 *      visits grows with how often a chain of constraints turns, and not with its length: messages in one direction need
 *      three.
 * [S2] A mark that was raised was raised along some constraint, and what that asks for has only become more since. If
 *      one follows such constraints back from mark to mark and comes upon a mark again, their constants have a sum that is
 *      not negative; if it is positive, there is no solution. If there is none, shifts rise for ever, beyond the sum of
 *      all positive constants, and then no way back without a loop explains them. So a loop is found at some time.
 * [S3] Where each step of such a loop leads from an event to one that happens after it, on its rank or by a message, the
 *      trace itself is impossible: the gaps of its ranks are the sum, and no stretch below 1 makes it less than 0. Such loops
 *      also keep marks out of the order, and are looked for there first. */
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

/* Returns how many marks were raised. A mark that was not raised since its last visit asks for nothing new. */
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

/* The marks that an event happens directly before, one after the other: first the effects, then the neighbours that are
 * later (also in a file that has a rank's events out of order). */
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

/* Of how many marks a mark waits. A point between has no neighbours, and may wait for all ranks: it counts in `before`. */
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

/* Puts the marks into the order (Kahn). Returns how many have their place in it; the others are on loops of it or behind
 * them, and come last. */
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

/* Whether the constants of the loop through `at` have a positive sum. */
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
    return sum + of_messages > 0;
}

/* Follows `from` back from each mark. `seen` has room for all marks, and is 0. */
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

/* [S3], of the marks that have no place in the order: each has a cause that has none either. */
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

/* Neighbours at one time explain each other's shifts: such a step is taken to a mark without another one only, from one that has
 * another. */
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

/* [S2] */
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

static enum ordo_shifts_found look(const struct ordo_marks *marks, bool in_order, struct ordo_shifts *shifts)
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

/* [S1] At most `most` times; in the order of the marks themselves if `order` is NULL. */
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
        enum ordo_shifts_found found = look(marks, false, shifts);
        if (found != ORDO_SHIFTS_LEAST)
            return found;
        next_look *= 2;
    }
    return ORDO_SHIFTS_GAVE_UP;
}

/* Most traces need few shifts, and come in almost the order that putting them in order would find: that is tried first. */
enum ordo_shifts_found ordo_shifts_find(struct ordo_marks *marks, uint32_t *order, uint64_t visits_most,
                                        struct ordo_shifts *shifts)
{
    *shifts = (struct ordo_shifts){0};
    reset(marks);
    if (sweep(marks, NULL, SWEEPS_TRIED, shifts) == ORDO_SHIFTS_LEAST)
        return ORDO_SHIFTS_LEAST;
    reset(marks);
    if (put_in_order(marks, order) + 1 < marks->count) {
        enum ordo_shifts_found found = look(marks, true, shifts);
        if (found != ORDO_SHIFTS_LEAST)
            return found;
    }
    reset(marks);
    return sweep(marks, order, SWEEPS_LEAST + visits_most / marks->count, shifts);
}
