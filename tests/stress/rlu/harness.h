/* Common parts of the raced tests of RLU: see race.h. With `migrate` a thread moves for every section. */
#ifndef TESTS_STRESS_RLU_HARNESS_H
#define TESTS_STRESS_RLU_HARNESS_H

#include <pthread.h>

#include "rlu_names.h"

enum { MAX_THREADS = 16 };

struct setting {
    uint64_t boundary;
    int64_t skew;
    int threads;
    int migrate;
    int preempt;
    int defer; /* RLU: number of commits to defer; -1: each thread chooses. MV-RLU: the absolute value is the number of
                * commits between two scans for reclaimable versions; negative: commits are deferred; 8 and -8:
                * sections read the clock */
    int churn; /* threads leave and join again */
    int milliseconds;
    long checks;
    int until_violated;
};

struct worker {
    struct ordo_rlu *rlu;
    struct ordo_rlu_thread *t;
    const struct setting *setting;
    int index;
    uint64_t random;
    uint64_t clock_random;
    pthread_t thread;
    void *own; /* the worker's state in this case */
};

#include "any_clock.h"
#include "race.h"

/* A case: the work of the threads, and the properties that must hold. */
struct test_case {
    const char *name;
    int alone;                              /* the case holds only without deferral */
    int (*begin)(struct ordo_rlu_thread *); /* makes the state; returns 0 if it has succeeded */
    void (*step)(struct worker *);          /* runs some sections */
    void (*end)(struct ordo_rlu *);         /* audits and frees the state */
};

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

/* True if a commit may become visible after it has returned. */
static inline int defers(const struct setting *setting)
{
#ifdef TESTS_MVRLU
    return setting->defer < 0;
#else
    return setting->defer != 1;
#endif
}

/* Returns the handle that the domain watches. Stamp "corrected": the clocks of skewed_clock.h. Stamp "any": a clock of
 * skewed_clock.h, or the kernel's clock, which is not skewed. Other stamps: NULL. */
static const struct ordo *watch(void)
{
#if defined ORDO_STAMP_CORRECTED
    static int64_t table[ORDO_CORRECTED_CPUS];
    static const struct ordo_corrected clocks = ORDO_CORRECTED_INIT(1, 1000000000, table);
    for (unsigned cpu = 0; cpu < SKEWED_CLOCK_CPUS; cpu++)
        table[cpu] = (int64_t)skewed_clock_offset(SKEWED_CLOCK_CPUS - 1) - (int64_t)skewed_clock_offset(cpu);
    return &clocks.handle;
#else
    return any_clock();
#endif
}

/* Runs a case. Returns 0, or -1 if it could not be run. */
static int run(const struct test_case *test, const struct setting *setting)
{
    struct ordo_rlu rlu;
    struct ordo_rlu_options options = {.boundary_ticks = setting->boundary,
                                       .unsafe_boundary = 1,
#ifdef TESTS_MVRLU
                                       .collect_commits = (unsigned)abs(setting->defer),
                                       .own_clock = abs(setting->defer) == 8, /* in half of the settings */
                                       .defer_commits = defers(setting) ? ORDO_RLU_DEFER_AUTO : 1,
#else
                                       .defer_commits = (unsigned)setting->defer, /* -1: ORDO_RLU_DEFER_AUTO */
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
    printf("%-6s %-7s B %6llu skew %6lld%s threads %d defer %2d%s%s: %9llu sections %8llu commits %7llu aborts %7llu "
           "steals %5llu helps %5llu yields %4llu sleeps\n",
           test->name, ORDO_STAMP_NAME, (unsigned long long)setting->boundary, (long long)setting->skew,
           setting->migrate ? " migrating" : "", setting->threads, setting->defer, setting->preempt ? " preempted" : "",
           setting->churn ? " churn" : "", (unsigned long long)sum.sections, (unsigned long long)sum.commits,
           (unsigned long long)sum.aborts, (unsigned long long)sum.steals, (unsigned long long)sum.helps,
           (unsigned long long)sum.yields, (unsigned long long)sum.sleeps);
    return failed ? -1 : 0;
}

#endif
