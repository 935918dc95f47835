/* What `ordo-bench rlu` measures: ordered sets of keys, built in several ways.
 *
 * An engine is one way (a baseline, or our RLU or MV-RLU on one stamp) of building one structure; a bench is one engine with its
 * sizes, and is a variant's context. All engines run the same loop (loop.h) over the same keys. */
#ifndef BENCH_RLU_ENGINE_H
#define BENCH_RLU_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <ordo/ordo.h>

#include "base/error.h"
#include "base/random.h"
#include "harness.h"

enum rlu_structure { RLU_LIST, RLU_HASH, RLU_TREE, RLU_STRUCTURES };

/** Indices of bench_worker.counters; what our RLU counts is explained at struct ordo_rlu_statistics and ordo_mvrlu_statistics. */
enum rlu_counter {
    RLU_COMMITS,
    RLU_FLUSHES,
    RLU_ABORTS,
    RLU_STEALS,
    RLU_HELPS,
    RLU_CLOCK_READS,
    RLU_BOUNDARY_WAITS,
    RLU_BOUNDARY_WAIT_TICKS,
    RLU_READER_WAITS,
    RLU_READER_WAIT_TICKS,
    RLU_YIELDS,
    RLU_SLEEPS,
    RLU_FULLS,        /* MV-RLU: sections that found the log full */
    RLU_WRITTEN_BACK, /* MV-RLU: versions copied to their object */
    RLU_MEMORY_BYTES, /* allocated when the first thread had done its work, and nothing was given back yet */
    RLU_COUNTERS
};
_Static_assert(RLU_COUNTERS <= BENCH_COUNTERS, "the harness has a place for each");

#define RLU_DEFER_AUTO (~0U) /* each thread chooses by itself */

struct rlu_engine;

struct rlu_bench {
    const struct rlu_engine *engine;
    uint64_t range;    /* keys are 0 .. range - 1 */
    uint64_t buckets;  /* of a hash */
    uint64_t elements; /* at the beginning of a trial */
    unsigned update_percent;
    unsigned defer; /* commits merged into one quiescence, or RLU_DEFER_AUTO; RLU and MV-RLU */
    char stamp[32]; /* the engine's own, and what else tells two variants apart */
    bool own_clock; /* each section reads the clock; MV-RLU only */
    uint64_t boundary_ticks;
    const struct ordo *watch;      /* the clocks of the stamps corrected and any; NULL for all others */
    double ns_per_tick;            /* for the report */
    void *set;                     /* the engine's, during a trial */
    uint64_t trial;                /* counts up: all benches see the same keys in the same round */
    atomic_int_least64_t size;     /* elements there should be after the trial */
    atomic_uint_least64_t refused; /* operations that failed for want of memory */
    size_t bytes_before;           /* allocated when the trial began */
    atomic_bool weighed;           /* one of the threads has looked how much it is now */
};

/** A key below `range` (at most 2^32) from the upper half of a random number; the lower half is still free. */
static inline uint64_t rlu_key(uint64_t random, uint64_t range)
{
    return (random >> 32) * range >> 32;
}

/** Returns the seed of a thread's keys: another one for each trial and thread. */
static inline uint64_t rlu_seed(const struct rlu_bench *bench, int index)
{
    uint64_t state = bench->trial << 16 | (uint64_t)index;
    return ordo_random_next(&state);
}

/** The functions of an engine. A user is a thread's handle for the set. Operations return 1: changed (found); 0: not; -1: out of
 * memory. */
struct rlu_engine {
    const char *algorithm, *stamp; /* stamp NULL: a baseline */
    enum rlu_structure structure;
    /* Makes the empty bench->set; -1 without memory. */
    int (*create)(struct rlu_bench *bench);
    void (*destroy)(struct rlu_bench *bench);
    /* The calling thread becomes a user; NULL without memory. */
    void *(*enter)(struct rlu_bench *bench);
    /* It ceases to be one; its counters are added. May wait for the other users' sections. */
    void (*leave)(void *user, uint64_t counters[BENCH_COUNTERS]);
    int (*add)(void *user, uint64_t key);
    uint64_t (*work)(struct bench_worker *worker);
    /* Counts the elements, without users: ORDO_OK, or a line about the first fault. */
    int (*audit)(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error);
};

/** Memory on lines of its own, for free(); NULL: there is none. */
static inline void *rlu_allocate_lines(size_t bytes)
{
    return aligned_alloc(BENCH_LINE, (bytes + BENCH_LINE - 1) / BENCH_LINE * BENCH_LINE);
}

/** All engines, ending with NULL. */
extern const struct rlu_engine *const rlu_engines[];

/** "list", "hash", "tree". */
extern const char *const rlu_structure_words[RLU_STRUCTURES];

/** The bench as a variant of the harness, which calls the engine. `bench` must outlive it; `stamp` may say more than
 * the engine's own, or be NULL for a baseline. */
struct bench_variant rlu_variant(struct rlu_bench *bench, const char *stamp, const char *workload);

/** Frees the memory of a cancelled trial. */
void rlu_bench_close(struct rlu_bench *bench);

#endif
