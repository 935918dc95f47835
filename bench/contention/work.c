#include "work.h"

#include <math.h>

#include "base/time.h"

#define STEPS 100000
#define MEASUREMENTS 20
#define MOST_BATCH 16
#define BATCH_NS 1600

double contention_step_ns(void)
{
    double least_ns = INFINITY;
    uint64_t value = 1;
    for (int i = 0; i < MEASUREMENTS; i++) {
        int64_t start_ns = ordo_raw_ns();
        value = contention_work(value, STEPS);
        least_ns = fmin(least_ns, (double)(ordo_raw_ns() - start_ns));
    }
    return least_ns / STEPS;
}

uint64_t contention_steps(double work_ns, double step_ns)
{
    return step_ns > 0 ? (uint64_t)llround(work_ns / step_ns) : 0;
}

int contention_batch(double work_ns)
{
    int batch = (int)(BATCH_NS / (BATCH_NS / MOST_BATCH + work_ns));
    return batch > 1 ? batch : 1;
}
