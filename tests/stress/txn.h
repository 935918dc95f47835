/* Common parts of the raced tests of the transaction engines: skewed threads, preemption, and counted memory. */
#ifndef ORDO_TESTS_STRESS_TXN_H
#define ORDO_TESTS_STRESS_TXN_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <ordo/any.h>
#include <ordo/cc/history.h>
#include <ordo/cc/txn.h>

__thread uint64_t skewed_clock_ticks, skewed_clock_range, skewed_clock_reads;
uint64_t skewed_clock_latest;
int skewed_clock_agree;
__thread void (*skewed_clock_meanwhile)(void);

/* In ticks. SKEW is the injected skew. SLACK is the part of the boundary left for the machine's own clocks, whose
 * disagreement is unknown, but smaller than the time of an exchange between two CPUs, a few hundred nanoseconds. C1
 * requires a boundary of at least the sum of both, so the skew must be smaller than the boundary. The skew may equal
 * the boundary if all threads read one clock (skewed_clock_agree). */
enum { SKEW = 20000, SLACK = 10000, BOUNDARY = SKEW + SLACK };

/* True if the times of an engine come from clocks, so that it has a boundary. */
static inline bool is_bounded(const struct ordo_db_engine *engine)
{
    return engine->stamp && (strcmp(engine->stamp, "ordo") == 0 || strcmp(engine->stamp, "corrected") == 0 ||
                             strcmp(engine->stamp, "any") == 0);
}

/* Returns the clock for the stamp "any": the counter or, if the environment has ANY_KIND=kernel, the kernel's clock,
 * which is not skewed. */
static inline const struct ordo *any_clock(void)
{
    static const struct ordo_any counter = ORDO_ANY_INIT(BOUNDARY, 1000000000, ORDO_ANY_COUNTER),
                                 kernel = ORDO_ANY_INIT(BOUNDARY, 1000000000, ORDO_ANY_KERNEL);
    const char *kind = getenv("ANY_KIND");
    return kind && strcmp(kind, "kernel") == 0 ? &kernel.handle : &counter.handle;
}

/* True if the run is for the kernel's clock (ANY_KIND) and the engine does not use it. */
static inline bool is_left_out(const struct ordo_db_engine *engine)
{
    return getenv("ANY_KIND") && (!engine->stamp || strcmp(engine->stamp, "any") != 0);
}

/* Returns the handle that an engine watches. Stamp "corrected": the clocks of skewed_clock.h. Stamp "any": any_clock().
 * Other stamps: NULL. */
static inline const struct ordo *watch_of(const struct ordo_db_engine *engine)
{
    static int64_t table[ORDO_CORRECTED_CPUS];
    static const struct ordo_corrected clocks = ORDO_CORRECTED_INIT(BOUNDARY, 1000000000, table);
    for (unsigned cpu = 0; cpu < SKEWED_CLOCK_CPUS; cpu++)
        table[cpu] = (int64_t)skewed_clock_offset(SKEWED_CLOCK_CPUS - 1) - (int64_t)skewed_clock_offset(cpu);
    if (engine->stamp && strcmp(engine->stamp, "any") == 0)
        return any_clock();
    return engine->stamp && strcmp(engine->stamp, "corrected") == 0 ? &clocks.handle : NULL;
}

static _Atomic int64_t memory_bytes, memory_blocks;

static void *count_allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
    if (memory) {
        atomic_fetch_add(&memory_bytes, (int64_t)bytes);
        atomic_fetch_add(&memory_blocks, 1);
    }
    return memory;
}

static void count_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    atomic_fetch_sub(&memory_bytes, (int64_t)bytes);
    atomic_fetch_sub(&memory_blocks, 1);
    free(memory);
}

static const struct ordo_memory counted_memory = {count_allocate, count_release, NULL};

static inline uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static atomic_uint preempted;                      /* number of signals that have interrupted a worker */
static __thread volatile sig_atomic_t preempt_hit; /* true if a signal has interrupted this thread */

/* Puts the interrupted thread to sleep: mostly for 20 us, sometimes for 1.5 ms. */
static void preempt(int unused)
{
    unsigned hits = atomic_fetch_add(&preempted, 1);
    struct timespec nap = {0, hits % 4 ? 20000 : 1500000};
    (void)unused;
    preempt_hit = 1;
    (void)nanosleep(&nap, NULL);
}

/* Starts a timer that sends a signal every half millisecond. The signal is blocked in the main thread, which the kernel
 * would prefer, and in each other thread until its first transaction. While one thread sleeps, the kernel interrupts
 * another one. */
static inline void preempt_often(void)
{
    struct itimerval every = {{0, 500}, {0, 500}};
    struct sigaction action = {.sa_handler = preempt, .sa_flags = SA_RESTART};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

static inline void be_preempted(void)
{
    static __thread bool already;
    sigset_t set;
    if (already)
        return;
    already = true;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* Returns the exit code of a test: 77 if no worker was ever interrupted, because the test has then shown nothing. */
static inline int preempt_result(int failed)
{
    unsigned hits = atomic_load(&preempted);
    printf("workers were preempted %u times\n", hits);
    return failed ? 1 : hits ? 0 : 77;
}

/* Draws the skew of the thread's clock anew, between 0 and `skew`, mostly 0 or `skew`. From then on the skew changes
 * between reads of the clock. Each worker calls this function first. */
static inline void redraw_skew(uint64_t *random, uint64_t skew)
{
    be_preempted();
    skewed_clock_range = skew;
    skewed_clock_draw(draw(random));
}

/* Threads that work in rounds, and rest between two rounds. */
struct rounds {
    pthread_barrier_t gate;
    atomic_bool over;
};

#endif
