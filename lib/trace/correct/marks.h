/* Marks: the ends of messages and collectives, each with its shift; and the constraints between shifts ([R1] to [R3] of
 * correct/repair.c). */
#ifndef ORDO_TRACE_CORRECT_MARKS_H
#define ORDO_TRACE_CORRECT_MARKS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ordo_mark_sort { ORDO_MARK_CAUSE, ORDO_MARK_EFFECT, ORDO_MARK_BETWEEN };
enum { ORDO_MARK_NONE = 0 };

/** A mark: an end of a message, a begin or an end of a collective, or a point between. A point between belongs to a
 * collective and has no rank: it is not before the begins that ranks wait for, and the ends of the waiting ranks are
 * not before it. */
struct ordo_mark {
    int64_t time_ns; /* estimated global time; of a point between: the time of some event of its collective */
    double shift_ns;
    uint32_t before, after; /* neighbours on the same rank; ORDO_MARK_NONE: none */
    /* Of a cause: the first mark that must not be before it. Of an effect: its successor in a list.
     * - of a send: its receive
     * - of a begin: the point between
     * - of a point between: the first end of its list
     * - of an end: the next end of the list; of the last end in a prefix reduction: the next point between */
    uint32_t effect;
    uint32_t sort : 2, rank : 20, waits : 3, raised : 1; /* `waits` and `raised` are for the solver */
};

struct ordo_marks {
    struct ordo_mark *all; /* the first mark is all[1] */
    size_t count;          /* the number of marks plus 1 */
    const double *stretch; /* of each rank: largest relative change of a local interval */
};

/** Returns a_ns - b_ns; unspecified for times that are centuries apart. */
static inline double ordo_mark_later(int64_t a_ns, int64_t b_ns)
{
    return (double)(int64_t)((uint64_t)a_ns - (uint64_t)b_ns);
}

/** Returns by how much the shift of a rank may fall between two times [R3]. 0 if the times are equal, because events at
 * one time have one shift. */
static inline double ordo_mark_fall(double stretch, int64_t a_ns, int64_t b_ns)
{
    const double rounding = 1e-6; /* ns: a mark that is too low by at most `rounding` is not raised again */
    return a_ns == b_ns ? 0 : stretch * fabs(ordo_mark_later(a_ns, b_ns)) + rounding;
}

/** Returns the first mark that must not be before mark `at` [R2]; ORDO_MARK_NONE if there is no such mark. */
static inline uint32_t ordo_mark_effect(const struct ordo_mark *all, uint32_t at)
{
    return all[at].sort == ORDO_MARK_EFFECT ? ORDO_MARK_NONE : all[at].effect;
}

/** Returns the mark that follows `effect` in the list of marks that must not be before mark `at`; ORDO_MARK_NONE if
 * `effect` is the last one. */
static inline uint32_t ordo_mark_next_effect(const struct ordo_mark *all, uint32_t at, uint32_t effect)
{
    bool more = all[at].sort == ORDO_MARK_BETWEEN && all[effect].sort != ORDO_MARK_BETWEEN;
    return more ? all[effect].effect : ORDO_MARK_NONE;
}

#endif
