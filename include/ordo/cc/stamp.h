/* Where a concurrency control gets its timestamps.
 *
 * One program text runs on any of three stamps; a translation unit chooses one before it includes a header of this
 * folder:
 *
 *   (nothing)            ordo     hardware time and the boundary: nothing is shared
 *   ORDO_STAMP_LOGICAL   logical  the usual counter that all threads increment
 *   ORDO_STAMP_TSC       tsc      hardware time taken as if all clocks agreed. WRONG: exists to show what goes wrong
 *
 * All of them promise the same (tsc only where the boundary is 0), and nothing else may be relied on:
 *
 *   now      a time; earlier loads and stores are performed before it is taken, and nothing later starts before
 *   commit   a time certainly after the one given; ordered as `now`
 *   settled  once it has said so of t, every `now` that starts later, on any thread, is certainly after t
 *
 * `settled` is the commit wait (condition C5): by the lemma of ordo.h a later read shows at least now - B, which is
 * more than t + B exactly when now > t + 2B. Times are not unique (C7), and a thread that moves to another CPU may see
 * them decrease by up to the boundary (C8): whoever needs more keeps the larger of two.
 *
 * Any number of threads may use one struct ordo_stamp; objects of different stamps must not meet.
 */
#ifndef ORDO_CC_STAMP_H
#define ORDO_CC_STAMP_H

#include <ordo/ordo.h>

/** Times of a clock lie below; what lies above is free for sentinels, and no sum with two boundaries wraps (C3). */
#define ORDO_STAMP_LIMIT (UINT64_C(1) << 62)

#if defined ORDO_STAMP_LOGICAL && defined ORDO_STAMP_TSC
#error "choose one stamp"
#endif

#if defined ORDO_STAMP_LOGICAL
#define ORDO_STAMP_NAME "logical"
#elif defined ORDO_STAMP_TSC
#define ORDO_STAMP_NAME "tsc"
#else
#define ORDO_STAMP_NAME "ordo"
#endif

/** The shared part of a stamp, on lines of its own. */
struct ordo_stamp {
    char before[128];
    uint64_t boundary_ticks; /* read only; 0 but for ordo */
    uint64_t counter;        /* logical: odd, and the present time; commits are the even numbers between */
    char after[128 - 2 * sizeof(uint64_t)];
};

/** Starts a stamp with a boundary in ticks: ordo_boundary(&o) of an open handle. Stamps other than ordo ignore it.
 * ORDO_E_INVALID: the handle orders nothing, or the boundary or the clock is so large that times might wrap. A boundary
 * of 0 is taken, though on hardware it is forgotten rather than meant: what is built on a stamp asks
 * ordo_stamp_unsafe. */
static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks)
{
    memset(stamp, 0, sizeof *stamp);
    stamp->counter = 1;
#if !defined ORDO_STAMP_LOGICAL
    if (ordo_clock_relaxed() >= ORDO_STAMP_LIMIT / 2)
        return ORDO_E_INVALID;
#if !defined ORDO_STAMP_TSC
    if (boundary_ticks >= ORDO_STAMP_LIMIT / 8)
        return ORDO_E_INVALID;
    stamp->boundary_ticks = boundary_ticks;
#endif
#endif
    (void)boundary_ticks;
    return ORDO_OK;
}

/** The boundary in ticks; a constant 0 where there is none. */
static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp)
{
#if defined ORDO_STAMP_LOGICAL || defined ORDO_STAMP_TSC
    (void)stamp;
    return 0;
#else
    return stamp->boundary_ticks;
#endif
}

/** Whether the stamp takes the clocks to agree exactly, which nobody has measured, though it could know better. */
static inline int ordo_stamp_unsafe(const struct ordo_stamp *stamp)
{
#if defined ORDO_STAMP_LOGICAL || defined ORDO_STAMP_TSC
    (void)stamp; /* needs none; says so in its name */
    return 0;
#else
    return stamp->boundary_ticks == 0;
#endif
}

/** Whether `a` is certainly after `b`. Compared first and subtracted then, so that sentinels keep their order. */
static inline int ordo_stamp_after(const struct ordo_stamp *stamp, ordo_time a, ordo_time b)
{
    return a.ticks > b.ticks && a.ticks - b.ticks > ordo_stamp_boundary(stamp);
}

/** 1: a is certainly after b; -1: certainly before; 0: cannot be known. */
static inline int ordo_stamp_cmp(const struct ordo_stamp *stamp, ordo_time a, ordo_time b)
{
    return ordo_stamp_after(stamp, a, b) - ordo_stamp_after(stamp, b, a);
}

/** The time now: taken after earlier loads and stores, and before anything later. */
static inline ordo_time ordo_stamp_now(const struct ordo_stamp *stamp)
{
    ordo_time now;
#if defined ORDO_STAMP_LOGICAL
    /* Pairs with ordo_stamp_commit: what was announced before that commit is visible to whoever reads a time after it.
     */
    now.ticks = __atomic_load_n(&stamp->counter, __ATOMIC_SEQ_CST);
#else
    (void)stamp;
    now.ticks = ordo_clock_read_full();
#endif
    return now;
}

/** A time certainly after `t`, which some call of this stamp returned. Waits up to twice the boundary for a `t` of this
 * moment, and not at all for one that is older. */
static inline ordo_time ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t)
{
    ordo_time now;
#if defined ORDO_STAMP_LOGICAL
    (void)t; /* at most the counter, whenever it was returned */
    /* Pairs with ordo_stamp_now: what was announced before is visible to whoever reads a later time. */
    now.ticks = __atomic_fetch_add(&stamp->counter, 2, __ATOMIC_SEQ_CST) + 1;
#else
    now = ordo_stamp_now(stamp);
    while (!ordo_stamp_after(stamp, now, t)) {
        ordo_clock_pause();
        now = ordo_stamp_now(stamp);
    }
#endif
    return now;
}

/** Whether every `now` that starts later, on any thread, is certainly after `t`. Orders as `now`. */
static inline int ordo_stamp_settled(const struct ordo_stamp *stamp, ordo_time t)
{
    return ordo_stamp_after(stamp, ordo_stamp_now(stamp), ordo_time_add(t, ordo_stamp_boundary(stamp)));
}

/** Waits until `t` is settled: until now > t + 2B. */
static inline void ordo_stamp_settle(const struct ordo_stamp *stamp, ordo_time t)
{
    while (!ordo_stamp_settled(stamp, t))
        ordo_clock_pause();
}

#endif
