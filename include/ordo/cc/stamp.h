/* Where a concurrency control gets its timestamps.
 *
 * One program text runs on any of these stamps; a translation unit chooses one before it includes a header of this
 * folder:
 *
 *   (nothing)            ordo     hardware time and the boundary: nothing is shared
 *   ORDO_STAMP_ANY       any      hardware time, or the kernel's clock if the counter is refused (any.h)
 *   ORDO_STAMP_CORRECTED corrected  hardware time corrected per CPU, and the smaller boundary of that
 *   ORDO_STAMP_LOGICAL   logical  the usual counter that all threads increment
 *   ORDO_STAMP_BATCH     batch    a counter from which each thread takes many times at once
 *   ORDO_STAMP_GV4       gv4      a counter of which commits that collide share one increment
 *   ORDO_STAMP_GV5       gv5      a counter that commits only read, and that is pushed by whoever finds it too early
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
 *
 * The file of the stamp (stamp/<name>.h) opens with the argument for its order, and defines what is declared below
 * under "each stamp's own", and
 *
 *   ORDO_STAMP_NAME          its name
 *   ORDO_STAMP_ANNOUNCE      the order of a store that must be visible before a `now` that follows it is taken
 *   struct ordo_stamp        the shared part, on lines of its own
 *   struct ordo_stamp_local  a thread's part; all zero to begin with
 */
#ifndef ORDO_CC_STAMP_H
#define ORDO_CC_STAMP_H

#include <ordo/any.h>

/** Times of a clock lie below; what lies above is free for sentinels, and no sum with two boundaries wraps (C3). */
#define ORDO_STAMP_LIMIT (UINT64_C(1) << 62)

#if defined ORDO_STAMP_ANY + defined ORDO_STAMP_CORRECTED + defined ORDO_STAMP_LOGICAL + defined ORDO_STAMP_TSC +      \
        defined ORDO_STAMP_BATCH + defined ORDO_STAMP_GV4 + defined ORDO_STAMP_GV5 >                                   \
    1
#error "choose one stamp"
#endif

struct ordo_stamp;
struct ordo_stamp_local;

/* ---- each stamp's own ---- */

/** Starts a stamp with a boundary in ticks: ordo_boundary(&o) of an open handle. Stamps other than ordo, any and
 * corrected ignore it. `watch` is that handle, which then stays where it is and open as long as the stamp is used, or NULL; a
 * stamp without a clock ignores it. Corrected wants the handle inside a struct ordo_corrected, and nobody else takes it.
 * Any wants a handle too: the one inside a struct ordo_any, which says which clock to read, or a plain one; of the kernel's
 * clock nobody else takes it.
 * ORDO_E_INVALID: the handle orders nothing or is of the other kind, or the boundary or the clock is so large that times
 * might wrap. A boundary of 0 is taken, though on hardware it is forgotten rather than meant: what is built on a stamp
 * asks ordo_stamp_unsafe. */
static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch);

/** The boundary in ticks; a constant but for ordo, any and corrected, and 0 where there is none. */
static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp);

/** Whether the stamp takes the clocks to agree exactly, which nobody has measured, though it could know better. */
static inline int ordo_stamp_unsafe(const struct ordo_stamp *stamp);

/** The time now: taken after earlier loads and stores, and before anything later. */
static inline ordo_time ordo_stamp_now(const struct ordo_stamp *stamp);

/** A time for what happens now, ordered as `now`. Never waits. */
static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp);

/** A time for what happens now, for a thread that made a sequentially consistent exchange that succeeded: taken after that
 * exchange and all that came before it. Stores and exchanges that come later are performed after it is taken; loads need
 * not be, unless such an exchange stands before them. Never waits. */
static inline ordo_time ordo_stamp_take_after_exchange(struct ordo_stamp *stamp);

/** A time ordered before later accesses only: none starts before it is taken. Earlier accesses may still be under way. */
static inline ordo_time ordo_stamp_now_before(const struct ordo_stamp *stamp);

/** A time ordered after earlier loads only. Earlier stores need not be visible. Later accesses may be performed before it
 * is taken, except for a store of a value made of the time, and accesses ordered behind that store. Never waits. */
static inline ordo_time ordo_stamp_take_after(struct ordo_stamp *stamp);

/** As `take`, and certainly after `t`, which some call of this stamp returned: waits as ordo_stamp_wait, with its codes.
 */
