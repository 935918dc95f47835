/* Merging ordered streams: K producers, each non-decreasing in its own time; out comes one stream.
 *
 *     struct ordo_merge_options options = {0};
 *     options.clock = &o;                                     // an open handle
 *     options.producers = 2, options.ring_events = 1024;
 *     ordo_merge_create(&merge, memory, ordo_merge_bytes(&options), &options);
 *     ordo_merge_stamp(ordo_merge_producer_of(merge, 0), &o, word);  // on each producer's thread
 *     ordo_merge_pull(merge, out, room, &count);              // on the merger's thread, again and again
 *
 * What comes out is in the order of the raw times, equal ones that are there in the order of the producers' numbers. No
 * pair whose order is certain comes out inverted. Each event says whether its order to the one before it is certain. An event
 * leaves when no producer can deliver an earlier one any more, and not before: nothing here is a guess.
 *
 * A producer is a ring (merge/ring.h) that its thread fills, an array, or a source: a function that the merger calls,
 * such as the reader of a file (merge/file.h).
 *
 * WHAT THE CALLER PROMISES
 *
 *  - The boundary covers every CPU whose clock the times come from. An open handle in `clock` is watched: once its
 *    record is disrupted nothing more comes out.
 *  - A stated flush delay holds (ordo_merge_promise). None has to be stated.
 *  - One thread pulls at a time, and one uses a producer at a time.
 *
 * A PRODUCER THAT STALLS OR DIES
 *
 * holds everything back that is later than what it may still deliver. What then, the caller chooses:
 *
 *   ORDO_MERGE_WAIT   waits, until it goes on or is closed
 *   ORDO_MERGE_LIMIT  waits `limit_ticks`, and goes on; what comes too late comes out at once and is flagged LATE
 *   ORDO_MERGE_DROP   the same, but what comes too late is dropped and counted
 *
 * WHY IT IS CORRECT
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x, on any covered CPU, shows at least x - B. S is the
 * slack: a time is at most S off the clock's reading at its event, 0 unless the clock was read unordered. U = B + 2S.
 *
 *  M1  What comes out is in the order of raw times. Of two events that are more than U apart the earlier has the smaller
 *      time; so no certain pair is inverted.
 *  M2  A producer's times do not go back. A thread that moved reads up to B less than before: the larger of the two is
 *      taken [M2]. It is a reading that this thread made no later than the event, and at least the event's own: so what
 *      is certainly before it was before the event, and what is certainly after it was after it.
 *  M3  What a producer says of itself (its progress, that it is idle, that it is closed) is stored after the events that
 *      it speaks of, and loaded before the events are looked for [M3]. So no event is missed that came before it.
 *  M4  The clock is read before a producer is looked at [M4 first], and shows `now`. Only this side has to be
 *      ordered (ordo_get_time_before): a reading of an earlier moment gives an earlier bound, which holds as well. An event that is then neither found
 *      nor announced is of a read that happens later: its time is at least now - B - S [M4 bound]. A producer that
 *      states a flush delay F has published all events that it read the clock for longer than F ago: what is not found
 *      is of a read at which the merger's clock showed at least now - F, so of at least now - F - B - S [M4 flush]. One
 *      boundary is enough, not two: F is a span, and a span is the same on every clock.
 *  M5  Who stamps announces before it reads the clock, with the announcement visible before the read [M5]. If the merger
 *      sees no announcement, then the event is in the ring, or its clock is read after the merger's: M4. Nothing else
 *      has to come after that read (ordo_get_time_after_full): the event is made of the time, and the word that the
 *      producer is idle is stored behind the event (M3).
 *  M6  An event leaves when it is not later than what any producer may still deliver [M6]. A producer of whom no event is
 *      known stands in the tree with that bound as its key. The bound loses against an event of the same time: what
 *      may still come has at least that time, so the order of raw times holds.
 *  M7  The order to the one before is certain if both are of one producer, or more than U apart; else not [M7].
 *  M8  A slot of a ring is written before it is counted, and read before it is given back [M8].
 *  M9  An event below one that has left, which only a broken promise or the caller's limit makes, is flagged or dropped,
 *      and counted; it never passes for one in order [M9].
 *
 * COST
 *
 * No allocation: the memory is given at the creation. An event costs a replay of the loser tree (merge/tree.h), log2 K
 * steps without a branch. A ring is looked at once per batch, and the clock is read at most once per pull.
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

/** All zero but for what is needed. */
struct ordo_merge_options {
    const struct ordo *clock; /* open, and stays where it is; NULL: no clock is read, and `boundary_ticks` counts */
    uint64_t boundary_ticks;  /* used without a clock: of the record under which the times were taken */
    uint64_t slack_ticks;     /* what an unordered stamp adds: by how much a time may be off its event */
    uint64_t limit_ticks;     /* for the policies LIMIT and DROP */
    int policy;               /* enum ordo_merge_policy */
    uint32_t producers;       /* may be 0: then the stream is over at once */
    uint32_t ring_events;     /* of each producer, a power of two; 0 where all are arrays */
};

