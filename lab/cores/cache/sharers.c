#include "lab/cores/cache/sharers.h"

#include <stdlib.h>
#include <string.h>

void cores_pool_open(struct cores_pool *pool, int cores)
{
    memset(pool, 0, sizeof *pool);
    pool->words = ((size_t)cores + 63) / 64;
}

void cores_pool_close(struct cores_pool *pool)
{
    free(pool->bits);
    pool->bits = NULL;
}

static uint64_t *pool_set(const struct cores_pool *pool, uint32_t set)
{
    return pool->bits + set * pool->words;
}

static bool pool_grow(struct cores_pool *pool)
{
    size_t room = pool->room ? pool->room * 2 : 256;
    uint64_t *bits = realloc(pool->bits, room * pool->words * sizeof *bits);
    if (!bits)
        return false;
    pool->bits = bits;
    pool->room = room;
    return true;
}

/* Takes an empty set. Returns false if out of memory. */
static bool pool_take(struct cores_pool *pool, uint32_t *set)
{
    if (pool->free) {
        *set = pool->free - 1;
        pool->free = (uint32_t)*pool_set(pool, *set);
    } else {
        if (pool->used == pool->room && !pool_grow(pool))
            return false;
        *set = (uint32_t)pool->used++;
    }
    memset(pool_set(pool, *set), 0, pool->words * sizeof *pool->bits);
    return true;
}

static void pool_return(struct cores_pool *pool, uint32_t set)
{
    *pool_set(pool, set) = pool->free;
    pool->free = set + 1;
}

static void bit_set(struct cores_pool *pool, uint32_t set, int core)
{
    pool_set(pool, set)[core / 64] |= UINT64_C(1) << core % 64;
}

/* Moves the listed cores into a set of bits. */
static bool list_to_set(struct cores_pool *pool, struct cores_sharers *sharers)
{
    uint32_t set;
    if (!pool_take(pool, &set))
        return false;
    for (int i = 0; i < sharers->count; i++)
        bit_set(pool, set, sharers->few[i]);
    sharers->set = set;
    sharers->many = true;
    return true;
}

bool cores_sharers_add(struct cores_pool *pool, struct cores_sharers *sharers, int core)
{
    if (!sharers->many && sharers->count == CORES_SHARERS_FEW && !list_to_set(pool, sharers))
        return false;
    if (sharers->many)
        bit_set(pool, sharers->set, core);
    else
        sharers->few[sharers->count] = (uint16_t)core;
    sharers->count++;
    return true;
}

void cores_sharers_remove(struct cores_pool *pool, struct cores_sharers *sharers, int core)
{
    int i = 0;
    sharers->count--;
    if (sharers->many) {
        pool_set(pool, sharers->set)[core / 64] &= ~(UINT64_C(1) << core % 64);
        if (!sharers->count)
            cores_sharers_clear(pool, sharers);
        return;
    }
    while (sharers->few[i] != core)
        i++;
    sharers->few[i] = sharers->few[sharers->count];
}

bool cores_sharers_have(const struct cores_pool *pool, const struct cores_sharers *sharers, int core)
{
    if (sharers->many)
        return pool_set(pool, sharers->set)[core / 64] >> core % 64 & 1;
    for (int i = 0; i < sharers->count; i++)
        if (sharers->few[i] == core)
            return true;
    return false;
}

void cores_sharers_clear(struct cores_pool *pool, struct cores_sharers *sharers)
{
    if (sharers->many)
        pool_return(pool, sharers->set);
    sharers->many = false;
    sharers->count = 0;
}

int cores_sharers_next(const struct cores_pool *pool, const struct cores_sharers *sharers, int *at)
{
    if (!sharers->many)
        return *at < sharers->count ? sharers->few[(*at)++] : -1;
    for (size_t word = (size_t)*at / 64; word < pool->words; word++) {
        uint64_t rest = pool_set(pool, sharers->set)[word];
        if (word == (size_t)*at / 64)
            rest &= ~UINT64_C(0) << *at % 64;
        if (rest) {
            *at = (int)word * 64 + __builtin_ctzll(rest) + 1;
            return *at - 1;
        }
    }
    return -1;
}
