#include "trace/event/names.h"

#include <stdlib.h>
#include <string.h>

/* True if two names are equal. The `at` of an empty name may be NULL, which memcmp does not allow. */
static bool is_same(struct ordo_text a, struct ordo_text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

static size_t place_of_name(const struct ordo_names *names, struct ordo_text name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < name.length; i++)
        hash = (hash ^ (unsigned char)name.at[i]) * UINT64_C(0x100000001b3);
    size_t at = (size_t)(hash ^ hash >> 32) & (names->size - 1);
    while (names->slots[at] && !is_same(names->all[names->slots[at] - 1], name))
        at = (at + 1) & (names->size - 1);
    return at;
}

static int grow_names(struct ordo_names *names)
{
    uint32_t room = names->room ? 2 * names->room : 64;
    struct ordo_text *all = realloc(names->all, room * sizeof *all);
    if (!all)
        return -1;
    names->all = all;
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (!slots)
        return -1;
    free(names->slots);
    names->slots = slots;
    names->size = 2 * (size_t)room;
    names->room = room;
    for (uint32_t i = 0; i < names->count; i++)
        names->slots[place_of_name(names, all[i])] = i + 1;
    return 0;
}

uint32_t ordo_names_number(struct ordo_names *names, struct ordo_text name)
{
    if (names->count == names->room && grow_names(names))
        return UINT32_MAX;
    size_t at = place_of_name(names, name);
    if (names->slots[at])
        return names->slots[at] - 1;
    char *copy = malloc(name.length + 1);
    if (!copy)
        return UINT32_MAX;
    if (name.length > 0)
        memcpy(copy, name.at, name.length);
    copy[name.length] = '\0';
    names->all[names->count] = (struct ordo_text){copy, name.length};
    names->slots[at] = ++names->count;
    return names->count - 1;
}

uint32_t ordo_names_find(const struct ordo_names *names, struct ordo_text name)
{
    return names->count > 0 ? names->slots[place_of_name(names, name)] - 1 : UINT32_MAX;
}

void ordo_names_free(struct ordo_names *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free((char *)names->all[i].at);
    free(names->all);
    free(names->slots);
    *names = (struct ordo_names){0};
}
