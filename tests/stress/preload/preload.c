/* The preload under stress: threads read the clocks while the kernel steers and sets them, their counters disagree, and the
 * record is superseded and withdrawn.
 *
 *     preload [order=raised|ordered|durations] [skew=TICKS] [hop=0|1] [slow=NS] [readings=N] [milliseconds=N] [found=0|1]
 *             [seed=N]
 *
 * An answer of the kernel takes `slow`. The counter of every other thread is ahead by `skew`; with hop=1 each thread's skew changes after every few readings.
 * Checks of each reading:
 *   order        it is not smaller than any that ended before it began; for `durations`, in its own thread
 *   difference   it differs from the kernel's by at most the stated bound
 *   withdrawal   1 ms after the record was withdrawn, no line serves
 * With found=1 the program succeeds only if it finds a smaller reading. Exit 0: holds, 1: violated. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/random.h"
#include "preload/answer.h"
#include "world.h"

/* Under ThreadSanitizer the simulated kernel answers in up to 2 us, and a slow kernel adds twelve of its answers. */
#if defined __SANITIZE_THREAD__
#define SLOW_KERNEL_NS 24000
#else
#define SLOW_KERNEL_NS 0
#endif

enum {
    THREADS = 8,
    EVENTS = 20,
    SETTINGS = EVENTS + 1,
    LINES = 6,
    BOUND_NS = 2000,        /* doc/run.md: while the kernel steers by at most 1000 ppm */
    SET_NS = 2000,          /* the offsets of clocks, and settings by less than this, are not noticed */
    TICK_BOUND_NS = 300000, /* when the tick changes by a tenth: six lines, each wrong by a tenth of its length */
    SETTLED_NS = 2000000,   /* after a setting of the clock */
    TICKED_NS = 20000000    /* after a change of its tick: threads may have slept meanwhile */
};

struct setting {
    enum preload_order order;
    uint64_t skew, readings, seed;
    int64_t slow_ns;
    int hop, milliseconds, found;
};

/* A round: a process that begins with a record, and ends after its withdrawal. */
struct round {
    const struct setting *setting;
    struct preload_state state;
    /* The largest reading that has ended, for each setting of the clock. */
    _Atomic uint64_t largest[SETTINGS][PRELOAD_CLOCKS];
    /* world_ticks(); 0: never; UINT64_MAX: it is happening */
    _Atomic uint64_t set_at, ticked_at, withdrawn_at;
    _Atomic uint64_t ticked_index; /* of the ring, at ticked_at */
    _Atomic uint64_t settings;     /* number of settings of the clock */
    _Atomic int over;
};

static _Atomic uint64_t smaller, far, late, readings_done;
static _Atomic int64_t most_ahead_ns, most_behind_ns;

static uint64_t ns_to_ticks(uint64_t ns)
{
    return ns * (world_tick_hz / 1000000) / 1000;
}

static void keep_most(_Atomic int64_t *most, int64_t value)
{
    int64_t old = atomic_load_explicit(most, memory_order_relaxed);
    while (old < value && !atomic_compare_exchange_weak(most, &old, value)) {
    }
}

static void report(_Atomic uint64_t *count, const char *what, enum preload_which which, int64_t ns)
{
    if (atomic_fetch_add(count, 1) == 0)
        fprintf(stderr, "%s: clock %d by %lld ns\n", what, (int)which, (long long)ns);
}

static void raise_largest(_Atomic uint64_t *largest, uint64_t ns)
{
    uint64_t old = atomic_load(largest);
    while (old < ns && !atomic_compare_exchange_weak(largest, &old, ns)) {
    }
}

/* A reading with the times around it. */
struct reading {
    enum preload_which which;
    uint64_t largest; /* before */
    uint64_t begun, settings;
    int64_t low_ns, high_ns, ns; /* the kernel's before and after; the answer */
};

