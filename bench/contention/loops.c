#include "loops.h"

#include <inttypes.h>
#include <string.h>

#include <ordo/clock.h>

#include "work.h"

/* The data of a thread between two operations. */
struct hand {
    uint64_t last;     /* the last time that the thread got */
    uint64_t backward; /* times that were before the last */
    uint64_t retries;
};

typedef void contention_operation(struct contention *shared, struct hand *hand);

/* Makes the compiler compute the value, in every repetition. */
#define KEEP(value) __asm__ volatile("" : : "r"(value))

/* Executes the operation and the private work in turn. It is inlined into each loop: the operation is no call. */
static inline __attribute__((always_inline)) uint64_t repeat_operation(struct bench_worker *worker,
                                                                       contention_operation *operation)
{
    struct contention *shared = worker->context;
    struct hand hand = {0};
    uint64_t ops = 0, steps = shared->work_steps, work = (uint64_t)worker->index;
    int batch = shared->batch;
    do {
        for (int i = 0; i < batch; i++) {
            operation(shared, &hand);
            work = contention_work(work, steps);
        }
        ops += (uint64_t)batch;
    } while (bench_running(worker));
    worker->counters[CONTENTION_OPS] = ops;
    worker->counters[CONTENTION_RETRIES] = hand.retries;
    worker->counters[CONTENTION_BACKWARD] = hand.backward;
    return ops;
}

#define LOOP(name, operation)                                                                                          \
    static uint64_t name(struct bench_worker *worker)                                                                  \
    {                                                                                                                  \
        return repeat_operation(worker, operation);                                                                    \
    }

/* --- one counter --- */

/* Relaxed, here and in swap_counter: the counter carries no other data, and the loop measures the cache line. */
static inline void add_to_counter(struct contention *shared, struct hand *hand)
{
    (void)hand;
    KEEP(__atomic_fetch_add(&shared->value, 1, __ATOMIC_RELAXED));
}

