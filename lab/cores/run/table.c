#include "lab/cores/run/table.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

static size_t key_hash(struct cores_key key)
{
    uint64_t mixed = ((uint64_t)key.a ^ (uint64_t)key.b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(mixed ^ mixed >> 32);
}

/* Returns the place of a key, or the empty place for it. */
static struct cores_key *key_place(const struct cores_table *table, struct cores_key key)
{
    for (size_t at = key_hash(key);; at++) {
        struct cores_key *found = (struct cores_key *)(table->items + (at & (table->room - 1)) * table->item_bytes);
        if (!found->a || (found->a == key.a && found->b == key.b))
            return found;
    }
}

void *cores_table_at(const struct cores_table *table, size_t at)
{
    struct cores_key *found = (struct cores_key *)(table->items + at * table->item_bytes);
    return found->a ? found : NULL;
}

void *cores_table_find(const struct cores_table *table, struct cores_key key)
{
    struct cores_key *found = table->room ? key_place(table, key) : NULL;
    return found && found->a ? found : NULL;
}

static bool table_grow(struct cores_table *table)
{
    struct cores_table grown = *table;
    grown.room = table->room ? 2 * table->room : FIRST_ROOM;
    grown.items = calloc(grown.room, grown.item_bytes);
    if (!grown.items)
        return false;
    for (size_t at = 0; at < table->room; at++) {
        const struct cores_key *old = cores_table_at(table, at);
        if (old)
            __builtin_memcpy(key_place(&grown, *old), old, table->item_bytes);
    }
    free(table->items);
    *table = grown;
    return true;
}

void *cores_table_have(struct cores_table *table, struct cores_key key)
{
    if (2 * table->count >= table->room && !table_grow(table))
        return NULL;
    struct cores_key *found = key_place(table, key);
    table->count += !found->a;
    *found = key;
    return found;
}