/* True if something happened a short while before a reading that began at `begun`, or during it. */
static int is_recent(_Atomic uint64_t *happened_at, uint64_t begun, uint64_t span_ns)
{
    const uint64_t at = atomic_load(happened_at);
    return at && (at > begun || begun - at < ns_to_ticks(span_ns));
}

/* True if the clock can be set, and was a short while ago. */
static int is_unsettled(struct round *round, const struct reading *reading)
{
    return (reading->which == PRELOAD_REALTIME || reading->which == PRELOAD_TAI) &&
           (is_recent(&round->set_at, reading->begun, SETTLED_NS) ||
            atomic_load(&round->settings) != reading->settings);
}

/* Only the clocks that can be set have more than one largest reading. */
static _Atomic uint64_t *largest_of(struct round *round, const struct reading *reading)
{
    const int settable = reading->which == PRELOAD_REALTIME || reading->which == PRELOAD_TAI;
    return &round->largest[settable ? reading->settings : 0][reading->which];
}

static int take_reading(struct round *round, struct reading *reading)
{
    struct timespec time;
    reading->settings = atomic_load(&round->settings);
    reading->begun = world_ticks();
    reading->largest = atomic_load(largest_of(round, reading));
    reading->low_ns = world_ns(reading->which);
    if (!preload_serve(&round->state, reading->which, &time) && preload_answer(&round->state, reading->which, &time))
        return 0;
    reading->high_ns = world_ns(reading->which);
    reading->ns = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
    return !is_unsettled(round, reading);
}

/* True if fewer than six lines have been made since the tick changed: a lead of 50 us
 * falls to 3/8 with each. */
static int is_tick_new(struct round *round, const struct reading *reading)
{
    return is_recent(&round->ticked_at, reading->begun, TICKED_NS) ||
           (atomic_load(&round->ticked_at) &&
            preload_ring_current(&round->state.ring) - atomic_load(&round->ticked_index) < LINES);
}

static void check_difference(struct round *round, const struct reading *reading)
{
    const int64_t skew_ns = (int64_t)(round->setting->skew * 1000 / (world_tick_hz / 1000000));
    const int64_t slow_ns = round->setting->slow_ns;
    const int64_t bound =
        (is_tick_new(round, reading) ? TICK_BOUND_NS : BOUND_NS) + 4 * skew_ns + 3 * slow_ns + SLOW_KERNEL_NS;
    const bool shifted = reading->which != PRELOAD_MONOTONIC && reading->which != PRELOAD_RAW;
    const int64_t set_ns = shifted ? SET_NS + 2 * skew_ns + 9 * slow_ns : 0;
    const int64_t ahead = reading->ns - reading->high_ns, behind = reading->low_ns - reading->ns;
    if (bound < TICK_BOUND_NS) {
        keep_most(&most_ahead_ns, ahead);
        keep_most(&most_behind_ns, behind);
    }
    if (ahead > bound + set_ns || behind > bound + set_ns)
        report(&far, "far from the kernel's", reading->which, ahead > behind ? ahead : -behind);
}

static void check_withdrawal(struct round *round, const struct reading *reading)
{
    const uint64_t at = atomic_load(&round->withdrawn_at);
    struct preload_slot slot;
    if (!at || reading->begun < at || reading->begun - at < ns_to_ticks(1000000))
        return;
    (void)preload_ring_copy(&round->state.ring, &slot);
    const int made_late = slot.phase == PRELOAD_SERVING && slot.base > at + round->setting->skew;
    if (made_late || reading->ns < reading->low_ns)
        report(&late, "served after the withdrawal", reading->which, reading->low_ns - reading->ns);
}

static void check_order(struct round *round, const struct reading *reading, uint64_t *own)
{
    const uint64_t largest = round->setting->order == PRELOAD_DURATIONS ? *own : reading->largest;
    if ((uint64_t)reading->ns < largest)
        report(&smaller, "smaller than an earlier reading", reading->which, (int64_t)(largest - (uint64_t)reading->ns));
    *own = (uint64_t)reading->ns;
    raise_largest(largest_of(round, reading), (uint64_t)reading->ns);
}