enum ordo_merge_flag {
    ORDO_MERGE_CERTAIN = 1, /* it is certainly after the event before it; the first event is */
    ORDO_MERGE_LATE = 2     /* it should have come out earlier (M9) */
};

/** What comes out. */
struct ordo_merge_out {
    ordo_time time;
    uint64_t data;
    uint32_t producer;
    uint32_t flags; /* enum ordo_merge_flag */
};

/** What a merger has done. */
struct ordo_merge_counts {
    uint64_t events;    /* that came out, late ones included */
    uint64_t uncertain; /* of these, whose order to the one before is not certain */
    uint64_t late;      /* of these, flagged LATE */
    uint64_t dropped;   /* that came too late and were dropped */
};

/** Where a source's events come from. Called by the merger when it has none left of this producer; writes up to `room`
 * events, non-decreasing in time, and says in `*count` how many. With none it may say in `*progress` that no later event is
 * earlier; one that is comes late.
 *
 * ORDO_OK: there are some, or with none the stream is over. ORDO_LATER: none at the moment. A negative code ends the
 * merge, and is returned by ordo_merge_pull from then on. */
typedef int ordo_merge_fill(void *source, struct ordo_merge_event *events, uint64_t room, uint64_t *count,
                            uint64_t *progress);

/* The batch of a producer: events in a row of memory, known to be in order. At its end the merger looks again. */
struct ordo_merge_batch {
    const struct ordo_merge_event *next, *stop;
};

/* Where the output is. */
struct ordo_merge_place {
    uint64_t last_ticks;   /* the latest time that has left */
    uint64_t before_ticks; /* the time that left last */
    uint64_t uncertain, late, dropped;
    uint32_t before; /* the producer that it was of */
};

/* A producer as the merger knows it. */
struct ordo_merge_stream {
    const struct ordo_merge_event *events;
    uint64_t mask;
    uint64_t head;        /* the next to leave */
    uint64_t stop;        /* events below are known to be in order; at this one the merger looks again */
    uint64_t tail;        /* events that are known */
    uint64_t bound_ticks; /* no unknown event is earlier */
    uint64_t floor_ticks; /* of an array or a source: its events so far are not later */
    uint64_t flush_ticks; /* stated by the producer; UINT64_MAX: nothing is */
    struct ordo_merge_producer *producer; /* of a ring */
    ordo_merge_fill *fill;                /* of a source */
    void *source;
    uint64_t pull; /* in which it was last looked at */
    int over;      /* an array, or a source that has ended */
};

/** A merger. Its fields are for the functions below. */
struct ordo_merge {
    struct ordo_merge_tree tree;
    struct ordo_merge_batch *batches;
    struct ordo_merge_stream *streams;
    struct ordo_merge_producer *producers;
    const struct ordo *clock;
    uint64_t uncertain_ticks; /* U */
    uint64_t behind_ticks;    /* B + S */
    uint64_t limit_ticks;     /* UINT64_MAX: waits */
    uint64_t largest;         /* events between two looks at a ring */
    uint64_t pulls;
    uint64_t now_ticks; /* of this pull */
    uint64_t events;    /* that came out */
    struct ordo_merge_place place;
    int drops, started, looked, code;
};

/* ---- creation ---- */

