#include "trace/input/nest.h"

#include <stdlib.h>
#include <string.h>

/* Returns 1 + an unused region; 0 if out of memory. */
static uint32_t new_nested(struct ordo_nest *nest)
{
    uint32_t own = nest->unused;
    if (own) {
        nest->unused = nest->all[own - 1].outer;
        return own;
    }
    if (nest->count == nest->room) {
        uint32_t room = nest->room ? 2 * nest->room : 64;
        struct ordo_nested *all = room > nest->room ? realloc(nest->all, room * sizeof *all) : NULL;
        if (!all)
            return 0;
        nest->all = all;
        nest->room = room;
    }
    return ++nest->count;
}

int ordo_nest_keep(struct ordo_nest *nest, struct ordo_thread_track *track, const struct ordo_event *begin)
{
    uint32_t name = ordo_names_number(&nest->names, begin->name);
    uint32_t own = name == UINT32_MAX ? 0 : new_nested(nest);
    if (own == 0)
        return -1;
    nest->all[own - 1] =
        (struct ordo_nested){begin->communicator, begin->root, begin->number, name, track->open, track->note};
    track->note = own;
    return 0;
}

static bool has_other_name(struct ordo_text end, struct ordo_text begin)
{
    return end.length > 0 && (end.length != begin.length || memcmp(end.at, begin.at, end.length) != 0);
}

void ordo_nest_give(struct ordo_nest *nest, struct ordo_thread_track *track, struct ordo_event *end)
{
    uint32_t own = track->note;
    struct ordo_nested *begin = own ? &nest->all[own - 1] : NULL;
    if (!begin || begin->depth != track->open)
        return;
    track->note = begin->outer;
    begin->outer = nest->unused;
    nest->unused = own;
    if (has_other_name(end->name, nest->names.all[begin->name]))
        return;
    end->name = nest->names.all[begin->name];
    end->communicator = begin->communicator;
    end->root = begin->root;
    end->number = begin->number;
}

void ordo_nest_free(struct ordo_nest *nest)
{
    free(nest->all);
    ordo_names_free(&nest->names);
    *nest = (struct ordo_nest){0};
}
