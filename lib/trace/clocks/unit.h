/* The step of a clock, inferred from the digits of its readings.
 *
 * [U1] A clock that steps by g from 0 shows only multiples of g, so g divides the greatest common divisor of any of
 *      its readings. An inferred step is therefore never finer than g, whichever readings are known, and the bounds
 *      that it widens stay true. More readings make it finer, down to g itself. The argument holds for g up to 1 s,
 *      the largest step that is inferred, and for two different readings or more.
 * [U2] Readings of a fine clock may have a common divisor by chance: two readings of a clock of 1 ns have one above 10
 *      in one of 17 traces, and ten readings have one above 1 in one of 1000. One reading alone is its own divisor,
 *      which says nothing: any step that divides it is possible, up to 1 s. Its step is taken to be the largest power
 *      of ten that divides it, because clocks are commonly read in ns, us or ms. This step is a guess, and not
 *      certain: a clock of 4 ms may show 8 ms alone, which gives 1 ms.
 * [U3] Digits do not show a step that is not a whole number of ns (a counter of 24 MHz), nor steps that do not start
 *      at 0. For such a clock the file, or the option --granule, must state the step. */
#ifndef ORDO_TRACE_CLOCKS_UNIT_H
#define ORDO_TRACE_CLOCKS_UNIT_H

#include <stdint.h>

struct ordo_unit {
    int64_t divisor_ns; /* of all readings; 0: all readings were 0 */
    int64_t last_ns;
    uint32_t count; /* of readings that differed from the one before */
};

/** Takes a reading into the divisor. */
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

/** Returns the step in ns, at most 1 s. With two different readings it is not below the clock's own step [U1]; with one
 * it is a guess [U2]. */
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
