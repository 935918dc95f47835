#include "trace/causal/prefix.h"

#include <stdlib.h>

struct ordo_prefix_node {
    struct ordo_prefix_place place;
    int32_t at;
    struct ordo_prefix_node *next; /* the next node in the same slot */
};

static struct ordo_prefix_node **find_node(const struct ordo_prefix *prefix, int32_t at)
{
    size_t slot = (size_t)((uint32_t)at * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (prefix->size - 1);
    struct ordo_prefix_node **node = &prefix->slots[slot];
    while (*node && (*node)->at != at)
        node = &(*node)->next;
    return node;
}

static int grow_nodes(struct ordo_prefix *prefix)
{
    struct ordo_prefix larger = {.size = prefix->size ? 2 * prefix->size : 8};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return -1;
    for (size_t i = 0; i < prefix->size; i++)
        for (struct ordo_prefix_node *node = prefix->slots[i], *next; node; node = next) {
            next = node->next;
            node->next = NULL;
            *find_node(&larger, node->at) = node;
        }
    free(prefix->slots);
    prefix->slots = larger.slots;
    prefix->size = larger.size;
    return 0;
}

/* Returns the place `at`, and makes it first if needed; NULL if out of memory. */
static struct ordo_prefix_place *made(struct ordo_prefix *prefix, int32_t at)
{
    if (prefix->count == prefix->size && grow_nodes(prefix))
        return NULL;
    struct ordo_prefix_node **node = find_node(prefix, at);
    if (!*node) {
        *node = calloc(1, sizeof **node);
        if (!*node)
            return NULL;
        (*node)->at = at;
        prefix->count++;
    }
    return &(*node)->place;
}

struct ordo_prefix_place *ordo_prefix_at(struct ordo_prefix *prefix, int32_t at, bool *failed)
{
    *failed = false;
    if (at == prefix->from - 1)
        return &prefix->below;
    if (at < prefix->from)
        return NULL;
    struct ordo_prefix_place *below = at > prefix->from ? made(prefix, at - 1) : &prefix->below;
    struct ordo_prefix_place *place = below ? made(prefix, at) : NULL;
    *failed = !place;
    return place;
}

/* Merges place `from` into `below`. Sets `bad` if the rank of this place left before the rank of some lower place had
 * entered. All lower places are settled. */
static void settle_place(struct ordo_prefix *prefix, const struct ordo_prefix_place *place)
{
    struct ordo_prefix_place *below = &prefix->below;
    for (int i = 0; i < 2; i++) {
        prefix->bad[i] |= prefix->from > 0 && place->end_ns[i] < below->begin_ns[i];
        if (prefix->from == 0 || place->begin_ns[i] > below->begin_ns[i])
            below->begin_ns[i] = place->begin_ns[i];
    }
    below->shared = place->shared;
    prefix->from++;
}

/* Settles and frees the lowest places that have both entered and left. */
static void settle_all(struct ordo_prefix *prefix)
{
    while (prefix->size > 0) {
        struct ordo_prefix_node **at = find_node(prefix, prefix->from), *node = *at;
        if (!node || !node->place.begun || !node->place.ended)
            return;
        settle_place(prefix, &node->place);
        *at = node->next;
        prefix->count--;
        free(node);
    }
}

void ordo_prefix_take(struct ordo_prefix *prefix, int32_t at, bool begins, int64_t local_ns, int64_t global_ns)
{
    struct ordo_prefix_place *place = &(*find_node(prefix, at))->place;
    int64_t *times = begins ? place->begin_ns : place->end_ns;
    times[0] = local_ns;
    times[1] = global_ns;
    *(begins ? &place->begun : &place->ended) = true;
    settle_all(prefix);
}

void ordo_prefix_free(struct ordo_prefix *prefix)
{
    for (size_t i = 0; i < prefix->size; i++)
        for (struct ordo_prefix_node *node = prefix->slots[i], *next; node; node = next) {
            next = node->next;
            free(node);
        }
    free(prefix->slots);
    prefix->slots = NULL;
    prefix->size = prefix->count = 0;
}
