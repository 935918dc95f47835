/* What the raced tests of RLU share: threads on skewed clocks that lose the CPU at any moment.
 *
 * Each thread's clock is ahead of the true one by one of two values, 0 and the skew: always the same one, or, with
 * `migrate`, drawn anew for every section and at every interruption. Interruptions are signals in whose handler the
 * thread sleeps. */
#ifndef TESTS_STRESS_RLU_HARNESS_H
#define TESTS_STRESS_RLU_HARNESS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "rlu_names.h"

enum { MAX_THREADS = 16 };

struct setting {
    uint64_t boundary;
    int64_t skew; /* negative: the first thread's clock is ahead, otherwise the second's */
    int threads;
    int migrate;
    int preempt;    /* 1: interruptions of 20 us to 1 ms; more: of so many microseconds */
    unsigned defer; /* of MV-RLU: commits between two looks at what can be reclaimed; at 8, sections read the clock */
    int churn;      /* threads leave and come back */
    int milliseconds;
    long sections;      /* and until so many were checked */
    int until_violated; /* ends at the first violation */
};

struct worker {
    struct ordo_rlu *rlu;
    struct ordo_rlu_thread *t;
    const struct setting *setting;
    int index;
    uint64_t random;
    uint64_t clock_random; /* of the handler, which may come in the middle of the other */
    pthread_t thread;
    void *own; /* the case's */
};

/* A case: what threads do, and what must hold. */
struct test_case {
    const char *name;
    int alone;                              /* makes sense without deferral only */
    int (*begin)(struct ordo_rlu_thread *); /* 0 */
    void (*step)(struct worker *);          /* some sections */
    void (*end)(struct ordo_rlu *);         /* audit, free */
};

static _Atomic int over;
static _Atomic long violations, sections_checked;
static __thread struct worker *self;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    if (atomic_fetch_add(&violations, 1) == 0)
        fprintf(stderr, "violated: %s\n", what);
    if (self && self->setting->until_violated)
        atomic_store(&over, 1);
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

/* The core this thread is on from now on. */
static void place(struct worker *w)
{
    int64_t skew = w->setting->skew;
    uint64_t size = skew < 0 ? 0 - (uint64_t)skew : (uint64_t)skew;
    int ahead = w->setting->migrate ? (int)(next_random(&w->clock_random) & 1) : (w->index + (skew < 0)) % 2;
    skewed_clock_ticks = ahead ? size : 0;
}

static void sleep_a_while(int number)
{
    if (!self)
        return;
    int fixed = self->setting->preempt;
    long drawn = (long)(next_random(&self->clock_random) % 980000);
    struct timespec pause = {0, fixed > 1 ? fixed * 1000L : 20000 + drawn};
    (void)number;
    (void)nanosleep(&pause, NULL);
    place(self);
}

/* Between two reads of a section now and then: a while, so that a torn pair has time to tear. */
static void linger(struct worker *w)
{
    if (below(w, 8) == 0)
        for (uint64_t i = below(w, 400); i > 0; i--)
            ordo_clock_pause();
}

static void *work(void *argument)
{
    struct worker *w = argument;
    const struct test_case *test = w->own;
    self = w;
    place(w);
    w->own = NULL;
    if (ordo_rlu_thread_init(w->rlu, &w->t))
        return NULL;
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        if (w->setting->migrate)
            place(w);
        test->step(w);
        if (w->setting->churn && below(w, 20) == 0) {
            ordo_rlu_thread_finish(w->t);
            if (ordo_rlu_thread_init(w->rlu, &w->t))
                return NULL;
        }
    }
    ordo_rlu_thread_finish(w->t);
    self = NULL; /* no interruption after the end */
    return w;
}

/* Interrupts the threads, until time is up. */
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
                                     atomic_load(&sections_checked) < setting->sections));
    atomic_store(&over, 1);
}

/* What the stamp must watch: corrected the clocks of skewed_clock.h, and all others nothing. */
static const struct ordo *watch(void)
{
#if defined ORDO_STAMP_CORRECTED
    static int64_t table[ORDO_CORRECTED_CPUS];
    static const struct ordo_corrected clocks = ORDO_CORRECTED_INIT(1, 1000000000, table);
    for (unsigned cpu = 0; cpu < SKEWED_CLOCK_CPUS; cpu++)
        table[cpu] = (int64_t)skewed_clock_offset(SKEWED_CLOCK_CPUS - 1) - (int64_t)skewed_clock_offset(cpu);
    return &clocks.handle;
#else
    return NULL;
#endif
}

/* Runs a case. 0, or -1: it could not be run. */
static int run(const struct test_case *test, const struct setting *setting)
{
    struct ordo_rlu rlu;
    struct ordo_rlu_options options = {.boundary_ticks = setting->boundary,
                                       .unsafe_boundary = 1,
#ifdef TESTS_MVRLU
                                       .collect_commits = setting->defer,
                                       .own_clock = setting->defer == 8, /* every other setting of the matrix */
#else
                                        .defer_commits = setting->defer,
#endif
                                       .watch = watch()};
    struct ordo_rlu_thread *t;
    struct worker workers[MAX_THREADS] = {{0}};
    struct sigaction action = {.sa_handler = sleep_a_while, .sa_flags = SA_RESTART};
    struct ordo_rlu_statistics sum;
    int failed = 0;
    if (sigaction(SIGUSR1, &action, NULL) || ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t))
        return -1;
    failed = test->begin(t);
    ordo_rlu_thread_finish(t);
    atomic_store(&over, failed);
    for (int i = 0; i < setting->threads; i++) {
        workers[i] = (struct worker){&rlu,
                                     NULL,
                                     setting,
                                     i,
                                     88172645463325252u + (uint64_t)i * 977,
                                     1 + (uint64_t)i * 7919,
                                     0,
                                     (void *)(uintptr_t)test};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            return -1;
    }
    interrupt(workers, setting);
    for (int i = 0; i < setting->threads; i++) {
        void *result;
        pthread_join(workers[i].thread, &result);
        failed |= result == NULL;
    }
    ordo_rlu_statistics_read(&rlu, &sum);
    tests_rest(&rlu);
    test->end(&rlu);
    ordo_rlu_destroy(&rlu);
    printf("%-6s %-7s B %6llu skew %6lld%s threads %d defer %2u%s%s: %9llu sections %8llu commits %7llu aborts %7llu "
           "steals %5llu helps %5llu yields %4llu sleeps\n",
           test->name, ORDO_STAMP_NAME, (unsigned long long)setting->boundary, (long long)setting->skew,
           setting->migrate ? " migrating" : "", setting->threads, setting->defer, setting->preempt ? " preempted" : "",
           setting->churn ? " churn" : "", (unsigned long long)sum.sections, (unsigned long long)sum.commits,
           (unsigned long long)sum.aborts, (unsigned long long)sum.steals, (unsigned long long)sum.helps,
           (unsigned long long)sum.yields, (unsigned long long)sum.sleeps);
    return failed ? -1 : 0;
}

#endif
