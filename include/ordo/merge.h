/* Merges ordered streams: K producers, each non-decreasing in its own time, become one stream.
 *
 *     struct ordo_merge_options options = {0};
 *     options.clock = &o;                                     // an open handle
 *     options.producers = 2, options.ring_events = 1024;
 *     ordo_merge_create(&merge, memory, ordo_merge_bytes(&options), &options);
 *     ordo_merge_stamp(ordo_merge_producer_of(merge, 0), &o, word);  // on each producer's thread
 *     ordo_merge_pull(merge, out, room, &count);              // on the merger's thread, again and again
 *
 * The output is in the order of the raw times; events of equal time that are available together come out in the order
 * of the producers' numbers. Two events whose order is certain never come out in the opposite order. Each event states
 * whether its order relative to the previous event is certain. An event comes out as soon as no producer can deliver an
 * earlier event, and not before.
 *
 * A producer is a ring (merge/ring.h) that its thread fills, an array, or a source: a function that the merger calls,
 * such as the reader of a file (merge/file.h).
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU whose clock the times come from. If `clock` is an open handle, the merger watches
 *    its record: once the record is disrupted, no more events come out.
 *  - A stated flush delay holds (ordo_merge_promise). Stating a delay is optional.
 *  - One thread pulls at a time, and one thread uses a producer at a time.
 *
 * A PRODUCER THAT STALLS OR DIES
 *
 * A stalled or dead producer holds back every event that is later than the earliest event that it may still deliver.
 * The caller chooses a policy:
 *
 *   ORDO_MERGE_WAIT   the merger waits until the producer continues or is closed
 *   ORDO_MERGE_LIMIT  the merger waits for `limit_ticks` and continues; an event that arrives too late comes out at
 *                     once, flagged LATE
 *   ORDO_MERGE_DROP   as LIMIT, but an event that arrives too late is dropped and counted
 *
 * WHY IT IS CORRECT
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x, on any covered CPU, shows at least x - B. S is
 * the slack: an event's time differs by at most S from the clock's reading at the event. S is 0 unless the clock was
 * read unordered. Let U = B + 2S.
 *
 *  M1  The output is in the order of raw times. Of two events that are more than U apart, the one that happened earlier
 *      has the smaller time. Therefore no certain pair is inverted.
 *  M2  A producer's times do not decrease. A thread that migrated may read a time r that is up to B less than its last
 *      time L; the event then gets the time T = max(L, r) [M2]. The thread read T no later than the event, and T >= r.
 *      Therefore any event with a time certainly before T happened before this event, and any event with a time
 *      certainly after T happened after this event.
 *  M3  A producer's statements about itself (its progress, that it is idle, that it is closed) are stored after the
 *      events to which they refer. The merger loads a statement before it searches for events [M3]. Therefore it finds
 *      every event that precedes a statement that it has loaded.
 *  M4  The merger reads its clock, which shows `now`, before it checks a producer [M4 first]. Only later accesses have
 *      to be ordered behind this read (ordo_get_time_before), because an earlier reading gives a smaller bound, which
 *      also holds. If the merger then finds neither an event nor an announcement, the producer's next event reads its
 *      clock after the merger did, so its time is at least now - B - S [M4 bound]. A producer with a stated flush delay
 *      F has published every event whose clock was read more than F ago. Hence, if the merger does not find an event,
 *      the merger's clock showed at least now - F when the event's clock was read, and the event's time is at least
 *      now - F - B - S [M4 flush]. One boundary suffices, not two, because F is a span, and a span is the same on every
 *      clock.
 *  M5  A producer that stamps announces its event before it reads the clock, and the announcement is visible before the
 *      read [M5]. If the merger sees no announcement, then the event is already in the ring, or the producer reads its
 *      clock after the merger did, and M4 applies. No other access has to be ordered behind the producer's read
 *      (ordo_get_time_after_full), because the event contains the time, and the word `idle` is stored after the event
 *      (M3).
 *  M6  An event leaves if its time is at most the earliest time that any producer may still deliver [M6]. If no event
 *      of a producer is known, its key in the tree is the lower bound of its next event's time. A bound loses against
 *      an event of the same time: an event that may still arrive has at least that time, so the order of raw times
 *      holds.
 *  M7  The order of an event and the previous event is certain if and only if both are of one producer or their times
 *      are more than U apart [M7].
 *  M8  The producer writes a slot of a ring before it counts the slot in `tail`, and the merger reads the slot before
 *      it counts the slot in `head` [M8].
 *  M9  If an event is earlier than an event that has already left, because of a broken promise or the caller's limit,
 *      the merger flags or drops the event, and counts it. A late event is never presented as an event in order [M9].
 *
 * COST
 *
 * The merger allocates nothing: the caller provides the memory at creation. An event costs one replay of the loser tree
 * (merge/tree.h): log2 K steps without a branch. A ring is checked once per batch, and the clock is read at most once
 * per pull.
 */
