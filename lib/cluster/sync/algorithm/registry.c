#include <string.h>

#include "cluster/sync/sync.h"

const struct ordo_sync_algorithm *ordo_sync_algorithm_find(const char *name)
{
    if (strcmp(name, "prop") == 0) /* name of clockprop in the tools of the published experiments */
        name = "clockprop";
    for (const struct ordo_sync_algorithm *const *at = ordo_sync_algorithms; *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}
