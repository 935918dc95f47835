#include "preload/maker.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include <ordo/clock.h>

#include "preload/kernel.h"
#include "preload/look.h"

enum { MAKER_BYTES = 4096 };

_Static_assert(sizeof(struct preload_maker) <= MAKER_BYTES, "a page holds the maker");

bool preload_begin(struct preload_state *state)
{
    const uint64_t length = state->warrant.tick_hz * (PRELOAD_LENGTH_NS / 1000) / 1000000;
    if (state->warrant.boundary_ticks > length / 16 || length >> 32) /* [L3] */
        return false;
    void *page = mmap(NULL, MAKER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return false;
    if (preload_kernel_wipe_on_fork(page, MAKER_BYTES) != 0) {
        (void)munmap(page, MAKER_BYTES);
        return false;
    }
    state->length = length;
    state->order = preload_order_effective(state->settings.order, &state->warrant);
    /* Release, pairs with preload_answer: the members above. */
    __atomic_store_n(&state->maker, (struct preload_maker *)page, __ATOMIC_RELEASE);
    return true;
}

/* Ends the service. The kernel answers from now on; the last line is a lower limit until it ends [A2]. */
static bool leave(struct preload_state *state, struct preload_slot *slot)
{
    slot->phase = slot->length ? PRELOAD_LEAVING : PRELOAD_LEFT;
    slot->span = 0;
    preload_ring_publish(&state->ring, slot);
    return true;
}

/* Stops reading the counter when the last line has ended: its end becomes a floor. */
static bool finish_leaving(struct preload_state *state, struct preload_slot *slot, uint64_t now)
{
    if (preload_slot_ticks(slot, now) < slot->length)
        return false;
    for (int i = 0; i < PRELOAD_TRACKS; i++) {
        const struct preload_line line = preload_slot_line(slot, (enum preload_track)i);
        (void)preload_floor_raise(&state->ring.floor_ns[i], (uint64_t)preload_ns_of(preload_line_at(&line, line.end)));
    }
    slot->phase = PRELOAD_LEFT;
    preload_ring_publish(&state->ring, slot);
    return true;
}

/* Opens the record that has replaced the present one. A publisher marks a record superseded a moment before the new one
 * takes its place, so this is tried for a second, once a millisecond; meanwhile the kernel answers. Returns false if the
 * service has to end. */
static bool reopen_record(struct preload_state *state, struct preload_maker *maker, uint64_t now, bool *opened)
{
    enum { TRIES = 1000 };
    struct preload_warrant fresh;
    *opened = false;
    if (!state->settings.reopen || maker->tries >= TRIES)
        return false;
    if (now - maker->tried < state->length * 2)
        return true;
    maker->tried = now;
    maker->tries++;
    if (preload_warrant_open(&fresh, &state->settings, NULL) != 0)
        return true;
    /* Replace the warrant before the old record is unmapped: a child that is forked meanwhile needs a mapped one. */
    struct preload_warrant old = state->warrant;
    state->warrant = fresh;
    preload_warrant_close(&old);
    maker->tries = 0;
    *opened = true;
    return fresh.boundary_ticks <= state->length / 16 && (fresh.ordered || state->order != PRELOAD_ORDERED);
}

/* True if the line can have led to the kernel's clock: if they differ by more than an eighth of the time since then, the machine was
 * suspended, the guest was moved, or the counter was set. */
static bool is_plausible(const struct preload_line *line, const struct preload_sight *sight)
{
    if (sight->at < line->base)
        return line->base - sight->at <= (line->end - line->base) / 8;
    const preload_ns32 passed = (preload_ns32)(sight->at - line->base) * line->rate;
    const preload_ns32 expected = line->start + passed, most = passed / 8 + preload_ns32_of(PRELOAD_JUMP_NS);
    return preload_ns32_of(sight->high_ns) + most >= expected && expected + most >= preload_ns32_of(sight->low_ns);
}

/* Sets the offset of a clock. The true offset is a constant until the clock is set. The slot's is never less [A5], so a
 * setting forward is followed, however small. It is lowered if a sight is below an earlier one, because only a setting back
 * explains this; a smaller setting back is not seen, and an offset that followed each sight would go back by their
 * widths. */
static void set_offset(struct preload_slot *slot, int which, bool known, const struct preload_interval *seen)
{
    int64_t *offset = &slot->offset_ns[which], *low = &slot->low_ns[which];
    const bool anew = !known || seen->high_ns < *low;
    if (anew || *offset < seen->high_ns)
        *offset = seen->high_ns;
    if (anew || *low < seen->low_ns)
        *low = seen->low_ns;
    slot->excess_ns[which] = *offset - *low + (seen->high_ns - seen->low_ns);
}

static void set_offsets(struct preload_slot *slot, uint64_t known, const struct preload_view *view)
{
    for (int i = 0; i < PRELOAD_CLOCKS; i++)
        if ((view->known >> i & 1) && preload_track_of((enum preload_which)i) == PRELOAD_STEERED)
            set_offset(slot, i, known >> i & 1, &view->offset[i]);
}

/* True if the machine was suspended since the last line, as ordo_record_was_suspended: CLOCK_BOOTTIME then gains on
 * CLOCK_MONOTONIC. */
static bool was_suspended(const struct preload_slot *old, const struct preload_view *view)
{
    return (old->known & view->known) >> PRELOAD_BOOTTIME & 1 &&
           view->offset[PRELOAD_BOOTTIME].low_ns - old->offset_ns[PRELOAD_BOOTTIME] > 1000000;
}

/* Sets the line of a track. Returns false if kernel and counter do not belong together. */
static bool set_line(struct preload_slot *slot, const struct preload_slot *old, enum preload_track track,
                     struct preload_pace *pace, const struct preload_sight *sight, uint64_t nominal)
{
    const struct preload_line before = preload_slot_line(old, track);
    const bool follows = old->length && before.start;
    if (follows && !is_plausible(&before, sight))
        return false;
    const uint64_t rate = preload_pace_take(pace, sight);
    if (rate < nominal - nominal / 4 || rate > nominal + nominal / 4)
        return false;
    const struct preload_line line =
        follows ? preload_line_next(&before, sight, rate, slot->length) : preload_line_first(sight, rate, slot->length);
    preload_slot_take(slot, track, &line);
    return true;
}

/* Makes the slot from a view. The line of CLOCK_MONOTONIC_RAW remains unset until the clock is wanted. */
static bool fill_slot(struct preload_state *state, struct preload_slot *slot, const struct preload_view *view)
{
    const struct preload_slot old = *slot;
    const uint64_t nominal = preload_rate_of_hz(state->warrant.tick_hz);
    if (was_suspended(&old, view))
        return false;
    slot->base = view->sight[PRELOAD_STEERED].at;
    slot->length = state->length;
    slot->span = preload_line_span(state->length);
    slot->known = view->known;
    for (int i = 0; i < PRELOAD_TRACKS; i++) {
        if (i == PRELOAD_STEADY && !(view->known >> PRELOAD_RAW & 1))
            slot->run[i] = (struct preload_run){0};
        else if (!set_line(slot, &old, (enum preload_track)i, &state->maker->pace[i], &view->sight[i], nominal))
            return false;
    }
    set_offsets(slot, old.known, view);
    preload_slot_split(slot);
    return true;
}

/* Prepares a maker that is new, or that was wiped because this process was forked. */
static void prepare_maker(struct preload_state *state, struct preload_maker *maker)
{
    if (maker->narrowest)
        return;
    maker->narrowest = preload_look_narrowest();
    for (int i = 0; i < PRELOAD_TRACKS; i++)
        maker->pace[i].rate = preload_rate_of_hz(state->warrant.tick_hz);
}

/* Makes the next line from a fresh view, under the lock. */
static bool make_line(struct preload_state *state, struct preload_maker *maker, struct preload_slot *slot, uint64_t now)
{
    struct preload_view view;
    struct preload_slot last = *slot;
    bool opened;
    prepare_maker(state, maker);
    const uint64_t rates[PRELOAD_TRACKS] = {maker->pace[PRELOAD_STEERED].rate, maker->pace[PRELOAD_STEADY].rate};
    /* Relaxed: a clock that is missed is in the next line. */
    const uint64_t wanted = __atomic_load_n(&state->wanted, __ATOMIC_RELAXED) | UINT64_C(1) << PRELOAD_BOOTTIME;
    if (!preload_look(wanted, rates, state->warrant.boundary_ticks, &maker->narrowest, &view))
        return false;
    const enum preload_standing standing = preload_warrant_judge(&state->warrant, view.sight[PRELOAD_STEERED].low_ns);
    if (standing == PRELOAD_WITHDRAWN)
        return leave(state, slot);
    if (standing == PRELOAD_REPLACED)
        return !reopen_record(state, maker, now, &opened) ? leave(state, slot) : opened;
    if (!fill_slot(state, slot, &view))
        return leave(state, &last);
    preload_ring_publish(&state->ring, slot);
    return true;
}

/* Does the work of preload_make, under the lock. */
static bool make_locked(struct preload_state *state, struct preload_maker *maker)
{
    struct preload_slot slot;
    (void)preload_ring_copy(&state->ring, &slot);
    const uint64_t now = ordo_clock_read();
    if (slot.phase == PRELOAD_LEFT || (slot.span && preload_slot_ticks(&slot, now) < slot.span))
        return true; /* another thread was faster */
    return slot.phase == PRELOAD_LEAVING ? finish_leaving(state, &slot, now) : make_line(state, maker, &slot, now);
}

bool preload_make(struct preload_state *state)
{
    struct preload_maker *maker = state->maker;
    const int saved = errno;
    int cancelled;
    /* Acquire, pairs with the release below: the pace and the warrant of the last maker. */
    if (__atomic_exchange_n(&maker->busy, 1, __ATOMIC_ACQUIRE))
        return false;
    /* open, read and close are cancellation points; clock_gettime is none. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
    const bool made = make_locked(state, maker);
    (void)pthread_setcancelstate(cancelled, NULL);
    /* Release, pairs with the acquire above: the pace, the warrant. */
    __atomic_store_n(&maker->busy, 0, __ATOMIC_RELEASE);
    errno = saved;
    return made;
}