#ifndef ORDO_MERGE_H
#define ORDO_MERGE_H

#include <stddef.h>
#include <string.h>

#include <ordo/merge/ring.h>
#include <ordo/merge/tree.h>
#include <ordo/ordo.h>

#define ORDO_MERGE_PRODUCERS 65536u
#define ORDO_MERGE_RING (UINT32_C(1) << 28) /* events of the largest ring */

enum ordo_merge_policy { ORDO_MERGE_WAIT = 0, ORDO_MERGE_LIMIT = 1, ORDO_MERGE_DROP = 2 };

/** Options of a merger. Fields that you do not need must be zero. */
struct ordo_merge_options {
    const struct ordo *clock; /* an open handle that does not move; NULL: read no clock, and use `boundary_ticks` */
    uint64_t boundary_ticks;  /* if `clock` is NULL: the boundary of the clock that was read for the times */
    uint64_t slack_ticks;     /* S: largest difference of a time and the clock at its event; 0 unless read unordered */
    uint64_t limit_ticks;     /* for the policies LIMIT and DROP */
    int policy;               /* enum ordo_merge_policy */
    uint32_t producers;       /* number of producers; if 0, the stream is over at once */
    uint32_t ring_events;     /* size of each producer's ring, a power of two; 0 if all producers are arrays */
};

enum ordo_merge_flag {
    ORDO_MERGE_CERTAIN = 1, /* the event is certainly after the previous one; the first event is certain */
    ORDO_MERGE_LATE = 2     /* the event should have come out earlier (M9) */
};

/** An event of the output. */
struct ordo_merge_out {
    ordo_time time;
    uint64_t data;
    uint32_t producer;
    uint32_t flags; /* enum ordo_merge_flag */
};

/** Counts since the merger was created. */
struct ordo_merge_counts {
    uint64_t events;    /* number of events that came out, late events included */
    uint64_t uncertain; /* of `events`: those whose order relative to the previous event is not certain */
    uint64_t late;      /* of `events`: those flagged LATE */
    uint64_t dropped;   /* number of events that arrived too late and were dropped */
};

/** A function that delivers the events of a source. The merger calls it when all delivered events of this producer have
 * left. Writes up to `room` events, non-decreasing in time, and sets `*count` to their number. If it writes none, it
 * may set `*progress` to a lower bound of the times of all future events; a future event below this bound comes out
 * late. Returns
 *
 * - ORDO_OK: it wrote events; or it wrote none, and the stream is over;
 * - ORDO_LATER: no event is available at the moment;
 * - a negative code: the merge ends, and ordo_merge_pull returns this code from then on. */
typedef int ordo_merge_fill(void *source, struct ordo_merge_event *events, uint64_t room, uint64_t *count,
                            uint64_t *progress);

/* The batch of a producer: contiguous events that are known to be in order. At the end of the batch the merger checks
 * the producer again. */
struct ordo_merge_batch {
    const struct ordo_merge_event *next, *stop;
};

/* The position of the output. */
struct ordo_merge_place {
    uint64_t last_ticks;   /* largest time of all events that have left */
    uint64_t before_ticks; /* time of the event that left last */
    uint64_t uncertain, late, dropped;
    uint32_t before; /* producer of the event that left last */
};

