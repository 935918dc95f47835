/* The two threads of the watcher synchronise with semaphores, which make earlier writes visible, and exchange clocks by
 * the protocol of <ordo/start/pair.h>. The first thread sleeps until the second thread runs on its CPU, so that only
 * the second thread spins, and only briefly. */
#include "calibrate/watch/look.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "base/time.h"
#include "calibrate/measure/pair.h"
#include "calibrate/watch/hop.h"

enum { EXCHANGES_NS = 20000, READS = 4, FEWEST = 2, MOST = 64 };
enum { PATIENCE_NS = 500000, ANSWER_NS = 20000000 };

struct ordo_looker {
    struct ordo_pair pair;
    struct ordo_pair_runs runs;
    pthread_t second;
    sem_t go, ready, done;
    unsigned cpu; /* the CPU for the second thread */
    bool quit, there;
    bool owes; /* true: the second thread has not finished an earlier look */
};

static void *second_main(void *argument)
{
    struct ordo_looker *looker = argument;
    for (;;) {
        while (sem_wait(&looker->go) != 0)
            ;
        if (looker->quit)
            return NULL;
        bool there = looker->there = ordo_hop_to(looker->cpu);
        (void)sem_post(&looker->ready);
        if (there)
            (void)ordo_pair_measure_b(&looker->pair, ORDO_CLOCK_ID, looker->runs, NULL);
        (void)sem_post(&looker->done);
    }
}

/* Returns the number of exchanges of one look, from the measured cost of a clock reading. */
static uint64_t exchanges(void)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < 5; i++) {
        int64_t begin = ordo_raw_ns();
        for (int read = 0; read < READS; read++)
            (void)ordo_clock_read();
        int64_t took = ordo_raw_ns() - begin;
        least = took < least ? took : least;
    }
    int64_t fit = least > 0 ? EXCHANGES_NS / (2 * least) : MOST;
    return (uint64_t)(fit < FEWEST ? FEWEST : fit > MOST ? MOST : fit);
}

struct ordo_looker *ordo_looker_open(struct ordo_error *error)
{
    struct ordo_looker *looker = aligned_alloc(_Alignof(struct ordo_looker), sizeof *looker);
    if (!looker) {
        (void)ordo_error_errno(error, "watch");
        return NULL;
    }
    memset(looker, 0, sizeof *looker);
    looker->runs.runs = exchanges();
    (void)sem_init(&looker->go, 0, 0);
    (void)sem_init(&looker->ready, 0, 0);
    (void)sem_init(&looker->done, 0, 0);
    int failed = pthread_create(&looker->second, NULL, second_main, looker);
    if (!failed)
        return looker;
    (void)ordo_error_set(error, ORDO_E_SYSTEM, failed, "watch: the second thread cannot be started: %s",
                         strerror(failed));
    free(looker);
    return NULL;
}

void ordo_looker_close(struct ordo_looker *looker)
{
    if (!looker)
        return;
    looker->quit = true;
    (void)sem_post(&looker->go);
    (void)pthread_join(looker->second, NULL);
    (void)sem_destroy(&looker->go);
    (void)sem_destroy(&looker->ready);
    (void)sem_destroy(&looker->done);
    free(looker);
}

static bool await_semaphore(sem_t *semaphore)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ANSWER_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int failed;
    while ((failed = sem_clockwait(semaphore, CLOCK_MONOTONIC, &until)) != 0 && errno == EINTR)
        ;
    return failed == 0;
}

static int silent(unsigned a, unsigned b, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "cpu %u and cpu %u: one of them does not answer soon (it is busy)",
                          a, b);
}

/* Gives up the look because the second thread is late. The next look waits for that thread. */
static int give_up_look(struct ordo_looker *looker, unsigned a, unsigned b, struct ordo_error *error)
{
    ordo_pair_give_up(&looker->pair);
    looker->owes = true;
    return silent(a, b, error);
}

/* True if the second thread is available. Drops the result of the look that was given up. */
static bool settled(struct ordo_looker *looker)
{
    if (looker->owes && !await_semaphore(&looker->done))
        return false;
    if (looker->owes)
        (void)sem_trywait(&looker->ready);
    looker->owes = false;
    return true;
}

int ordo_looker_look(struct ordo_looker *looker, unsigned a, unsigned b, struct ordo_visit *visit,
                     struct ordo_error *error)
{
    if (!settled(looker))
        return silent(a, b, error);
    memset(&looker->pair, 0, sizeof looker->pair);
    looker->pair.patience_ns = PATIENCE_NS;
    looker->cpu = b;
    if (!ordo_hop_to(a))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "cpu %u: this process may not run there", a);
    (void)sem_post(&looker->go);
    if (!await_semaphore(&looker->ready))
        return give_up_look(looker, a, b, error);
    bool there = looker->there;
    int code = there ? ordo_pair_measure_a(&looker->pair, ORDO_CLOCK_ID, looker->runs, error) : ORDO_OK;
    if (!await_semaphore(&looker->done))
        return give_up_look(looker, a, b, error);
    if (!there)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "cpu %u: this process may not run there", b);
    *visit = looker->pair.visit;
    return code ? silent(a, b, error) : ORDO_OK;
}

int ordo_looker_runs(const struct ordo_looker *looker)
{
    return (int)looker->runs.runs;
}
