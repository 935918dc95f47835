/* Order of the merger: all threads but the first stamp events, and the first thread merges them while they arrive.
 * Violated if the output
 *
 *  - does not have every event exactly once, in the order of its producer and of the times;
 *  - has an event that comes too late, because a later event has left already;
 *  - calls an event certainly after the previous one, although it ended, in virtual time, before the previous one
 *    began. */
#include <ordo/merge.h>
#include <sched.h>
#include <stdlib.h>

#include "oracle.h"

enum { RING = 16, ROOM = 32 };

struct event {
    uint64_t begin_ps, end_ps;
};

static struct ordo o; /* the handle of the boundary */
static struct ordo_merge *merge;
static struct ordo_merge_options options;
static void *memory;
static size_t memory_bytes;
static struct event *events;        /* [producers * each] of the round */
static uint64_t *delivered;         /* [producers] */
static struct ordo_merge_out *outs; /* [producers * each + ROOM] */
static uint64_t out_count;

static void judge_event(const struct ordo_merge_out *out)
{
    if (out->data != delivered[out->producer]++)
        oracle_blame("an event was lost, or came twice");
    if (out->flags & ORDO_MERGE_LATE)
        oracle_blame("an event came too late");
}

static const struct event *event_of(const struct ordo_merge_out *out)
{
    return &events[(uint64_t)out->producer * oracle_plan.each + out->data];
}

static void judge_neighbours(const struct ordo_merge_out *before, const struct ordo_merge_out *after)
{
    if (after->time.ticks < before->time.ticks && !(after->flags & ORDO_MERGE_LATE))
        oracle_blame("two events came against the order of their times");
    if (after->flags & ORDO_MERGE_CERTAIN && event_of(after)->end_ps < event_of(before)->begin_ps)
        oracle_blame("an event was certainly after one that began after its end");
}

/* Begins the next round. */
static void begin_merge(void)
{
    if (ordo_merge_create(&merge, memory, memory_bytes, &options))
        abort();
    for (uint32_t k = 0; k < options.producers; k++) {
        ordo_merge_idle(ordo_merge_producer_of(merge, k));
        delivered[k] = 0;
    }
    out_count = 0;
}

static void judge_output(void)
{
    if (out_count != options.producers * oracle_plan.each) {
        oracle_blame("not all events came out, or too many");
        return;
    }
    for (uint64_t i = 0; i < out_count; i++) {
        judge_event(&outs[i]);
        if (i > 0)
            judge_neighbours(&outs[i - 1], &outs[i]);
    }
    oracle_result.operations += out_count;
    begin_merge();
}

static void take_all(void)
{
    int code = ORDO_OK;
    while (code >= 0 && out_count <= options.producers * oracle_plan.each && !ordo_merge_over(merge)) {
        uint32_t count;
        code = ordo_merge_pull(merge, &outs[out_count], ROOM, &count);
        out_count += count;
        if (code == ORDO_LATER)
            (void)sched_yield();
    }
    if (code < 0)
        oracle_blame("the merger has stopped");
}

static void produce_all(uint32_t k)
{
    struct ordo_merge_producer *producer = ordo_merge_producer_of(merge, k);
    for (uint64_t i = 0; i < oracle_plan.each; i++) {
        struct event *event = &events[k * oracle_plan.each + i];
        int code;
        do {
            event->begin_ps = oracle_now_ps();
            code = ordo_merge_stamp(producer, &o, i);
            event->end_ps = oracle_now_ps();
            if (code == ORDO_LATER)
                (void)sched_yield();
        } while (code == ORDO_LATER);
        if (code)
            oracle_blame("an event was refused");
    }
    ordo_merge_close(producer);
}

static void work_on_events(int thread)
{
    do {
        if (thread == 0)
            take_all();
        else
            produce_all((uint32_t)thread - 1);
        oracle_rest(judge_output);
    } while (!oracle_is_over());
}

int oracle_merge(void)
{
    const struct ordo handle = ORDO_INIT(oracle_plan.boundary, 0);
    o = handle;
    if (oracle_plan.threads < 2)
        return -1;
    options.clock = &o;
    options.producers = (uint32_t)oracle_plan.threads - 1;
    options.ring_events = RING;
    memory_bytes = ordo_merge_bytes(&options);
    memory = aligned_alloc(64, (memory_bytes + 63) / 64 * 64);
    events = calloc(options.producers * oracle_plan.each, sizeof *events);
    outs = calloc(options.producers * oracle_plan.each + ROOM, sizeof *outs);
    delivered = calloc(options.producers, sizeof *delivered);
    if (!memory || !events || !outs || !delivered)
        return -1;
    begin_merge();
    oracle_run_threads(work_on_events);
    return 0;
}