/* The merger's own state about a producer. */
struct ordo_merge_stream {
    const struct ordo_merge_event *events;
    uint64_t mask;
    uint64_t head; /* index of the next event to leave */
    uint64_t stop; /* events with an index < `stop` are known to be in order; at `stop` the merger checks again */
    uint64_t tail; /* the number of known events */
    uint64_t bound_ticks;                 /* lower bound of the times of all unknown events */
    uint64_t floor_ticks;                 /* of an array or a source: upper bound of the times of its events so far */
    uint64_t flush_ticks;                 /* the stated flush delay; UINT64_MAX: none is stated */
    struct ordo_merge_producer *producer; /* the ring's producer; NULL if this is no ring */
    ordo_merge_fill *fill;                /* the source's function; NULL if this is no source */
    void *source;
    uint64_t pull; /* number of the pull in which the producer was last checked */
    int over;      /* true for an array, and for a source that has ended */
};

/** A merger. Only the functions below use its fields. */
struct ordo_merge {
    struct ordo_merge_tree tree;
    struct ordo_merge_batch *batches;
    struct ordo_merge_stream *streams;
    struct ordo_merge_producer *producers;
    const struct ordo *clock;
    uint64_t uncertain_ticks; /* U */
    uint64_t behind_ticks;    /* B + S */
    uint64_t limit_ticks;     /* UINT64_MAX: no limit */
    uint64_t largest;         /* maximum number of events between two checks of a ring */
    uint64_t pulls;
    uint64_t now_ticks; /* the clock's reading in this pull */
    uint64_t events;    /* number of events that came out */
    struct ordo_merge_place place;
    int drops, started, looked, code;
};

/* ---- creation ---- */

static inline int ordo_merge_options_valid(const struct ordo_merge_options *options)
{
    uint64_t boundary = options->clock ? ordo_boundary(options->clock) : options->boundary_ticks;
    int power = (options->ring_events & (options->ring_events - 1)) == 0;
    if (options->clock && ordo_flags(options->clock) & ORDO_FLAGS_OTHER_TIMES)
        return 0; /* the handle's boundary is for times that this merger does not read, and may be too small */
    return boundary > 0 && boundary < ORDO_MERGE_TIMES / 8 && options->slack_ticks < ORDO_MERGE_TIMES / 8 &&
           options->producers <= ORDO_MERGE_PRODUCERS && power && options->ring_events <= ORDO_MERGE_RING &&
           options->policy >= ORDO_MERGE_WAIT && options->policy <= ORDO_MERGE_DROP;
}

/* Alignment of the first producer in memory. Each producer has cache lines of its own. */
enum { ORDO_MERGE_ALIGN = 128 };

static inline uint64_t ordo_merge_bytes_each(const struct ordo_merge_options *options)
{
    return sizeof(struct ordo_merge_producer) + sizeof(struct ordo_merge_stream) + sizeof(struct ordo_merge_batch) +
           sizeof(uint64_t) + sizeof(uint32_t) + (uint64_t)options->ring_events * sizeof(struct ordo_merge_event);
}

/** Returns the bytes of memory that a merger with these options needs; 0 if the options are not valid or the size does
 * not fit. */
static inline size_t ordo_merge_bytes(const struct ordo_merge_options *options)
{
    uint64_t bytes;
    if (!ordo_merge_options_valid(options))
        return 0;
    bytes = options->producers * ordo_merge_bytes_each(options) + sizeof(struct ordo_merge) + 2 * ORDO_MERGE_ALIGN;
    return bytes < SIZE_MAX / 2 ? (size_t)bytes : 0;
}

/* Divides the memory, the strictest alignment first. The caller has checked its size. */
static inline struct ordo_merge *ordo_merge_cut(void *memory, const struct ordo_merge_options *options)
{
    uintptr_t at = ((uintptr_t)memory + ORDO_MERGE_ALIGN - 1) / ORDO_MERGE_ALIGN * ORDO_MERGE_ALIGN;
    struct ordo_merge_producer *producers = (struct ordo_merge_producer *)at;
    struct ordo_merge_event *rings = (struct ordo_merge_event *)(producers + options->producers);
    struct ordo_merge *m = (struct ordo_merge *)(rings + (uint64_t)options->producers * options->ring_events);
    m->producers = producers;
    m->batches = (struct ordo_merge_batch *)(m + 1);
    m->streams = (struct ordo_merge_stream *)(m->batches + options->producers);
    m->tree.keys = (uint64_t *)(m->streams + options->producers);
    m->tree.losers = (uint32_t *)(m->tree.keys + options->producers);
    m->tree.count = options->producers;
    return m;
}

