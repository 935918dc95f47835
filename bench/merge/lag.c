#include "merge/lag.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/merge.h>

#include "base/error.h"
#include "base/gang.h"
#include "base/time.h"

enum { RING = 4096, ROOM = 256, EVERY_NS = 5000 };

struct run {
    struct merge_lag *lag;
    struct ordo_merge *merge;
    atomic_int over;
};

/* Pins the members: member 0 is the merger, on the first CPU. */
static int enter_lag(void *context, int index, struct ordo_error *error)
{
    const struct bench_machine *machine = ((struct run *)context)->lag->machine;
    int cpu = index == 0 ? 0 : 1 + (index - 1) % (machine->cpu_count - 1);
    return ordo_topology_pin(machine->topology, machine->cpus[cpu], error);
}

static int make_event(const struct merge_lag *lag, struct ordo_merge_producer *p)
{
    if (lag->flush_ticks == 0)
        return ordo_merge_stamp(p, lag->clock, 0);
    return ordo_merge_append(p, ordo_get_time(lag->clock), 0);
}

/* Produces events until the end. Producers may share a CPU, so an idle producer yields it. */
static void produce(struct run *run, struct ordo_merge_producer *p)
{
    const struct merge_lag *lag = run->lag;
    int64_t next_ns = ordo_raw_ns();
    while (!atomic_load_explicit(&run->over, memory_order_relaxed)) { /* relaxed: the flag carries no data */
        if (ordo_raw_ns() < next_ns) {
            (void)sched_yield();
            continue;
        }
        (void)make_event(lag, p); /* if the ring is full, the event is dropped */
        next_ns = ordo_raw_ns() + EVERY_NS;
    }
    ordo_merge_close(p);
}

static void merge_events(struct run *run)
{
    struct merge_lag *lag = run->lag;
    struct ordo_merge_out out[ROOM];
    uint32_t count;
    int64_t begin_ns = ordo_raw_ns(), end_ns = begin_ns + (int64_t)(lag->seconds * 1e9), now_ns = begin_ns;
    uint64_t begin_ticks = ordo_get_time(lag->clock).ticks;
    for (; now_ns < end_ns; now_ns = ordo_raw_ns()) {
        (void)ordo_merge_pull(run->merge, out, ROOM, &count);
        uint64_t now = ordo_get_time(lag->clock).ticks;
        for (uint32_t i = 0; i < count; i++)
            txn_latency_add(&lag->latency, now > out[i].time.ticks ? now - out[i].time.ticks : 0);
    }
    lag->ns_per_tick = (double)(now_ns - begin_ns) / (double)(ordo_get_time(lag->clock).ticks - begin_ticks);
    /* Relaxed: the flag carries no data. */
    atomic_store_explicit(&run->over, 1, memory_order_relaxed);
}

static int work_lag(void *context, int index, struct ordo_error *error)
{
    struct run *run = context;
    struct ordo_merge_producer *p = index > 0 ? ordo_merge_producer_of(run->merge, (uint32_t)index - 1) : NULL;
    (void)error;
    if (p)
        produce(run, p);
    else
        merge_events(run);
    return ORDO_OK;
}

static void promise(const struct merge_lag *lag, struct ordo_merge *m)
{
    for (uint32_t k = 0; k < (uint32_t)lag->producers; k++) {
        struct ordo_merge_producer *p = ordo_merge_producer_of(m, k);
        if (lag->flush_ticks)
            (void)ordo_merge_promise(m, k, lag->flush_ticks);
        else if (p)
            ordo_merge_idle(p);
    }
}

int merge_lag_measure(struct merge_lag *lag, struct ordo_error *error)
{
    struct ordo_merge_options options = {
        .clock = lag->clock, .producers = (uint32_t)lag->producers, .ring_events = RING};
    struct run run = {.lag = lag};
    size_t bytes = ordo_merge_bytes(&options);
    if (lag->machine->cpu_count < 2)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "a lag needs 2 CPUs, the merger's and the producers'");
    void *memory = bytes ? malloc(bytes) : NULL;
    if (!memory || ordo_merge_create(&run.merge, memory, bytes, &options)) {
        free(memory);
        return ordo_error_set(error, ORDO_E_INVALID, 0, "no merger of %d producers", lag->producers);
    }
    promise(lag, run.merge);
    int code = ordo_gang_run(1 + lag->producers, enter_lag, work_lag, &run, error);
    lag->events = ordo_merge_count(run.merge).events;
    lag->uncertain = ordo_merge_count(run.merge).uncertain;
    lag->late = ordo_merge_count(run.merge).late;
    free(memory);
    return code;
}
