/* Programs that judge the concurrency-control libraries while these run on a simulated machine of many CPUs.
 *
 * Each oracle is compiled with the hooks of the simulation, and does its work in rounds: at the end of a round all
 * threads rest, and the last one judges, at no cost on the simulated machine. */
#ifndef ORDO_TESTS_CORES_ORACLE_H
#define ORDO_TESTS_CORES_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

struct oracle_plan {
    const char *oracle, *engine, *stamp;
    int threads;
    uint64_t boundary; /* ticks */
    uint64_t rounds;
    uint64_t each;  /* operations of a thread in one round */
    uint64_t items; /* records or objects that the threads share */
    uint64_t seed;
    bool expect; /* an anomaly is expected, and ends the run */
};
extern struct oracle_plan oracle_plan;

/* What an oracle has found. */
struct oracle_result {
    uint64_t operations, anomalies;
    char first[1024]; /* of the anomalies */
};
extern struct oracle_result oracle_result;

/** Moves the calling thread to the CPU for this number. */
void oracle_pin(int number);

/** Waits until all threads of the plan have called it. The last one waits until every clock has passed all times that
 * any of them has read, and calls `judge` outside of the simulation. */
void oracle_rest(void (*judge)(void));

/** Returns the virtual time at which all earlier stores of the calling thread are visible: a call with a smaller result
 * was before one with a larger result. */
uint64_t oracle_now_ps(void);

/** Notes an anomaly. */
void oracle_blame(const char *text);

/** True if the threads shall stop: all rounds are over, or an anomaly was found. */
bool oracle_is_over(void);

/** Runs `body` on all threads of the plan, each with its number. */
void oracle_run_threads(void (*body)(int number));

/* The oracles: each runs as the main program of the simulated machine, and returns 0 if it could run. */
int oracle_txn(void);
int oracle_rlu(void);
int oracle_mvrlu(void);
int oracle_stm(void);
int oracle_oplog(void);
int oracle_merge(void);

static inline uint64_t oracle_draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
