#include "merge/streams.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

enum { EVENTS = 1 << 20, GAP_TICKS = 64, RING = 512, ROOM = 256 };

int merge_streams_make(struct merge_streams *set, uint32_t streams, uint64_t boundary_ticks, struct ordo_error *error)
{
    uint64_t seed = streams, latest = 0;
    *set = (struct merge_streams){.streams = streams, .boundary_ticks = boundary_ticks, .each = EVENTS / streams};
    (void)snprintf(set->workload, sizeof set->workload, "%u streams", streams);
    set->events = calloc((size_t)streams * set->each, sizeof *set->events);
    if (!set->events)
        return ordo_error_errno(error, "%u streams", streams);
    for (uint32_t k = 0; k < streams; k++) {
        uint64_t ticks = 0;
        for (uint64_t i = 0; i < set->each; i++) {
            ticks += ordo_random_next(&seed) % (2 * (uint64_t)GAP_TICKS * streams);
            set->events[k * set->each + i] = (struct ordo_merge_event){{ticks}, i};
        }
        latest = ticks > latest ? ticks : latest;
    }
    set->span_ticks = latest + 1;
    return ORDO_OK;
}

void merge_streams_free(struct merge_streams *set)
{
    free(set->events);
    set->events = NULL;
}

/* A worker thread's own merger. */
struct own {
    void *memory;
    size_t bytes;
    struct ordo_merge_options options;
    struct ordo_merge_out out[ROOM];
    uint64_t *next; /* [streams]: the number of the next event that should be delivered */
    uint64_t last_ticks, inverted, lost, twice;
};

static int enter_streams(struct bench_worker *worker, struct ordo_error *error)
{
    const struct merge_streams *set = worker->context;
    struct own *own = calloc(1, sizeof *own);
    if (!own)
        return ordo_error_errno(error, "a merger");
    own->options = (struct ordo_merge_options){
        .boundary_ticks = set->boundary_ticks, .producers = set->streams, .ring_events = RING};
    own->bytes = ordo_merge_bytes(&own->options);
    own->memory = malloc(own->bytes);
    own->next = calloc(set->streams, sizeof *own->next);
    worker->own = own;
    return own->memory && own->next ? ORDO_OK : ordo_error_errno(error, "a merger of %u streams", set->streams);
}

static void leave_streams(struct bench_worker *worker)
{
    struct merge_streams *set = worker->context;
    struct own *own = worker->own;
    atomic_fetch_add(&set->inverted, own->inverted);
    atomic_fetch_add(&set->lost, own->lost);
    atomic_fetch_add(&set->twice, own->twice);
    free(own->next);
    free(own->memory);
    free(own);
}

static int audit_streams(void *context, struct ordo_error *error)
{
    struct merge_streams *set = context;
    uint64_t inverted = atomic_exchange(&set->inverted, 0);
    uint64_t lost = atomic_exchange(&set->lost, 0), twice = atomic_exchange(&set->twice, 0);
    if (inverted || lost || twice)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%" PRIu64 " events were delivered before an earlier one, %" PRIu64 " never, %" PRIu64
                              " twice",
                              inverted, lost, twice);
    return ORDO_OK;
}

/* Checks one delivered event. The events of a stream are numbered, and must be delivered in the order of their
 * numbers. */
static void consume_one(struct own *own, const struct ordo_merge_out *event)
{
    uint64_t *next = &own->next[event->producer];
    own->inverted += event->time.ticks < own->last_ticks;
    own->last_ticks = event->time.ticks;
    if (event->data < *next) {
        own->twice++;
        return;
    }
    own->lost += event->data - *next;
    *next = event->data + 1;
}

/* Consumes `count` events, checking each. */
static void consume(struct own *own, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        consume_one(own, &own->out[i]);
}

static void begin_lap(struct own *own, const struct merge_streams *set)
{
    own->last_ticks = 0;
    memset(own->next, 0, set->streams * sizeof *own->next);
}

/* Counts the events that are missing: a stream must have delivered all events with numbers below `each`. */
static void end_stream(struct own *own, uint32_t stream, uint64_t each)
{
    own->lost += each > own->next[stream] ? each - own->next[stream] : 0;
}

static struct ordo_merge *create_streams(struct own *own, const struct merge_streams *set, bool arrays)
{
    struct ordo_merge *m;
    if (ordo_merge_create(&m, own->memory, own->bytes, &own->options))
        return NULL;
    for (uint32_t k = 0; k < set->streams && arrays; k++)
        (void)ordo_merge_attach_array(m, k, &set->events[k * set->each], set->each);
    begin_lap(own, set);
    return m;
}

/* Pulls every event that the merger can deliver, and returns their number. */
static uint64_t pull_all(struct own *own, struct ordo_merge *m)
{
    uint64_t events = 0;
    uint32_t count = 0;
    while (ordo_merge_pull(m, own->out, ROOM, &count) == ORDO_OK && count > 0) {
        consume(own, count);
        events += count;
    }
    return events;
}

