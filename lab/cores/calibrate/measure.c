#include "lab/cores/calibrate/measure.h"

#include <stdlib.h>
#include <sys/resource.h>

static const char *const words[CORES_CALIBRATE_VALUES] = {
    [CORES_CALIBRATE_CYCLE] = "cycle (a dependent addition)",
    [CORES_CALIBRATE_INSTRUCTION] = "instruction, operands in L1",
    [CORES_CALIBRATE_L1] = "load from L1",
    [CORES_CALIBRATE_L2] = "load from L2",
    [CORES_CALIBRATE_L3] = "load from L3",
    [CORES_CALIBRATE_MEMORY] = "load from memory",
    [CORES_CALIBRATE_CHAINS] = "load from memory, 32 chains",
    [CORES_CALIBRATE_SECOND] = "added by the TLB's second level",
    [CORES_CALIBRATE_WALK] = "added by a walk of page tables",
    [CORES_CALIBRATE_MISPREDICT] = "misprediction, with its load",
    [CORES_CALIBRATE_ADD] = "atomic addition, owned line",
    [CORES_CALIBRATE_CAS] = "compare-and-swap, owned line",
    [CORES_CALIBRATE_FENCE] = "fence",
    [CORES_CALIBRATE_CLOCK] = "clock, unordered",
    [CORES_CALIBRATE_CLOCK_ORDERED] = "clock, ordered on both sides",
    [CORES_CALIBRATE_PAUSE] = "pause",
    [CORES_CALIBRATE_CALL] = "system call",
    [CORES_CALIBRATE_YIELD] = "sched_yield, nothing else ready",
    [CORES_CALIBRATE_WAKE] = "wake until a thread runs elsewhere",
    [CORES_CALIBRATE_WAKE_CALL] = "call that wakes a thread",
    [CORES_CALIBRATE_SWITCH] = "wake, sleep, switch on one CPU",
    [CORES_CALIBRATE_STORE_HIT] = "store to L1",
    [CORES_CALIBRATE_STORE_MISS] = "store to memory, many in flight",
    [CORES_CALIBRATE_TRANSFER] = "transfer of a line",
    [CORES_CALIBRATE_TWO_ADDERS] = "addition of two CPUs to one line",
};

const char *cores_calibrate_words(enum cores_calibrate_value value)
{
    return words[value];
}

long cores_calibrate_losses(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

static int compare_rounds(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

struct cores_calibrate_interval cores_calibrate_interval_of(double *rounds)
{
    int most = CORES_CALIBRATE_ROUNDS - 1;
    qsort(rounds, CORES_CALIBRATE_ROUNDS, sizeof *rounds, compare_rounds);
    return (struct cores_calibrate_interval){rounds[most / 2], rounds[most / 10], rounds[most - most / 10]};
}
