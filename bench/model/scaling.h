/* A model of how our RLU would scale, from costs measured at one and two threads. A MODEL: nothing here was measured
 * on more threads than the machine has.
 *
 * What it takes into account, per operation of one of N equal threads, of which a share s flushes a commit:
 *
 *  - the work of an operation, as one thread alone does it, commit included;
 *  - a flush leaves its time in the mark of every other thread: (N - 1) transfers of a line, one after the other;
 *  - with probability r = 1 - exp(-(N - 1) s) another thread flushed since the thread's last operation: its own line
 *    has to come back, a transfer, and its time has to be renewed;
 *  - stamp ordo renews it by reading its own clock, and waits for the rest of the boundary: for the k-th marked
 *    thread k transfers of it are already over;
 *  - stamp logical renews it from the global counter, and every flush increments that: 1 transfer each of one line,
 *    which serves one thread at a time. The threads that queue for it are a closed queueing network with one station,
 *    solved exactly (mean value analysis: Reiser and Lavenberg, 1980);
 *  - elements that others changed have to be fetched again: up to `lines` transfers, fitted to the measurement of the
 *    stamp logical at two threads.
 *
 * What it leaves out: distances between packages, bandwidth, aborts, threads that share a core. */
#ifndef BENCH_MODEL_SCALING_H
#define BENCH_MODEL_SCALING_H

struct model_costs {
    double work_ns;        /* an operation of one thread alone */
    double flushes_per_op; /* s */
    double transfer_ns;    /* of a cache line from one core to another */
    double clock_ns;       /* an ordered clock read in place; 0 for logical */
    double boundary_ns;    /* 0 for logical */
    int counter;           /* whether the clock is the shared counter */
    double lines;          /* that an operation visits and others may change */
    double stale;          /* share of them that one other thread changes per operation: model_fit */
};

/** Throughput of `threads` threads together, operations per second. */
double model_ops_per_s(const struct model_costs *costs, int threads);

/** The `stale` with which the model gives `ns_per_op` at two threads, as nearly as it can. */
double model_fit(const struct model_costs *costs, double ns_per_op);

#endif
