/* Multi-gets: an operation that reads many keys of a hash at once, beside moves, which change two keys at once.
 *
 * The keys are pairs (p, p + pairs), for p < pairs. At any time the hash has exactly one key of each pair. A move
 * replaces a pair's present key by the other one. A multi-get looks up both keys of several pairs, so a multi-get that
 * is atomic finds exactly half of its keys. Another number is a torn multi-get: it has seen one half of a move. The
 * loop counts them, and the audit of an engine whose multi-gets are atomic fails if there is any. */
#ifndef BENCH_RLU_MULTIGET_H
#define BENCH_RLU_MULTIGET_H

#include "rlu/engine.h"

#define RLU_MULTIGET_MOST 1000        /* most keys of a multi-get */
#define RLU_MULTIGET_KEYS_PER_POLL 64 /* keys read, about, between two reads of the stop flag */

/** Returns the number of `keys` that the set has; negative: the operation failed. */
typedef int rlu_multiget_get(void *user, const uint64_t *keys, unsigned count);

/** Replaces the one of two keys that the set has by the other one. 1: replaced; 0: the set has neither, which only an
 * engine that is not atomic returns; negative: the operation failed. */
typedef int rlu_multiget_move(void *user, uint64_t key, uint64_t other);

/** The multi-gets and moves of an engine. */
struct rlu_multiget {
    bool atomic; /* true: no multi-get may be torn */
    rlu_multiget_get *get;
    rlu_multiget_move *move;
    uint64_t (*work)(struct bench_worker *worker);
};

/** Sets `keys` to both keys of `count` / 2 random pairs: first one key of each pair, then the others in the same order,
 * so that as many other keys as possible are read between the two keys of a pair. */
static inline void rlu_multiget_keys(uint64_t *state, uint64_t pairs, uint64_t *keys, unsigned count)
{
    for (unsigned i = 0; i < count / 2; i++) {
        keys[i] = rlu_key(ordo_random_next(state), pairs);
        keys[i + count / 2] = keys[i] + pairs;
    }
}

/** The measured loop, the same for all engines. `get` and `move` are inlined in it. */
static inline __attribute__((always_inline)) uint64_t rlu_multiget_work(struct bench_worker *worker,
                                                                        rlu_multiget_get *get, rlu_multiget_move *move)
{
    struct rlu_bench *bench = worker->context;
    uint64_t keys[RLU_MULTIGET_MOST], state = rlu_seed(bench, worker->index), pairs = bench->elements, ops = 0,
                                      torn = 0;
    uint64_t updates = ((uint64_t)bench->update_percent << 32) / 100, refused = 0;
    unsigned count = bench->multiget_keys,
             per_poll = count < RLU_MULTIGET_KEYS_PER_POLL ? RLU_MULTIGET_KEYS_PER_POLL / count : 1;
    do {
        for (unsigned i = 0; i < per_poll; i++) {
            uint64_t random = ordo_random_next(&state), key = rlu_key(random, pairs);
            if ((uint32_t)random >= updates) {
                rlu_multiget_keys(&state, pairs, keys, count);
                int found = get(worker->own, keys, count);
                refused += found < 0;
                torn += found >= 0 && (unsigned)found != count / 2;
            } else {
                refused += move(worker->own, key, key + pairs) < 0;
            }
        }
        ops += per_poll;
    } while (bench_running(worker));
    worker->counters[RLU_TORN] += torn;
    atomic_fetch_add_explicit(&bench->torn, torn, memory_order_relaxed); /* relaxed: read after all joins */
    atomic_fetch_add_explicit(&bench->refused, refused, memory_order_relaxed);
    return ops;
}

/** Defines the struct rlu_multiget `name` of an engine from two static functions. */
#define RLU_MULTIGET(name, is_atomic, get_many, move_one)                                                              \
    static uint64_t name##_work(struct bench_worker *worker)                                                           \
    {                                                                                                                  \
        return rlu_multiget_work(worker, get_many, move_one);                                                          \
    }                                                                                                                  \
    static const struct rlu_multiget name = {                                                                          \
        .atomic = is_atomic, .get = get_many, .move = move_one, .work = name##_work};

/** Adds one key of each pair to an empty set. Returns -1 if out of memory. */
int rlu_multiget_fill(const struct rlu_bench *bench, void *user);

/** Checks a trial, after all threads have ended: no multi-get of an atomic engine was torn, and the set has exactly one
 * key of each pair. */
int rlu_multiget_check(struct rlu_bench *bench, struct ordo_error *error);

#endif
