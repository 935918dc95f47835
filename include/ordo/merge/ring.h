/* The ring between a producer of events and the merger: one thread writes, one thread reads, and neither waits.
 *
 * This is the producer's half of <ordo/merge.h>; conditions M2, M3, M5 and M8 are met here. One thread uses a producer
 * at a time. The ring makes the producer's times non-decreasing, whatever CPUs the thread runs on.
 *
 * The merger must learn that no earlier event can arrive. It learns this from three kinds of calls:
 *
 *   stamp     ordo_merge_stamp announces an event and then reads the clock itself. The merger's knowledge is exact, and
 *             the caller promises nothing. A producer that stamps must not append as well.
 *   append    the caller provides the time, which may come from anywhere. The merger knows three lower bounds of the
 *             next event's time: the last event's time, the time given to ordo_merge_progress, and the bound from the
 *             stated flush delay (ordo_merge_promise).
 *   close     no more events arrive.
 */
#ifndef ORDO_MERGE_RING_H
#define ORDO_MERGE_RING_H

#include <ordo/ordo.h>

/** All times are below this value; the merger uses larger values as its own marks. */
#define ORDO_MERGE_TIMES (UINT64_C(1) << 62)

/** An event to merge: a time, and a word of data, such as a pointer or an index. */
struct ordo_merge_event {
    ordo_time time;
    uint64_t data;
};

enum ordo_merge_state {
    ORDO_MERGE_SILENT = 0, /* the producer appends, and announces no event */
    ORDO_MERGE_IDLE = 1,   /* the producer stamps, and is not adding an event */
    ORDO_MERGE_ANNOUNCED =
        2, /* the producer is stamping: it may have read the clock for an event that is not yet in the ring */
    ORDO_MERGE_CLOSED = 3
};

/** One producer. Only the functions below and the merger use its fields. */
struct ordo_merge_producer {
    /* Written by the producer. */
    uint64_t tail;     /* number of events appended */
    uint64_t progress; /* lower bound of the times of all events to come, in ticks */
    uint32_t state;    /* enum ordo_merge_state */
    uint32_t reserved;
    uint64_t last_ticks; /* time of the last event */
    uint64_t head_seen;  /* the last value of `head` that the producer loaded */
    struct ordo_merge_event *ring;
    uint64_t mask;
    char line[72];
    /* Written by the merger. */
    uint64_t head; /* number of events that the merger has taken; their slots are free */
    char other_line[120];
};

/* True if there is a slot for one more event. */
static inline int ordo_merge_room(struct ordo_merge_producer *p)
{
    if (p->tail - p->head_seen <= p->mask)
        return 1;
    /* M8. Acquire: pairs with ordo_merge_turn: the merger has read the slots that are now free. */
    p->head_seen = __atomic_load_n(&p->head, __ATOMIC_ACQUIRE);
    return p->tail - p->head_seen <= p->mask;
}

/* Puts an event into a ring that has room for it. */
static inline void ordo_merge_put(struct ordo_merge_producer *p, ordo_time t, uint64_t data)
{
    struct ordo_merge_event *slot = &p->ring[p->tail & p->mask];
    if (t.ticks > p->last_ticks)
        p->last_ticks = t.ticks;
    slot->time.ticks = p->last_ticks; /* [M2] the larger of the two times */
    slot->data = data;
    /* M8. Release: pairs with ordo_merge_look: the slot is written. */
    __atomic_store_n(&p->tail, p->tail + 1, __ATOMIC_RELEASE);
}

/** Appends an event of time `t`. Never waits. `t` is a clock reading that this thread made after its last event, or a
 * value on any other time scale that the streams have in common. If `t` is below the last event's time, which can
 * happen after the thread migrated to another CPU, the event gets the last event's time. Returns 0, or
 *
 * - ORDO_LATER: the ring is full, so the event was not appended; if a flush delay is stated, read a new time for the
 *   next attempt;
 * - ORDO_E_INVALID: `t` is not below ORDO_MERGE_TIMES, or the producer is closed or stamps. */
static inline int ordo_merge_append(struct ordo_merge_producer *p, ordo_time t, uint64_t data)
{
    if (t.ticks >= ORDO_MERGE_TIMES || p->state != ORDO_MERGE_SILENT)
        return ORDO_E_INVALID;
    if (!ordo_merge_room(p))
        return ORDO_LATER;
    ordo_merge_put(p, t, data);
    return ORDO_OK;
}

/** Appends an event with the current time. Earlier loads and stores are performed before the clock is read. The merger
 * needs no promise to know which times may still arrive. Costs one ordo_get_time_after_full. Returns the same codes as
 * ordo_merge_append. */
static inline int ordo_merge_stamp(struct ordo_merge_producer *p, const struct ordo *o, uint64_t data)
{
    ordo_time now;
    if (p->state == ORDO_MERGE_CLOSED)
        return ORDO_E_INVALID;
    if (!ordo_merge_room(p))
        return ORDO_LATER;
    /* M5. Relaxed: the read of the clock below waits until the announcement is visible. */
    __atomic_store_n(&p->state, (uint32_t)ORDO_MERGE_ANNOUNCED, __ATOMIC_RELAXED);
    now = ordo_get_time_after_full(o); /* M5: every later store is made of `now`, or is ordered behind such a store */
    if (now.ticks < ORDO_MERGE_TIMES)
        ordo_merge_put(p, now, data);
    /* M3. Release: pairs with ordo_merge_look: a merger that sees the producer idle sees the event. */
    __atomic_store_n(&p->state, (uint32_t)ORDO_MERGE_IDLE, __ATOMIC_RELEASE);
    return now.ticks < ORDO_MERGE_TIMES ? ORDO_OK : ORDO_E_INVALID;
}

/** States, before the first event, that this producer only stamps. The merger then does not wait for the producer's
 * first event. */
static inline void ordo_merge_idle(struct ordo_merge_producer *p)
{
    /* M3. Release: pairs with ordo_merge_look, as in ordo_merge_stamp. */
    __atomic_store_n(&p->state, (uint32_t)ORDO_MERGE_IDLE, __ATOMIC_RELEASE);
}

/** States that every later event of this producer has a time >= `t`. Smaller times of later events are raised to
 * `t`. */
static inline void ordo_merge_progress(struct ordo_merge_producer *p, ordo_time t)
{
    if (t.ticks >= ORDO_MERGE_TIMES || t.ticks <= p->last_ticks)
        return;              /* the last event's time already implies this */
    p->last_ticks = t.ticks; /* [M2] */
    /* M3. Release: pairs with ordo_merge_look: a merger that sees this progress sees all earlier events. */
    __atomic_store_n(&p->progress, t.ticks, __ATOMIC_RELEASE);
}

/** States that no more events arrive. Call it on the producer's thread; or on another thread, if the producer's thread
 * has certainly ended (it was joined, or its process exited). Closing again does nothing. */
static inline void ordo_merge_close(struct ordo_merge_producer *p)
{
    /* M3. Release: pairs with ordo_merge_look: a merger that sees the producer closed sees all its events. */
    __atomic_store_n(&p->state, (uint32_t)ORDO_MERGE_CLOSED, __ATOMIC_RELEASE);
}

#endif
