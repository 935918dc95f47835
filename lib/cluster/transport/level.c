#include "cluster/transport/transport.h"

int ordo_transport_level(struct ordo_transport *self, struct ordo_transport_level *level,
                         int (*make)(struct ordo_transport *self, enum ordo_level which, struct ordo_transport **group,
                                     struct ordo_error *error),
                         enum ordo_level which, struct ordo_transport **group, struct ordo_transport **firsts,
                         struct ordo_error *error)
{
    int code = level->group ? ORDO_OK : make(self, which, &level->group, error);
    if (!code && firsts && !level->has_firsts) {
        code = self->split(self, level->group->rank == 0 ? 0 : -1, 0, &level->firsts, error);
        level->has_firsts = !code;
    }
    if (code)
        return code;
    *group = level->group;
    if (firsts)
        *firsts = level->firsts;
    return ORDO_OK;
}

void ordo_transport_free_levels(struct ordo_transport_level levels[ORDO_LEVELS])
{
    for (int i = 0; i < ORDO_LEVELS; i++) {
        if (levels[i].firsts)
            levels[i].firsts->free(levels[i].firsts);
        if (levels[i].group)
            levels[i].group->free(levels[i].group);
    }
}
