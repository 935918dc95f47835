/* The engines of `ordo-bench oplog`: objects that are updated often and read rarely, in several implementations.
 *
 * An engine is an implementation of one structure: a baseline, or our Oplog with one stamp. A bench is an engine with
 * its sizes, and is the context of a variant. All engines run the same load (load.h) and apply the same functions. */
#ifndef BENCH_OPLOG_ENGINE_H
#define BENCH_OPLOG_ENGINE_H

#include <stdlib.h>

#include "harness.h"
#include "oplog/load.h"

/** The order that our Oplog is asked to keep; see enum ordo_oplog_order. DEFAULT: the weakest order that the structure
 * allows. */
enum oplog_order { OPLOG_COMMUTE, OPLOG_TIMED, OPLOG_ORDERED, OPLOG_DEFAULT };

/** Indices of bench_worker.counters; see struct ordo_oplog_statistics. */
enum oplog_counter {
    OPLOG_UPDATES,
    OPLOG_READS,
    OPLOG_CUTS,
    OPLOG_DRAINS,
    OPLOG_FULLS,
    OPLOG_BOUNDARY_WAITS,
    OPLOG_COUNTERS
};

struct ordo_oplog_object;
struct ordo_oplog_entry;
struct oplog_engine;

struct oplog_bench {
    const struct oplog_engine *engine;
    struct oplog_sizes sizes;
    unsigned read_permille;
    enum oplog_order order;
    bool settle_later; /* settle once for each burst, not after each operation */
    uint64_t log_entries;
    uint64_t boundary_ticks;
    const struct ordo *watch;  /* the clock of the stamp any; NULL for other stamps */
    struct oplog_state *state; /* the structure and the loads, during a trial */
    void *keeper;              /* the engine's own data, during a trial */
    uint64_t trial;            /* number of the trial; all benches see the same load in the same round */
    atomic_uint_least64_t updates;
};

struct oplog_engine {
    const char *algorithm, *stamp; /* stamp == NULL: a baseline */
    enum oplog_structure structure;
    /* Applies an entry of our Oplog; NULL for a baseline. */
    void (*apply)(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry);
    /* Makes bench->keeper. Returns -1 if out of memory. */
    int (*create)(struct oplog_bench *bench);
    /* Applies the remaining operations, and frees the structure. */
    void (*destroy)(struct oplog_bench *bench);
    /* Makes the calling thread a user. Returns NULL if out of memory. */
    void *(*enter)(struct oplog_bench *bench);
    void (*leave)(void *user, uint64_t counters[BENCH_COUNTERS]);
    uint64_t (*work)(struct bench_worker *worker);
};

/** All engines; ends with NULL. */
extern const struct oplog_engine *const oplog_engines[];

/** The words "map", "counter", "set"; and "commute", "timed", "ordered". */
extern const char *const oplog_structure_words[], *const oplog_order_words[];

/** Returns the order that our Oplog keeps in a bench. */
enum oplog_order oplog_bench_order(const struct oplog_bench *bench);

/** Returns a variant of the harness that runs the bench. `bench` must outlive the variant. */
struct bench_variant oplog_variant(struct oplog_bench *bench, const char *workload);

/** Frees the memory of a cancelled trial. */
void oplog_bench_close(struct oplog_bench *bench);

#define OPLOG_OPS_PER_POLL 64 /* operations between two reads of the stop flag */

/** Defines the function `name`, the `work` of an engine. The engine's operations are static functions that are inlined
 * here: update(user, index, op, argument), read(user, index, argument), and pause(user) between bursts. */
#define OPLOG_WORK(name, structure, update, read, pause)                                                               \
    static uint64_t name(struct bench_worker *worker)                                                                  \
    {                                                                                                                  \
        struct oplog_bench *bench = worker->context;                                                                   \
        struct oplog_load *load = &bench->state->loads[worker->index];                                                 \
        uint64_t reads = ((uint64_t)bench->read_permille << 32) / 1000, ops = 0, updates = 0;                          \
        do {                                                                                                           \
            for (int i = 0; i < OPLOG_OPS_PER_POLL; i++) {                                                             \
                struct oplog_step step;                                                                                \
                if ((uint32_t)ordo_random_next(&load->random) < reads) {                                               \
                    structure##_look(load, &step);                                                                     \
                    uint64_t found = read(worker->own, step.index, step.argument);                                     \
                    __asm__ volatile("" : : "r"(found)); /* makes the compiler keep the read */                        \
                } else {                                                                                               \
                    if (structure##_next(load, &step))                                                                 \
                        pause(worker->own);                                                                            \
                    update(worker->own, step.index, step.op, step.argument);                                           \
                    updates++;                                                                                         \
                }                                                                                                      \
            }                                                                                                          \
            ops += OPLOG_OPS_PER_POLL;                                                                                 \
        } while (bench_running(worker));                                                                               \
        pause(worker->own);                                                                                            \
        worker->counters[OPLOG_UPDATES] += updates;                                                                    \
        worker->counters[OPLOG_READS] += ops - updates;                                                                \
        atomic_fetch_add_explicit(&bench->updates, updates, memory_order_relaxed); /* relaxed: read after all joins */ \
        return ops;                                                                                                    \
    }

#endif
