/* The step of a clock, inferred from the digits of its readings.
 *
 * [U1] A clock that steps by g from 0 shows only multiples of g, so g divides the greatest common divisor of any of its
 *      readings. Whatever readings are known, the inferred step is therefore >= g, and bounds that are widened by it
 *      are certain. More readings make the inferred step finer, down to g. The argument holds for g <= 1 s, the largest
 *      step that is inferred, and for at least two different readings.
 * [U2] Readings of a fine clock may have a common divisor by chance. Let the clock step by 1 ns: two readings have a
 *      common divisor above 10 in one trace of 17, and ten readings have a common divisor above 1 in one trace of 1000.
 *      A single reading says nothing, because every step up to 1 s that divides it is possible. The step is then taken
 *      to be the largest power of ten that divides the reading, because clocks are commonly read in ns, us or ms. This
 *      step is only a guess: if a clock that steps by 4 ms shows 8 ms once, the guess is 1 ms.
 * [U3] Digits do not show a step that is not a whole number of ns (a counter of 24 MHz), nor steps that do not start
 *      at 0. For such a clock the file, or the option --granule, must state the step. */
#ifndef ORDO_TRACE_CLOCKS_UNIT_H
#define ORDO_TRACE_CLOCKS_UNIT_H

#include <stdint.h>

struct ordo_unit {
    int64_t divisor_ns; /* greatest common divisor of all readings; 0: all readings were 0 */
    int64_t last_ns;
    uint32_t count; /* number of readings that differed from the preceding reading */
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

/** Returns the inferred step in ns, at most 1 s. With two different readings or more, it is at least the clock's own
 * step [U1]; with one reading it is a guess [U2]. */
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
