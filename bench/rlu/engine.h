/* The engines of `ordo-bench rlu`: ordered sets of keys, in several implementations.
 *
 * An engine is an implementation of one structure: a baseline, or our RLU or MV-RLU with one stamp. A bench is an
 * engine with its sizes, and is the context of a variant. All engines run the same loop (loop.h) over the same keys. */
#ifndef BENCH_RLU_ENGINE_H
#define BENCH_RLU_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/ordo.h>

#include "base/error.h"
#include "base/random.h"
#include "harness.h"

enum rlu_structure { RLU_LIST, RLU_HASH, RLU_TREE, RLU_STRUCTURES };

/** Indices of bench_worker.counters. For the counters of our RLU, see struct ordo_rlu_statistics and struct
 * ordo_mvrlu_statistics. */
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
    RLU_MEMORY_BYTES, /* allocated bytes when the first thread ends its work, before memory is freed */
    RLU_TORN,         /* multi-gets that were not atomic (multiget.h) */
    RLU_COUNTERS
};
_Static_assert(RLU_COUNTERS <= BENCH_COUNTERS, "the harness has a place for each");

#define RLU_DEFER_AUTO (~0U) /* each thread chooses its own value */

struct rlu_engine;
struct rlu_multiget;

struct rlu_bench {
    const struct rlu_engine *engine;
    uint64_t range;    /* keys are 0 .. range - 1 */
    uint64_t buckets;  /* number of buckets of a hash */
    uint64_t elements; /* number of elements at the beginning of a trial */
    unsigned update_percent;
    unsigned multiget_keys; /* keys of a multi-get; 0: the operations are those on one key */
    unsigned defer;         /* commits merged into one quiescence, or RLU_DEFER_AUTO; for RLU and MV-RLU */
    char stamp[32];         /* the engine's stamp, and a suffix if several variants have it */
    bool own_clock;         /* each section reads the clock; for MV-RLU only */
    uint64_t boundary_ticks;
    const struct ordo *watch;      /* the clock of the stamps corrected and any; NULL for other stamps */
    double ns_per_tick;            /* for the report */
    void *set;                     /* the engine's own data, during a trial */
    uint64_t trial;                /* number of the trial; all benches see the same keys in the same round */
    atomic_int_least64_t size;     /* expected number of elements after the trial */
    atomic_uint_least64_t refused; /* operations that failed: out of memory, or ORDO_E_FULL of MV-RLU */
    atomic_uint_least64_t torn;    /* multi-gets that were not atomic */
    size_t bytes_before;           /* allocated bytes when the trial began */
    atomic_bool weighed;           /* true after one of the threads has measured the memory */
};

/** Returns a key below `range` (at most 2^32), from the upper half of a random number. The lower half remains for other
 * uses. */
static inline uint64_t rlu_key(uint64_t random, uint64_t range)
{
    return (random >> 32) * range >> 32;
}

/** Returns the seed of a thread's keys. It differs for each trial and thread. */
static inline uint64_t rlu_seed(const struct rlu_bench *bench, int index)
{
    uint64_t state = bench->trial << 16 | (uint64_t)index;
    return ordo_random_next(&state);
}

/** The functions of an engine. A user is a thread's handle for the set. Operations return 1 if they changed the set (or
 * found the key), 0 if not, and -1 if out of memory. */
struct rlu_engine {
    const char *algorithm, *stamp; /* stamp == NULL: a baseline */
    enum rlu_structure structure;
    /* Makes bench->set, empty. Returns -1 if out of memory. */
    int (*create)(struct rlu_bench *bench);
    void (*destroy)(struct rlu_bench *bench);
    /* Makes the calling thread a user. Returns NULL if out of memory. */
    void *(*enter)(struct rlu_bench *bench);
    /* Ends the user, and adds its counters. May wait for the other users' sections. */
    void (*leave)(void *user, uint64_t counters[BENCH_COUNTERS]);
    int (*add)(void *user, uint64_t key);
    uint64_t (*work)(struct bench_worker *worker);
    const struct rlu_multiget *multiget; /* NULL: the engine has no multi-gets */
    /* Counts the elements; there must be no users. Returns ORDO_OK, or a code with a message about the first fault. */
    int (*audit)(struct rlu_bench *bench, uint64_t *count, struct ordo_error *error);
};

/** Allocates memory on cache lines of its own; release it with free(). Returns NULL if out of memory. */
static inline void *rlu_allocate_lines(size_t bytes)
{
    return aligned_alloc(BENCH_LINE, (bytes + BENCH_LINE - 1) / BENCH_LINE * BENCH_LINE);
}

/** True if the engine can defer commits: our RLU and MV-RLU. */
static inline bool rlu_defers(const struct rlu_engine *engine)
{
    return strstr(engine->algorithm, "rlu") != NULL;
}

/** All engines; ends with NULL. */
extern const struct rlu_engine *const rlu_engines[];

/** The words "list", "hash", "tree". */
extern const char *const rlu_structure_words[RLU_STRUCTURES];

/** Returns a variant of the harness that runs the bench. `bench` must outlive the variant. `stamp` may be the engine's
 * stamp with a suffix; it is NULL for a baseline. */
struct bench_variant rlu_variant(struct rlu_bench *bench, const char *stamp, const char *workload);

/** Frees the memory of a cancelled trial. */
void rlu_bench_close(struct rlu_bench *bench);

#endif
