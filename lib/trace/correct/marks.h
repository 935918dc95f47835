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

/** An end of a message or collective; or a point between the begins and the ends of a collective, which has no rank. */
struct ordo_mark {
    int64_t time_ns; /* global, as estimated; of a point between: the time of an event of its collective */
    double shift_ns;
    uint32_t before, after; /* on the same rank */
    uint32_t effect; /* of a send: its receive; of a begin: the point between; of a point between: the first end in its
                               list; of an end: the next end in the list, or, of the last end of a prefix reduction, the
                               next point between */
    uint32_t sort : 2, rank : 20, waits : 3, raised : 1; /* the solver uses the last two */
};

struct ordo_marks {
    struct ordo_mark *all; /* the first mark is all[1] */
    size_t count;          /* the number of marks plus 1 */
    const double *stretch; /* of each rank: the part of its length by which a local interval may change */
};

/** Returns a_ns - b_ns; unspecified for times that are centuries apart. */
static inline double ordo_mark_later(int64_t a_ns, int64_t b_ns)
{
    return (double)(int64_t)((uint64_t)a_ns - (uint64_t)b_ns);
}

/** Returns by how much the shift of a rank may fall between these two times, [R3]. Events at one time have one
 * shift. */
static inline double ordo_mark_fall(double stretch, int64_t a_ns, int64_t b_ns)
{
    const double rounding = 1e-6; /* ns: a mark that is too low by no more than this is not raised again */
    return a_ns == b_ns ? 0 : stretch * fabs(ordo_mark_later(a_ns, b_ns)) + rounding;
}

/** Returns the first mark that must not be before this one, [R2]. */
static inline uint32_t ordo_mark_effect(const struct ordo_mark *all, uint32_t at)
{
    return all[at].sort == ORDO_MARK_EFFECT ? ORDO_MARK_NONE : all[at].effect;
}

/** Returns the mark after `effect` that must not be before mark `at`; ORDO_MARK_NONE after the last. */
static inline uint32_t ordo_mark_next_effect(const struct ordo_mark *all, uint32_t at, uint32_t effect)
{
    bool more = all[at].sort == ORDO_MARK_BETWEEN && all[effect].sort != ORDO_MARK_BETWEEN;
    return more ? all[effect].effect : ORDO_MARK_NONE;
}

#endif
