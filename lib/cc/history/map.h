/* A hash map from (table, key, version) to two numbers, for the checker. */
#ifndef ORDO_CC_HISTORY_MAP_H
#define ORDO_CC_HISTORY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTORY_NOBODY UINT64_MAX
#define HISTORY_BEFORE UINT64_MAX /* not the identity of any version */

struct history_entry {
    uint64_t table, key, version;
    uint64_t first, second; /* both are HISTORY_NOBODY in a new entry */
    bool used;
    uint8_t note; /* 0 in a new entry */
};

struct history_map {
    struct history_entry *entries;
    size_t count, capacity; /* `capacity` is a power of two, or 0 */
    uint64_t seed;          /* random, so that nobody can construct a history whose entries all collide */
};

/** Returns the entry, or NULL. */
struct history_entry *history_map_find(const struct history_map *map, uint64_t table, uint64_t key, uint64_t version);

/** Returns the entry, and adds it if it is missing; NULL if out of memory. Pointers to other entries become invalid. */
struct history_entry *history_map_make(struct history_map *map, uint64_t table, uint64_t key, uint64_t version);

/** Removes all entries. Keeps the memory, unless most of it was unused. */
void history_map_clear(struct history_map *map);

void history_map_free(struct history_map *map);

#endif
