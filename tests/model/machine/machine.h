/* A simulated machine of THREADS threads, which runs one random schedule after another. The model of a header includes
 * this file and then the header, and is compiled with ORDO_CLOCK_HEADER="model_clock.h".
 *
 * The header is compiled with a step before each of its atomic accesses and clock reads. At a step true time passes,
 * and other threads may make any number of steps. Threads are coroutines; now and then one of them sleeps for a while.
 * The clock of a CPU is ahead of true time by 0 to BOUNDARY ticks, both included, and advances by the granule. A thread
 * may move to another CPU at any step.
 *
 * Memory is sequentially consistent, so a model finds wrong orders of steps, but no missing orders of accesses. Clock
 * reads, however, may be made early or late:
 *  - A clock that is read only after an exchange is read at any moment after the thread's last exchange or load: before
 *    stores that the thread has made since, or after loads that follow, but before its next store.
 *  - A read `after` the preceding accesses is made at any moment before the store of its result, so it may be later
 *    than following accesses. If it waits for loads only, it may also be earlier than the stores since the thread's
 *    last load.
 *  - A read `before` the following accesses is made at any moment since the thread's last read before which nothing
 *    later starts. */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>

#include "base/coroutine.h"

static void model_step(void);
static void model_step_to_load(void);
static void model_step_to_store(uint64_t value);
static int model_exchanged(int succeeds);

/* Notes the place of the next access in the source, for the text of a schedule. */
#define MODEL_HERE (machine.function = __func__, machine.line = __LINE__)
#define __atomic_load_n(p, o) (MODEL_HERE, model_step_to_load(), __atomic_load_n(p, o))
#define MODEL_WORD(v)                                                                                                  \
    __extension__({                                                                                                    \
        __typeof__(v) model_from = (v);                                                                                \
        uint64_t model_to = 0;                                                                                         \
        __builtin_memcpy(&model_to, &model_from, sizeof model_from);                                                   \
        model_to;                                                                                                      \
    })
/* The value is computed before the step, because the step may come between the access and a load on which the value
 * depends. */
#define MODEL_VALUE(access, p, v, o)                                                                                   \
    __extension__({                                                                                                    \
        __typeof__(v) model_value = (v);                                                                               \
        MODEL_HERE;                                                                                                    \
        model_step_to_store(MODEL_WORD(model_value));                                                                  \
        access(p, model_value, o);                                                                                     \
    })
#define MODEL_EXCHANGE(access, p, v, o)                                                                                \
    __extension__({                                                                                                    \
        __typeof__(*(p)) model_result = MODEL_VALUE(access, p, v, o);                                                  \
        (void)model_exchanged(1);                                                                                      \
        model_result;                                                                                                  \
    })
#define __atomic_store_n(p, v, o) MODEL_VALUE(__atomic_store_n, p, v, o)
#define __atomic_exchange_n(p, v, o) MODEL_EXCHANGE(__atomic_exchange_n, p, v, o)
#define __atomic_fetch_or(p, v, o) MODEL_EXCHANGE(__atomic_fetch_or, p, v, o)
#define __atomic_fetch_add(p, v, o) MODEL_EXCHANGE(__atomic_fetch_add, p, v, o)
#define __atomic_add_fetch(p, v, o) MODEL_EXCHANGE(__atomic_add_fetch, p, v, o)
#define __atomic_compare_exchange_n(p, e, d, w, s, f)                                                                  \
    (MODEL_HERE, model_step_to_store(MODEL_WORD(d)), model_exchanged(__atomic_compare_exchange_n(p, e, d, w, s, f)))
#define sched_yield() (MODEL_HERE, model_step(), 0)
#define select(n, r, w, e, t) ((void)(t), MODEL_HERE, model_step(), 0)

enum {
    THREADS = 4,
    BOUNDARY = 60,
    LATE = 40, /* true time by which a clock read may come later than its place in the program */
    STACK_BYTES = 65536
};

