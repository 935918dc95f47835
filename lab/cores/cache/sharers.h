/* The cores that have a copy of a line. Up to four are listed in the line's entry; more take a set of bits from a pool,
 * because most lines have few sharers, and a set has as many bits as the machine has cores. */
#ifndef ORDO_LAB_CORES_CACHE_SHARERS_H
#define ORDO_LAB_CORES_CACHE_SHARERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CORES_SHARERS_FEW = 4 };

struct cores_sharers {
    union {
        uint16_t few[CORES_SHARERS_FEW];
        uint32_t set; /* in the pool */
    };
    uint16_t count;
    bool many;
};

struct cores_pool {
    uint64_t *bits;
    size_t words, used, room; /* of one set; sets taken so far; sets allocated */
    uint32_t free;            /* the first free set, plus 1; its first word has the next; 0: none */
};

void cores_pool_open(struct cores_pool *pool, int cores);
void cores_pool_close(struct cores_pool *pool);

/** Adds a core that is not in the set. Returns false if out of memory; the set is unchanged then. */
bool cores_sharers_add(struct cores_pool *pool, struct cores_sharers *sharers, int core);
/** Removes a core that is in the set. */
void cores_sharers_remove(struct cores_pool *pool, struct cores_sharers *sharers, int core);
bool cores_sharers_have(const struct cores_pool *pool, const struct cores_sharers *sharers, int core);
void cores_sharers_clear(struct cores_pool *pool, struct cores_sharers *sharers);

/** Returns the next core of the set, or -1. `*at` is 0 for the first call. The set must not change in between. */
int cores_sharers_next(const struct cores_pool *pool, const struct cores_sharers *sharers, int *at);

#endif
