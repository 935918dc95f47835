/* The engines of `ordo-bench stm`: transactions on shared structures, with several methods of isolation.
 *
 * An engine runs one structure with one method: our transactional memory with one stamp, or a baseline. A bench is an
 * engine with its sizes, and is the context of a variant. All engines are compiled from one source (stm_engine.h). */
#ifndef BENCH_STM_ENGINE_H
#define BENCH_STM_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "harness.h"

enum stm_structure { STM_LIST, STM_HASH, STM_TREE, STM_SKIP, STM_BANK, STM_RESERVATIONS, STM_PACKETS, STM_STRUCTURES };

/** Indices of bench_worker.counters; see struct ordo_stm_statistics. */
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
    STM_SNAPSHOTS,
    STM_SAVED,
    STM_COUNTERS
};
_Static_assert(STM_COUNTERS <= BENCH_COUNTERS, "the harness has a place for each");

/** What the first thread does: its part of all operations; or long reads, which visit every element of a list or a bank.
 * The other threads then only update, and only the long reads count as operations. */
enum stm_long { STM_NO_LONG, STM_LONG_TRANSACTION, STM_LONG_SNAPSHOT };

struct stm_engine;

struct stm_bench {
    const struct stm_engine *engine;
    uint64_t range;    /* keys are 0 .. range - 1 */
    uint64_t buckets;  /* number of buckets of a hash */
    uint64_t elements; /* number of elements at the beginning of a trial */
    uint64_t stripes;  /* stripes of our transactional memory */
    unsigned update_percent;
    enum stm_long long_reads;
    bool elastic; /* searches of the list are elastic transactions */
    uint64_t boundary_ticks;
    const struct ordo *watch;      /* the clock of the stamp any; NULL for other stamps */
    double ns_per_tick;            /* for the report */
    void *set;                     /* the engine's own data, during a trial */
    uint64_t trial;                /* number of the trial; all benches see the same keys in the same round */
    atomic_int_least64_t size;     /* the count that the audit must find after the trial */
    atomic_uint_least64_t refused; /* operations that failed */
};

/** The functions of an engine. A user is a thread's handle for the structure. */
struct stm_engine {
    const char *algorithm, *stamp; /* stamp == NULL: a baseline */
    enum stm_structure structure;
    /* Makes and fills bench->set. Returns -1 if out of memory. */
    int (*create)(struct stm_bench *bench);
    void (*destroy)(struct stm_bench *bench);
    /* Makes the calling thread a user. Returns NULL if out of memory. */
    void *(*enter)(struct stm_bench *bench);
    /* Ends the user, and adds its counters. */
    void (*leave)(void *user, uint64_t counters[BENCH_COUNTERS]);
    uint64_t (*work)(struct bench_worker *worker);
    /* Counts the elements; there must be no users. Returns ORDO_OK, or a code with a message about the first fault. */
    int (*audit)(struct stm_bench *bench, int64_t *count, struct ordo_error *error);
};

/** Allocates memory on cache lines of its own; release it with free(). Returns NULL if out of memory. */
static inline void *stm_allocate_lines(size_t bytes)
{
    return aligned_alloc(BENCH_LINE, (bytes + BENCH_LINE - 1) / BENCH_LINE * BENCH_LINE);
}

/** All engines; ends with NULL. */
extern const struct stm_engine *const stm_engines[];

/** The words of --long-reads; ends with NULL. */
extern const char *const stm_long_words[];

/** The words of --search; ends with NULL. */
extern const char *const stm_search_words[];

/** The words "list", "hash", ... */
extern const char *const stm_structure_words[STM_STRUCTURES + 1];

/** True if the structure has long reads. */
static inline bool stm_has_long(enum stm_structure structure)
{
    return structure == STM_LIST || structure == STM_BANK;
}

/** True if the structure is a set: updates add and remove keys. */
static inline bool stm_is_set(enum stm_structure structure)
{
    return structure < STM_BANK;
}

/** Returns a variant of the harness that runs the bench. `bench` must outlive the variant. `stamp` may be the engine's
 * stamp with a suffix; it is NULL for a baseline. */
struct bench_variant stm_variant(struct stm_bench *bench, const char *stamp, const char *workload);

/** Frees the memory of a cancelled trial. */
void stm_bench_close(struct stm_bench *bench);

#endif