static inline void ordo_merge_set_up(struct ordo_merge *m, uint32_t k, uint32_t ring_events)
{
    struct ordo_merge_stream *s = &m->streams[k];
    struct ordo_merge_producer *p = &m->producers[k];
    struct ordo_merge_event *rings = (struct ordo_merge_event *)(m->producers + m->tree.count);
    p->ring = rings + (uint64_t)k * ring_events;
    p->mask = (uint64_t)ring_events - 1;
    s->events = p->ring;
    s->mask = p->mask;
    s->flush_ticks = UINT64_MAX;
    s->producer = p;
    s->over = ring_events == 0; /* until an array is attached */
}

/** Makes a merger in `memory`, whose size `bytes` is at least ordo_merge_bytes. The memory must not move, and belongs
 * to the merger until the merger's last use. A merger needs no destruction. Returns 0, or
 *
 * - ORDO_E_INVALID: the memory is too small, or the options are not valid: the handle is not open, or is a handle for
 *   corrected times or for the kernel's clock; the boundary is 0; a ring's size is not a power of two; or the boundary,
 *   the slack, the producers, the ring's size or the policy is out of range. */
static inline int ordo_merge_create(struct ordo_merge **merge, void *memory, size_t bytes,
                                    const struct ordo_merge_options *options)
{
    size_t needed = ordo_merge_bytes(options);
    uint64_t boundary = options->clock ? ordo_boundary(options->clock) : options->boundary_ticks;
    struct ordo_merge *m;
    uint32_t k;
    *merge = NULL;
    if (needed == 0 || bytes < needed || !memory)
        return ORDO_E_INVALID;
    memset(memory, 0, bytes);
    m = ordo_merge_cut(memory, options);
    for (k = 0; k < options->producers; k++)
        ordo_merge_set_up(m, k, options->ring_events);
    m->clock = options->clock;
    m->uncertain_ticks = boundary + 2 * options->slack_ticks;
    m->behind_ticks = boundary + options->slack_ticks;
    m->limit_ticks = options->policy == ORDO_MERGE_WAIT ? UINT64_MAX : options->limit_ticks;
    m->drops = options->policy == ORDO_MERGE_DROP;
    m->largest = options->ring_events / 4 + 1;
    m->place.before = ORDO_MERGE_TREE_NONE;
    m->place.before_ticks =
        ORDO_MERGE_TIMES * 2; /* any time minus this value wraps to far more than U, so the first event is certain */
    *merge = m;
    return ORDO_OK;
}

/** Returns producer `k` of a merger with rings, for the thread that fills the ring; NULL if there is no such
 * producer. */
static inline struct ordo_merge_producer *ordo_merge_producer_of(struct ordo_merge *m, uint32_t k)
{
    return k < m->tree.count && !m->streams[k].over && !m->streams[k].fill ? &m->producers[k] : NULL;
}

/** States, before the first pull, that producer `k` makes an event visible within `flush_ticks` after reading its time.
 * The producer can be preempted between the two. Therefore state a delay that covers preemption, or state none, or use
 * ordo_merge_stamp. Returns 0, or
 *
 * - ORDO_E_INVALID: there is no such producer, or the merger already runs. */
static inline int ordo_merge_promise(struct ordo_merge *m, uint32_t k, uint64_t flush_ticks)
{
    if (k >= m->tree.count || m->started)
        return ORDO_E_INVALID;
    m->streams[k].flush_ticks = flush_ticks;
    return ORDO_OK;
}

/** Makes producer `k` the array of `count` events, before the first pull. The array must not move. */
static inline int ordo_merge_attach_array(struct ordo_merge *m, uint32_t k, const struct ordo_merge_event *events,
                                          uint64_t count)
{
    struct ordo_merge_stream *s;
    if (k >= m->tree.count || m->started)
        return ORDO_E_INVALID;
    s = &m->streams[k];
    s->producer = NULL;
    s->fill = NULL;
    s->events = events;
    s->mask = UINT64_MAX;
    s->tail = count;
    s->over = 1;
    return ORDO_OK;
}

