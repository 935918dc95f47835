/* A map from pairs of numbers to numbers. */
#ifndef ORDO_BASE_MAP_H
#define ORDO_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ordo_map_slot {
    uint64_t a, b, value;
    bool used;
};

struct ordo_map {
    struct ordo_map_slot *slots;
    size_t size, count; /* `size`: 0 or a power of two */
};

/** Returns the value of a pair, valid until the next addition; NULL if the map does not have the pair. */
uint64_t *ordo_map_find(const struct ordo_map *map, uint64_t a, uint64_t b);

/** Returns the value of a pair, which is 0 if the pair is new, as ordo_map_find; NULL if out of memory. */
uint64_t *ordo_map_add(struct ordo_map *map, uint64_t a, uint64_t b);

/** Removes a pair, if it is there. */
void ordo_map_remove(struct ordo_map *map, uint64_t a, uint64_t b);
void ordo_map_free(struct ordo_map *map);

#endif