static struct {
    uint64_t random, true_time;
    uint64_t skew[THREADS];
    uint64_t granule;           /* the step of a clock; the lag of a reading is at most granule - 1 */
    uint64_t read[THREADS];     /* true time of its last clock read, which may move to a later time until a store */
    uint64_t loaded[THREADS];   /* true time of its last load or exchange */
    uint64_t earliest[THREADS]; /* earliest true time at which a read `before` may be made */
    struct {
        uint64_t moment,
            reading; /* result of the thread's last read `after`, which may move to a later time until it is stored */
    } after[THREADS];
    void (*body)(void); /* the work of each thread */
    int running, left;
    uint64_t patience; /* steps after which a schedule counts as stuck */
    struct ordo_coroutine scheduler, threads[THREADS];
    int done[THREADS];
    int tells; /* 1: print each step as text */
    const char *function;
    int line;
} machine;

static char stacks[THREADS][STACK_BYTES];
static const char *violated;

static uint64_t model_random(uint64_t limit)
{
    uint64_t x = machine.random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    machine.random = x;
    return (x >> 16) % limit;
}

static void expect(int holds, const char *what)
{
    if (!holds && !violated)
        violated = what;
}

static uint64_t draw_skew(void)
{
    uint64_t kind = model_random(4), most = BOUNDARY - (machine.granule - 1);
    return kind == 0 ? 0 : kind == 1 ? most : model_random(most + 1);
}

/* Lets the other threads go on. Does nothing before the threads run, and after they have ended. */
static void model_step(void)
{
    int me = machine.running, line = machine.line;
    const char *function = machine.function;
    machine.function = NULL;
    machine.true_time++;
    if (me < 0)
        return;
    if (model_random(16) == 0)
        machine.skew[me] = draw_skew();
    if (model_random(3) == 0)
        ordo_coroutine_switch(&machine.threads[me], &machine.scheduler);
    if (machine.tells && function)
        printf("%8llu thread %d: %s, line %d\n", (unsigned long long)machine.true_time, me, function, line);
    else if (machine.tells)
        printf("%8llu thread %d: a clock, or a step of the model\n", (unsigned long long)machine.true_time, me);
}

/* Notes that the thread knows everything that happened up to this moment. */
static void model_learn(void)
{
    if (machine.running >= 0)
        machine.loaded[machine.running] = machine.true_time;
}

static void model_step_to_load(void)
{
    model_step();
    model_learn();
}

/* Makes the step before a store. Earlier clock reads that are ordered by an exchange have been made by then, and so has
 * the read `after` whose result is stored. */
static void model_step_to_store(uint64_t value)
{
    int me = machine.running;
    do
        model_step();
    while (me >= 0 && (machine.true_time < machine.read[me] ||
                       (value == machine.after[me].reading && machine.true_time < machine.after[me].moment)));
}

/* Notes an attempt to exchange, which loads, too. Returns its result. */
static int model_exchanged(int succeeds)
{
    model_learn();
    return succeeds;
}

/* Returns the reading of the clock at a moment. */
static uint64_t model_reading(uint64_t moment)
{
    uint64_t exact = moment + (machine.running < 0 ? 0 : machine.skew[machine.running]);
    return exact - exact % machine.granule;
}

uint64_t model_time(void)
{
    return model_reading(machine.true_time);
}

/* Orders all later accesses and clock reads after this moment. */
static void model_order_later(void)
{
    if (machine.running >= 0)
        machine.earliest[machine.running] = machine.true_time;
}

uint64_t model_clock(void)
{
    model_step();
    model_order_later();
    return model_time();
}

