#include <string.h>

#include "net/source/source.h"

const struct ordo_source *ordo_source_find(const char *name)
{
    for (int i = 0; ordo_sources[i]; i++)
        if (strcmp(ordo_sources[i]->name, name) == 0)
            return ordo_sources[i];
    return NULL;
}
