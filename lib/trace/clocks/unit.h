/* The step of a clock, inferred from the digits of its readings.
 *
 * [U1] A clock that steps by g from 0 shows only multiples of g, so g divides the greatest common divisor of any of its
 *      readings. An inferred step is therefore never finer than g, whichever readings are known, and the bounds that it
 *      widens stay true. More readings make it finer, down to g itself. This holds for g up to 1 s, the largest step that is
 *      inferred, and for two different readings or more.
 * [U2] Readings of a fine clock have a common divisor by chance: two of a clock of 1 ns have one above 10 once in 17 traces, ten
 *      have one above 1 once in 1000. One reading alone is its own divisor, which says nothing: any step that divides it is possible, up to 1 s.
 *      Its step is taken to be the largest power of ten that divides it, as clocks that are read in ns, us or ms have. It is a guess,
 *      and not certain: a clock of 4 ms may show 8 ms alone, which gives 1 ms.
 * [U3] Digits do not show a step that is no whole number of ns (a counter of 24 MHz), nor a step from another instant
 *      than 0. The file of such a clock has to name its step, or --granule. */
#ifndef ORDO_TRACE_CLOCKS_UNIT_H
#define ORDO_TRACE_CLOCKS_UNIT_H

#include <stdint.h>

struct ordo_unit {
    int64_t divisor_ns; /* of all readings; 0: none but 0 */
    int64_t last_ns;
    uint32_t count; /* of readings that were not that of before */
};

/** Takes a reading. */
static inline void ordo_unit_take(struct ordo_unit *unit, int64_t time_ns)
{
    if (unit->divisor_ns == 1 || (unit->count > 0 && time_ns == unit->last_ns))
        return;
    uint64_t a = (uint64_t)unit->divisor_ns, b = time_ns < 0 ? -(uint64_t)time_ns : (uint64_t)time_ns;
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    unit->divisor_ns = (int64_t)a;
    unit->last_ns = time_ns;
    unit->count += unit->count < UINT32_MAX;
}

/** Returns the step in ns, at most 1 s: not below the clock's own if there are two different readings [U1], and a guess if
 * there is one [U2]. */
static inline int64_t ordo_unit_step(const struct ordo_unit *unit)
{
    const int64_t most = 1000000000;
    int64_t step = 1, divisor = unit->divisor_ns;
    if (unit->count > 1 && divisor > 0)
        return divisor < most ? divisor : most;
    while (step < most && divisor > 0 && divisor % (10 * step) == 0)
        step *= 10;
    return step;
}

#endif
