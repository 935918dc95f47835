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
 *   ORDO_STAMP_GV4       gv4      a counter; commits that collide share one increment
 *   ORDO_STAMP_GV5       gv5      a counter that commits only read; a thread that needs a later time pushes it
 *   ORDO_STAMP_DCTL      dctl     a counter that moves only when a transaction aborts
 *   ORDO_STAMP_TSC       tsc      hardware time, as if all clocks agreed. WRONG: exists to show the resulting errors
 *
 * All stamps (tsc only if the clocks agree exactly) make these promises and no others:
 *
 *   now      the time now: taken after earlier loads and stores, and before any later access starts
 *   commit   a time certainly after a given time t; ordered as `now`
 *   settle   returns once every `now` that starts later, on any thread, gives a time certainly after t
 *
 * `settle` is the commit wait (condition C5): by the lemma of ordo.h a read of the clock after `now` shows at least now
 * - B, which is more than t + B if now > t + 2B. Times are not unique (C7), and a thread that moves to another CPU may
 * see them decrease by up to the boundary (C8): a caller that needs increasing times keeps the larger of its last time
 * and the new time.
 *
 * All of this requires that the clocks keep within the boundary (C1). A `watch` is an open handle of the boundary's
 * record. A wait for the clock ends with ORDO_E_DISRUPTED in two cases: the watched record is marked DISRUPTED, or the
 * wait is for a time more than 2^32 ticks + B ahead, which by the lemma no clock within the boundary has returned.
 * Without a watch only the second case applies. Only a thread that already waits reads the watch.
 *
 * Any number of threads may use one struct ordo_stamp. Times and structures of different stamps must not be mixed.
 *
 * The file of the stamp (stamp/<name>.h) opens with the argument for its order, and defines the functions declared
 * below under "each stamp's own", and
 *
 *   ORDO_STAMP_NAME          its name
 *   ORDO_STAMP_ANNOUNCE      the memory order of a store that must be visible before the next `now` is taken
 *   struct ordo_stamp        the part that threads share, on cache lines of its own
 *   struct ordo_stamp_local  the part of one thread; all zero at first */
#ifndef ORDO_CC_STAMP_H
#define ORDO_CC_STAMP_H

#include <ordo/any.h>

/** All times are below this limit (C3). Larger values can serve as sentinels, and a time plus two boundaries does not
 * wrap. */
#define ORDO_STAMP_LIMIT (UINT64_C(1) << 62)

#if defined ORDO_STAMP_ANY + defined ORDO_STAMP_CORRECTED + defined ORDO_STAMP_LOGICAL + defined ORDO_STAMP_TSC +      \
        defined ORDO_STAMP_BATCH + defined ORDO_STAMP_GV4 + defined ORDO_STAMP_GV5 + defined ORDO_STAMP_DCTL >         \
    1
#error "choose one stamp"
#endif

struct ordo_stamp;
struct ordo_stamp_local;

/* ---- each stamp's own ---- */

/** Starts a stamp. `boundary_ticks` is ordo_boundary(&o) of an open handle; stamps other than ordo, any and corrected
 * ignore it. 0 is accepted, although the caller has then probably forgotten the boundary: check ordo_stamp_unsafe.
 * `watch` is that handle, or NULL. It must not move, and stays open as long as the stamp is used. A stamp without a
 * clock ignores it; the other stamps accept:
 *  - corrected: the handle inside a struct ordo_corrected
 *  - any: the handle inside a struct ordo_any, which says which clock to read, or a plain struct ordo of the counter
 *  - ordo and tsc: a plain struct ordo of the counter, or NULL
 * 0: started
 * ORDO_E_INVALID: the handle orders nothing or is not accepted, or the boundary or the clock is so large that times
 *     might wrap */
static inline int ordo_stamp_init(struct ordo_stamp *stamp, uint64_t boundary_ticks, const struct ordo *watch);

/** Returns the boundary in ticks: a constant for stamps other than ordo, any and corrected. */
static inline uint64_t ordo_stamp_boundary(const struct ordo_stamp *stamp);

/** True if the stamp needs a measured boundary and has boundary 0: it assumes, without a measurement, that the clocks
 * agree exactly. */
static inline int ordo_stamp_unsafe(const struct ordo_stamp *stamp);

/** Returns the time now, taken after earlier loads and stores, and before any later access. */
static inline ordo_time ordo_stamp_now(const struct ordo_stamp *stamp);

/** Returns a time for a present event, ordered as `now`. Never waits. */
static inline ordo_time ordo_stamp_take(struct ordo_stamp *stamp);

/** Returns a time for a present event. Call it after a sequentially consistent exchange that succeeded: the time is
 * taken after this exchange and all earlier accesses. Later stores and exchanges are performed after the time is taken.
 * A later load may be performed before, unless another such exchange precedes the load. Never waits. */
static inline ordo_time ordo_stamp_take_after_exchange(struct ordo_stamp *stamp);

/** Returns a time that is ordered only before later accesses: no later access starts before the time is taken. Earlier
 * accesses may still be under way. */
static inline ordo_time ordo_stamp_now_before(const struct ordo_stamp *stamp);

/** Returns a time that is ordered only after earlier loads. Earlier stores need not be visible yet. Later accesses may
 * be performed before the time is taken, except a store of a value computed from the time, and accesses ordered after
 * that store. Never waits. */
static inline ordo_time ordo_stamp_take_after(struct ordo_stamp *stamp);

/** Gives a time as ordo_stamp_take does, but certainly after `t`, a time that this stamp returned earlier. Waits as
 * ordo_stamp_wait does, and returns its codes. */