/** Makes producer `k` of a merger with rings a source, before the first pull. Its events pass through the ring. */
static inline int ordo_merge_attach_source(struct ordo_merge *m, uint32_t k, ordo_merge_fill *fill, void *source)
{
    if (k >= m->tree.count || m->started || m->streams[k].over)
        return ORDO_E_INVALID;
    m->streams[k].producer = NULL;
    m->streams[k].fill = fill;
    m->streams[k].source = source;
    return ORDO_OK;
}

/* ---- the keys of the tree ---- */

/* The key of an event is even and the key of a bound is odd: at the same time the event wins [M6]. No key is 0. */
#define ORDO_MERGE_KEY_EVENT(ticks) (((ticks) + 1) << 1)
#define ORDO_MERGE_KEY_BOUND(ticks) (((ticks) + 1) << 1 | 1)
#define ORDO_MERGE_KEY_TICKS(key) (((key) >> 1) - 1)
#define ORDO_MERGE_KEY_OVER UINT64_MAX

/* Checks that a batch is in order; the check also brings the batch into the cache. The batch of a ring needs no check,
 * because the ring's producer keeps it in order. */
static inline int ordo_merge_ordered(struct ordo_merge_stream *s, const struct ordo_merge_batch *batch)
{
    const struct ordo_merge_event *event;
    uint64_t disorder = 0, before = s->floor_ticks;
    for (event = batch->next; event != batch->stop; event++) {
        disorder |= (uint64_t)(event->time.ticks < before);
        before = event->time.ticks;
    }
    s->floor_ticks = before;
    return !disorder && before < ORDO_MERGE_TIMES;
}

/* Begins the next batch of stream `s`, which has at least one known event. */
static inline int ordo_merge_open(const struct ordo_merge *m, struct ordo_merge_stream *s, uint64_t *key)
{
    struct ordo_merge_batch *batch = &m->batches[s - m->streams];
    uint64_t at = s->head & s->mask, count = s->tail - s->head, most = s->producer ? m->largest : 256;
    if (count > most)
        count = most;
    if (count > s->mask - at)
        count = s->mask - at + 1; /* up to the end of the ring */
    s->head += count;
    batch->next = s->events + at;
    batch->stop = batch->next + count;
    if (!s->producer && !ordo_merge_ordered(s, batch))
        return ORDO_E_MALFORMED;
    *key = ORDO_MERGE_KEY_EVENT(batch->next->time.ticks);
    return ORDO_OK;
}

static inline void ordo_merge_raise(struct ordo_merge_stream *s, uint64_t bound_ticks)
{
    if (bound_ticks > s->bound_ticks)
        s->bound_ticks = bound_ticks;
}

/* Returns a lower bound, by the clock, of the time of an event that was not found. The event becomes visible at most
 * `delay_ticks` after its time is read. */
static inline uint64_t ordo_merge_horizon(const struct ordo_merge *m, uint64_t delay_ticks)
{
    uint64_t delay = delay_ticks < m->limit_ticks ? delay_ticks : m->limit_ticks; /* a later event is late: M9 */
    uint64_t behind = m->behind_ticks;
    if (!m->looked || m->now_ticks < behind || m->now_ticks - behind < delay)
        return 0;
    return m->now_ticks - behind - delay; /* [M4 bound] */
}

/* Searches a ring whose known events have all left for new events. */
static inline int ordo_merge_look(struct ordo_merge *m, struct ordo_merge_stream *s, uint64_t *key)
{
    /* M3. Both loads acquire: they pair with ordo_merge_progress, ordo_merge_stamp, ordo_merge_idle and
     * ordo_merge_close. The events before the loaded statement are visible. */
    uint64_t progress = __atomic_load_n(&s->producer->progress, __ATOMIC_ACQUIRE);
    uint32_t state = __atomic_load_n(&s->producer->state, __ATOMIC_ACQUIRE);
    /* M8. Acquire: pairs with ordo_merge_put: the slots below `tail` are written. */
    s->tail = __atomic_load_n(&s->producer->tail, __ATOMIC_ACQUIRE);
    if (s->tail != s->head)
        return ordo_merge_open(m, s, key);
    ordo_merge_raise(s, progress);
    ordo_merge_raise(s, ordo_merge_horizon(m, state == ORDO_MERGE_IDLE ? 0 : s->flush_ticks)); /* [M5] [M4 flush] */
    *key = state == ORDO_MERGE_CLOSED ? ORDO_MERGE_KEY_OVER : ORDO_MERGE_KEY_BOUND(s->bound_ticks);
    return ORDO_OK;
}

