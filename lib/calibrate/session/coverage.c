#include "calibrate/session/coverage.h"

#include <stdlib.h>
#include <string.h>

#include <ordo/record.h>

/* Returns a CPU that is online and in the record but not in `cpus`; -1 if there is no such CPU. */
static long lost_cpu(const struct ordo_topology *topology, const struct ordo_record_view *view, const unsigned *cpus,
                     int count)
{
    int next = 0;
    for (unsigned long cpu = 0; cpu < view->cpus_bytes * 8; cpu++) {
        while (next < count && cpus[next] < cpu)
            next++;
        bool measured = next < count && cpus[next] == cpu;
        if (!measured && ordo_record_covers(view, cpu) && ordo_topology_online(topology, (unsigned)cpu))
            return (long)cpu;
    }
    return -1;
}

/* True if a record for which the check returned `code` states its CPUs: a superseded or disrupted record does so
 * too. */
static bool readable(int code)
{
    return code == ORDO_OK || code == ORDO_E_SUPERSEDED || code == ORDO_E_DISRUPTED;
}

static bool of_this_boot(const struct ordo_record_view *view)
{
    unsigned char boot_id[16];
    return ordo_record_boot_id(boot_id) == 0 && memcmp(boot_id, view->head.boot_id, sizeof boot_id) == 0;
}

int ordo_coverage_check(const struct ordo_topology *topology, const char *path, const unsigned *cpus, int count,
                        struct ordo_error *error)
{
    struct ordo_record_view view;
    const void *bytes;
    size_t size;
    long lost = -1;
    char text[48];
    if (ordo_record_map(path, &bytes, &size, NULL))
        return ORDO_OK;
    if (readable(ordo_record_parse(bytes, size, &view)) && of_this_boot(&view))
        lost = lost_cpu(topology, &view, cpus, count);
    (void)munmap((void *)(uintptr_t)bytes, size);
    if (lost < 0)
        return ORDO_OK;
    ordo_topology_format_cpus(cpus, count, text, sizeof text);
    return ordo_error_set(error, ORDO_E_CPUS, 0,
                          "cpu %ld: %.60s covers it, and this process may run on %s only (its cgroup decides): "
                          "calibrate outside of that, or name the CPUs with --cpus",
                          lost, path, text);
}

uint64_t ordo_coverage_flags(const char *path)
{
    struct ordo_record_view view;
    const void *bytes;
    size_t size;
    uint64_t flags = ORDO_FLAG_MEASURED;
    if (!path || ordo_record_map(path, &bytes, &size, NULL))
        return flags;
    if (readable(ordo_record_parse(bytes, size, &view)) && of_this_boot(&view))
        flags = view.head.flags;
    (void)munmap((void *)(uintptr_t)bytes, size);
    return flags;
}
