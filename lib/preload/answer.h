/* Answers readings of the clocks that are served. Async-signal-safe; no reader waits for another thread.
 *
 * The order of answers. Let reading A end before reading B of the same clock begins, on any CPUs, in the orders
 * `ordered` and `raised`. B's answer is not less than A's:
 *
 *  [A1] Both by lines: B loads a `current` that is not older than A's, because it loads it after A ended. `ordered`: B's
 *       counter shows at least what A's showed, because a message between two CPUs takes longer than their clocks
 *       differ (record.c). [L1] to [L3] of line.h then give the claim. B reads the counter behind its load of
 *       `current`. `raised`: both have put their answers into the floor by one atomic maximum, with any skew.
 *  [A2] A by a line, B by the kernel: B is at least the newest line at B's counter, or at the line's end. No reader uses
 *       a line after its end.
 *  [A3] A by the kernel, B by a line: A raises the floor to its answer, and then checks that `current` is still the slot
 *       that it found; otherwise it begins anew. So the raise precedes the publication of any later line, in the total
 *       order of sequentially consistent operations. B loads `current` and then the floor, and answers no less.
 *  [A4] Both by the kernel: the kernel's clock does not run backwards, and [A2], [A3] hold for its two bounds.
 *
 *  [A5] The clocks with an offset to CLOCK_MONOTONIC: the true offset is constant until the kernel's clock is set. The
 *       offset of a slot is not less than the true one at its sight (set_offset in maker.c), and is kept from slot to slot
 *       or raised, unless the clock was set back. So [A1] to [A4] hold for these clocks, too. If A is by the kernel, and the
 *       slot's offset is unknown or does not explain the answer, A raises the floor to CLOCK_MONOTONIC after its answer; with
 *       the offset of a line that is made later, no answer is below A's. Until the lines whose sights are earlier than a
 *       setting have ended, which is half a millisecond, an answer may be by the old offset or the new one.
 *
 * `durations`: the counter is read without any order, so [A1] holds within a thread only. There, each answer is raised
 * to the thread's previous one. A signal handler that runs in the middle of a reading may return more than the
 * interrupted reading, because that one began before. */
#ifndef ORDO_PRELOAD_ANSWER_H
#define ORDO_PRELOAD_ANSWER_H

#include <ordo/clock.h>

#include "preload/state.h"

/** Answers when preload_serve cannot: renews the line, asks the kernel, or both. Returns 0 or -errno. */
int preload_answer(struct preload_state *state, enum preload_which which, struct timespec *time);

/** The last answer of this thread, for the order `durations`. */
extern __thread uint64_t preload_last_ns[PRELOAD_TRACKS];

/* Reads the counter so that the answer is ordered as state->order promises. On x86-64 a later store is never performed
 * before the counter is read (clock/x86_64.h, "after"), and a message is a store. */
static inline uint64_t preload_counter(enum preload_order order)
{
    if (order == PRELOAD_DURATIONS)
        return ordo_clock_relaxed();
#if defined __x86_64__
    return ordo_clock_read_after();
#else
    return ordo_clock_read();
#endif
}

/* Writes the split time plus `ns`, which is less than a few seconds. */
static inline void preload_join(struct timespec *time, uint64_t seconds, uint64_t ns)
{
    while (ns >= 1000000000) {
        ns -= 1000000000;
        seconds++;
    }
    time->tv_sec = (time_t)seconds;
    time->tv_nsec = (long)ns;
}

/* Returns by how much the answer must be raised above `ns`, as the order demands. */
static inline uint64_t preload_raise(struct preload_state *state, enum preload_track track, uint64_t ns)
{
    uint64_t *floor_ns = &state->ring.floor_ns[track];
    if (state->order == PRELOAD_DURATIONS) {
        const uint64_t last = preload_last_ns[track];
        preload_last_ns[track] = ns > last ? ns : last;
        return ns > last ? 0 : last - ns;
    }
    /* Sequentially consistent, pairs with preload_floor_raise: the answers that the kernel gave before this line was
     * published [A3]. */
    const uint64_t floor = state->order == PRELOAD_RAISED ? preload_floor_raise(floor_ns, ns)
                                                          : __atomic_load_n(floor_ns, __ATOMIC_SEQ_CST);
    return __builtin_expect(ns < floor, 0) ? floor - ns : 0; /* a branch: the answer need not wait for the floor */
}

/** Answers from the current line, if it is young. Returns false if it is not; then call preload_answer. */
static inline bool preload_serve(struct preload_state *state, enum preload_which which, struct timespec *time)
{
    const enum preload_track track = preload_track_of(which);
    const uint64_t index = preload_ring_current(&state->ring);
    const struct preload_slot *slot = preload_ring_slot(&state->ring, index);
    const uint64_t base = PRELOAD_WORD(slot->base), span = PRELOAD_WORD(slot->span), known = PRELOAD_WORD(slot->known);
    const uint64_t rate = PRELOAD_WORD(slot->run[track].rate), fraction = PRELOAD_WORD(slot->run[track].fraction);
    const uint64_t start = PRELOAD_WORD(slot->run[track].ns);
    const uint64_t seconds = PRELOAD_WORD(slot->at[which].seconds), ns = PRELOAD_WORD(slot->at[which].ns);
    if (span == 0) /* do not read the counter if it is not used */
        return false;
    const uint64_t ticks = preload_counter(state->order) - base;
    if (ticks >= span || !(known >> which & 1) || !preload_ring_holds(&state->ring, index))
        return false;
    uint64_t since = (fraction + ticks * rate) >> 32;
    const uint64_t raise = preload_raise(state, track, start + since);
    if (__builtin_expect(raise != 0, 0))
        since += raise;
    preload_join(time, seconds, ns + since);
    return true;
}

#endif