/* Asks a source whose known events have all left for new events. */
static inline int ordo_merge_ask(struct ordo_merge *m, struct ordo_merge_stream *s, uint64_t *key)
{
    uint64_t count = 0, progress = 0, room = s->mask + 1;
    int code = s->fill(s->source, m->producers[s - m->streams].ring, room, &count, &progress);
    if (code < 0 || count > room || progress >= ORDO_MERGE_TIMES)
        return code < 0 ? code : ORDO_E_MALFORMED;
    s->head = 0;
    s->tail = count;
    if (count > 0)
        return ordo_merge_open(m, s, key);
    ordo_merge_raise(s, progress);
    ordo_merge_raise(s, ordo_merge_horizon(m, s->flush_ticks));
    *key = code == ORDO_OK ? ORDO_MERGE_KEY_OVER : ORDO_MERGE_KEY_BOUND(s->bound_ticks);
    return ORDO_OK;
}

/* Finds the key of stream `k` after its batch has left: an event, a bound, or the end. */
static inline int ordo_merge_turn(struct ordo_merge *m, uint32_t k, uint64_t *key)
{
    struct ordo_merge_stream *s = &m->streams[k];
    s->pull = m->pulls;
    if (s->producer) /* M8. Release: pairs with ordo_merge_room: the slots of the last batch were read. */
        __atomic_store_n(&s->producer->head, s->head, __ATOMIC_RELEASE);
    if (s->head < s->tail)
        return ordo_merge_open(m, s, key);
    if (s->producer)
        return ordo_merge_look(m, s, key);
    if (s->fill)
        return ordo_merge_ask(m, s, key);
    *key = ORDO_MERGE_KEY_OVER;
    return ORDO_OK;
}

/* Called if the bound `key` does not grow. Checks all other streams whose key in the tree is the same bound and that were
 * not checked in this pull. Such a stream may have an event of exactly that time, which can leave at once. Returns ORDO_OK
 * if a stream has an event or a larger bound. */
static inline int ordo_merge_look_beside(struct ordo_merge *m, uint64_t key)
{
    int code = ORDO_OK, found = 0;
    uint32_t k;
    for (k = 0; k < m->tree.count && !code; k++)
        if (m->tree.keys[k] == key && m->streams[k].pull != m->pulls) {
            code = ordo_merge_turn(m, k, &m->tree.keys[k]);
            found |= m->tree.keys[k] != key;
        }
    if (found)
        ordo_merge_tree_build(&m->tree); /* keys other than the winner's changed */
    return code || found ? code : ORDO_LATER;
}

/* Called if the winner of the tree is the bound of stream `k`. No event can leave unless the bound grows or stream `k`
 * has an event by now. */
static inline int ordo_merge_wait(struct ordo_merge *m, uint32_t k)
{
    uint64_t key = m->tree.keys[k], before = key;
    int code;
    if (m->clock && !m->looked) {
        m->now_ticks = ordo_get_time_before(m->clock).ticks; /* [M4 first] performed before all later accesses */
        m->looked = 1;
    }
    code = ordo_merge_turn(m, k, &key);
    if (code)
        return code;
    m->tree.keys[k] = key;
    (void)ordo_merge_tree_replay(&m->tree, k);
    return key == before ? ordo_merge_look_beside(m, key) : ORDO_OK;
}

/* ---- pulling ---- */

/* Writes the event of the winner, stream `k`, to `*out`. Returns 1 if the event comes out, and 0 if it is dropped. */
static inline uint32_t ordo_merge_leave(const struct ordo_merge *m, struct ordo_merge_place *place, uint32_t k,
                                        const struct ordo_merge_event *event, struct ordo_merge_out *out)
{
    uint64_t ticks = event->time.ticks;
    uint32_t flags = (uint32_t)((k == place->before) | (ticks - place->before_ticks > m->uncertain_ticks)); /* [M7] */
    if (__builtin_expect(ticks < place->last_ticks, 0)) {                                                   /* [M9] */
        flags = ORDO_MERGE_LATE;
        place->dropped += (uint64_t)m->drops;
        place->late += (uint64_t)!m->drops;
        if (m->drops)
            return 0;
    } else {
        place->last_ticks = ticks;
    }
    out->time.ticks = ticks;
    out->data = event->data;
    out->producer = k;
    out->flags = flags;
    place->before = k;
    place->before_ticks = ticks;
    place->uncertain += (flags & ORDO_MERGE_CERTAIN) ^ 1;
    return 1;
}

