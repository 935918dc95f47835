/* How a rank waits. It yields the CPU after a while, because two ranks that spin on one CPU would take a scheduler's
 * tick for every message, and some MPI libraries never yield. A rank that yields for long forfeits its share of a busy
 * CPU: from then on it sleeps. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_PAUSE_H
#define ORDO_CLUSTER_TRANSPORT_MPI_PAUSE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

/* Counts the tests of one request, and when they were made. */
struct ordo_mpi_pauses {
    unsigned tests;
    int64_t since_ns, looked_ns; /* 0: the clock was not read yet */
};

/* Pauses between two tests of a request. True if it is time to serve roll calls: a millisecond after the last time.
 *
 * The time is measured, not the number of tests: on a busy machine a test can take as long as others hold the CPU,
 * because some MPI libraries yield within it. */
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
