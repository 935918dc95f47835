/* The threads of spans. Each thread of a rank holds a stack of spans, each within the one below it. A span goes to the
 * thread of its parent if it fits there; or else to the thread whose stack ends first, if that has ended; or else to a
 * new thread. The threads of a rank are a heap by the ends of their lowest spans, so a span costs a logarithm. */
#include <stdlib.h>

#include "trace/spans/causes.h"

struct lane {
    int64_t end_ns;  /* of its lowest span */
    uint32_t top;    /* 1 + its highest span; 0: it is empty */
    uint32_t number; /* of the thread */
};

/* The threads of one rank. */
struct rank_lanes {
    struct lane *heap; /* the lane whose lowest span ends first is heap[0] */
    uint32_t *places;  /* of each thread in the heap */
    uint32_t count, room;
};

struct span_order {
    int64_t begin_ns, end_ns;
    uint32_t rank, span;
};

/* Spans by rank, then by begin; the longer one first. */
static int by_begin(const void *a, const void *b)
{
    const struct span_order *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    return x->span < y->span ? -1 : x->span > y->span;
}

static void put_lane(struct rank_lanes *lanes, uint32_t at, struct lane lane)
{
    lanes->heap[at] = lane;
    lanes->places[lane.number] = at;
}

/* Moves the lane at a place down to its place, after its end became later. */
static void sink_lane(struct rank_lanes *lanes, uint32_t at)
{
    struct lane moved = lanes->heap[at];
    for (uint32_t child; (child = 2 * at + 1) < lanes->count; at = child) {
        if (child + 1 < lanes->count && lanes->heap[child + 1].end_ns < lanes->heap[child].end_ns)
            child++;
        if (lanes->heap[child].end_ns >= moved.end_ns)
            break;
        put_lane(lanes, at, lanes->heap[child]);
    }
    put_lane(lanes, at, moved);
}

/* Adds a lane that ends at `end_ns`, and moves it up to its place. Returns -1 if out of memory. */
static int add_lane(struct rank_lanes *lanes, int64_t end_ns, uint32_t span)
{
    if (lanes->count == lanes->room) {
        uint32_t room = lanes->room ? 2 * lanes->room : 64;
        struct lane *heap = realloc(lanes->heap, room * sizeof *heap);
        if (heap)
            lanes->heap = heap;
        uint32_t *places = heap ? realloc(lanes->places, room * sizeof *places) : NULL;
        if (!places)
            return -1;
        lanes->places = places;
        lanes->room = room;
    }
    uint32_t at = lanes->count++;
    struct lane added = {end_ns, span + 1, at};
    for (; at > 0 && lanes->heap[(at - 1) / 2].end_ns > end_ns; at = (at - 1) / 2)
        put_lane(lanes, at, lanes->heap[(at - 1) / 2]);
    put_lane(lanes, at, added);
    return 0;
}

/* Puts a span on the thread of its parent, if it is within the highest span there. `below` has for each span 1 + the
 * span below it. */
static bool put_on_parent(struct ordo_spans *spans, struct rank_lanes *lanes, uint32_t *below, uint32_t at)
{
    struct ordo_span *span = &spans->all[at];
    const struct ordo_span *parent = span->parent ? &spans->all[span->parent - 1] : NULL;
    if (!parent || parent->rank != span->rank || parent->thread >= lanes->count)
        return false;
    struct lane *lane = &lanes->heap[lanes->places[parent->thread]];
    while (lane->top && spans->all[lane->top - 1].end_ns <= span->begin_ns)
        lane->top = below[lane->top - 1];
    if (!lane->top || spans->all[lane->top - 1].end_ns < span->end_ns)
        return false;
    below[at] = lane->top;
    lane->top = at + 1;
    span->thread = parent->thread;
    return true;
}

static int put_span(struct ordo_spans *spans, struct rank_lanes *lanes, uint32_t *below, uint32_t at)
{
    struct ordo_span *span = &spans->all[at];
    if (put_on_parent(spans, lanes, below, at))
        return 0;
    if (lanes->count > 0 && lanes->heap[0].end_ns <= span->begin_ns) {
        span->thread = lanes->heap[0].number;
        lanes->heap[0].end_ns = span->end_ns;
        lanes->heap[0].top = at + 1;
        sink_lane(lanes, 0);
        return 0;
    }
    span->thread = lanes->count;
    return add_lane(lanes, span->end_ns, at);
}

int ordo_span_lanes(struct ordo_spans *spans)
{
    struct span_order *order = calloc(spans->count + 1, sizeof *order);
    uint32_t *below = calloc(spans->count + 1, sizeof *below);
    struct rank_lanes lanes = {0};
    int failed = order && below ? 0 : -1;
    for (size_t i = 0; !failed && i < spans->count; i++) {
        struct ordo_span *span = &spans->all[i];
        order[i] = (struct span_order){span->begin_ns, span->end_ns, (uint32_t)span->rank, (uint32_t)i};
        span->thread = UINT32_MAX;
    }
    if (!failed)
        qsort(order, spans->count, sizeof *order, by_begin);
    for (size_t i = 0; !failed && i < spans->count; i++) {
        lanes.count = i > 0 && order[i].rank == order[i - 1].rank ? lanes.count : 0;
        failed = put_span(spans, &lanes, below, order[i].span);
    }
    free(order);
    free(below);
    free(lanes.heap);
    free(lanes.places);
    return failed;
}
