/* The memory of records: the allocator that the database was given, and a pool of each worker's for each table. */
#ifndef ORDO_CC_TXN_CORE_MEMORY_H
#define ORDO_CC_TXN_CORE_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "cc/txn/core/types.h"

static void *cc_default_allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void cc_default_release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

static inline void *cc_allocate(struct ordo_db *db, size_t align, size_t bytes)
{
    return db->options.memory.allocate(db->options.memory.context, align, bytes);
}

static inline void cc_release(struct ordo_db *db, void *memory, size_t bytes)
{
    if (memory)
        db->options.memory.release(db->options.memory.context, memory, bytes);
}

/* The record of an item. */
static inline void *cc_record(const struct ordo_table *table, void *item)
{
    return (char *)item + table->record_at;
}

/* An item of the table's size from the worker's pool or the allocator. */
static inline void *cc_item_take(struct cc_worker *worker, struct ordo_table *table)
{
    struct cc_pool *pool = &worker->pools[table->number];
    void *item = pool->first;
    if (!item) {
        item = cc_allocate(table->db, 64, table->item_bytes);
        worker->items += item != NULL;
        worker->base.counts.versions_created += item != NULL;
        return item;
    }
    worker->items++;
    worker->base.counts.versions_created++;
    memcpy(&pool->first, item, sizeof item);
    pool->count--;
    return item;
}

static inline uint64_t cc_queue_capacity(const struct cc_queue *queue)
{
    return queue->ring ? queue->mask + 1 : 0;
}

/* The items of a table that a worker keeps. Where threads share CPUs, one that does not run holds back what the others
 * retire for some milliseconds, again and again, and then all of it comes back at once: whoever gave it to the allocator
 * would have to ask for as much the next moment. */
static inline uint64_t cc_pool_limit(const struct cc_worker *worker)
{
    uint64_t capacity = cc_queue_capacity(&worker->queue);
    return capacity > CC_POOL ? capacity : CC_POOL;
}

static inline void cc_item_put(struct cc_worker *worker, struct ordo_table *table, void *item)
{
    struct cc_pool *pool = &worker->pools[table->number];
    worker->base.counts.versions_reclaimed++;
    worker->items--;
    if (pool->count >= cc_pool_limit(worker)) {
        cc_release(table->db, item, table->item_bytes);
        return;
    }
    memcpy(item, &pool->first, sizeof item);
    pool->first = item;
    pool->count++;
}

/* Gives back what the pools keep beyond their limit. */
static inline void cc_pools_trim(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    for (unsigned i = 0; i < db->tables; i++)
        for (struct cc_pool *pool = &worker->pools[i]; pool->count > cc_pool_limit(worker); pool->count--) {
            void *item = pool->first;
            memcpy(&pool->first, item, sizeof item);
            cc_release(db, item, db->table[i]->item_bytes);
        }
}

/* Room for one more element in an array of the worker's; 0 or ORDO_E_SYSTEM. */
static inline int cc_grow(struct ordo_db *db, void *array_pointer, size_t count, size_t *capacity, size_t element_bytes)
{
    void *array, *larger;
    size_t wider = *capacity ? 2 * *capacity : 64;
    if (count < *capacity)
        return ORDO_OK;
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

#endif
