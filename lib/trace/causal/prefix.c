#include "trace/causal/prefix.h"

#include <stdlib.h>
#include <string.h>

static int grow(struct ordo_prefix *prefix, int32_t index)
{
    int32_t room = 2 * index + 8;
    struct ordo_prefix_place *places = realloc(prefix->places, (size_t)room * sizeof *places);
    if (!places)
        return -1;
    memset(places + prefix->room, 0, (size_t)(room - prefix->room) * sizeof *places);
    prefix->places = places;
    prefix->room = room;
    return 0;
}

struct ordo_prefix_place *ordo_prefix_at(struct ordo_prefix *prefix, int32_t at, bool *failed)
{
    int32_t index = at - prefix->from;
    *failed = false;
    if (index == -1)
        return &prefix->below;
    if (index < -1)
        return NULL;
    index += prefix->gone;
    *failed = index >= prefix->room && grow(prefix, index);
    return *failed ? NULL : &prefix->places[index];
}

/* All below have entered: whether this place left before one of them had. It is the next one to lie below. */
static void settle(struct ordo_prefix *prefix, const struct ordo_prefix_place *place)
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

/* Takes the settled places out. At least half of all are, so that each place is moved about once on average. */
static void close_up(struct ordo_prefix *prefix)
{
    struct ordo_prefix_place *places = prefix->places;
    size_t gone = (size_t)prefix->gone, rest = (size_t)prefix->room - gone;
    memmove(places, places + gone, rest * sizeof *places);
    memset(places + rest, 0, gone * sizeof *places);
    prefix->gone = 0;
}

void ordo_prefix_take(struct ordo_prefix *prefix, int32_t at, bool begins, int64_t local_ns, int64_t global_ns)
{
    struct ordo_prefix_place *places = prefix->places, *place = &places[at - prefix->from + prefix->gone];
    int64_t *times = begins ? place->begin_ns : place->end_ns;
    times[0] = local_ns;
    times[1] = global_ns;
    *(begins ? &place->begun : &place->ended) = true;
    while (prefix->gone < prefix->room && places[prefix->gone].begun && places[prefix->gone].ended)
        settle(prefix, &places[prefix->gone++]);
    if (2 * prefix->gone >= prefix->room)
        close_up(prefix);
}

void ordo_prefix_free(struct ordo_prefix *prefix)
{
    free(prefix->places);
    prefix->places = NULL;
    prefix->room = prefix->gone = 0;
}
