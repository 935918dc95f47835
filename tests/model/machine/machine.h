/* A simulated machine of THREADS threads, which runs one random schedule after the other. A model of a header includes
 * this first, then that header, and is compiled with ORDO_CLOCK_HEADER="model_clock.h".
 *
 * The header itself is compiled with a step before each of its atomic accesses and clock reads: at a step any other
 * thread may go on, for any number of steps, and true time passes. Threads are coroutines, and one sleeps for a while now
 * and then. A CPU's clock is ahead of true time by something between 0 and exactly BOUNDARY, advances by the granule, and
 * a thread may move to another CPU at any step.
 *
 * Memory is sequentially consistent: this finds wrong orders of steps, not missing orders of accesses. But a clock that
 * is read only after an exchange is read at any moment behind the thread's last one: earlier than what the thread has
 * stored since, or later than what it then loads, up to its next store. And a read of one side is made on the other side
 * at any moment: one `after` what was done later than what the thread then does, up to the store of what it read; if it
 * waits for loads only, also earlier than what the thread has stored since its last load. One `before` what is to be done
 * is made as early as the thread's last read that nothing later starts before. */
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

/* The access that comes next, for the text of a schedule. */
#define MODEL_HERE (machine.function = __func__, machine.line = __LINE__)
#define __atomic_load_n(p, o) (MODEL_HERE, model_step_to_load(), __atomic_load_n(p, o))
#define MODEL_WORD(v)                                                                                                  \
    __extension__({                                                                                                    \
        __typeof__(v) model_from = (v);                                                                                \
        uint64_t model_to = 0;                                                                                         \
        __builtin_memcpy(&model_to, &model_from, sizeof model_from);                                                   \
        model_to;                                                                                                      \
    })
/* A value is made before the step, which may lie between a load that it is made of and the access itself. */
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
    LATE = 40, /* true time that a clock read may come later than its place in the program */
    STACK_BYTES = 65536
};

static struct {
    uint64_t random, true_time;
    uint64_t skew[THREADS];
    uint64_t granule;            /* what a clock advances by: a reading is at most that much less one behind */
    uint64_t exchanged[THREADS]; /* the true time of its last exchange */
    uint64_t read[THREADS];      /* of its clock read, which may still be to come: nothing is stored before */
    uint64_t loaded[THREADS];    /* of its last load or exchange */
    uint64_t earliest[THREADS];  /* that a read `before` may still be made at */
    struct {
        uint64_t moment,
            reading; /* of its last read `after`, which may be to come: what it read is not stored before */
    } after[THREADS];
    void (*body)(void); /* what each thread does */
    int running, left;
    uint64_t patience; /* steps until the schedule is taken for stuck */
    struct ordo_coroutine scheduler, threads[THREADS];
    int done[THREADS];
    int tells; /* each step, as text */
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

/* The others may go on. Not before the threads run, nor after. */
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

/* The thread knows of all that happened up to this moment. */
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

/* Nothing is stored before a clock read that is ordered by an exchange and comes earlier in the program, and what was
 * read `after` not before it was. */
static void model_step_to_store(uint64_t value)
{
    int me = machine.running;
    do
        model_step();
    while (me >= 0 && (machine.true_time < machine.read[me] ||
                       (value == machine.after[me].reading && machine.true_time < machine.after[me].moment)));
}

static int model_exchanged(int succeeds)
{
    int me = machine.running;
    if (me < 0)
        return succeeds;
    if (succeeds)
        machine.exchanged[me] = machine.true_time;
    model_learn();
    return succeeds;
}

/* What the clock shows at a moment. */
static uint64_t model_reading(uint64_t moment)
{
    uint64_t exact = moment + (machine.running < 0 ? 0 : machine.skew[machine.running]);
    return exact - exact % machine.granule;
}

uint64_t model_time(void)
{
    return model_reading(machine.true_time);
}

/* Nothing that comes later starts before this moment. */
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

/* At or after the moment `first`, and up to some time later than now. */
static uint64_t model_read_after(uint64_t first)
{
    int me = machine.running;
    uint64_t since, last = machine.after[me].moment;
    if (first < last)
        first = last; /* two such reads are in order */
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
    if (machine.earliest[me] < machine.exchanged[me])
        machine.earliest[me] = machine.exchanged[me];
    since = machine.true_time - machine.exchanged[me];
    machine.read[me] = machine.exchanged[me] + model_random(since + 1 + model_random(LATE));
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
    machine.exchanged[i] = machine.read[i] = machine.loaded[i] = machine.earliest[i] = machine.true_time;
    machine.after[i].moment = machine.after[i].reading = 0;
    ordo_coroutine_make(&machine.threads[i], stacks[i], STACK_BYTES, model_thread, &machine.threads[i]);
}

/* Before the threads run. */
static void model_begin(uint64_t seed)
{
    machine.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    machine.true_time = 1000;
    machine.granule = 1;
    machine.running = -1;
}

/* Runs the threads, each of which does `body`, to their end. */
static void model_run(void (*body)(void))
{
    int asleep = -1; /* one loses its CPU for a while now and then */
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

/* A model's main: [RUNS [SEED [tell]]], and a line that says how it ended. The word `tell` prints each step: the true time, the
 * thread, and the access that follows. */
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
