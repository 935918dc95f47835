/* What `ordo-bench stm` measures: shared structures in transactions, kept apart in several ways.
 *
 * An engine is one way (our transactional memory on one stamp, or a baseline) of running one structure; a bench is one
 * engine with its sizes, and is a variant's context. All engines are one program text (stm_engine.h). */
#ifndef BENCH_STM_ENGINE_H
#define BENCH_STM_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "harness.h"

enum stm_structure { STM_LIST, STM_HASH, STM_TREE, STM_SKIP, STM_BANK, STM_RESERVATIONS, STM_PACKETS, STM_STRUCTURES };

/** Indices of bench_worker.counters; explained at struct ordo_stm_statistics. */
enum stm_counter {
    STM_COMMITS,
    STM_UPDATES,
    STM_ABORTS_LOCKED,
    STM_ABORTS_CHANGED,
    STM_ABORTS_NEWER,
    STM_ABORTS_UNCERTAIN,
    STM_CLOCK_READS,
    STM_EXTENSIONS,
    STM_EXTENSIONS_UNCERTAIN,
    STM_BOUNDARY_WAIT_TICKS,
    STM_IRREVOCABLE,
    STM_YIELDS,
    STM_SLEEPS,
    STM_COUNTERS
};
_Static_assert(STM_COUNTERS <= BENCH_COUNTERS, "the harness has a place for each");

struct stm_engine;

struct stm_bench {
    const struct stm_engine *engine;
    uint64_t range;    /* keys are 0 .. range - 1 */
    uint64_t buckets;  /* of a hash */
    uint64_t elements; /* at the beginning of a trial */
    uint64_t stripes;  /* of our transactional memory */
    unsigned update_percent;
    uint64_t boundary_ticks;
    const struct ordo *watch;      /* the clock of the stamp any; NULL for all others */
    double ns_per_tick;            /* for the report */
    void *set;                     /* the engine's, during a trial */
    uint64_t trial;                /* counts up: all benches see the same keys in the same round */
    atomic_int_least64_t size;     /* the count that the audit should find after the trial */
    atomic_uint_least64_t refused; /* operations that failed */
};

/** The functions of an engine. A user is a thread's handle for the structure. */
struct stm_engine {
    const char *algorithm, *stamp; /* stamp NULL: a baseline */
    enum stm_structure structure;
    /* Makes and fills bench->set; -1 without memory. */
    int (*create)(struct stm_bench *bench);
    void (*destroy)(struct stm_bench *bench);
    /* The calling thread becomes a user; NULL without memory. */
    void *(*enter)(struct stm_bench *bench);
    /* It ceases to be one; its counters are added. */
    void (*leave)(void *user, uint64_t counters[BENCH_COUNTERS]);
    uint64_t (*work)(struct bench_worker *worker);
    /* Counts the elements, without users: ORDO_OK, or a line about the first fault. */
    int (*audit)(struct stm_bench *bench, int64_t *count, struct ordo_error *error);
};

/** Memory on lines of its own, for free(); NULL: there is none. */
static inline void *stm_allocate_lines(size_t bytes)
{
    return aligned_alloc(BENCH_LINE, (bytes + BENCH_LINE - 1) / BENCH_LINE * BENCH_LINE);
}

/** All engines, ending with NULL. */
extern const struct stm_engine *const stm_engines[];

/** "list", "hash", ... */
extern const char *const stm_structure_words[STM_STRUCTURES + 1];

/** Whether keys are added to it and removed: a set. */
static inline bool stm_is_set(enum stm_structure structure)
{
    return structure < STM_BANK;
}

/** The bench as a variant of the harness, which calls the engine. `bench` must outlive it; `stamp` may say more than the
 * engine's own, or be NULL for a baseline. */
struct bench_variant stm_variant(struct stm_bench *bench, const char *stamp, const char *workload);

/** Frees the memory of a cancelled trial. */
void stm_bench_close(struct stm_bench *bench);

#endif
