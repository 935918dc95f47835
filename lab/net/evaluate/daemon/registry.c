#include <string.h>

#include "lab/net/evaluate/daemon.h"

const struct ordo_net_daemon *ordo_net_daemon_find(const char *name)
{
    for (const struct ordo_net_daemon *const *at = ordo_net_daemons; *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}