static uint64_t work_arrays(struct bench_worker *worker)
{
    const struct merge_streams *set = worker->context;
    struct own *own = worker->own;
    uint64_t events = 0;
    struct ordo_merge *m;
    do {
        m = create_streams(own, set, true);
        events += m ? pull_all(own, m) : 0;
        for (uint32_t k = 0; k < set->streams; k++)
            end_stream(own, k, set->each);
        worker->counters[MERGE_UNCERTAIN] += m ? ordo_merge_count(m).uncertain : 0;
    } while (m && bench_running(worker));
    return events + (events == 0);
}

/* Fills every ring, continuing each stream at its next event. Times and numbers continue to increase from one pass over
 * the array to the next. */
static void fill_rings(struct ordo_merge *m, const struct merge_streams *set, uint64_t *at)
{
    for (uint32_t k = 0; k < set->streams; k++) {
        struct ordo_merge_producer *p = ordo_merge_producer_of(m, k);
        for (uint64_t i = 0; p && i < RING / 2; i++, at[k]++) {
            struct ordo_merge_event event = set->events[k * set->each + at[k] % set->each];
            event.time.ticks += at[k] / set->each * set->span_ticks;
            event.data += at[k] / set->each * set->each;
            if (ordo_merge_append(p, event.time, event.data))
                break;
        }
    }
}

static uint64_t work_rings(struct bench_worker *worker)
{
    const struct merge_streams *set = worker->context;
    struct own *own = worker->own;
    uint64_t events = 0, at[MERGE_STREAMS_MOST] = {0};
    struct ordo_merge *m = create_streams(own, set, false);
    if (!m)
        return 1;
    do {
        fill_rings(m, set, at);
        events += pull_all(own, m);
    } while (bench_running(worker));
    for (uint32_t k = 0; k < set->streams; k++)
        ordo_merge_close(ordo_merge_producer_of(m, k));
    events += pull_all(own, m);
    for (uint32_t k = 0; k < set->streams; k++)
        end_stream(own, k, at[k]);
    worker->counters[MERGE_UNCERTAIN] += ordo_merge_count(m).uncertain;
    return events + (events == 0);
}

/* ---- the baseline: a binary heap of the streams, ordered by their next times ---- */

struct heap {
    struct {
        uint64_t ticks;
        uint32_t stream;
    } slots[MERGE_STREAMS_MOST];
    uint32_t count;
};

static void sift_down(struct heap *heap, uint32_t at)
{
    uint64_t ticks = heap->slots[at].ticks;
    uint32_t stream = heap->slots[at].stream, child;
    while ((child = 2 * at + 1) < heap->count) {
        child += child + 1 < heap->count && heap->slots[child + 1].ticks < heap->slots[child].ticks;
        if (heap->slots[child].ticks >= ticks)
            break;
        heap->slots[at] = heap->slots[child];
        at = child;
    }
    heap->slots[at].ticks = ticks;
    heap->slots[at].stream = stream;
}

static void begin_heap(struct heap *heap, const struct merge_streams *set, uint64_t *at)
{
    heap->count = set->streams;
    for (uint32_t k = 0; k < set->streams; k++) {
        at[k] = 0;
        heap->slots[k].ticks = set->events[k * set->each].time.ticks;
        heap->slots[k].stream = k;
    }
    for (uint32_t k = heap->count; k-- > 0;)
        sift_down(heap, k);
}

/* Takes up to ROOM events from the heap. */
static uint32_t take_from_heap(struct heap *heap, const struct merge_streams *set, uint64_t *at,
                               struct ordo_merge_out *out)
{
    uint32_t n = 0;
    for (; n < ROOM && heap->count > 0; n++) {
        uint32_t k = heap->slots[0].stream;
        const struct ordo_merge_event *event = &set->events[k * set->each + at[k]];
        out[n] = (struct ordo_merge_out){event->time, event->data, k, 0};
        if (++at[k] < set->each)
            heap->slots[0].ticks = event[1].time.ticks;
        else
            heap->slots[0] = heap->slots[--heap->count];
        sift_down(heap, 0);
    }
    return n;
}

static uint64_t work_heap(struct bench_worker *worker)
{
    const struct merge_streams *set = worker->context;
    struct own *own = worker->own;
    uint64_t events = 0, at[MERGE_STREAMS_MOST];
    struct heap heap;
    uint32_t count;
    do {
        begin_heap(&heap, set, at);
        begin_lap(own, set);
        while ((count = take_from_heap(&heap, set, at, own->out)) > 0) {
            consume(own, count);
            events += count;
        }
        for (uint32_t k = 0; k < set->streams; k++)
            end_stream(own, k, set->each);
    } while (bench_running(worker));
    return events + (events == 0);
}

void merge_streams_variants(struct merge_streams *set, struct bench_variant variants[MERGE_VARIANTS])
{
    struct bench_variant variant = {.workload = set->workload,
                                    .context = set,
                                    .enter = enter_streams,
                                    .leave = leave_streams,
                                    .audit = audit_streams,
                                    .stamp = "ordo"};
    variant.algorithm = "merge";
    variant.work = work_arrays;
    variants[0] = variant;
    variant.algorithm = "merge-rings";
    variant.work = work_rings;
    variants[1] = variant;
    variant.algorithm = "heap";
    variant.stamp = NULL;
    variant.work = work_heap;
    variants[2] = variant;
}
