#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "machine/clock/source.h"
#include "machine/clock/vclock.h"

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

/* Finds the mapping of the pages of hypervisors in this process. Returns its begin; 0: there is none. */
static uintptr_t find_vclock(size_t *bytes)
{
    char line[256];
    unsigned long begin, end, found = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !found && fgets(line, sizeof line, maps))
        if (strstr(line, "[vvar_vclock]") && sscanf(line, "%lx-%lx", &begin, &end) == 2) {
            found = begin;
            *bytes = end - begin;
        }
    if (maps)
        (void)fclose(maps);
    return found;
}

/* True if the page can be read. Without a hypervisor of this kind the page is mapped, but a load from it ends the process
 * with SIGBUS; write(2) then fails with EFAULT instead. */
static bool is_there(const void *page)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return false;
    bool there = write(ends[1], page, 32) == 32;
    (void)close(ends[0]);
    (void)close(ends[1]);
    return there;
}

static const void *look_for_page(int number)
{
    size_t bytes = 0, page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = find_vclock(&bytes);
    if (!begin || bytes < ((size_t)number + 1) * page)
        return NULL;
    const void *at = (const char *)begin + (size_t)number * page; // NOLINT(performance-no-int-to-ptr): from the kernel
    return is_there(at) ? at : NULL;
}

/* The kernel maps the pages before the program begins, and never takes them away, so one look is enough. Two threads may
 * look at the same time, and find the same. */
const void *ordo_vclock_page(int number)
{
    static _Atomic bool looked[2];
    static _Atomic(const void *) found[2];
    if (!looked[number]) {
        found[number] = look_for_page(number);
        looked[number] = true;
    }
    return found[number];
}
