/* Sets of CPUs for machines of any size. glibc's cpu_set_t has room for 1,024 CPUs; on a larger machine the kernel
 * refuses to fill it. */
#ifndef ORDO_BASE_CPUS_H
#define ORDO_BASE_CPUS_H

#include <sched.h>
#include <stdbool.h>
#include <string.h>

/** The largest number of CPUs that Linux can be built for. */
enum { ORDO_CPUS = 8192 };

struct ordo_cpus {
    cpu_set_t parts[ORDO_CPUS / CPU_SETSIZE];
};

static inline int ordo_cpus_count(const struct ordo_cpus *cpus)
{
    return CPU_COUNT_S(sizeof *cpus, cpus->parts);
}

static inline bool ordo_cpus_have(const struct ordo_cpus *cpus, unsigned cpu)
{
    return CPU_ISSET_S(cpu, sizeof *cpus, cpus->parts);
}

/** Finds the CPUs that the calling thread may run on. If they are unknown, returns false and an empty set. */
static inline bool ordo_cpus_own(struct ordo_cpus *cpus)
{
    memset(cpus, 0, sizeof *cpus);
    if (sched_getaffinity(0, sizeof *cpus, cpus->parts) == 0)
        return true;
    memset(cpus, 0, sizeof *cpus);
    return false;
}

/** Restricts the calling thread to these CPUs. True on success. */
static inline bool ordo_cpus_bind(const struct ordo_cpus *cpus)
{
    return sched_setaffinity(0, sizeof *cpus, cpus->parts) == 0;
}

/** Restricts the calling thread to this CPU. True on success. */
static inline bool ordo_cpus_bind_to(unsigned cpu)
{
    struct ordo_cpus one;
    memset(&one, 0, sizeof one);
    CPU_SET_S(cpu, sizeof one, one.parts);
    return ordo_cpus_bind(&one);
}

#endif
