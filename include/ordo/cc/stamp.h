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
 *   settle   returns once every `now` that starts later, on any thread, is certainly after the t given
 *
 * `settle` is the commit wait (condition C5): by the lemma of ordo.h a later read shows at least now - B, which is
 * more than t + B exactly when now > t + 2B. Times are not unique (C7), and a thread that moves to another CPU may see
 * them decrease by up to the boundary (C8): whoever needs more keeps the larger of two.
 *
 * All of that rests on the clocks keeping within the boundary (C1). With a `watch`, an open handle of the record that
 * the boundary came from, no wait for the clock outlasts that: it ends with ORDO_E_DISRUPTED where the record was
 * marked so, or where it is for a time more than 2^32 ticks + B ahead, which by the lemma no clock has returned that
 * keeps within the boundary. Without one only the latter ends it. Only who already waits looks at the watch.
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
    uint64_t boundary_ticks;  /* read only, but for ordo_stamp_raise; 0 but for ordo */
    const struct ordo *watch; /* read only; may be NULL */
    uint64_t counter;         /* logical: odd, and the present time; commits are the even numbers between */
    char after[128 - 2 * sizeof(uint64_t) - sizeof(void *)];
};

/** Starts a stamp with a boundary in ticks: ordo_boundary(&o) of an open handle. Stamps other than ordo ignore it.
 * `watch` is that handle, which then stays where it is and open as long as the stamp is used, or NULL; a stamp without
 * a clock ignores it. ORDO_E_INVALID: the handle orders nothing, or the boundary or the clock is so large that times
 * might wrap. A boundary of 0 is taken, though on hardware it is forgotten rather than meant: what is built on a stamp
 * asks ordo_stamp_unsafe. */
static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch)
{
    memset(stamp, 0, sizeof *stamp);
    stamp->counter = 1;
    stamp->watch = watch;
#if !defined ORDO_STAMP_LOGICAL
    if (watch && ordo_status(watch) == ORDO_STATUS_CLOSED)
        return ORDO_E_INVALID;
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

/** Whether the record that is watched says that the clocks no longer agree. One load; never without a watch. */
static inline int ordo_stamp_disrupted(const struct ordo_stamp *stamp)
{
#if defined ORDO_STAMP_LOGICAL
    (void)stamp;
    return 0;
#else
    return stamp->watch && ordo_status(stamp->watch) == ORDO_STATUS_DISRUPTED;
#endif
}

/** Whether it is in vain to wait until the clock, which shows `now`, is certainly after `t`. For slow paths. */
static inline int ordo_stamp_hopeless(const struct ordo_stamp *stamp, ordo_time now, ordo_time t)
{
#if defined ORDO_STAMP_LOGICAL
    (void)stamp, (void)now, (void)t; /* at most the counter, whenever it was returned */
    return 0;
#else
    uint64_t ahead = t.ticks > now.ticks ? t.ticks - now.ticks : 0, boundary = ordo_stamp_boundary(stamp);
    return ordo_stamp_disrupted(stamp) || (ahead > boundary && ahead - boundary > UINT64_C(1) << 32);
#endif
}

/* The rest of a wait that is not over at once. */
static __attribute__((noinline, cold, unused)) int ordo_stamp_wait_on(const struct ordo_stamp *stamp, ordo_time t,
                                                                      ordo_time *now)
{
    do {
        if (ordo_stamp_hopeless(stamp, *now, t))
            return ORDO_E_DISRUPTED;
        ordo_clock_pause();
        *now = ordo_stamp_now(stamp);
    } while (!ordo_stamp_after(stamp, *now, t));
    return ORDO_OK;
}

/** Waits until `*now` is certainly after `t`, which some call of this stamp returned: up to twice the boundary for a
 * `t` of this moment, and not at all for one that is older. 0, or ORDO_E_DISRUPTED: it would be in vain. */
static inline int ordo_stamp_wait(const struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    *now = ordo_stamp_now(stamp);
    return __builtin_expect(ordo_stamp_after(stamp, *now, t), 1) ? ORDO_OK : ordo_stamp_wait_on(stamp, t, now);
}

/** A time for what happens now, ordered as `now`. Never waits. */
static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp)
{
    ordo_time now;
#if defined ORDO_STAMP_LOGICAL
    /* Pairs with ordo_stamp_now: what was announced before is visible to whoever reads a later time. */
    now.ticks = __atomic_fetch_add(&stamp->counter, 2, __ATOMIC_SEQ_CST) + 1;
#else
    now = ordo_stamp_now(stamp);
#endif
    return now;
}

/** The same, and certainly after `t`: waits as ordo_stamp_wait, with its codes. */
static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
#if defined ORDO_STAMP_LOGICAL
    (void)t; /* at most the counter, whenever it was returned */
    *now = ordo_stamp_take(stamp);
    return ORDO_OK;
#else
    return ordo_stamp_wait(stamp, t, now);
#endif
}

/** Waits until `t` is settled: every `now` that starts later, on any thread, is certainly after it, as now > t + 2B.
 * 0, or ORDO_E_DISRUPTED as ordo_stamp_wait. */
static inline int ordo_stamp_settle(const struct ordo_stamp *stamp, ordo_time t)
{
    ordo_time now;
    return ordo_stamp_wait(stamp, ordo_time_add(t, ordo_stamp_boundary(stamp)), &now);
}

/** Raises the boundary while nobody else uses the stamp; others than ordo have none, and nothing happens. It returns
 * when every time that the stamp has ever returned is settled, under the new boundary, which takes some of it. By the
 * lemma, with the boundary that the clocks really keep, those times are at most now + B. So what was decided by
 * comparing them with the old boundary is never compared with a later time again but as something certainly before.
 *
 * ORDO_E_INVALID: it is not larger than the present one, or as for ordo_stamp_init, and nothing has changed;
 * ORDO_E_DISRUPTED: the wait was in vain. */
static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t boundary_ticks)
{
#if defined ORDO_STAMP_LOGICAL || defined ORDO_STAMP_TSC
    (void)stamp, (void)boundary_ticks;
    return ORDO_OK;
#else
    if (boundary_ticks <= stamp->boundary_ticks || boundary_ticks >= ORDO_STAMP_LIMIT / 8)
        return ORDO_E_INVALID;
    stamp->boundary_ticks = boundary_ticks;
    return ordo_stamp_settle(stamp, ordo_time_add(ordo_stamp_now(stamp), boundary_ticks));
#endif
}

#endif
