/* What the raced tests of the transaction engines share: skewed threads, preemption, and memory that is counted. */
#ifndef STRESS_MVCC_H
#define STRESS_MVCC_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <ordo/cc/history.h>
#include <ordo/cc/txn.h>
#include <ordo/clock.h>

__thread uint64_t skewed_clock_ticks;

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

/* The thread moves to a core whose clock is ahead by anything up to `skew`, mostly by nothing or all of it. */
static inline void redraw_skew(uint64_t *random, uint64_t skew)
{
    uint64_t kind = draw(random) % 5;
    skewed_clock_ticks = skew == 0 || kind < 2 ? 0 : kind < 4 ? skew : draw(random) % (skew + 1);
}

static void preempt(int unused)
{
    struct timespec nap = {0, 20000};
    (void)unused;
    (void)nanosleep(&nap, NULL);
}

/* A signal every half millisecond that puts whoever gets it to sleep; blocked in the main thread once others run. */
static void preempt_often(void)
{
    struct itimerval every = {{0, 500}, {0, 500}};
    struct sigaction action = {.sa_handler = preempt, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

/* Threads that work in rounds, at rest in between. */
struct rounds {
    pthread_barrier_t gate;
    atomic_bool over;
};

#endif
