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

int ordo_hop_allowed(unsigned *cpus, int most)
{
    unsigned long set[MOST_CPUS / BITS];
    int count = 0;
    memset(set, 0xff, sizeof set);
    (void)sched_setaffinity(0, sizeof set, (const cpu_set_t *)set); /* the kernel cuts it to what is allowed */
    memset(set, 0, sizeof set);
    (void)sched_getaffinity(0, sizeof set, (cpu_set_t *)set);
    for (unsigned cpu = 0; cpu < MOST_CPUS && count < most; cpu++)
        if (set[cpu / BITS] >> cpu % BITS & 1)
            cpus[count++] = cpu;
    return count;
}

void ordo_hop_release(char *list, unsigned size)
{
    unsigned cpus[MOST_LISTED];
    int count = ordo_hop_allowed(cpus, MOST_LISTED);
    ordo_topology_format_cpus(cpus, count, list, size);
}
