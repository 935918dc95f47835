#include "calibrate/watch/hop.h"

#include <sched.h>
#include <string.h>

#include "machine/topology/topology.h"

enum { MOST_CPUS = 65536, MOST_LISTED = 4096, BITS = 8 * sizeof(unsigned long) };

bool ordo_hop_to(unsigned cpu)
{
    unsigned long set[MOST_CPUS / BITS];
    size_t bytes = (cpu / BITS + 1) * sizeof *set;
    if (cpu >= MOST_CPUS)
        return false;
    memset(set, 0, bytes);
    set[cpu / BITS] = 1ul << cpu % BITS;
    return sched_setaffinity(0, bytes, (const cpu_set_t *)set) == 0 && sched_getcpu() == (int)cpu;
}

struct set {
    unsigned long words[MOST_CPUS / BITS];
};

static void release_set(struct set *set)
{
    memset(set, 0xff, sizeof *set);
    (void)sched_setaffinity(0, sizeof *set, (const cpu_set_t *)set); /* the kernel keeps only the allowed CPUs */
    memset(set, 0, sizeof *set);
    (void)sched_getaffinity(0, sizeof *set, (cpu_set_t *)set);
}

static int list_set(const struct set *set, unsigned *cpus, int most)
{
    int count = 0;
    for (unsigned cpu = 0; cpu < MOST_CPUS && count < most; cpu++)
        if (set->words[cpu / BITS] >> cpu % BITS & 1)
            cpus[count++] = cpu;
    return count;
}

int ordo_hop_allowed(unsigned *cpus, int most)
{
    struct set set;
    release_set(&set);
    return list_set(&set, cpus, most);
}

uint64_t ordo_hop_release(char *text, unsigned size)
{
    unsigned cpus[MOST_LISTED];
    uint64_t checksum = 0;
    struct set set;
    release_set(&set);
    ordo_topology_format_cpus(cpus, list_set(&set, cpus, MOST_LISTED), text, size);
    for (size_t i = 0; i < sizeof set.words / sizeof *set.words; i++)
        checksum = (checksum ^ set.words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return checksum;
}

bool ordo_hop_allows_only(const unsigned *cpus, int count)
{
    struct set set;
    int allowed = 0;
    release_set(&set);
    for (size_t i = 0; i < sizeof set.words / sizeof *set.words; i++)
        allowed += __builtin_popcountl(set.words[i]);
    for (int i = 0; i < count; i++)
        if (cpus[i] >= MOST_CPUS || !(set.words[cpus[i] / BITS] >> cpus[i] % BITS & 1))
            return false;
    return allowed == count;
}
