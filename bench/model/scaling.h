/* A model of how our RLU would scale, from costs measured at one and two threads. A MODEL: nothing here was measured
 * with more threads than the machine has CPUs.
 *
 * The model includes, per operation of one of N equal threads, of which a share s flushes a commit:
 *
 *  - the work of the operation, commit included, as measured with one thread;
 *  - a flush writes its time into the mark of every other thread: N - 1 transfers of a line, one after the other;
 *  - with probability r = 1 - exp(-(N - 1) s) another thread has flushed since the thread's last operation: the thread
 *    then fetches its mark's line again, a transfer, and takes a new time;
 *  - stamp ordo: the thread reads its own clock, and waits for the rest of the boundary. For the k-th marked thread,
 *    k transfers of the boundary are already over;
 *  - stamp logical: the thread reads the global counter, and every flush increments the counter. Each access is a
 *    transfer of one line, which serves one thread at a time. The threads that queue for this line are a closed
 *    queueing network with one station, solved exactly (mean value analysis: Reiser and Lavenberg, 1980);
 *  - elements changed by other threads are fetched again: up to `lines` transfers, fitted to the measurement of the
 *    stamp logical at two threads.
 *
 * The model excludes distances between packages, bandwidth, aborts, and threads that share a core. */
#ifndef BENCH_MODEL_SCALING_H
#define BENCH_MODEL_SCALING_H

struct model_costs {
    double work_ns;        /* time of an operation with one thread */
    double flushes_per_op; /* the share s */
    double transfer_ns;    /* time of a cache line's transfer between two cores */
    double clock_ns;       /* time that an ordered clock read adds to an operation; 0 for logical */
    double boundary_ns;    /* 0 for logical */
    int counter;           /* 1: the stamp is the shared counter */
    double lines;          /* cache lines that an operation visits and other threads may change */
    double stale;          /* share of `lines` that one other thread changes per operation: see model_fit() */
};

/** Returns the modelled throughput of `threads` threads together, in operations per second. */
double model_ops_per_s(const struct model_costs *costs, int threads);

/** Returns the `stale` for which the model comes closest to `ns_per_op` at two threads. */
double model_fit(const struct model_costs *costs, double ns_per_op);

#endif
