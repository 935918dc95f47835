/* Common parts of the raced tests of RLU and of transactional memory: threads on skewed clocks, each of which may lose
 * its CPU at any moment.
 *
 * A thread's clock is ahead of the true one by 0 or by the skew. The choice is fixed, or with `migrate` drawn anew at
 * each step and at every interruption. Interruptions are signals in whose handler the thread sleeps.
 *
 * Before the include, the including file defines
 *
 *   struct setting   with `int64_t skew` (negative: the first thread's clock is ahead, otherwise the second's), `int
 *                    threads, migrate, preempt` (1: interruptions of 20 us to 1 ms; more: their length in
 *                    microseconds), `int milliseconds, until_violated` (ends at the first violation), `long checks`
 *                    (the run also lasts until this many checks have been made)
 *   struct worker    with `const struct setting *setting; int index; uint64_t random, clock_random; pthread_t thread`;
 *                    clock_random belongs to the signal handler, which may interrupt a draw from `random` */
#ifndef TESTS_STRESS_RACE_H
#define TESTS_STRESS_RACE_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static _Atomic int over;
static _Atomic long violations, checked;
static __thread struct worker *self; /* the thread's worker; NULL while the thread must not be interrupted */

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    if (atomic_fetch_add(&violations, 1) == 0)
        fprintf(stderr, "violated: %s\n", what);
    if (self && self->setting->until_violated)
        atomic_store(&over, 1);
}

static void count_checked(void)
{
    atomic_fetch_add_explicit(&checked, 1, memory_order_relaxed);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 16;
}

static uint64_t below(struct worker *w, uint64_t limit)
{
    return next_random(&w->random) % limit;
}

/* Moves the thread to another core. */
static void place(struct worker *w)
{
    int64_t skew = w->setting->skew;
    uint64_t size = skew < 0 ? 0 - (uint64_t)skew : (uint64_t)skew;
    int ahead = w->setting->migrate ? (int)(next_random(&w->clock_random) & 1) : (w->index + (skew < 0)) % 2;
    skewed_clock_ticks = ahead ? size : 0;
}

static void sleep_a_while(int number)
{
    (void)number;
    if (!self)
        return;
    int fixed = self->setting->preempt;
    long drawn = (long)(next_random(&self->clock_random) % 980000);
    struct timespec pause = {fixed / 1000000, fixed > 1 ? fixed % 1000000 * 1000L : 20000 + drawn};
    (void)nanosleep(&pause, NULL);
    place(self);
}

/* Sometimes pauses between two reads, so that a commit may come between them. */
static void linger(struct worker *w)
{
    if (below(w, 8) == 0)
        for (uint64_t i = below(w, 400); i > 0; i--)
            ordo_clock_pause();
}

/* Interrupts the threads until the time is up. */
static void interrupt(struct worker *workers, const struct setting *setting)
{
    struct timespec now, end;
    uint64_t state = 77;
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += setting->milliseconds / 1000;
    end.tv_nsec += setting->milliseconds % 1000 * 1000000L;
    do {
        struct timespec pause = {0, 50000 + (long)(next_random(&state) % 200000)};
        (void)nanosleep(&pause, NULL);
        if (setting->preempt)
            (void)pthread_kill(workers[next_random(&state) % (uint64_t)setting->threads].thread, SIGUSR1);
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!atomic_load(&over) && ((now.tv_sec - end.tv_sec) * 1000000000L + now.tv_nsec - end.tv_nsec < 0 ||
                                     atomic_load(&checked) < setting->checks));
    atomic_store(&over, 1);
}

#endif
