/* The ends of messages and collectives, each with its shift, and what one shift asks of others ([R1] to [R3] of
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
    int64_t time_ns; /* global, as estimated; of a point between: that of one of its events */
    double shift_ns;
    uint32_t before, after; /* on the same rank */
    uint32_t effect; /* of a send: its receive; of a begin: the point between; of that: its first end; of an end: the
                               next end of the same point, or of a prefix reduction last the next point */
    uint32_t sort : 2, rank : 20, waits : 3, raised : 1; /* the last two are the solver's */
};

struct ordo_marks {
    struct ordo_mark *all; /* from 1 on */
    size_t count;          /* 1 more than there are */
    const double *stretch; /* of each rank: the part of its length by which a local interval may change */
};

/** Returns how much later one time is; of times that are centuries apart, something. */
static inline double ordo_mark_later(int64_t a_ns, int64_t b_ns)
{
    return (double)(int64_t)((uint64_t)a_ns - (uint64_t)b_ns);
}

/** Returns by how much the shift of a rank may fall over this distance, [R3]. Events at one time have one shift. */
static inline double ordo_mark_fall(double stretch, int64_t a_ns, int64_t b_ns)
{
    const double rounding = 1e-6; /* of ns: for it nothing is raised again */
    return a_ns == b_ns ? 0 : stretch * fabs(ordo_mark_later(a_ns, b_ns)) + rounding;
}

/** Returns the first mark that must not be before this one, [R2]. */
static inline uint32_t ordo_mark_effect(const struct ordo_mark *all, uint32_t at)
{
    return all[at].sort == ORDO_MARK_EFFECT ? ORDO_MARK_NONE : all[at].effect;
}

/** Returns the one that follows `effect`. */
static inline uint32_t ordo_mark_next_effect(const struct ordo_mark *all, uint32_t at, uint32_t effect)
{
    bool more = all[at].sort == ORDO_MARK_BETWEEN && all[effect].sort != ORDO_MARK_BETWEEN;
    return more ? all[effect].effect : ORDO_MARK_NONE;
}

#endif
