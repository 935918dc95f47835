/* The ring between a producer of events and the merger: one writes, one reads, neither waits.
 *
 * The producer's half of <ordo/merge.h>, whose conditions M2, M3, M5 and M8 are met here. One thread uses a producer at
 * a time; its times are made non-decreasing, whatever CPUs it runs on.
 *
 * How the merger learns that nothing earlier can come, one of:
 *
 *   stamp     ordo_merge_stamp takes the time itself and announces first: exact, and asks no promise of the caller. A
 *             producer that uses it uses nothing else.
 *   append    the caller gives the time: it may come from anywhere. The merger knows that the next is not earlier than
 *             the last, than what ordo_merge_progress said, and than what the stated flush delay allows
 *             (ordo_merge_promise).
 *   close     nothing comes any more.
 */
#ifndef ORDO_MERGE_RING_H
#define ORDO_MERGE_RING_H

#include <ordo/ordo.h>

/** Times lie below: what lies above is free for the merger's own marks. */
#define ORDO_MERGE_TIMES (UINT64_C(1) << 62)

/** What is merged: a time, and a word of the producer's, which may be a pointer or an index. */
struct ordo_merge_event {
    ordo_time time;
    uint64_t data;
};

enum ordo_merge_state {
    ORDO_MERGE_SILENT = 0,    /* appends: says nothing of what it is about to do */
    ORDO_MERGE_IDLE = 1,      /* stamps, and is not about to */
    ORDO_MERGE_ANNOUNCED = 2, /* stamps, and may have read the clock for an event that is not in the ring */
    ORDO_MERGE_CLOSED = 3
};

/** One producer. Its fields are for the functions below and the merger. */
struct ordo_merge_producer {
    /* Written by the producer. */
    uint64_t tail;     /* events appended */
    uint64_t progress; /* no later event is earlier, in ticks */
    uint32_t state;    /* enum ordo_merge_state */
    uint32_t reserved;
    uint64_t last_ticks; /* time of the last event */
    uint64_t head_seen;  /* how far the merger was */
    struct ordo_merge_event *ring;
    uint64_t mask;
    char line[72];
    /* Written by the merger. */
    uint64_t head; /* events taken, whose slots are free */
    char other_line[120];
};

/* Whether there is a slot for one more event. */
static inline int ordo_merge_room(struct ordo_merge_producer *p)
{
    if (p->tail - p->head_seen <= p->mask)
        return 1;
    /* M8. Acquire: pairs with ordo_merge_give_back: the merger has read the slots that are free now. */
    p->head_seen = __atomic_load_n(&p->head, __ATOMIC_ACQUIRE);
    return p->tail - p->head_seen <= p->mask;
}

/* Puts an event into a ring that has room for it. */
static inline void ordo_merge_put(struct ordo_merge_producer *p, ordo_time t, uint64_t data)
{
    struct ordo_merge_event *slot = &p->ring[p->tail & p->mask];
    if (t.ticks > p->last_ticks)
        p->last_ticks = t.ticks;
    slot->time.ticks = p->last_ticks; /* [M2] the larger of the two */
    slot->data = data;
    /* M8. Release: pairs with ordo_merge_look: the slot is written. */
    __atomic_store_n(&p->tail, p->tail + 1, __ATOMIC_RELEASE);
}

/** Appends an event of time `t`. Never waits.
 *
 * `t` is a reading of this thread's clock since its last event, or whatever the streams have in common; where it is below
 * the last event's time, which a thread that moved to another CPU may see, that one is taken. ORDO_LATER: the ring is
 * full, and the event is not in it; with a stated flush delay take a new time for the next attempt. ORDO_E_INVALID: `t`
 * is not below ORDO_MERGE_TIMES, or the producer is closed or stamps. */
static inline int ordo_merge_append(struct ordo_merge_producer *p, ordo_time t, uint64_t data)
{
    if (t.ticks >= ORDO_MERGE_TIMES || p->state != ORDO_MERGE_SILENT)
        return ORDO_E_INVALID;
    if (!ordo_merge_room(p))
        return ORDO_LATER;
    ordo_merge_put(p, t, data);
    return ORDO_OK;
}

/** Appends an event of this moment: earlier loads and stores are performed before its time is taken, and the merger
 * knows without any promise what may still come. Costs an ordo_get_time_after_full. Codes as ordo_merge_append. */
static inline int ordo_merge_stamp(struct ordo_merge_producer *p, const struct ordo *o, uint64_t data)
{
    ordo_time now;
    if (p->state == ORDO_MERGE_CLOSED)
        return ORDO_E_INVALID;
    if (!ordo_merge_room(p))
        return ORDO_LATER;
    /* M5. Relaxed: the read of the clock below waits until it is visible. */
    __atomic_store_n(&p->state, (uint32_t)ORDO_MERGE_ANNOUNCED, __ATOMIC_RELAXED);
    now = ordo_get_time_after_full(o); /* M5: what is stored next is made of it, or stored behind that */
    if (now.ticks < ORDO_MERGE_TIMES)
        ordo_merge_put(p, now, data);
    /* M3. Release: pairs with ordo_merge_look: who sees it idle sees the event. */
    __atomic_store_n(&p->state, (uint32_t)ORDO_MERGE_IDLE, __ATOMIC_RELEASE);
    return now.ticks < ORDO_MERGE_TIMES ? ORDO_OK : ORDO_E_INVALID;
}

/** Says, before the first event, that this producer only stamps: the merger does not wait for its first event. */
static inline void ordo_merge_idle(struct ordo_merge_producer *p)
{
    /* M3. Release: pairs with ordo_merge_look, as in ordo_merge_stamp. */
    __atomic_store_n(&p->state, (uint32_t)ORDO_MERGE_IDLE, __ATOMIC_RELEASE);
}

/** Says that no later event of this producer will be earlier than `t`; later events are raised to that. */
static inline void ordo_merge_progress(struct ordo_merge_producer *p, ordo_time t)
{
    if (t.ticks >= ORDO_MERGE_TIMES || t.ticks <= p->last_ticks)
        return;              /* the last event said as much */
    p->last_ticks = t.ticks; /* [M2] */
    /* M3. Release: pairs with ordo_merge_look: who sees it sees all earlier events. */
    __atomic_store_n(&p->progress, t.ticks, __ATOMIC_RELEASE);
}

/** Says that nothing comes any more. Called by the producer's thread, or by another one for a thread that surely has
 * ended (joined, or gone with its process); closing again does nothing. */
static inline void ordo_merge_close(struct ordo_merge_producer *p)
{
    /* M3. Release: pairs with ordo_merge_look: who sees it closed sees all events. */
    __atomic_store_n(&p->state, (uint32_t)ORDO_MERGE_CLOSED, __ATOMIC_RELEASE);
}

#endif