/* Finds the next key of stream `k`, after its event has left. */
static inline int ordo_merge_go_on(struct ordo_merge *m, uint32_t k, uint64_t *key)
{
    struct ordo_merge_batch *batch = &m->batches[k];
    if (++batch->next != batch->stop) {
        *key = ORDO_MERGE_KEY_EVENT(batch->next->time.ticks);
        return ORDO_OK;
    }
    ordo_merge_raise(&m->streams[k], ORDO_MERGE_KEY_TICKS(*key));
    return ordo_merge_turn(m, k, key);
}

/* Writes up to `room` events to `out`, until the merger would have to wait. Returns the number of events, and stores
 * the code in `m->code`. */
static inline uint32_t ordo_merge_run(struct ordo_merge *m, struct ordo_merge_out *out, uint32_t room)
{
    const struct ordo_merge_tree tree = m->tree;
    struct ordo_merge_place place = m->place; /* kept in registers */
    uint32_t n = 0, k = tree.losers[0];
    while (n < room && tree.keys[k] != ORDO_MERGE_KEY_OVER && !m->code) {
        if (tree.keys[k] & 1) { /* [M6] */
            int code = ordo_merge_wait(m, k);
            if (code == ORDO_LATER)
                break;
            m->code = code;
            k = tree.losers[0];
            continue;
        }
        n += ordo_merge_leave(m, &place, k, m->batches[k].next, &out[n]);
        m->code = ordo_merge_go_on(m, k, &tree.keys[k]);
        k = ordo_merge_tree_replay(&tree, k);
    }
    m->place = place;
    return n;
}

static inline void ordo_merge_start(struct ordo_merge *m)
{
    uint32_t k;
    for (k = 0; k < m->tree.count; k++)
        m->tree.keys[k] = ORDO_MERGE_KEY_BOUND(0); /* no event of any producer is known */
    ordo_merge_tree_build(&m->tree);
    m->started = 1;
}

/** True if all producers are closed and everything has left. False before the first pull. */
static inline int ordo_merge_over(const struct ordo_merge *m)
{
    return m->started && (m->tree.count == 0 || m->tree.keys[m->tree.losers[0]] == ORDO_MERGE_KEY_OVER);
}

/** Writes up to `room` events that may leave to `out`, and sets `*count` to their number. Never waits. Only one thread
 * at a time may call it. Returns
 *
 * - ORDO_OK: some events left; or, with a count of 0, all events have left and all producers are closed
 *   (ordo_merge_over);
 * - ORDO_LATER: no event may leave now; pull again;
 * - ORDO_E_MALFORMED: an array or a source is not in order;
 * - ORDO_E_DISRUPTED: the record of the clock was withdrawn;
 * - the negative code that a source returned.
 *
 * After a negative code no more events come out, and every call returns that code. Events that left earlier are in
 * `out`. */
static inline int ordo_merge_pull(struct ordo_merge *m, struct ordo_merge_out *out, uint32_t room, uint32_t *count)
{
    *count = 0;
    if (!m->started)
        ordo_merge_start(m);
    if (m->clock && ordo_status(m->clock) == ORDO_STATUS_DISRUPTED)
        m->code = ORDO_E_DISRUPTED;
    m->looked = 0;
    m->pulls++;
    if (m->tree.count)
        *count = ordo_merge_run(m, out, room);
    m->events += *count;
    if (*count > 0 || m->code)
        return *count > 0 ? ORDO_OK : m->code;
    return ordo_merge_over(m) ? ORDO_OK : ORDO_LATER;
}

/** Returns the merger's counts so far. Call it on the merger's thread. */
static inline struct ordo_merge_counts ordo_merge_count(const struct ordo_merge *m)
{
    struct ordo_merge_counts counts = {m->events, m->place.uncertain, m->place.late, m->place.dropped};
    return counts;
}

#endif
