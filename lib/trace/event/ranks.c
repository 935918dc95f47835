#include "trace/event/ranks.h"

#include <stdlib.h>

static size_t place_of_rank(const struct ordo_ranks *ranks, int32_t rank)
{
    size_t at = (size_t)((uint32_t)rank * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (ranks->size - 1);
    while (ranks->slots[at] && ranks->all[ranks->slots[at] - 1] != rank)
        at = (at + 1) & (ranks->size - 1);
    return at;
}

static int grow_ranks(struct ordo_ranks *ranks)
{
    int room = ranks->room ? 2 * ranks->room : 16;
    int32_t *all = realloc(ranks->all, (size_t)room * sizeof *all);
    if (!all)
        return -1;
    ranks->all = all;
    int *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (!slots)
        return -1;
    free(ranks->slots);
    ranks->slots = slots;
    ranks->size = 2 * (size_t)room;
    ranks->room = room;
    for (int i = 0; i < ranks->count; i++)
        ranks->slots[place_of_rank(ranks, all[i])] = i + 1;
    return 0;
}

int ordo_ranks_add(struct ordo_ranks *ranks, int32_t rank)
{
    if (ranks->last < ranks->count && ranks->all[ranks->last] == rank)
        return ranks->last;
    if (ranks->count == ranks->room && grow_ranks(ranks))
        return -1;
    size_t at = place_of_rank(ranks, rank);
    if (!ranks->slots[at]) {
        ranks->all[ranks->count] = rank;
        ranks->slots[at] = ++ranks->count;
    }
    return ranks->last = ranks->slots[at] - 1;
}

int ordo_ranks_find(const struct ordo_ranks *ranks, int32_t rank)
{
    return ranks->size > 0 ? ranks->slots[place_of_rank(ranks, rank)] - 1 : -1;
}

static int by_rank(const void *a, const void *b, void *all)
{
    const int32_t *ranks = all;
    int32_t x = ranks[*(const int *)a], y = ranks[*(const int *)b];
    return x < y ? -1 : x > y;
}

int *ordo_ranks_sorted(const struct ordo_ranks *ranks)
{
    int *order = malloc(((size_t)ranks->count + 1) * sizeof *order);
    for (int i = 0; order && i < ranks->count; i++)
        order[i] = i;
    if (order)
        qsort_r(order, (size_t)ranks->count, sizeof *order, by_rank, ranks->all);
    return order;
}

void ordo_ranks_free(struct ordo_ranks *ranks)
{
    free(ranks->all);
    free(ranks->slots);
    *ranks = (struct ordo_ranks){0};
}
