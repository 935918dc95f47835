/* A hash table of items of any size, each of which begins with its key. Items are never removed. */
#ifndef ORDO_LAB_CORES_TABLE_H
#define ORDO_LAB_CORES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cores_key {
    uintptr_t a, b; /* a: not 0 */
};

/* Set item_bytes, the rest to 0. */
struct cores_table {
    size_t item_bytes;
    unsigned char *items; /* [room]; the key of an empty place is 0 */
    size_t room, count;
};

/** Returns the item with this key; NULL if there is none. */
void *cores_table_find(const struct cores_table *table, struct cores_key key);

/** Returns the item with this key. A new item is 0 but for its key. NULL: out of memory. Earlier pointers to items
 * become invalid. */
void *cores_table_have(struct cores_table *table, struct cores_key key);

/** Returns the item at place `at`, from 0 to room - 1; NULL if the place is empty. */
void *cores_table_at(const struct cores_table *table, size_t at);

#endif