struct worker {
    struct round *round;
    uint64_t random;
    int index;
    pthread_t thread;
};

/* Forgets the thread's own readings when the clock is set. */
static void forget(const struct reading *reading, uint64_t *settings, uint64_t own[PRELOAD_CLOCKS])
{
    if (*settings != reading->settings)
        own[PRELOAD_REALTIME] = own[PRELOAD_TAI] = 0;
    *settings = reading->settings;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct round *round = worker->round;
    uint64_t own[PRELOAD_CLOCKS] = {0}, settings = 0;
    skewed_clock_ticks = worker->index % 2 ? round->setting->skew : 0;
    skewed_clock_range = round->setting->hop ? round->setting->skew : 0;
    memset(preload_last_ns, 0, sizeof preload_last_ns);
    for (uint64_t i = 0; !atomic_load_explicit(&round->over, memory_order_relaxed); i++) {
        const uint64_t random = ordo_random_next(&worker->random);
        struct reading reading = {.which = random % 4 ? PRELOAD_MONOTONIC
                                                      : (enum preload_which)(random / 4 % PRELOAD_CLOCKS)};
        if (take_reading(round, &reading)) {
            forget(&reading, &settings, own);
            check_order(round, &reading, &own[reading.which]);
            check_difference(round, &reading);
            check_withdrawal(round, &reading);
        }
        if (random % 4096 == 1)
            (void)nanosleep(&(struct timespec){0, (long)(random / 4096 % 2000000)}, NULL);
        atomic_fetch_add_explicit(&readings_done, 1, memory_order_relaxed);
    }
    return NULL;
}

/* Returns by how much the clock is set: by seconds, by a little more than is always noticed, or by so little that it may
 * not be. */
static int64_t draw_set(const struct round *round, uint64_t random)
{
    static const int64_t mosts[] = {5000000000, 20000, 2 * SET_NS};
    const int64_t most = mosts[random % 3], ns = (int64_t)(random / 3 % (uint64_t)(2 * most)) - most;
    const int64_t skew_ns = (int64_t)(round->setting->skew * 1000 / (world_tick_hz / 1000000));
    const int64_t noticed = most == 2 * SET_NS ? 0 : 3 * SET_NS + 4 * skew_ns + 12 * round->setting->slow_ns;
    return ns < 0 ? ns - noticed : ns + noticed;
}

/* Sets the clock. No reading that began before counts for the order after it. */
static void set_clock(struct round *round, uint64_t random)
{
    atomic_store(&round->set_at, UINT64_MAX);
    atomic_fetch_add(&round->settings, 1);
    world_set(draw_set(round, random));
    atomic_store(&round->set_at, world_ticks());
}

static void change_tick(struct round *round, uint64_t random)
{
    atomic_store(&round->ticked_at, UINT64_MAX);
    world_steer(random % 2 ? 100000 : -100000);
    (void)nanosleep(&(struct timespec){0, (long)(random / 2 % 3000000)}, NULL);
    world_steer(0);
    atomic_store(&round->ticked_index, preload_ring_current(&round->state.ring));
    atomic_store(&round->ticked_at, world_ticks());
}

static void supersede(uint64_t random)
{
    __atomic_store_n(&world_reopens, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&world_standing, PRELOAD_REPLACED, __ATOMIC_RELAXED);
    (void)nanosleep(&(struct timespec){0, (long)(random % 3000000)}, NULL);
    __atomic_store_n(&world_reopens, 1, __ATOMIC_RELAXED);
    (void)nanosleep(&(struct timespec){0, 6000000}, NULL);
}

/* Lets something happen in the world. */
static void happen(struct round *round, uint64_t random)
{
    switch (random % 8) {
    case 0:
        set_clock(round, random / 8);
        break;
    case 1:
        change_tick(round, random / 8);
        break;
    case 2:
        supersede(random / 8);
        break;
    default:
        world_steer((int64_t)(random / 8 % 1001) - 500);
        break;
    }
    (void)nanosleep(&(struct timespec){0, (long)(random / 8192 % 4000000)}, NULL);
}

