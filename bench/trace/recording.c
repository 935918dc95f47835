#include "trace/recording.h"

#include <stdatomic.h>
#include <string.h>

#include "trace/record/buffer.h"
#include "trace/record/ticks.h"

enum { CAPACITY = 1 << 16, BATCH = 128 };

static atomic_uint_least64_t lost;

/* Replaces the recorder's function. The ring is never emptied, so that old events are overwritten. */
bool ordo_trace_make_room(struct ordo_trace_thread *thread)
{
    (void)thread;
    return true;
}

void ordo_trace_wake(void)
{
}

/* Opens a ring for the worker, in a list of its own. */
static int enter_recording(struct bench_worker *worker, struct ordo_error *error)
{
    struct ordo_trace_thread *ring = NULL;
    worker->own = ordo_trace_thread_open(&ring, CAPACITY, ORDO_TRACE_RING);
    return worker->own ? ORDO_OK : ordo_error_errno(error, "a ring of %d events", CAPACITY);
}

static void leave_recording(struct bench_worker *worker)
{
    struct ordo_trace_thread *ring = worker->own;
    ordo_trace_threads_free(&ring);
}

static uint64_t work_record(struct bench_worker *worker)
{
    struct ordo_trace_thread *ring = worker->own;
    uint64_t events = 0;
    do {
        for (uint32_t i = 0; i < BATCH; i++) {
            uint64_t entry = ordo_trace_in_order(&ring->last_ticks, ordo_trace_entry_ticks(NULL));
            ordo_trace_push_region(ring, i, ORDO_TRACE_BEGIN, entry);
            uint64_t exit = ordo_trace_in_order(&ring->last_ticks, ordo_trace_exit_ticks(NULL));
            ordo_trace_push_region(ring, i, ORDO_TRACE_END, exit);
        }
        events += 2 * (uint64_t)BATCH;
    } while (bench_running(worker));
    atomic_fetch_add(&lost, events - atomic_load(&ring->head));
    return events;
}

static int audit_recording(void *context, struct ordo_error *error)
{
    uint64_t count = atomic_exchange(&lost, 0);
    (void)context;
    return count == 0 ? ORDO_OK
                      : ordo_error_set(error, ORDO_E_MEASURE, 0, "%llu events are not in the rings",
                                       (unsigned long long)count);
}

static volatile uint64_t seen; /* keeps the compiler from dropping the readings */

static uint64_t work_entry(struct bench_worker *worker)
{
    uint64_t reads = 0, sum = 0;
    do {
        for (uint32_t i = 0; i < BATCH; i++)
            sum += ordo_trace_entry_ticks(NULL);
        reads += BATCH;
    } while (bench_running(worker));
    seen = sum;
    return reads;
}

static uint64_t work_exit(struct bench_worker *worker)
{
    uint64_t reads = 0, sum = 0;
    do {
        for (uint32_t i = 0; i < BATCH; i++)
            sum += ordo_trace_exit_ticks(NULL);
        reads += BATCH;
    } while (bench_running(worker));
    seen = sum;
    return reads;
}

void recording_variants(struct bench_variant variants[RECORDING_VARIANTS])
{
    variants[0] = (struct bench_variant){.algorithm = "record",
                                         .stamp = ORDO_CLOCK_NAME,
                                         .workload = "into a ring",
                                         .enter = enter_recording,
                                         .work = work_record,
                                         .leave = leave_recording,
                                         .audit = audit_recording};
    variants[1] = (struct bench_variant){.algorithm = "read-entry", .workload = "into a ring", .work = work_entry};
    variants[2] = (struct bench_variant){.algorithm = "read-exit", .workload = "into a ring", .work = work_exit};
}
