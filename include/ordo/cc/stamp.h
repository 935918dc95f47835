/* The source of timestamps of a concurrency control.
 *
 * One program text runs on any of these stamps; a translation unit chooses one before it includes a header of this
 * folder:
 *
 *   (nothing)            ordo     hardware time and the boundary: nothing is shared
 *   ORDO_STAMP_ANY       any      hardware time, or the kernel's clock if the counter is refused (any.h)
 *   ORDO_STAMP_CORRECTED corrected  hardware time corrected per CPU, and the smaller boundary of the corrected times
 *   ORDO_STAMP_LOGICAL   logical  the usual counter that all threads increment
 *   ORDO_STAMP_BATCH     batch    a counter from which each thread takes many times at once
 *   ORDO_STAMP_GV4       gv4      a counter of which commits that collide share one increment
 *   ORDO_STAMP_GV5       gv5      a counter that commits only read, pushed by a thread that finds it too early
 *   ORDO_STAMP_TSC       tsc      hardware time, as if all clocks agreed. WRONG: exists to show the resulting errors
 *
 * All of them promise the same (tsc only if the boundary is 0), and nothing else may be relied on:
 *
 *   now      a time; earlier loads and stores are performed before it is taken, and nothing later starts before
 *   commit   a time certainly after the one given; ordered as `now`
 *   settle   returns once every `now` that starts later, on any thread, is certainly after the t given
 *
 * `settle` is the commit wait (condition C5): by the lemma of ordo.h a later read shows at least now - B, which is more
 * than t + B exactly if now > t + 2B. Times are not unique (C7), and a thread that moves to another CPU may see them
 * decrease by up to the boundary (C8): a caller that needs increasing times keeps the larger of two.
 *
 * All of this requires that the clocks keep within the boundary (C1). With a `watch`, an open handle of the record of
 * the boundary, no wait for the clock goes on after the clocks have been found to disagree: it ends with
 * ORDO_E_DISRUPTED if the record is marked so, or if the wait is for a time more than 2^32 ticks + B ahead, which by
 * the lemma no clock within the boundary has returned. Without a watch only the second case ends the wait. Only a
 * thread that already waits reads the watch.
 *
 * Any number of threads may use one struct ordo_stamp; objects of different stamps must not meet.
 *
 * The file of the stamp (stamp/<name>.h) opens with the argument for its order, and defines the functions declared
 * below under "each stamp's own", and
 *
 *   ORDO_STAMP_NAME          its name
 *   ORDO_STAMP_ANNOUNCE      the order of a store that must be visible before a `now` that follows it is taken
 *   struct ordo_stamp        the shared part, on lines of its own
 *   struct ordo_stamp_local  a thread's part; all zero to begin with */
#ifndef ORDO_CC_STAMP_H
#define ORDO_CC_STAMP_H

#include <ordo/any.h>

/** All times of a clock are less than this limit (C3): larger values are free for sentinels, and no sum with two
 * boundaries wraps. */
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
 * corrected ignore it. `watch` is that handle, which must not move and stays open as long as the stamp is used, or
 * NULL; a stamp without a clock ignores it. Corrected requires the handle inside a struct ordo_corrected, and no other
 * stamp accepts that handle. Any requires a handle too: the one inside a struct ordo_any, which says which clock to
 * read, or a plain one; no other stamp accepts a handle of the kernel's clock. A boundary of 0 is accepted, although on
 * hardware it was probably forgotten: a user of a stamp calls ordo_stamp_unsafe.
 * 0: started
 * ORDO_E_INVALID: the handle orders nothing or is of the other kind, or the boundary or the clock is so large that
 *     times might wrap */
static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch);

/** Returns the boundary in ticks; a constant except for ordo, any and corrected; 0 if there is none. */
static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp);

/** True if the stamp could use a measured boundary but has boundary 0: it assumes without a measurement that the clocks
 * agree exactly. */
static inline int ordo_stamp_unsafe(const struct ordo_stamp *stamp);

/** Returns the time now: taken after earlier loads and stores, and before anything later. */
static inline ordo_time ordo_stamp_now(const struct ordo_stamp *stamp);

/** Returns a time for a present event, ordered as `now`. Never waits. */
static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp);

