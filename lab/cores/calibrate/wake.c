/* The wake-up of a thread that sleeps on an idle CPU: the time until it runs, and the time that its waker loses. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ordo/clock.h>

#include "base/time.h"
#include "lab/cores/calibrate/measure.h"

/* The pause lets the thread fall asleep, and its CPU become idle. */
enum { PAUSE_NS = 20000, START_NS = 10000000 };

struct sleeper {
    _Alignas(256) uint32_t word;  /* the number of wake-ups; UINT32_MAX: the end */
    _Alignas(256) int64_t ran_ns; /* the time at which the thread ran again; 0: not yet */
};

static void *sleep_and_run(void *argument)
{
    struct sleeper *sleeper = argument;
    struct ordo_error error;
    (void)cores_calibrate_pin(1, &error); /* it was possible a moment ago */
    for (uint32_t seen = 0; seen != UINT32_MAX;) {
        while (__atomic_load_n(&sleeper->word, __ATOMIC_ACQUIRE) == seen)
            (void)syscall(SYS_futex, &sleeper->word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
        int64_t now_ns = ordo_raw_ns();
        seen = __atomic_load_n(&sleeper->word, __ATOMIC_ACQUIRE); /* pairs with wake_once */
        __atomic_store_n(&sleeper->ran_ns, now_ns,
                         __ATOMIC_RELEASE); /* pairs with wake_once: the next wake-up is later */
    }
    return NULL;
}

static void pause_for(int64_t ns)
{
    for (int64_t end_ns = ordo_raw_ns() + ns; ordo_raw_ns() < end_ns;)
        ordo_clock_pause();
}

/* Wakes the thread once. True if it was asleep, and no thread lost its CPU. */
static bool wake_once(struct sleeper *sleeper, uint32_t word, double *call_ns, double *run_ns)
{
    int64_t ran_ns;
    pause_for(PAUSE_NS);
    sleeper->ran_ns = 0;
    long losses = cores_calibrate_losses();
    int64_t start_ns = ordo_raw_ns();
    __atomic_store_n(&sleeper->word, word, __ATOMIC_RELEASE); /* pairs with sleep_and_run: ran_ns is 0 */
    bool slept = syscall(SYS_futex, &sleeper->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 1;
    *call_ns = (double)(ordo_raw_ns() - start_ns);
    while (!(ran_ns = __atomic_load_n(&sleeper->ran_ns, __ATOMIC_ACQUIRE))) /* pairs with sleep_and_run */
        (void)sched_yield();
    *run_ns = (double)(ran_ns - start_ns);
    return slept && losses == cores_calibrate_losses();
}

/* Each round is the median of as many wake-ups: some find the CPU busy. */
static void wake_round(struct sleeper *sleeper, uint32_t *word, double *call_ns, double *run_ns)
{
    double calls[CORES_CALIBRATE_ROUNDS], runs[CORES_CALIBRATE_ROUNDS];
    for (int kept = 0; kept < CORES_CALIBRATE_ROUNDS; kept++)
        for (int i = 0; i < CORES_CALIBRATE_TRIES && !wake_once(sleeper, ++*word, &calls[kept], &runs[kept]); i++)
            ;
    *call_ns = cores_calibrate_interval_of(calls).median;
    *run_ns = cores_calibrate_interval_of(runs).median;
}

int cores_calibrate_wake(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    static struct sleeper sleeper;
    double calls[CORES_CALIBRATE_ROUNDS], runs[CORES_CALIBRATE_ROUNDS], ns;
    uint32_t word = 0;
    pthread_t thread;
    sleeper = (struct sleeper){0};
    if (pthread_create(&thread, NULL, sleep_and_run, &sleeper))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "no thread for the second CPU");
    ordo_sleep_ns(START_NS); /* the thread goes to its CPU */
    for (int r = 0; r < CORES_CALIBRATE_ROUNDS; r++)
        wake_round(&sleeper, &word, &calls[r], &runs[r]);
    (void)wake_once(&sleeper, UINT32_MAX, &ns, &ns);
    (void)pthread_join(thread, NULL);
    machine->ns[CORES_CALIBRATE_WAKE_CALL] = cores_calibrate_interval_of(calls);
    machine->ns[CORES_CALIBRATE_WAKE] = cores_calibrate_interval_of(runs);
    return ORDO_OK;
}