/* Reads the clock at a random moment from `first` until some time after now. */
static uint64_t model_read_after(uint64_t first)
{
    int me = machine.running;
    uint64_t since, last = machine.after[me].moment;
    if (first < last)
        first = last; /* two reads of this kind are made in order */
    since = machine.true_time > first ? machine.true_time - first : 0;
    machine.after[me].moment = first + model_random(since + 1 + model_random(LATE));
    machine.after[me].reading = model_reading(machine.after[me].moment);
    return machine.after[me].reading;
}

uint64_t model_clock_after(void)
{
    int me = machine.running;
    model_step();
    if (me < 0)
        return model_time();
    if (machine.earliest[me] < machine.loaded[me])
        machine.earliest[me] = machine.loaded[me];
    return model_read_after(machine.earliest[me]);
}

uint64_t model_clock_after_full(void)
{
    model_step();
    model_order_later();
    return machine.running < 0 ? model_time() : model_read_after(machine.true_time);
}

uint64_t model_clock_before(void)
{
    int me = machine.running;
    uint64_t reach, moment;
    model_step();
    if (me < 0)
        return model_time();
    reach = machine.true_time - machine.earliest[me];
    if (reach > LATE && model_random(4))
        reach = LATE;
    moment = machine.true_time - model_random(reach + 1);
    model_order_later();
    return model_reading(moment);
}

uint64_t model_clock_after_exchange(void)
{
    int me = machine.running;
    uint64_t since;
    model_step();
    if (me < 0)
        return model_time();
    if (machine.earliest[me] < machine.loaded[me])
        machine.earliest[me] = machine.loaded[me];
    since = machine.true_time - machine.loaded[me];
    machine.read[me] = machine.loaded[me] + model_random(since + 1 + model_random(LATE));
    return model_reading(machine.read[me]);
}

static void model_thread(void *thread)
{
    machine.body();
    machine.done[machine.running] = 1;
    machine.left--;
    ordo_coroutine_switch(thread, &machine.scheduler);
}

static void model_start(int i)
{
    machine.done[i] = 0;
    machine.skew[i] = draw_skew();
    machine.read[i] = machine.loaded[i] = machine.earliest[i] = machine.true_time;
    machine.after[i].moment = machine.after[i].reading = 0;
    ordo_coroutine_make(&machine.threads[i], stacks[i], STACK_BYTES, model_thread, &machine.threads[i]);
}

/* Begins a schedule, before the threads run. */
static void model_begin(uint64_t seed)
{
    machine.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    machine.true_time = 1000;
    machine.granule = 1;
    machine.running = -1;
}

/* Runs `body` in each thread, to the end of all. */
static void model_run(void (*body)(void))
{
    int asleep = -1; /* the thread that is preempted for a while; -1: none */
    machine.body = body;
    machine.left = THREADS;
    for (int i = 0; i < THREADS; i++)
        model_start(i);
    for (machine.patience = 1000000; machine.left && machine.patience && !violated; machine.patience--) {
        int i = (int)model_random(THREADS);
        if (model_random(100) == 0)
            asleep = (int)model_random(2 * THREADS);
        if (machine.done[i] || (i == asleep && machine.left > 1))
            continue;
        machine.running = i;
        ordo_coroutine_switch(&machine.scheduler, &machine.threads[i]);
    }
    machine.running = -1;
    expect(machine.patience > 0, "the schedule does not end");
}

/* The main function of a model. Arguments: [RUNS [SEED [tell]]]. Prints a line that says how the model ended. With the
 * word `tell`, prints each step: the true time, the thread, and the access that follows. */
static int model_main(int argc, char **argv, unsigned long runs, void (*run_schedule)(uint64_t seed))
{
    unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, run;
    runs = argc > 1 ? strtoul(argv[1], NULL, 10) : runs;
    machine.tells = argc > 3 && strcmp(argv[3], "tell") == 0;
    for (run = 0; run < runs && !violated; run++)
        run_schedule(seed + run);
    if (violated)
        printf("seed %lu: %s\n", seed + run - 1, violated);
    else
        printf("%lu schedules\n", runs);
    return violated != NULL;
}

#endif
