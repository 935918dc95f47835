#include "trace/chrome/lanes.h"

#include <stdlib.h>
#include <string.h>

static size_t hash_of_lane(struct ordo_text key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < key.length; i++)
        hash = (hash ^ (unsigned char)key.at[i]) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 32);
}

static struct ordo_text key_of_lane(const struct ordo_lanes_open *open)
{
    return (struct ordo_text){open->key, open->length};
}

static struct ordo_lanes_open *place_of_lane(const struct ordo_lanes *lanes, struct ordo_text key)
{
    size_t at = hash_of_lane(key) & (lanes->size - 1);
    while (lanes->slots[at].key &&
           (lanes->slots[at].length != key.length || memcmp(lanes->slots[at].key, key.at, key.length) != 0))
        at = (at + 1) & (lanes->size - 1);
    return &lanes->slots[at];
}

static int grow_lanes(struct ordo_lanes *lanes)
{
    struct ordo_lanes larger = *lanes;
    larger.size = lanes->size ? 2 * lanes->size : 64;
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return -1;
    for (size_t i = 0; i < lanes->size; i++)
        if (lanes->slots[i].key)
            *place_of_lane(&larger, key_of_lane(&lanes->slots[i])) = lanes->slots[i];
    free(lanes->slots);
    *lanes = larger;
    return 0;
}

/* Makes room for all lanes in the list of free ones, so that an end needs no memory. */
static int new_lane(struct ordo_lanes *lanes, uint32_t *lane)
{
    if (lanes->free_count > 0) {
        *lane = lanes->free[--lanes->free_count];
        return 0;
    }
    if (lanes->count == lanes->free_room) {
        uint32_t room = lanes->free_room ? 2 * lanes->free_room : 64;
        uint32_t *list = realloc(lanes->free, room * sizeof *list);
        if (!list)
            return -1;
        lanes->free = list;
        lanes->free_room = room;
    }
    *lane = lanes->count++;
    return 0;
}

int ordo_lanes_begin(struct ordo_lanes *lanes, struct ordo_text key, uint64_t row, uint32_t *lane)
{
    if (2 * lanes->used >= lanes->size && grow_lanes(lanes))
        return -1;
    struct ordo_lanes_open *open = place_of_lane(lanes, key);
    if (!open->key) {
        char *copy = malloc(key.length + 1);
        if (!copy || new_lane(lanes, &open->lane)) {
            free(copy);
            return -1;
        }
        memcpy(copy, key.at, key.length);
        *open = (struct ordo_lanes_open){copy, key.length, open->lane, 0, row};
        lanes->used++;
    }
    open->depth++;
    *lane = open->lane;
    return 0;
}

/* Frees a slot, and moves up the following slots that would no longer be found (Knuth, The Art of Computer Programming
 * 3, section 6.4, algorithm R). */
static void forget(struct ordo_lanes *lanes, struct ordo_lanes_open *open)
{
    size_t mask = lanes->size - 1, hole = (size_t)(open - lanes->slots);
    free(open->key);
    for (size_t at = (hole + 1) & mask; lanes->slots[at].key; at = (at + 1) & mask)
        if (((at - hash_of_lane(key_of_lane(&lanes->slots[at]))) & mask) >= ((at - hole) & mask)) {
            lanes->slots[hole] = lanes->slots[at];
            hole = at;
        }
    lanes->slots[hole] = (struct ordo_lanes_open){0};
    lanes->used--;
}

bool ordo_lanes_end(struct ordo_lanes *lanes, struct ordo_text key, uint32_t *lane)
{
    struct ordo_lanes_open *open = lanes->size > 0 ? place_of_lane(lanes, key) : NULL;
    if (!open || !open->key)
        return false;
    *lane = open->lane;
    if (--open->depth == 0) {
        lanes->free[lanes->free_count++] = open->lane;
        forget(lanes, open);
    }
    return true;
}

void ordo_lanes_free(struct ordo_lanes *lanes)
{
    for (size_t i = 0; i < lanes->size; i++)
        free(lanes->slots[i].key);
    free(lanes->slots);
    free(lanes->free);
    *lanes = (struct ordo_lanes){0};
}
