/* The measurements on two CPUs. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ordo/clock.h>

#include "base/time.h"
#include "lab/cores/calibrate/measure.h"

enum { TURNS = 2000, WAKES = 100, ADDS = 100000 };

struct pair {
    _Alignas(256) uint32_t word; /* the line that both CPUs use */
    _Alignas(256) uint32_t started;
    int cpu;              /* of the second thread: 0 or 1 */
    bool disturbed, ends; /* the second thread lost its CPU; no more rounds */
    double rounds[CORES_CALIBRATE_ROUNDS];
};

/* One side of a measurement; `side` is 0 for the thread that measures. Returns the time of all turns. */
typedef double pair_side(struct pair *pair, uint32_t side);

int cores_calibrate_pin(int which, struct ordo_error *error)
{
    static cpu_set_t all;
    static bool known;
    cpu_set_t one;
    if (!known && sched_getaffinity(0, sizeof all, &all))
        return ordo_error_errno(error, "the CPUs of the process");
    known = true;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &all) || which-- > 0)
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        return sched_setaffinity(0, sizeof one, &one) ? ordo_error_errno(error, "CPU %d", cpu) : ORDO_OK;
    }
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "the calibration needs two CPUs: allow a second one (taskset)");
}

static double turn_line(struct pair *pair, uint32_t side)
{
    int64_t start_ns = ordo_raw_ns();
    for (uint32_t i = 0; i < TURNS; i++) {
        uint32_t mine = 2 * i + side;
        while (
            !__atomic_compare_exchange_n(&pair->word, &mine, 2 * i + side + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            mine = 2 * i + side;
    }
    return (double)(ordo_raw_ns() - start_ns) / (2.0 * TURNS);
}

static double add_both(struct pair *pair, uint32_t side)
{
    (void)side;
    int64_t start_ns = ordo_raw_ns();
    for (int i = 0; i < ADDS; i++)
        (void)__atomic_fetch_add(&pair->word, 1, __ATOMIC_RELAXED); /* relaxed: measures the line alone */
    return (double)(ordo_raw_ns() - start_ns) / (2.0 * ADDS);
}

/* Sleeps until the word is `turn`, then lets the other thread go on. */
static double turn_sleep(struct pair *pair, uint32_t side)
{
    int64_t start_ns = ordo_raw_ns();
    for (uint32_t i = 0; i < WAKES; i++) {
        uint32_t seen;
        while ((seen = __atomic_load_n(&pair->word, __ATOMIC_ACQUIRE)) != 2 * i + side)
            (void)syscall(SYS_futex, &pair->word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
        __atomic_store_n(&pair->word, 2 * i + side + 1, __ATOMIC_RELEASE); /* pairs with the load above */
        (void)syscall(SYS_futex, &pair->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
    return (double)(ordo_raw_ns() - start_ns) / (2.0 * WAKES);
}

struct other {
    struct pair *pair;
    pair_side *side;
};

static void meet(struct pair *pair, uint32_t round)
{
    (void)__atomic_add_fetch(&pair->started, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&pair->started, __ATOMIC_ACQUIRE) < 2 * (round + 1))
        (void)sched_yield();
}

static void *run_other(void *argument)
{
    struct other *other = argument;
    struct ordo_error error;
    (void)cores_calibrate_pin(other->pair->cpu, &error); /* it was possible a moment ago */
    for (uint32_t r = 0;; r++) {
        meet(other->pair, 2 * r);
        if (other->pair->ends)
            return NULL;
        long losses = cores_calibrate_losses();
        (void)other->side(other->pair, 1);
        other->pair->disturbed = losses != cores_calibrate_losses();
        meet(other->pair, 2 * r + 1);
    }
}

/* Returns the time of a turn of round `r`, and if no thread lost its CPU. */
static bool round_ns(struct pair *pair, pair_side *side, uint32_t r, double *ns)
{
    pair->word = 0;
    meet(pair, 2 * r);
    long losses = cores_calibrate_losses();
    *ns = side(pair, 0);
    bool disturbed = losses != cores_calibrate_losses();
    meet(pair, 2 * r + 1);
    return !disturbed && !pair->disturbed;
}

static void measure_rounds(struct pair *pair, pair_side *side)
{
    uint32_t r = 0;
    for (int kept = 0; kept < CORES_CALIBRATE_ROUNDS; kept++)
        for (int i = 0; i < CORES_CALIBRATE_TRIES && !round_ns(pair, side, r++, &pair->rounds[kept]); i++)
            ;
    pair->ends = true;
    meet(pair, 2 * r);
}

static int measure(struct cores_calibrate_machine *machine, enum cores_calibrate_value value, int cpu, pair_side *side,
                   struct ordo_error *error)
{
    struct pair pair = {.cpu = cpu};
    struct other other = {&pair, side};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_other, &other))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "no thread for the second CPU");
    measure_rounds(&pair, side);
    (void)pthread_join(thread, NULL);
    machine->ns[value] = cores_calibrate_interval_of(pair.rounds);
    return ORDO_OK;
}

int cores_calibrate_pair(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    int failed = cores_calibrate_pin(1, error);
    if (!failed)
        failed = cores_calibrate_pin(0, error);
    if (!failed)
        failed = measure(machine, CORES_CALIBRATE_TRANSFER, 1, turn_line, error);
    if (!failed)
        failed = measure(machine, CORES_CALIBRATE_TWO_ADDERS, 1, add_both, error);
    return failed ? failed : measure(machine, CORES_CALIBRATE_SWITCH, 0, turn_sleep, error);
}