static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** A time for what this thread writes, ordered as `now` and after `t`; certainly so but for batch, where nobody else
 * gets it. Codes as ordo_stamp_commit. */
static inline int ordo_stamp_issue(struct ordo_stamp *stamp, struct ordo_stamp_local *local, ordo_time t,
                                   ordo_time *now);

/** A time certainly after `t`, as ordo_stamp_wait, also where time does not pass by itself and nobody else may push it
 * on (batch). Takes none from a counter otherwise. */
static inline int ordo_stamp_later(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** As `later`, ordered as ordo_stamp_now_before: a clock was certainly after `t` before anything later starts. */
static inline int ordo_stamp_later_before(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** Where two times were too close (C9): whoever tries again finds a later one, though no time passes by itself. */
static inline void ordo_stamp_move_on(struct ordo_stamp *stamp);

/** Whether there is a watch. */
static inline int ordo_stamp_watched(const struct ordo_stamp *stamp);

/** Whether the record that is watched says that the clocks no longer agree. One load; never without a watch. */
static inline int ordo_stamp_disrupted(const struct ordo_stamp *stamp);

/** Whether it is in vain to wait until the clock, which shows `now`, is certainly after `t`. For slow paths. */
static inline int ordo_stamp_hopeless(const struct ordo_stamp *stamp, ordo_time now, ordo_time t);

/** Raises the boundary while nobody else uses the stamp; others than ordo and corrected have none, and nothing happens. It returns
 * when every time that the stamp has ever returned is settled, under the new boundary, which takes some of it. By the
 * lemma, with the boundary that the clocks really keep, those times are at most now + B. So what was decided by
 * comparing them with the old boundary is never compared with a later time again but as something certainly before.
 *
 * ORDO_E_INVALID: it is not larger than the present one, or as for ordo_stamp_init, and nothing has changed;
 * ORDO_E_DISRUPTED: the wait was in vain. */
static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t boundary_ticks);

/* ---- what all have in common ---- */

/** Waits until `t` is settled: every `now` that starts later, on any thread, is certainly after it, as now > t + 2B.
 * Nothing later starts before that; earlier accesses may still be under way. 0, or ORDO_E_DISRUPTED as
 * ordo_stamp_wait. */
static inline int ordo_stamp_settle(struct ordo_stamp *stamp, ordo_time t);

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
 * `t` of this moment, and not at all for one that is older. 0, or ORDO_E_DISRUPTED: it would be in vain. A counter
 * passes `t` only if another thread takes times: ordo_stamp_later. */
static inline int ordo_stamp_wait(const struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    *now = ordo_stamp_now(stamp);
    return __builtin_expect(ordo_stamp_after(stamp, *now, t), 1) ? ORDO_OK : ordo_stamp_wait_on(stamp, t, now);
}

#define ORDO_STAMP_INCLUDED_BY_STAMP_H
#if defined ORDO_STAMP_LOGICAL
#include "stamp/logical.h"
#elif defined ORDO_STAMP_BATCH
#include "stamp/batch.h"
#elif defined ORDO_STAMP_ANY
#include "stamp/any.h"
#elif defined ORDO_STAMP_CORRECTED
#include "stamp/corrected.h"
#elif defined ORDO_STAMP_GV4
#include "stamp/gv4.h"
#elif defined ORDO_STAMP_GV5
#include "stamp/gv5.h"
#elif defined ORDO_STAMP_TSC
#include "stamp/tsc.h"
#else
#include "stamp/ordo.h"
#endif
#undef ORDO_STAMP_INCLUDED_BY_STAMP_H

/* ---- of stamps that have nothing cheaper for one side (ORDO_STAMP_KNOWS_SIDES) ---- */

#if !defined ORDO_STAMP_KNOWS_SIDES
static inline ordo_time ordo_stamp_now_before(const struct ordo_stamp *stamp)
{
    return ordo_stamp_now(stamp);
}

static inline ordo_time ordo_stamp_take_after(struct ordo_stamp *stamp)
{
    return ordo_stamp_take(stamp);
}

static inline int ordo_stamp_later_before(struct ordo_stamp *stamp, ordo_time t, ordo_time *now)
{
    return ordo_stamp_later(stamp, t, now);
}
#endif

static inline int ordo_stamp_settle(struct ordo_stamp *stamp, ordo_time t)
{
    ordo_time now;
    return ordo_stamp_later_before(stamp, ordo_time_add(t, ordo_stamp_boundary(stamp)), &now);
}

#endif
