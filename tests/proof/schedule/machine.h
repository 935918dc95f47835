/* A simulated machine of two threads, and every schedule of it with at most a given number of preemptions.
 *
 * Include it before the header to be tested. A step comes before each atomic access and each clock read. At every step
 * the running thread either goes on or is preempted. A thread that waits yields by itself, which is not counted as a
 * preemption. All choices are enumerated: a run repeats the choices of the previous run up to the last choice that has
 * another alternative, and takes this alternative. A clock read that need not wait for earlier accesses is made at its
 * place or, once in a run, before the previous access. Memory is sequentially consistent (tests/proof/spin has the
 * store buffers). */
#ifndef ORDO_PROOF_SCHEDULE_MACHINE_H
#define ORDO_PROOF_SCHEDULE_MACHINE_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/coroutine.h"

enum { THREADS = 2, STACK_BYTES = 65536, CHOICES = 4096, LIMIT = 20000 };

static void run_thread(void); /* defined by the program: the work of the thread machine.running */

static struct {
    uint64_t true_time, skew[THREADS], boundary;
    uint64_t last[THREADS], earlier[THREADS]; /* times of a thread's last and last but one access or clock read */
    uint64_t read[THREADS]; /* time of the thread's last clock read; a later read is not made before it */
    int running, left, preemptions, reads_ahead;
    unsigned steps;
    struct ordo_coroutine scheduler, threads[THREADS];
    int done[THREADS];
} machine;

/* The choices of this run, each between two alternatives. */
static struct {
    unsigned char taken[CHOICES];
    unsigned made, known;
} choices;

static char stacks[THREADS][STACK_BYTES];
static const char *violated;

static void expect(int holds, const char *what)
{
    if (!holds && !violated)
        violated = what;
}

/* Returns the next choice of this run; a new choice is 0. */
static int choose(void)
{
    if (choices.made == CHOICES) {
        expect(0, "too many choices");
        return 0;
    }
    if (choices.made == choices.known)
        choices.taken[choices.known++] = 0;
    return choices.taken[choices.made++];
}

/* Changes the last choice that has another alternative. False: no choice has one. */
static int advance(void)
{
    while (choices.known > 0 && choices.taken[choices.known - 1] == 1)
        choices.known--;
    if (choices.known == 0)
        return 0;
    choices.taken[choices.known - 1] = 1;
    return 1;
}

static void give_way(void)
{
    ordo_coroutine_switch(&machine.threads[machine.running], &machine.scheduler);
}

static void model_step(void)
{
    if (machine.running >= 0) {
        machine.earlier[machine.running] = machine.last[machine.running];
        machine.last[machine.running] = machine.true_time;
    }
    machine.true_time++;
    if (machine.running < 0)
        return;
    if (machine.steps++ > LIMIT) {
        expect(0, "the schedule does not end");
        give_way(); /* the thread has ended */
    }
    if (machine.preemptions > 0 && !machine.done[1 - machine.running] && choose()) {
        machine.preemptions--;
        give_way();
    }
}

/* Called when the running thread waits, for time or for the other thread. */
static void model_wait(void)
{
    machine.true_time++;
    if (machine.running >= 0 && !machine.done[1 - machine.running])
        give_way();
}

uint64_t model_time(void)
{
    return machine.true_time + (machine.running < 0 ? 0 : machine.skew[machine.running]);
}

uint64_t model_clock(void)
{
    model_step();
    if (machine.running >= 0)
        machine.read[machine.running] = machine.true_time;
    return model_time();
}

uint64_t model_clock_before(void)
{
    int me = machine.running;
    uint64_t least = me < 0 ? 0 : machine.read[me], now = model_clock();
    if (me < 0 || !machine.reads_ahead || machine.earlier[me] <= least || choose() == 0)
        return now;
    machine.reads_ahead--;
    return machine.earlier[me] + machine.skew[me];
}

void model_pause(void)
{
    model_wait();
}

static void begin_thread(void *unused)
{
    (void)unused;
    run_thread();
    machine.done[machine.running] = 1;
    machine.left--;
    give_way();
}

static void schedule(int first)
{
    machine.left = THREADS;
    for (int i = 0; i < THREADS; i++) {
        machine.done[i] = 0;
        machine.skew[i] = 0;
        machine.last[i] = machine.earlier[i] = machine.read[i] = machine.true_time;
        ordo_coroutine_make(&machine.threads[i], stacks[i], STACK_BYTES, begin_thread, NULL);
    }
    for (machine.running = first; machine.left && !violated;) {
        ordo_coroutine_switch(&machine.scheduler, &machine.threads[machine.running]);
        if (!machine.done[1 - machine.running])
            machine.running = 1 - machine.running;
    }
    machine.running = -1;
}

static void machine_start(int preemptions)
{
    machine.true_time = 1000;
    machine.running = -1;
    machine.steps = 0;
    machine.preemptions = preemptions;
    machine.reads_ahead = 1;
    choices.made = 0;
}

#define CC_COPY_BY_WORDS /* with a step before each word */
#define __atomic_load_n(p, o) (model_step(), __atomic_load_n(p, o))
#define __atomic_store_n(p, v, o) (model_step(), __atomic_store_n(p, v, o))
#define __atomic_exchange_n(p, v, o) (model_step(), __atomic_exchange_n(p, v, o))
#define __atomic_fetch_or(p, v, o) (model_step(), __atomic_fetch_or(p, v, o))
#define __atomic_fetch_add(p, v, o) (model_step(), __atomic_fetch_add(p, v, o))
#define __atomic_compare_exchange_n(p, e, d, w, s, f) (model_step(), __atomic_compare_exchange_n(p, e, d, w, s, f))
#define syscall(...) (model_step(), 0) /* membarrier has nothing to order here */
#define sched_yield() (model_wait(), 0)
#define select(n, r, w, e, t) ((void)(t), model_wait(), 0)
#define nanosleep(t, left) ((void)(t), model_wait(), 0)

#endif
