/* The memory of records: the database's allocator, and a pool per worker and table. */
#ifndef ORDO_CC_TXN_CORE_MEMORY_H
#define ORDO_CC_TXN_CORE_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include <ordo/cc/fetch.h>

#include "cc/txn/core/types.h"

static inline void *cc_allocate(struct ordo_db *db, size_t align, size_t bytes)
{
    return db->options.memory.allocate(db->options.memory.context, align, bytes);
}

static inline void cc_release(struct ordo_db *db, void *memory, size_t bytes)
{
    if (memory)
        db->options.memory.release(db->options.memory.context, memory, bytes);
}

/* An item to prefetch, because it will soon be read or written. `item` is NULL if there is none. */
struct cc_ahead {
    const void *item;
    size_t bytes;
    bool to_write;
};

/* Prefetches the item's lines from byte `from`, the begin of a line, up to byte `until`. A core can have only a few
 * cache misses outstanding. For several items, prefetch the first lines of all items before the rest of any item: the
 * first misses then overlap, and the core may prefetch the rest by itself. */
static inline void cc_fetch_part(const struct cc_ahead *ahead, size_t from, size_t until)
{
    for (size_t line = from; ahead->item && line < ahead->bytes && line < until; line += 64)
        if (ahead->to_write)
            ordo_fetch_to_write((const char *)ahead->item + line);
        else
            __builtin_prefetch((const char *)ahead->item + line);
}

static inline void cc_fetch_rest(const struct cc_ahead *ahead, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cc_fetch_part(&ahead[i], CC_FIRST, CC_AHEAD);
}

static inline void cc_fetch(const void *item, size_t bytes, bool to_write)
{
    const struct cc_ahead ahead = {item, bytes, to_write};
    cc_fetch_part(&ahead, 0, CC_AHEAD);
}

static inline void *cc_record(const struct ordo_table *table, void *item)
{
    return (char *)item + table->record_at;
}

/* Items in a pool are not in use: a build with AddressSanitizer reports every access to them. */
#if !defined CC_POISON
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define CC_POISONS 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined CC_POISONS
#include <sanitizer/asan_interface.h>
#define CC_POISON(memory, bytes) ASAN_POISON_MEMORY_REGION(memory, bytes)
#define CC_UNPOISON(memory, bytes) ASAN_UNPOISON_MEMORY_REGION(memory, bytes)
#else
#define CC_POISON(memory, bytes) ((void)(memory), (void)(bytes))
#define CC_UNPOISON(memory, bytes) ((void)(memory), (void)(bytes))
#endif
#endif

/* Takes the first item of a table's pool, which must not be empty. */
static inline void *cc_pool_pop(struct cc_worker *worker, const struct ordo_table *table)
{
    struct cc_pool *pool = &worker->pools[table->number];
    void *item = pool->first;
    CC_UNPOISON(item, table->item_bytes);
    memcpy(&pool->first, item, sizeof item);
    pool->count--;
    worker->pooled--;
    return item;
}

/* Prefetches the memory of the next `count` items from the pool. It reads the links of poisoned items, which
 * AddressSanitizer must not check. */
__attribute__((no_sanitize("address"))) static inline void cc_pool_fetch(struct cc_worker *worker,
                                                                         const struct ordo_table *table, unsigned count)
{
    for (void *item = worker->pools[table->number].first; item && count > 0; count--, item = *(void **)item)
        cc_fetch(item, table->item_bytes, true);
}

static inline void cc_pool_push(struct cc_worker *worker, const struct ordo_table *table, void *item)
{
    struct cc_pool *pool = &worker->pools[table->number];
    memcpy(item, &pool->first, sizeof item);
    CC_POISON(item, table->item_bytes);
    pool->first = item;
    pool->count++;
    worker->pooled++;
}

/* True if a pool with `more` more items exceeds its limit. The limit grows with the number of items that lately waited
 * at once. A snapshot or a preempted thread holds back retired items, and many of them become free together. If the
 * worker gave them to the allocator, it would soon have to allocate as many. */
static inline bool cc_pool_is_full(const struct cc_worker *worker, const struct cc_pool *pool, unsigned more)
{
    uint64_t most = worker->queue.most < CC_POOLS ? worker->queue.most : CC_POOLS;
    return pool->count + more > CC_POOL && worker->pooled + more > most;
}

/* Takes an item of the table's size from the worker's pool or the allocator. NULL: out of memory. */
static inline void *cc_item_take(struct cc_worker *worker, struct ordo_table *table)
{
    bool is_pooled = worker->pools[table->number].first;
    void *item = is_pooled ? cc_pool_pop(worker, table) : cc_allocate(table->db, 64, table->item_bytes);
    worker->items += item != NULL;
    worker->base.counts.versions_created += item != NULL;
    return item;
}

static inline void cc_item_put(struct cc_worker *worker, struct ordo_table *table, void *item)
{
    worker->base.counts.versions_reclaimed++;
    worker->items--;
    if (cc_pool_is_full(worker, &worker->pools[table->number], 1))
        cc_release(table->db, item, table->item_bytes);
    else
        cc_pool_push(worker, table, item);
}

/* Gives the pools' items beyond the limit back to the allocator. */
static inline void cc_pools_trim(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    for (unsigned i = 0; i < db->tables; i++)
        while (cc_pool_is_full(worker, &worker->pools[i], 0))
            cc_release(db, cc_pool_pop(worker, db->table[i]), db->table[i]->item_bytes);
}

CC_SLOW int cc_grow_array(struct ordo_db *db, void *array_pointer, size_t count, size_t *capacity, size_t element_bytes)
{
    void *array, *larger;
    size_t wider = *capacity ? 2 * *capacity : 64;
    larger = cc_allocate(db, 64, wider * element_bytes);
    if (!larger)
        return ORDO_E_SYSTEM;
    memcpy(&array, array_pointer, sizeof array);
    if (array)
        memcpy(larger, array, count * element_bytes);
    cc_release(db, array, *capacity * element_bytes);
    memcpy(array_pointer, &larger, sizeof larger);
    *capacity = wider;
    return ORDO_OK;
}

/* Makes room for one more element in an array of the worker. Returns 0 or ORDO_E_SYSTEM. */
static inline int cc_grow(struct ordo_db *db, void *array_pointer, size_t count, size_t *capacity, size_t element_bytes)
{
    return count < *capacity ? ORDO_OK : cc_grow_array(db, array_pointer, count, capacity, element_bytes);
}

#endif