static inline void swap_counter(struct contention *shared, struct hand *hand)
{
    uint64_t seen = __atomic_load_n(&shared->value, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&shared->value, &seen, seen + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        hand->retries++;
}

static inline void lock_mutex(struct contention *shared, struct hand *hand)
{
    (void)hand;
    (void)pthread_mutex_lock(&shared->mutex);
    shared->value++;
    (void)pthread_mutex_unlock(&shared->mutex);
}

static inline void lock_ticket(struct contention *shared, struct hand *hand)
{
    (void)hand;
    /* Relaxed: the lock is taken by the load of `served_ticket`, not by the ticket. */
    uint32_t mine = __atomic_fetch_add(&shared->next_ticket, 1, __ATOMIC_RELAXED);
    /* Acquire: pairs with the release below: the increments of all earlier owners become visible. */
    while (__atomic_load_n(&shared->served_ticket, __ATOMIC_ACQUIRE) != mine)
        ordo_clock_pause();
    shared->value++;
    /* Release: pairs with the acquire above: the next owner sees the increment. */
    __atomic_store_n(&shared->served_ticket, mine + 1, __ATOMIC_RELEASE);
}

/* --- one maximum over all clocks --- */

/* Returns the clock, or the largest time that any thread got before if the clock is behind it. Two threads may get the
 * same time. Relaxed: the maximum only grows, and by the coherence of one variable a thread never loads an older value
 * than it loaded or stored before. */
static inline uint64_t monotone_time(struct contention *shared, struct hand *hand)
{
    uint64_t now = ordo_clock_relaxed(), most = __atomic_load_n(&shared->value, __ATOMIC_RELAXED);
    while (most < now) {
        if (__atomic_compare_exchange_n(&shared->value, &most, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return now;
        hand->retries++;
    }
    return most;
}

/* Returns a time that no other call returns: the clock, or the tick after the largest time if the clock is not behind
 * it. Relaxed, for the same reason. */
static inline uint64_t strict_time(struct contention *shared, struct hand *hand)
{
    uint64_t now = ordo_clock_relaxed(), most = __atomic_load_n(&shared->value, __ATOMIC_RELAXED);
    for (;;) {
        uint64_t next = most < now ? now : most + 1;
        if (__atomic_compare_exchange_n(&shared->value, &most, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return next;
        hand->retries++;
    }
}

static inline void take_monotone(struct contention *shared, struct hand *hand)
{
    uint64_t now = monotone_time(shared, hand);
    hand->backward += now < hand->last;
    hand->last = now;
}

static inline void take_strict(struct contention *shared, struct hand *hand)
{
    uint64_t now = strict_time(shared, hand);
    hand->backward += now <= hand->last;
    hand->last = now;
}

/* --- nothing shared --- */

static inline void read_tsc(struct contention *shared, struct hand *hand)
{
    (void)shared;
    (void)hand;
    KEEP(ordo_clock_relaxed());
}

static inline void read_ordered(struct contention *shared, struct hand *hand)
{
    (void)hand;
    KEEP(ordo_get_time(&shared->handle).ticks);
}

/* Prevents that a loop without work is removed. */
static inline void do_nothing(struct contention *shared, struct hand *hand)
{
    (void)shared;
    KEEP(hand->last);
}

LOOP(repeat_nothing, do_nothing)
LOOP(repeat_add, add_to_counter)
LOOP(repeat_cas, swap_counter)
LOOP(repeat_mutex, lock_mutex)
LOOP(repeat_ticket, lock_ticket)
LOOP(repeat_monotone, take_monotone)
LOOP(repeat_strict, take_strict)
LOOP(repeat_tsc, read_tsc)
LOOP(repeat_clock, read_ordered)

/* --- trials --- */

static int prepare_line(void *context, int threads, struct ordo_error *error)
{
    struct contention *shared = context;
    (void)threads;
    (void)error;
    shared->value = 0;
    shared->next_ticket = shared->served_ticket = 0;
    atomic_store_explicit(&shared->ops, 0, memory_order_relaxed);
    atomic_store_explicit(&shared->backward, 0, memory_order_relaxed);
    return ORDO_OK;
}

/* Relaxed: the end of the thread makes the sums visible to the audit. */
static void leave_line(struct bench_worker *worker)
{
    struct contention *shared = worker->context;
    atomic_fetch_add_explicit(&shared->ops, worker->counters[CONTENTION_OPS], memory_order_relaxed);
    atomic_fetch_add_explicit(&shared->backward, worker->counters[CONTENTION_BACKWARD], memory_order_relaxed);
}

static int audit_counter(void *context, struct ordo_error *error)
{
    struct contention *shared = context;
    uint64_t ops = atomic_load_explicit(&shared->ops, memory_order_relaxed);
    if (shared->value == ops)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "the counter is %" PRIu64 " after %" PRIu64 " operations",
                          shared->value, ops);
}

static int audit_times(void *context, struct ordo_error *error)
{
    struct contention *shared = context;
    uint64_t backward = atomic_load_explicit(&shared->backward, memory_order_relaxed);
    if (backward == 0)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "%" PRIu64 " times are not after the last time of their thread",
                          backward);
}

/* Loops to be compared are adjacent. */
const struct contention_loop contention_loops[CONTENTION_LOOPS + 1] = {
    {"none", repeat_nothing, NULL, false},
    {"add", repeat_add, audit_counter, false},
    {"cas", repeat_cas, audit_counter, true},
    {"mutex", repeat_mutex, audit_counter, false},
    {"ticket", repeat_ticket, audit_counter, false},
    {"tsc", repeat_tsc, NULL, false},
    {"monotone", repeat_monotone, audit_times, true},
    {"strict", repeat_strict, audit_times, true},
    {"clock", repeat_clock, NULL, false},
    {0},
};

const struct contention_loop *contention_loop_find(const char *algorithm)
{
    for (const struct contention_loop *loop = contention_loops; loop->algorithm; loop++)
        if (strcmp(loop->algorithm, algorithm) == 0)
            return loop;
    return NULL;
}

void contention_set_up(struct contention *contention, const struct ordo *handle, uint64_t work_ns)
{
    double step_ns = contention_step_ns();
    *contention = (struct contention){.handle = *handle,
                                      .mutex = PTHREAD_MUTEX_INITIALIZER,
                                      .work_ns = work_ns,
                                      .work_steps = contention_steps((double)work_ns, step_ns),
                                      .step_ns = step_ns,
                                      .batch = contention_batch((double)work_ns)};
}

struct bench_variant contention_variant(const struct contention_loop *loop, struct contention *contention,
                                        const char *workload)
{
    return (struct bench_variant){.algorithm = loop->algorithm,
                                  .workload = workload,
                                  .context = contention,
                                  .prepare = prepare_line,
                                  .work = loop->work,
                                  .leave = leave_line,
                                  .audit = loop->audit};
}
