#include "trace/report/shares.h"

#include <stdlib.h>

enum { FIRST_SIZE = 256 };

static struct ordo_share *place_of_share(const struct ordo_shares *shares, uint32_t name, int32_t rank)
{
    uint64_t hash = ((uint64_t)name << 32 | (uint32_t)rank) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash ^ hash >> 32) & (shares->size - 1);
    while (shares->all[at].rank >= 0 && (shares->all[at].name != name || shares->all[at].rank != rank))
        at = (at + 1) & (shares->size - 1);
    return &shares->all[at];
}

static int grow_shares(struct ordo_shares *shares)
{
    struct ordo_shares larger = {.size = shares->size ? 2 * shares->size : FIRST_SIZE, .used = shares->used};
    larger.all = malloc(larger.size * sizeof *larger.all);
    if (!larger.all)
        return -1;
    for (size_t i = 0; i < larger.size; i++)
        larger.all[i].rank = -1;
    for (size_t i = 0; i < shares->size; i++)
        if (shares->all[i].rank >= 0)
            *place_of_share(&larger, shares->all[i].name, shares->all[i].rank) = shares->all[i];
    free(shares->all);
    *shares = larger;
    return 0;
}

int ordo_shares_add(struct ordo_shares *shares, uint32_t name, int32_t rank, double ns)
{
    if (shares->used * 2 >= shares->size && grow_shares(shares))
        return -1;
    struct ordo_share *share = place_of_share(shares, name, rank);
    if (share->rank < 0) {
        *share = (struct ordo_share){name, rank, 0};
        shares->used++;
    }
    share->ns += ns;
    return 0;
}

void ordo_shares_free(struct ordo_shares *shares)
{
    free(shares->all);
    *shares = (struct ordo_shares){0};
}