static int begin_round(struct round *round, const struct setting *setting)
{
    memset(round, 0, sizeof *round);
    round->setting = setting;
    round->state.settings = (struct preload_settings){.order = setting->order, .reopen = true};
    world_begin(world_tick_hz);
    world_boundary_ticks = setting->skew + 100;
    world_reopens = 1;
    (void)preload_warrant_open(&round->state.warrant, &round->state.settings, NULL);
    return preload_begin(&round->state);
}

static void end_round(struct round *round, struct worker *workers)
{
    __atomic_store_n(&world_standing, PRELOAD_WITHDRAWN, __ATOMIC_SEQ_CST);
    atomic_store(&round->withdrawn_at, world_ticks());
    (void)nanosleep(&(struct timespec){0, 4000000}, NULL);
    atomic_store(&round->over, 1);
    for (int i = 0; i < THREADS; i++)
        (void)pthread_join(workers[i].thread, NULL);
    (void)munmap(round->state.maker, 4096);
}

static void play_round(struct round *round, const struct setting *setting, uint64_t *random)
{
    struct worker workers[THREADS];
    if (!begin_round(round, setting))
        abort();
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.round = round, .random = ordo_random_next(random), .index = i};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            abort();
    }
    for (int events = (int)(ordo_random_next(random) % EVENTS); events >= 0; events--)
        happen(round, ordo_random_next(random));
    end_round(round, workers);
}

static void read_setting(const char *word, struct setting *setting)
{
    const char *value = strchr(word, '=');
    const size_t length = value ? (size_t)(value - word) : 0;
    if (!value)
        exit(64);
    const long long number = atoll(++value);
    if (strncmp(word, "order", length) == 0) {
        if (!preload_order_read(value, strlen(value), &setting->order))
            exit(64);
    } else if (strncmp(word, "skew", length) == 0)
        setting->skew = (uint64_t)number;
    else if (strncmp(word, "hop", length) == 0)
        setting->hop = (int)number;
    else if (strncmp(word, "slow", length) == 0)
        setting->slow_ns = number;
    else if (strncmp(word, "readings", length) == 0)
        setting->readings = (uint64_t)number;
    else if (strncmp(word, "milliseconds", length) == 0)
        setting->milliseconds = (int)number;
    else if (strncmp(word, "found", length) == 0)
        setting->found = (int)number;
    else if (strncmp(word, "seed", length) == 0)
        setting->seed = (uint64_t)number;
    else
        exit(64);
}

/* Measures the counter's frequency for 50 ms. */
static uint64_t measure_hz(void)
{
    struct timespec from, to;
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &from);
    const uint64_t begin = world_ticks();
    (void)nanosleep(&(struct timespec){0, 50000000}, NULL);
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &to);
    const uint64_t ticks = world_ticks() - begin;
    return (uint64_t)((double)ticks * 1e9 /
                      ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)));
}

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    static struct round round;
    struct setting setting = {.order = PRELOAD_RAISED, .milliseconds = 1000, .seed = 1};
    for (int i = 1; i < argc; i++)
        read_setting(argv[i], &setting);
    uint64_t random = setting.seed;
    world_tick_hz = measure_hz();
    world_slow_ticks = ns_to_ticks((uint64_t)setting.slow_ns);
    const double end = seconds_now() + setting.milliseconds * 1e-3;
    while (seconds_now() < end || atomic_load(&readings_done) < setting.readings)
        play_round(&round, &setting, &random);
    printf("%llu readings, %llu smaller, %llu far, %llu late; at most %lld ns ahead, %lld ns behind\n",
           (unsigned long long)readings_done, (unsigned long long)smaller, (unsigned long long)far,
           (unsigned long long)late, (long long)most_ahead_ns, (long long)most_behind_ns);
    return setting.found ? !smaller : smaller || far || late;
}