/** Returns a time for a present event, for a thread that has made a sequentially consistent exchange that succeeded:
 * taken after that exchange and all earlier accesses. Later stores and exchanges are performed after it is taken; later
 * loads need not be, unless an exchange of this kind precedes them. Never waits. */
static inline ordo_time ordo_stamp_take_after_exchange(struct ordo_stamp *stamp);

/** Returns a time ordered before later accesses only: none starts before it is taken. Earlier accesses may still be
 * under way. */
static inline ordo_time ordo_stamp_now_before(const struct ordo_stamp *stamp);

/** Returns a time ordered after earlier loads only. Earlier stores need not be visible. Later accesses may be performed
 * before it is taken, except for a store of a value computed from the time, and accesses ordered behind that store.
 * Never waits. */
static inline ordo_time ordo_stamp_take_after(struct ordo_stamp *stamp);

/** As `take`, and certainly after `t`, which some call of this stamp returned: waits as ordo_stamp_wait, with its
 * codes.
 */
static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** Gives a time for this thread's writes, ordered as `now` and after `t`: certainly after it, except for batch, for
 * which the time is only larger and unique. Codes as ordo_stamp_commit. */
static inline int ordo_stamp_issue(struct ordo_stamp *stamp, struct ordo_stamp_local *local, ordo_time t,
                                   ordo_time *now);

/** Gives a time certainly after `t`, as ordo_stamp_wait, even if time does not pass by itself and no other thread may
 * push it on (batch). Otherwise takes no time from a counter. */
static inline int ordo_stamp_later(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** As `later`, ordered as ordo_stamp_now_before: a clock was certainly after `t` before anything later starts. */
static inline int ordo_stamp_later_before(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** Call if two times were too close (C9): a retry then finds a later time, even if time does not pass by itself. */
static inline void ordo_stamp_move_on(struct ordo_stamp *stamp);

/** True if there is a watch. */
static inline int ordo_stamp_watched(const struct ordo_stamp *stamp);

/** True if the watched record says that the clocks no longer agree. One load; never true without a watch. */
static inline int ordo_stamp_disrupted(const struct ordo_stamp *stamp);

/** True if it is in vain to wait until the clock, which shows `now`, is certainly after `t`. For slow paths. */
static inline int ordo_stamp_hopeless(const struct ordo_stamp *stamp, ordo_time now, ordo_time t);

/** Raises the boundary while no other thread uses the stamp; stamps other than ordo, any and corrected have no
 * boundary, and nothing happens. Returns when every time that the stamp has ever returned is settled under the new
 * boundary, which takes several times the new boundary. By the lemma, with the boundary that the clocks really keep,
 * those times are at most now + B. Decisions made under the old boundary therefore stay valid: every time taken later
 * is certainly after the times that they compared.
 * 0: raised, or nothing to raise
 * ORDO_E_INVALID: the boundary is not larger than the present one, or as for ordo_stamp_init; nothing has changed
 * ORDO_E_DISRUPTED: the wait was in vain */
static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t boundary_ticks);

/* ---- what all have in common ---- */

/** Waits until `t` is settled: every `now` that starts later, on any thread, is certainly after it, because
 * now > t + 2B. Nothing later starts before that; earlier accesses may still be under way. 0, or ORDO_E_DISRUPTED as
 * ordo_stamp_wait. */
static inline int ordo_stamp_settle(struct ordo_stamp *stamp, ordo_time t);

/** True if `a` is certainly after `b`. Compares before it subtracts, so that sentinels keep their order. */
static inline int ordo_stamp_after(const struct ordo_stamp *stamp, ordo_time a, ordo_time b)
{
    return a.ticks > b.ticks && a.ticks - b.ticks > ordo_stamp_boundary(stamp);
}

/** Compares two times. 1: a is certainly after b; -1: certainly before; 0: cannot be known. */
static inline int ordo_stamp_cmp(const struct ordo_stamp *stamp, ordo_time a, ordo_time b)
{
    return ordo_stamp_after(stamp, a, b) - ordo_stamp_after(stamp, b, a);
}

/* Continues a wait that is not over at once. */
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
 * `t` of this moment, and not at all for an older one. A counter passes `t` only if another thread takes times:
 * ordo_stamp_later.
 * 0: it is after
 * ORDO_E_DISRUPTED: the wait would be in vain */
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

/* ---- for stamps that have nothing cheaper for one side (ORDO_STAMP_KNOWS_SIDES) ---- */

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
