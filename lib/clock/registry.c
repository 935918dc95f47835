#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock/source.h"

const struct ordo_clock_source *ordo_clock_source_find(const char *name)
{
    for (const struct ordo_clock_source *const *source = ordo_clock_sources; *source; source++)
        if (strcmp((*source)->name, name) == 0)
            return *source;
    return NULL;
}

uint64_t ordo_clock_system_ns(int clock_id)
{
    struct timespec now;
    if (syscall(SYS_clock_gettime, clock_id, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
