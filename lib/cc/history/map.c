/* A hash table with open addressing, at most half full. */
#include "cc/history/map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static uint64_t map_mix(uint64_t word)
{
    word *= UINT64_C(0x9e3779b97f4a7c15);
    word ^= word >> 32;
    word *= UINT64_C(0xbf58476d1ce4e5b9);
    return word ^ word >> 29;
}

static size_t map_slot(const struct history_map *map, uint64_t table, uint64_t key, uint64_t version)
{
    return (size_t)map_mix(map_mix(map_mix(key ^ map->seed) + version) + table) & (map->capacity - 1);
}

/* Returns the entry, or the free slot for it. */
static struct history_entry *map_at(const struct history_map *map, uint64_t table, uint64_t key, uint64_t version)
{
    size_t slot = map_slot(map, table, key, version);
    while (map->entries[slot].used && (map->entries[slot].key != key || map->entries[slot].version != version ||
                                       map->entries[slot].table != table))
        slot = (slot + 1) & (map->capacity - 1);
    return &map->entries[slot];
}

struct history_entry *history_map_find(const struct history_map *map, uint64_t table, uint64_t key, uint64_t version)
{
    struct history_entry *entry = map->capacity ? map_at(map, table, key, version) : NULL;
    return entry && entry->used ? entry : NULL;
}

static bool map_widen(struct history_map *map)
{
    struct history_map wider = {NULL, map->count, map->capacity ? 2 * map->capacity : 1024, map->seed};
    if (!map->capacity && getrandom(&wider.seed, sizeof wider.seed, GRND_NONBLOCK) != (ssize_t)sizeof wider.seed)
        wider.seed = (uintptr_t)map;
    wider.entries = calloc(wider.capacity, sizeof *wider.entries);
    if (!wider.entries)
        return false;
    for (size_t i = 0; i < map->capacity; i++) {
        const struct history_entry *entry = &map->entries[i];
        if (entry->used)
            *map_at(&wider, entry->table, entry->key, entry->version) = *entry;
    }
    free(map->entries);
    *map = wider;
    return true;
}

struct history_entry *history_map_make(struct history_map *map, uint64_t table, uint64_t key, uint64_t version)
{
    if (2 * map->count >= map->capacity && !map_widen(map))
        return NULL;
    struct history_entry *entry = map_at(map, table, key, version);
    if (!entry->used) {
        *entry = (struct history_entry){table, key, version, HISTORY_NOBODY, HISTORY_NOBODY, true, 0};
        map->count++;
    }
    return entry;
}

void history_map_clear(struct history_map *map)
{
    if (8 * map->count <= map->capacity)
        history_map_free(map);
    else
        memset(map->entries, 0, map->capacity * sizeof *map->entries);
    map->count = 0;
}

void history_map_free(struct history_map *map)
{
    free(map->entries);
    *map = (struct history_map){0};
}