static inline int ordo_merge_options_valid(const struct ordo_merge_options *options)
{
    uint64_t boundary = options->clock ? ordo_boundary(options->clock) : options->boundary_ticks;
    int power = (options->ring_events & (options->ring_events - 1)) == 0;
    if (options->clock && ordo_flags(options->clock) & ORDO_FLAGS_OTHER_TIMES)
        return 0; /* the smaller boundary of other times than those that are read here */
    return boundary > 0 && boundary < ORDO_MERGE_TIMES / 8 && options->slack_ticks < ORDO_MERGE_TIMES / 8 &&
           options->producers <= ORDO_MERGE_PRODUCERS && power && options->ring_events <= ORDO_MERGE_RING &&
           options->policy >= ORDO_MERGE_WAIT && options->policy <= ORDO_MERGE_DROP;
}

/* What each producer takes, and the alignment of the first, on lines of their own. */
enum { ORDO_MERGE_ALIGN = 128 };

static inline uint64_t ordo_merge_bytes_each(const struct ordo_merge_options *options)
{
    return sizeof(struct ordo_merge_producer) + sizeof(struct ordo_merge_stream) + sizeof(struct ordo_merge_batch) +
           sizeof(uint64_t) + sizeof(uint32_t) + (uint64_t)options->ring_events * sizeof(struct ordo_merge_event);
}

/** Bytes of memory that a merger with these options takes; 0 where they are not valid or it would not fit. */
static inline size_t ordo_merge_bytes(const struct ordo_merge_options *options)
{
    uint64_t bytes;
    if (!ordo_merge_options_valid(options))
        return 0;
    bytes = options->producers * ordo_merge_bytes_each(options) + sizeof(struct ordo_merge) + 2 * ORDO_MERGE_ALIGN;
    return bytes < SIZE_MAX / 2 ? (size_t)bytes : 0;
}

/* Cuts the memory up, the strictest alignment first; its size was checked. */
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

/** Makes a merger in `memory` of `bytes` bytes, at least ordo_merge_bytes, which stays where it is and belongs to the
 * merger until the last use of it; there is nothing to destroy. ORDO_E_INVALID: options that are not valid (an unopened
 * or refused handle, or that of corrected times; a boundary of 0, a ring that is no power of two), or too little memory.
 */
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
        ORDO_MERGE_TIMES * 2; /* any time less this wraps to far more than U: the first is certain */
    *merge = m;
    return ORDO_OK;
}

/** Producer `k` of a merger with rings, for the thread that fills it; NULL where there is none. */
static inline struct ordo_merge_producer *ordo_merge_producer_of(struct ordo_merge *m, uint32_t k)
{
    return k < m->tree.count && !m->streams[k].over && !m->streams[k].fill ? &m->producers[k] : NULL;
}

/** States, before the first pull, that producer `k` makes an event visible within `flush_ticks` of reading its time. A
 * thread can lose its CPU in between: state what covers that, or nothing, or stamp. ORDO_E_INVALID: there is no such
 * producer, or the merger runs already. */
static inline int ordo_merge_promise(struct ordo_merge *m, uint32_t k, uint64_t flush_ticks)
{
    if (k >= m->tree.count || m->started)
        return ORDO_E_INVALID;
    m->streams[k].flush_ticks = flush_ticks;
    return ORDO_OK;
}

/** Makes producer `k` the array of `count` events, before the first pull; it stays where it is. */
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

/* An event's key is even and a bound's odd: of the same time the event wins [M6]. None is 0. */
#define ORDO_MERGE_KEY_EVENT(ticks) (((ticks) + 1) << 1)
#define ORDO_MERGE_KEY_BOUND(ticks) (((ticks) + 1) << 1 | 1)
#define ORDO_MERGE_KEY_TICKS(key) (((key) >> 1) - 1)
#define ORDO_MERGE_KEY_OVER UINT64_MAX

/* A batch is looked over in order, which brings it into the cache too. That of a ring is in order as it is made. */
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

/* Begins the next batch of what is known of stream `s`; there is some. */
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

/* The bound that the clock gives for an event that was not found, where at most `delay_ticks` lie between the read of
 * its time and its being seen. */
