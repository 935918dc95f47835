#include "preload/answer.h"

#include "preload/kernel.h"
#include "preload/look.h"
#include "preload/maker.h"

__thread uint64_t preload_last_ns[PRELOAD_TRACKS];

enum { MIXED_NS = 2000 }; /* a wider reading of two clocks does not show whether one of them was set */

static void write_ns(struct timespec *time, uint64_t ns)
{
    time->tv_sec = (time_t)(ns / 1000000000);
    time->tv_nsec = (long)(ns % 1000000000);
}

/* Answers from the line at `ticks` after its base. */
static void answer_by_line(struct preload_state *state, const struct preload_slot *slot, enum preload_which which,
                           uint64_t ticks, struct timespec *time)
{
    const enum preload_track track = preload_track_of(which);
    const struct preload_line line = preload_slot_line(slot, track);
    uint64_t ns = (uint64_t)preload_ns_of(preload_line_at(&line, line.base + ticks));
    ns += preload_raise(state, track, ns);
    write_ns(time, ns + (uint64_t)slot->offset_ns[which]);
}

/* Returns the answer below which a reading that begins now must not be: the line [A2] and the floor [A3], [A4]. Call it
 * before the kernel is asked: a thread that is interrupted later may find a floor far above its own answer. */
static uint64_t least_answer(struct preload_state *state, const struct preload_slot *slot, enum preload_track track,
                             uint64_t t)
{
    const struct preload_line line = preload_slot_line(slot, track);
    const bool counts = slot->phase != PRELOAD_LEFT && line.start;
    const uint64_t least = counts ? (uint64_t)preload_ns_of(preload_line_at(&line, t)) : 0;
    /* Sequentially consistent, pairs with preload_floor_raise: the answers that ended before. */
    const uint64_t floor = __atomic_load_n(&state->ring.floor_ns[track], __ATOMIC_SEQ_CST);
    return state->order == PRELOAD_DURATIONS || least > floor ? least : floor;
}

/* Returns an answer of the kernel, raised to `least`, and enters it into the floor [A3]. A lead that no line can have is
 * not kept: the kernel's clock itself has gone back. */
static uint64_t raise_kernels(struct preload_state *state, const struct preload_slot *slot, enum preload_track track,
                              uint64_t least, uint64_t ns)
{
    const uint64_t raised = ns < least && least - ns < PRELOAD_JUMP_NS ? least : ns;
    if (state->order == PRELOAD_DURATIONS)
        return raised + preload_raise(state, track, raised);
    if (slot->phase != PRELOAD_LEFT)
        (void)preload_floor_raise(&state->ring.floor_ns[track], raised);
    return raised;
}

/* Prepares for a later line after an answer of the kernel to a clock whose offset the slot does not know: raises the floor
 * to CLOCK_MONOTONIC after this answer, because the offset of the later line is not less than the true one [A5]. */
static void raise_after(struct preload_state *state, const struct preload_slot *slot, uint64_t least, int64_t after)
{
    if (slot->phase == PRELOAD_SERVING && after >= 0)
        (void)raise_kernels(state, slot, PRELOAD_STEERED, least, (uint64_t)after);
}

/* Answers a clock whose offset no line knows. */
static int answer_unknown(struct preload_state *state, const struct preload_slot *slot, enum preload_which which,
                          uint64_t least, struct timespec *time)
{
    const int failed = preload_kernel_gettime(preload_clock_id(which), time);
    if (!failed)
        raise_after(state, slot, least, preload_kernel_ns(CLOCK_MONOTONIC));
    return failed;
}

/* Reads a clock between two readings of CLOCK_MONOTONIC, and tries again if the thread was interrupted meanwhile: until a
 * reading is narrow, or not narrower than the one before, because the kernel is slow. Returns what
 * preload_kernel_gettime returns. */
static int read_between(enum preload_which which, struct timespec *time, int64_t *before, int64_t *after)
{
    int64_t width, wider = INT64_MAX;
    int failed;
    *after = preload_kernel_ns(CLOCK_MONOTONIC);
    for (;;) {
        *before = *after;
        failed = preload_kernel_gettime(preload_clock_id(which), time);
        *after = preload_kernel_ns(CLOCK_MONOTONIC);
        width = *after - *before;
        if (failed || width < MIXED_NS || width > wider / 2)
            break;
        wider = width;
    }
    return failed;
}

/* Answers a clock with a known offset. If the kernel's clocks do not have this offset, the clock has been set: then the
 * kernel's answer stands, and the offset counts as unknown. */
