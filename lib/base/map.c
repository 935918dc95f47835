#include "base/map.h"

#include <stdlib.h>

static size_t home_of(const struct ordo_map *map, uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
    return (size_t)(hash ^ hash >> 29) & (map->size - 1);
}

static size_t place_of_pair(const struct ordo_map *map, uint64_t a, uint64_t b)
{
    size_t at = home_of(map, a, b);
    while (map->slots[at].used && (map->slots[at].a != a || map->slots[at].b != b))
        at = (at + 1) & (map->size - 1);
    return at;
}

static int grow_slots(struct ordo_map *map)
{
    struct ordo_map larger = {.size = map->size ? 2 * map->size : 64, .count = map->count};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return -1;
    for (size_t i = 0; i < map->size; i++)
        if (map->slots[i].used)
            larger.slots[place_of_pair(&larger, map->slots[i].a, map->slots[i].b)] = map->slots[i];
    free(map->slots);
    *map = larger;
    return 0;
}

uint64_t *ordo_map_find(const struct ordo_map *map, uint64_t a, uint64_t b)
{
    size_t at = map->size > 0 ? place_of_pair(map, a, b) : 0;
    return map->size > 0 && map->slots[at].used ? &map->slots[at].value : NULL;
}

uint64_t *ordo_map_add(struct ordo_map *map, uint64_t a, uint64_t b)
{
    if (4 * (map->count + 1) > 3 * map->size && grow_slots(map))
        return NULL;
    size_t at = place_of_pair(map, a, b);
    if (!map->slots[at].used) {
        map->slots[at] = (struct ordo_map_slot){a, b, 0, true};
        map->count++;
    }
    return &map->slots[at].value;
}

/* Moves later pairs of the same chain into the gap, so that a search still finds them. */
void ordo_map_remove(struct ordo_map *map, uint64_t a, uint64_t b)
{
    size_t mask = map->size - 1;
    if (!ordo_map_find(map, a, b))
        return;
    size_t gap = place_of_pair(map, a, b);
    map->slots[gap].used = false;
    map->count--;
    for (size_t at = (gap + 1) & mask; map->slots[at].used; at = (at + 1) & mask) {
        size_t home = home_of(map, map->slots[at].a, map->slots[at].b);
        if (((at - home) & mask) < ((at - gap) & mask))
            continue;
        map->slots[gap] = map->slots[at];
        map->slots[at].used = false;
        gap = at;
    }
}

void ordo_map_free(struct ordo_map *map)
{
    free(map->slots);
    *map = (struct ordo_map){0};
}
