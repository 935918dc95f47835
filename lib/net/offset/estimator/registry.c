#include <stddef.h>
#include <string.h>

#include "net/offset/estimator.h"

const struct ordo_net_offset_estimator *ordo_net_offset_estimator_find(const char *name)
{
    for (const struct ordo_net_offset_estimator *const *at = ordo_net_offset_estimators; *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}