static inline int ordo_stamp_commit(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** Gives a time for this thread's writes, ordered as `now`. The time is certainly after `t`; with the stamp batch it is
 * only larger than `t`, and unique. Codes as ordo_stamp_commit. */
static inline int ordo_stamp_issue(struct ordo_stamp *stamp, struct ordo_stamp_local *local, ordo_time t,
                                   ordo_time *now);

/** Gives a time certainly after `t`, as ordo_stamp_wait. If time does not pass by itself (batch, gv5, dctl), pushes
 * the counter; otherwise changes no counter. */
static inline int ordo_stamp_later(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** As ordo_stamp_later, but ordered as ordo_stamp_now_before: no later access starts before a clock has shown a time
 * certainly after `t`. */
static inline int ordo_stamp_later_before(struct ordo_stamp *stamp, ordo_time t, ordo_time *now);

/** Call after two times were too close to be ordered (C9): a retry then gets a later time, even if time does not pass
 * by itself. */
static inline void ordo_stamp_move_on(struct ordo_stamp *stamp);

/** True if the stamp has a watch. */
static inline int ordo_stamp_watched(const struct ordo_stamp *stamp);

/** True if the watched record is marked DISRUPTED. Costs one load; never true without a watch. */
static inline int ordo_stamp_disrupted(const struct ordo_stamp *stamp);

/** True if a thread should give up waiting for the clock, which shows `now`, to be certainly after `t`: the watched
 * record is marked DISRUPTED, or `t` is too far ahead. For slow paths. */
static inline int ordo_stamp_hopeless(const struct ordo_stamp *stamp, ordo_time now, ordo_time t);

/** Raises the boundary while no other thread uses the stamp. With stamps other than ordo, any and corrected nothing
 * happens. Returns when every time that the stamp has returned is settled under the new boundary, which takes several
 * times the new boundary: by the lemma all these times are <= now + B if the clocks keep within the new boundary B.
 * Decisions made under the old boundary therefore stay valid: every later time is certainly after the times that they
 * compared.
 * 0: raised, or nothing to raise
 * ORDO_E_INVALID: the new boundary is not larger than the present boundary, or as for ordo_stamp_init; nothing has
 *     changed
 * ORDO_E_DISRUPTED: as ordo_stamp_wait */
static inline int ordo_stamp_raise(struct ordo_stamp *stamp, uint64_t boundary_ticks);

/* ---- common to all stamps ---- */

/** Waits until `t` is settled: a clock has shown more than t + 2B, so that every `now` that starts later, on any
 * thread, gives a time certainly after `t`. No later access starts before that; earlier accesses may still be under
 * way. Codes as ordo_stamp_wait. */
static inline int ordo_stamp_settle(struct ordo_stamp *stamp, ordo_time t);

/** Returns a time that is ordered as ordo_stamp_now_before, if the caller then stores `*word` by a sequentially
 * consistent exchange. Leaves the value of `*word` unchanged, but makes it depend on the time. */
static inline ordo_time ordo_stamp_now_before_exchange(const struct ordo_stamp *stamp, uint64_t *word);

/** True if `a` is certainly after `b`. Compares before it subtracts, so that sentinels keep their order. */
static inline int ordo_stamp_after(const struct ordo_stamp *stamp, ordo_time a, ordo_time b)
{
    return a.ticks > b.ticks && a.ticks - b.ticks > ordo_stamp_boundary(stamp);
}

/** Compares two times.
 * 1: a is certainly after b
 * -1: a is certainly before b
 * 0: the order cannot be known */
static inline int ordo_stamp_cmp(const struct ordo_stamp *stamp, ordo_time a, ordo_time b)
{
    return ordo_stamp_after(stamp, a, b) - ordo_stamp_after(stamp, b, a);
}

/* Continues an ordo_stamp_wait that did not end at its first read of the clock. */
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

/** Reads the clock until the result `*now` is certainly after `t`, a time that this stamp returned earlier. The wait
 * takes up to twice the boundary if `t` was returned just now, and no time if `t` is old enough. If the time is a
 * counter, it may pass `t` only when another thread takes a time: use ordo_stamp_later.
 * 0: `*now` is certainly after `t`
 * ORDO_E_DISRUPTED: the thread gave up (ordo_stamp_hopeless) */
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
#elif defined ORDO_STAMP_DCTL
#include "stamp/dctl.h"
#elif defined ORDO_STAMP_TSC
#include "stamp/tsc.h"
#else
#include "stamp/ordo.h"
#endif
#undef ORDO_STAMP_INCLUDED_BY_STAMP_H

/* ---- for stamps without cheaper reads that are ordered on one side (ORDO_STAMP_KNOWS_SIDES) ---- */

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

/* With ORDO_CLOCK_KNOWS_EXCHANGE no later access is performed before the exchange, and the exchange waits for the value
 * that it stores, and so for the clock. The clock is then read unordered, which needs no fence. */
static inline ordo_time ordo_stamp_now_before_exchange(const struct ordo_stamp *stamp, uint64_t *word)
{
#if defined ORDO_STAMP_KNOWS_RELAXED && defined ORDO_CLOCK_KNOWS_EXCHANGE
    ordo_time now = ordo_stamp_relaxed(stamp);
    *word += now.ticks >> 63; /* adds 0, because times are below ORDO_STAMP_LIMIT; the processor cannot know it */
    return now;
#else
    (void)word;
    return ordo_stamp_now_before(stamp);
#endif
}

static inline int ordo_stamp_settle(struct ordo_stamp *stamp, ordo_time t)
{
    ordo_time now;
    return ordo_stamp_later_before(stamp, ordo_time_add(t, ordo_stamp_boundary(stamp)), &now);
}

#endif
