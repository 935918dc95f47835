#include "cluster/barrier/barrier.h"

#include <string.h>

#include "cluster/transport/tags.h"

const struct ordo_barrier *ordo_barrier_find(const char *name)
{
    for (const struct ordo_barrier *const *at = ordo_barriers; *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

int ordo_barrier_tell(struct ordo_transport *t, int to)
{
    const char token = 0;
    return t->send(t, to, ORDO_TAG_BARRIER, &token, sizeof token);
}

int ordo_barrier_hear(struct ordo_transport *t, int from)
{
    char token;
    return t->receive(t, from, ORDO_TAG_BARRIER, &token, sizeof token);
}

int ordo_barrier_swap(struct ordo_transport *t, int to, int from)
{
    char sent = 0, received;
    return t->exchange(t, to, from, ORDO_TAG_BARRIER, &sent, &received, sizeof sent);
}
