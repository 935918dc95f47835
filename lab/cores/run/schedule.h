/* Threads of the program, and when each of them runs. */
#ifndef ORDO_LAB_CORES_SCHEDULE_H
#define ORDO_LAB_CORES_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/coroutine.h"
#include "lab/cores/run/cpu.h"

struct cores_thread {
    struct ordo_coroutine coroutine;
    struct cores_cpu *cpu;
    struct cores_thread *next; /* in a queue: of ready, sleeping or waiting threads, or of free ones */
    struct cores_thread *joiner;
    uint64_t wake_ps, ready_ps; /* the end of its sleep; the time from which on it can run */
    const void *waits_for;      /* address of the awaited object; NULL: it does not wait */
    bool ended, timed_out;
    void *(*body)(void *);
    void *argument, *result;
    void *stack;
    const char *stopped_at; /* where its stack was in use when it stopped; NULL: it has not run */
};

/** Lets the CPUs that are behind run first. Call it through cores_turn. */
void cores_wait_for_turn(uint64_t until_ps);

/** The running CPU does something at `ps` that other CPUs may see: waits for its turn. */
static inline void cores_turn(uint64_t ps)
{
    if (ps > cores.horizon_ps || ps >= cores.visible_ps)
        cores_wait_for_turn(ps);
}

/** The same for what only this CPU sees: it may be ahead. */
static inline void cores_turn_roughly(uint64_t ps)
{
    if (ps > cores.horizon_ps + cores.slack_ps || ps >= cores.visible_ps)
        cores_wait_for_turn(ps);
}

struct cores_thread *cores_thread_make(void *(*body)(void *), void *argument);
void *cores_thread_join(struct cores_thread *thread);
struct cores_thread *cores_thread_self(void);

/** Moves the calling thread to a CPU of the machine. */
void cores_thread_pin(int cpu);

/** Ends the calling thread. */
void cores_thread_end(void *result) __attribute__((noreturn));

/** Lets other threads of the CPU run, if there are any. */
void cores_yield(void);
void cores_sleep_until(uint64_t ps);

/** Waits until another thread wakes the waiters of `address`, at most until `until_ps`. False: the time was over. */
bool cores_wait(const void *address, uint64_t until_ps);

/** Wakes at most `most` threads that wait for `address`, in the order of their arrival. Returns their number. */
int cores_wake(const void *address, int most);

/** Number of busy CPUs of the core of `cpu`. */
int cores_busy(const struct cores_cpu *cpu);

int cores_schedule_open(const struct cores_machine *machine, uint64_t quantum_ps, uint64_t seed,
                        struct ordo_error *error);

/** Runs `thread` and all that it starts; returns when it ends. */
void cores_schedule_run(struct cores_thread *thread);

/** The CPU with this number, or NULL. Floating CPUs have the numbers behind those of the machine. */
struct cores_cpu *cores_cpu_at(int index);

#endif
