/* The ring of lines: any number of readers, one writer at a time, and no reader waits.
 *
 *  [R1] The writer fills slot i + 1 while `current` is i, and then publishes it by `current` = i + 1. A reader of slot i
 *       is disturbed only when slot i + PRELOAD_SLOTS is filled, and then `current` is at least i + PRELOAD_SLOTS - 1.
 *  [R2] A reader loads `current`, copies words of the slot, and loads `current` again. If it has not moved by
 *       PRELOAD_SLOTS - 1 or more, the words are all of slot i: each word is stored with release and loaded with
 *       acquire, so a reader that sees a word of slot i + PRELOAD_SLOTS also sees the `current` that precedes it. */
#ifndef ORDO_PRELOAD_SLOT_H
#define ORDO_PRELOAD_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/line.h"

enum { PRELOAD_SLOTS = 16, PRELOAD_LINE_BYTES = 64 };

/* The clocks that are served. The first four advance together; RAW has a line of its own. */
enum preload_which { PRELOAD_MONOTONIC, PRELOAD_REALTIME, PRELOAD_BOOTTIME, PRELOAD_TAI, PRELOAD_RAW, PRELOAD_CLOCKS };

/* The two lines: CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW. */
enum preload_track { PRELOAD_STEERED, PRELOAD_STEADY, PRELOAD_TRACKS };

static inline enum preload_track preload_track_of(enum preload_which which)
{
    return which == PRELOAD_RAW ? PRELOAD_STEADY : PRELOAD_STEERED;
}

/* How readings end. */
enum preload_phase {
    PRELOAD_SERVING, /* lines are made as they are needed */
    PRELOAD_LEAVING, /* no more lines: the kernel answers, but not below the last line */
    PRELOAD_LEFT     /* the last line is in the past: the kernel answers, and the counter is not read */
};

/* A time of a clock at the slot's base, split so that a reader need not divide. */
struct preload_split {
    uint64_t seconds, ns;
};

/* The words of a line for one track. */
struct preload_run {
    uint64_t rate, fraction; /* 2^-32 ns a tick; 2^-32 ns at the base */
    uint64_t ns;             /* whole ns at the base */
};

struct preload_slot {
    uint64_t base, span; /* ticks; a reader uses the line without more ado if t - base < span */
    uint64_t known;      /* bit: enum preload_which */
    struct preload_run run[PRELOAD_TRACKS];
    struct preload_split at[PRELOAD_CLOCKS];
    uint64_t length;                   /* ticks from base to end; 0: there is no line yet */
    uint64_t phase;                    /* enum preload_phase */
    int64_t offset_ns[PRELOAD_CLOCKS]; /* to the clock of the track */
    int64_t low_ns[PRELOAD_CLOCKS];    /* the largest lower end of a sight since the clock was seen to be set back */
    int64_t excess_ns[PRELOAD_CLOCKS]; /* by which the offset may be above the true one, unseen settings included */
} __attribute__((aligned(PRELOAD_LINE_BYTES)));

struct preload_ring {
    /* Written once a line. Readers also need the floors, so they share the line of the cache. */
    uint64_t current __attribute__((aligned(PRELOAD_LINE_BYTES)));
    uint64_t floor_ns[PRELOAD_TRACKS]; /* answers that later ones must not undercut (answer.h) */
    struct preload_slot slots[PRELOAD_SLOTS];
};

/* Acquire, pairs with preload_word_store: the `current` before this word [R2]. */
#define PRELOAD_WORD(word) __atomic_load_n(&(word), __ATOMIC_ACQUIRE)

/** Returns the index of the newest slot. Sequentially consistent, pairs with preload_ring_publish: the words of the
 * slot; and with preload_answer_by_kernel: the floor of every answer that the kernel gave under an earlier slot. */
static inline uint64_t preload_ring_current(const struct preload_ring *ring)
{
    return __atomic_load_n(&ring->current, __ATOMIC_SEQ_CST);
}

/** True if the words that were loaded from slot `index` are of this slot [R2]. */
static inline bool preload_ring_holds(const struct preload_ring *ring, uint64_t index)
{
    return preload_ring_current(ring) - index < PRELOAD_SLOTS - 1;
}

static inline const struct preload_slot *preload_ring_slot(const struct preload_ring *ring, uint64_t index)
{
    return &ring->slots[index % PRELOAD_SLOTS];
}

/** Copies the newest slot; returns its index. */
uint64_t preload_ring_copy(const struct preload_ring *ring, struct preload_slot *copy);

/** Publishes a slot. One writer at a time. */
void preload_ring_publish(struct preload_ring *ring, const struct preload_slot *slot);

/** Raises the floor to `ns`, and returns the floor: the larger of the two. Sequentially consistent, pairs with
 * preload_serve and preload_ring_current ([A3] of answer.h). */
uint64_t preload_floor_raise(uint64_t *floor_ns, uint64_t ns);

/** Returns the line of a track. */
static inline struct preload_line preload_slot_line(const struct preload_slot *slot, enum preload_track track)
{
    const struct preload_run *run = &slot->run[track];
    struct preload_line line = {slot->base, slot->base + slot->length, run->rate,
                                (preload_ns32)run->ns << 32 | run->fraction};
    return line;
}

/** Returns the ticks since the slot's base. A counter that is a little behind the base counts as at the base, because
 * another CPU's counter made it. */
static inline uint64_t preload_slot_ticks(const struct preload_slot *slot, uint64_t t)
{
    return t < slot->base && slot->base - t <= slot->length / 8 ? 0 : t - slot->base;
}

/** Sets the line of a track. The base must be the slot's. */
void preload_slot_take(struct preload_slot *slot, enum preload_track track, const struct preload_line *line);

/** Sets the split times of all clocks from the lines and the offsets. */
void preload_slot_split(struct preload_slot *slot);

#endif