static inline uint64_t ordo_merge_horizon(const struct ordo_merge *m, uint64_t delay_ticks)
{
    uint64_t delay = delay_ticks < m->limit_ticks ? delay_ticks : m->limit_ticks; /* what is later is late: M9 */
    uint64_t behind = m->behind_ticks;
    if (!m->looked || m->now_ticks < behind || m->now_ticks - behind < delay)
        return 0;
    return m->now_ticks - behind - delay; /* [M4 bound] */
}

/* Looks at a ring of which all known events have left. */
static inline int ordo_merge_look(struct ordo_merge *m, struct ordo_merge_stream *s, uint64_t *key)
{
    /* M3. Both acquire: pair with ordo_merge_progress, ordo_merge_stamp and ordo_merge_close: the events before it. */
    uint64_t progress = __atomic_load_n(&s->producer->progress, __ATOMIC_ACQUIRE);
    uint32_t state = __atomic_load_n(&s->producer->state, __ATOMIC_ACQUIRE);
    /* M8. Acquire: pairs with ordo_merge_put: the slots below it are written. */
    s->tail = __atomic_load_n(&s->producer->tail, __ATOMIC_ACQUIRE);
    if (s->tail != s->head)
        return ordo_merge_open(m, s, key);
    ordo_merge_raise(s, progress);
    ordo_merge_raise(s, ordo_merge_horizon(m, state == ORDO_MERGE_IDLE ? 0 : s->flush_ticks)); /* [M5] [M4 flush] */
    *key = state == ORDO_MERGE_CLOSED ? ORDO_MERGE_KEY_OVER : ORDO_MERGE_KEY_BOUND(s->bound_ticks);
    return ORDO_OK;
}

/* Asks a source of which all known events have left. */
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

/* The key of stream `k` once the batch that it had has left: an event, a bound, or the end. */
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

/* The bound of `key` does not grow. Others that stand in the tree with the same bound, and were not looked at in this
 * pull, may have an event of just that time, which need not wait. Returns ORDO_OK if one has. */
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
        ordo_merge_tree_build(&m->tree); /* others than the winner changed */
    return code || found ? code : ORDO_LATER;
}

/* A bound is first in the tree: nothing can leave unless it grows, or its stream has an event by now. */
static inline int ordo_merge_wait(struct ordo_merge *m, uint32_t k)
{
    uint64_t key = m->tree.keys[k], before = key;
    int code;
    if (m->clock && !m->looked) {
        m->now_ticks = ordo_get_time_before(m->clock).ticks; /* [M4 first] nothing later starts before it */
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

/* Takes the event that is first in the tree, of stream `k`, to `*out`; returns whether it comes out. */
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

/* The event of stream `k` that is first has left: what is next of it takes its place. */
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

/* Up to `room` events, as long as nothing has to be waited for; returns how many. The code is the merger's. */
static inline uint32_t ordo_merge_run(struct ordo_merge *m, struct ordo_merge_out *out, uint32_t room)
{
    const struct ordo_merge_tree tree = m->tree;
    struct ordo_merge_place place = m->place; /* in registers */
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
        m->tree.keys[k] = ORDO_MERGE_KEY_BOUND(0); /* nothing is known of anyone */
    ordo_merge_tree_build(&m->tree);
    m->started = 1;
}

/** Whether all producers are closed and everything has left; not before the first pull. */
static inline int ordo_merge_over(const struct ordo_merge *m)
{
    return m->started && (m->tree.count == 0 || m->tree.keys[m->tree.losers[0]] == ORDO_MERGE_KEY_OVER);
}

/** Takes what may leave, up to `room` events, to `out`; `*count` says how many. Never waits.
 *
 * ORDO_OK: some left; or with a count of 0 everything has left and all producers are closed (ordo_merge_over).
 * ORDO_LATER: none may leave now; pull again. ORDO_E_MALFORMED: an array or a source is not in order.
 * ORDO_E_DISRUPTED: the record of the clock was withdrawn. What a source returned. After a negative code nothing more
 * comes out, and it is returned from then on; what left before it was handed out. One thread at a time. */
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

/** What the merger has done so far. For its thread. */
static inline struct ordo_merge_counts ordo_merge_count(const struct ordo_merge *m)
{
    struct ordo_merge_counts counts = {m->events, m->place.uncertain, m->place.late, m->place.dropped};
    return counts;
}

#endif
