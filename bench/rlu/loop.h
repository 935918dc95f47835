/* The measured loop, the same for all engines. Keys are uniformly distributed. An update adds or removes a key, with
 * equal probability. */
#ifndef BENCH_RLU_LOOP_H
#define BENCH_RLU_LOOP_H

#include "rlu/engine.h"

#define RLU_OPS_PER_POLL 64 /* operations between two reads of the stop flag */

/** Defines the function `name`, the `work` of an engine. The engine's operations are static functions that are inlined
 * here. */
#define RLU_WORK(name, contains, add, remove)                                                                          \
    static uint64_t name(struct bench_worker *worker)                                                                  \
    {                                                                                                                  \
        struct rlu_bench *bench = worker->context;                                                                     \
        void *user = worker->own;                                                                                      \
        uint64_t state = rlu_seed(bench, worker->index), range = bench->range, ops = 0, refused = 0;                   \
        uint64_t updates = ((uint64_t)bench->update_percent << 32) / 100;                                              \
        int64_t net = 0;                                                                                               \
        do {                                                                                                           \
            for (int i = 0; i < RLU_OPS_PER_POLL; i++) {                                                               \
                uint64_t random = ordo_random_next(&state), key = rlu_key(random, range), dice = (uint32_t)random;     \
                if (dice >= updates) {                                                                                 \
                    int found = contains(user, key);                                                                   \
                    __asm__ volatile("" : : "r"(found)); /* makes the compiler keep the read */                        \
                } else {                                                                                               \
                    int adds = dice < updates / 2;                                                                     \
                    int changed = adds ? add(user, key) : remove(user, key);                                           \
                    refused += changed < 0;                                                                            \
                    net += changed <= 0 ? 0 : adds ? 1 : -1;                                                           \
                }                                                                                                      \
            }                                                                                                          \
            ops += RLU_OPS_PER_POLL;                                                                                   \
        } while (bench_running(worker));                                                                               \
        atomic_fetch_add_explicit(&bench->size, net, memory_order_relaxed); /* relaxed: read after all joins */        \
        atomic_fetch_add_explicit(&bench->refused, refused, memory_order_relaxed);                                     \
        return ops;                                                                                                    \
    }

#endif
