/* Many concurrent sweeps on the same CPUs. A signal handler that sleeps preempts their threads.
 *
 * Latencies grow a thousandfold, and every proved statement must stay true: because the clocks of this machine agree,
 * all intervals have an offset in common, and no message arrives before it was sent. Exit 77 on one CPU. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "calibrate/measure/sweep.h"
#include "machine/counter/counter.h"

enum { SWEEPERS = 3, SWEEPS = 10, RUNS = 30000, TRIES = 3 };

static struct ordo_topology *topology;
static unsigned *cpus;
static int count;
static int64_t granule;
static _Atomic int violations, failures;
static _Atomic int64_t highest_low = INT64_MIN, lowest_high = INT64_MAX;

static void preempt(int unused)
{
    struct timespec nap = {0, 20000};
    (void)unused;
    (void)nanosleep(&nap, NULL);
}

static void raise_to(_Atomic int64_t *bound, int64_t value, int up)
{
    int64_t seen = atomic_load(bound);
    while ((up ? value > seen : value < seen) && !atomic_compare_exchange_weak(bound, &seen, value))
        ;
}

/* Makes a sweep, in up to TRIES tries, because a CPU may not answer in time on a crowded machine. Returns false if all
 * tries fail. */
static bool sweep_all(const struct ordo_sweep *sweep, struct ordo_visit *visits, uint64_t *fewest)
{
    struct ordo_error error;
    for (int i = 0; i < TRIES; i++) {
        *fewest = UINT64_MAX;
        if (!ordo_sweep_all(sweep, visits, fewest, &error))
            return true;
        fprintf(stderr, "%s\n", error.text);
    }
    atomic_fetch_add(&failures, 1);
    return false;
}

static void *sweep_often(void *argument)
{
    struct ordo_sweep sweep = {
        .topology = topology, .cpus = cpus, .count = count, .runs = {RUNS, 0}, .parallel = argument != NULL};
    struct ordo_visit *visits = calloc((size_t)(count * count), sizeof *visits);
    uint64_t fewest;
    for (int k = 0; k < SWEEPS && sweep_all(&sweep, visits, &fewest); k++) {
        struct ordo_visit *visit = &visits[1]; /* of the first two CPUs */
        struct ordo_interval offset = ordo_offset_of_visit(visit);
        if (visit->delta_ab + visit->delta_ba < -granule || fewest != RUNS) {
            fprintf(stderr, "violated: %lld there, %lld back\n", (long long)visit->delta_ab,
                    (long long)visit->delta_ba);
            atomic_fetch_add(&violations, 1);
        }
        raise_to(&highest_low, offset.low, 1);
        raise_to(&lowest_high, offset.high, 0);
    }
    free(visits);
    return NULL;
}

/* Runs a tournament of six players on two CPUs: most players share a CPU with their partner and with other players,
 * and progress only if these yield. */
static void sweep_a_crowd(void)
{
    unsigned crowd[] = {cpus[0], cpus[1], cpus[0], cpus[1], cpus[0], cpus[1]};
    enum { PLAYERS = sizeof crowd / sizeof *crowd };
    struct ordo_visit visits[PLAYERS * PLAYERS];
    struct ordo_sweep sweep = {
        .topology = topology, .cpus = crowd, .count = PLAYERS, .runs = {20, 0}, .parallel = true};
    uint64_t fewest;
    if (!sweep_all(&sweep, visits, &fewest))
        return;
    atomic_fetch_add(&failures, fewest != 20);
    for (int a = 0; a < PLAYERS; a++)
        for (int b = a + 1; b < PLAYERS; b++)
            if (visits[a * PLAYERS + b].delta_ab + visits[a * PLAYERS + b].delta_ba < -granule)
                atomic_fetch_add(&violations, 1);
}

int main(void)
{
    struct ordo_error error;
    struct itimerval every = {{0, 500}, {0, 500}};
    struct sigaction action = {.sa_handler = preempt, .sa_flags = SA_RESTART};
    pthread_t sweepers[SWEEPERS];
    if (ordo_topology_open(&topology, NULL, &error) || ordo_topology_select(topology, NULL, &cpus, &count, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (count < 2) /* there is no pair */
        return 77;
    struct ordo_granule measured;
    if (ordo_granule_measure_by(ORDO_CLOCK_ID, &measured, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    granule = measured.ticks;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (long i = 0; i < SWEEPERS; i++)
        pthread_create(&sweepers[i], NULL, sweep_often, i % 2 ? topology : NULL);
    for (int i = 0; i < SWEEPERS; i++)
        pthread_join(sweepers[i], NULL);
    sweep_a_crowd();
    every = (struct itimerval){0};
    setitimer(ITIMER_REAL, &every, NULL);
    printf("offset in [%lld, %lld], %d violations, %d failures\n", (long long)atomic_load(&highest_low),
           (long long)atomic_load(&lowest_high), atomic_load(&violations), atomic_load(&failures));
    free(cpus);
    ordo_topology_close(topology);
    return violations || failures || (highest_low > lowest_high && highest_low - lowest_high > granule);
}
