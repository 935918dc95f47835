/* Private work of a chosen length: a chain of instructions, each of which needs the result of the one before. It uses
 * no memory and reads no clock. */
#ifndef BENCH_CONTENTION_WORK_H
#define BENCH_CONTENTION_WORK_H

#include <stdint.h>

#define CONTENTION_MOST_WORK_NS 1000000

/** Executes `steps` steps on `value`, and returns the result, on which the next work must continue. */
static inline uint64_t contention_work(uint64_t value, uint64_t steps)
{
    for (; steps; steps--) {
        value = value * UINT64_C(6364136223846793005) + 1;
        __asm__ volatile("" : "+r"(value)); /* the compiler cannot merge two steps */
    }
    return value;
}

/** Measures a step on the calling thread's CPU: the shortest of several measurements. Takes some milliseconds. */
double contention_step_ns(void);

/** Returns the number of steps that take about `work_ns`. */
uint64_t contention_steps(double work_ns, double step_ns);

/** Returns how many operations with `work_ns` of work are executed between two reads of the stop flag. */
int contention_batch(double work_ns);

#endif
