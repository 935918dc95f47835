#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "machine/clock/source.h"

const struct ordo_clock_source *ordo_clock_source_find(const char *name)
{
    for (const struct ordo_clock_source *const *source = ordo_clock_sources; *source; source++)
        if (strcmp((*source)->name, name) == 0)
            return *source;
    return NULL;
}

/* Finds the granule. The readings of a clock with granule g are multiples of g up to rounding: in the counter, in its
 * conversion, and in a double. So g is at most the smallest step, and at most the difference of any two steps that
 * differ by more than the rounding. Only short steps are used, because steering changes long steps by more than the
 * rounding. */
uint64_t ordo_clock_granule(const struct ordo_clock_source *source)
{
    enum { READS = 4000, SHORT = 8, ROUNDING = 3 };
    uint64_t steps[READS], least = UINT64_MAX, bound;
    if (source->granule_units)
        return source->granule_units;
    uint64_t last = source->read();
    for (int i = 0; i < READS; i++) {
        for (volatile int turn = i % 16; turn > 0; turn--)
            ;
        uint64_t now = source->read();
        steps[i] = now - last;
        if (now > last && steps[i] < least)
            least = steps[i];
        last = now;
    }
    bound = least;
    for (int i = 0; i < READS; i++)
        for (int j = i + 1; j < READS && j < i + 64; j++) {
            uint64_t apart = steps[i] > steps[j] ? steps[i] - steps[j] : steps[j] - steps[i];
            bool usable = steps[i] > 0 && steps[j] > 0 && steps[i] / SHORT <= least && steps[j] / SHORT <= least;
            if (usable && apart > ROUNDING && apart < bound)
                bound = apart;
        }
    return bound == UINT64_MAX ? 1 : bound + ROUNDING;
}

uint64_t ordo_clock_system_ns(int clock_id)
{
    struct timespec now;
    if (syscall(SYS_clock_gettime, clock_id, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t ordo_clock_library_ns(int clock_id)
{
    struct timespec now;
    if (clock_gettime(clock_id, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
