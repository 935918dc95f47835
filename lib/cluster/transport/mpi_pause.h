/* The wait of a rank for an MPI request: it spins, then yields, then sleeps. It yields because two ranks that spin on
 * one CPU would need a tick of the scheduler for every message, and some MPI libraries never yield. It sleeps because a
 * thread that yields for long loses its share of a busy CPU. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_PAUSE_H
#define ORDO_CLUSTER_TRANSPORT_MPI_PAUSE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

/* The state of one wait: number of tests of the request, time of the first pause, and time of the last roll call. */
struct ordo_mpi_pauses {
    unsigned tests;
    int64_t since_ns, looked_ns; /* 0: the clock has not been read yet */
};

/* Pauses between two tests of a request. True about once in a millisecond: the caller must then answer roll calls.
 *
 * The millisecond is measured, not counted in tests: some MPI libraries yield within a test, so a test on a busy
 * machine can take as long as other processes hold the CPU. */
static inline bool ordo_mpi_pause(struct ordo_mpi_pauses *pauses)
{
    enum { EVERY = 16, TESTS = 2000, YIELDS = 200, NAP_NS = 20000, LONG_NS = 2000000, LOOK_NS = 1000000 };
    unsigned tests = pauses->tests++;
    if (tests > TESTS + YIELDS)
        ordo_sleep_ns(NAP_NS);
    else if (tests > TESTS)
        (void)sched_yield();
    else if (tests % EVERY)
        return false;
    int64_t at_ns = ordo_raw_ns();
    if (!pauses->since_ns)
        pauses->since_ns = pauses->looked_ns = at_ns;
    if (at_ns - pauses->since_ns > LONG_NS && tests <= TESTS + YIELDS)
        pauses->tests = TESTS + YIELDS + 1;
    if (at_ns - pauses->looked_ns < LOOK_NS)
        return false;
    pauses->looked_ns = at_ns;
    return true;
}

#endif