static int answer_shifted(struct preload_state *state, const struct preload_slot *slot, enum preload_which which,
                          uint64_t least, struct timespec *time)
{
    int64_t before, after;
    const int failed = read_between(which, time, &before, &after);
    const int64_t ns = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec - slot->offset_ns[which];
    if (failed)
        return failed;
    if (ns < before - slot->excess_ns[which] || ns > after) {
        raise_after(state, slot, least, after);
        return 0;
    }
    write_ns(time, raise_kernels(state, slot, PRELOAD_STEERED, least, (uint64_t)ns) + (uint64_t)slot->offset_ns[which]);
    return 0;
}

static int answer_by_kernel(struct preload_state *state, const struct preload_slot *slot, enum preload_which which,
                            uint64_t t, struct timespec *time)
{
    const uint64_t least = least_answer(state, slot, preload_track_of(which), t);
    if (which != PRELOAD_MONOTONIC && which != PRELOAD_RAW)
        return slot->known >> which & 1 ? answer_shifted(state, slot, which, least, time)
                                        : answer_unknown(state, slot, which, least, time);
    const int failed = preload_kernel_gettime(preload_clock_id(which), time);
    if (!failed)
        write_ns(time, raise_kernels(state, slot, preload_track_of(which), least,
                                     (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec));
    return failed;
}

/* True if readings are so frequent that a line pays: making one costs as much as some ten answers of the kernel. */
static bool is_worth_a_line(struct preload_state *state, uint64_t t)
{
    /* Relaxed: only a hint. */
    const uint64_t asked = __atomic_load_n(&state->asked, __ATOMIC_RELAXED);
    __atomic_store_n(&state->asked, t, __ATOMIC_RELAXED);
    return t - asked < state->length / 16;
}

static void want_clock(struct preload_state *state, enum preload_which which)
{
    const uint64_t bit = UINT64_C(1) << which;
    /* Relaxed: make_line reads it for the next line. */
    if (!(__atomic_load_n(&state->wanted, __ATOMIC_RELAXED) & bit))
        (void)__atomic_fetch_or(&state->wanted, bit, __ATOMIC_RELAXED);
}

/* True if the kernel's clocks have passed every answer, offsets included, since the service ended. */
static bool has_passed_answers(struct preload_state *state)
{
    static const enum preload_which clocks[PRELOAD_TRACKS] = {PRELOAD_MONOTONIC, PRELOAD_RAW};
    for (int i = 0; i < PRELOAD_TRACKS; i++) {
        const int64_t ns = preload_kernel_ns(preload_clock_id(clocks[i]));
        /* Relaxed: the floor does not grow after the end. */
        const uint64_t floor = __atomic_load_n(&state->ring.floor_ns[i], __ATOMIC_RELAXED);
        if (ns < 0 || (uint64_t)ns < floor + PRELOAD_JUMP_NS)
            return false;
    }
    return true;
}

/* Makes one attempt. Returns 1 if the ring has changed meanwhile, so that another attempt is necessary. */
static int try_to_answer(struct preload_state *state, enum preload_which which, struct timespec *time)
{
    struct preload_slot slot;
    const uint64_t index = preload_ring_copy(&state->ring, &slot);
    if (slot.phase == PRELOAD_LEFT && has_passed_answers(state))
        __atomic_store_n(&state->over, 1, __ATOMIC_RELAXED); /* a hint: a thread that misses it answers as before */
    if (slot.phase == PRELOAD_LEFT)
        return answer_by_kernel(state, &slot, which, 0, time);
    const uint64_t t = preload_counter(state->order), ticks = preload_slot_ticks(&slot, t);
    const bool inside = ticks < slot.length, serving = slot.phase == PRELOAD_SERVING;
    if ((inside ? serving && ticks >= slot.span : !serving || is_worth_a_line(state, t)) && preload_make(state))
        return 1;
    if (inside && serving && (slot.known >> which & 1)) {
        answer_by_line(state, &slot, which, ticks, time);
        return 0;
    }
    want_clock(state, which);
    const int failed = answer_by_kernel(state, &slot, which, t, time);
    return failed ? failed : preload_ring_current(&state->ring) != index; /* [A3] */
}

int preload_answer(struct preload_state *state, enum preload_which which, struct timespec *time)
{
    int code;
    /* Acquire, pairs with preload_begin: the state of the process. */
    if (!__atomic_load_n(&state->maker, __ATOMIC_ACQUIRE) || __atomic_load_n(&state->over, __ATOMIC_RELAXED))
        return preload_kernel_gettime(preload_clock_id(which), time);
    do
        code = try_to_answer(state, which, time);
    while (code == 1);
    return code;
}
