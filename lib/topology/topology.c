#include "topology/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ordo_topology {
    hwloc_topology_t hwloc;
    hwloc_cpuset_t usable; /* operating-system numbers */
    bool synthetic;
};

static const struct {
    const char *name, *word;
} distances[ORDO_DISTANCES] = {
    [ORDO_DISTANCE_CORE] = {"same core", "core"},      [ORDO_DISTANCE_L2] = {"shared L2", "l2"},
    [ORDO_DISTANCE_L3] = {"shared L3", "l3"},          [ORDO_DISTANCE_PACKAGE] = {"same package", "package"},
    [ORDO_DISTANCE_NUMA] = {"same NUMA node", "numa"}, [ORDO_DISTANCE_MACHINE] = {"same machine", "machine"},
};

const char *ordo_distance_name(enum ordo_distance distance)
{
    return distances[distance].name;
}

const char *ordo_distance_word(enum ordo_distance distance)
{
    return distances[distance].word;
}

int ordo_topology_open(struct ordo_topology **out, const char *description, struct ordo_error *error)
{
    struct ordo_topology *topology = calloc(1, sizeof *topology);
    *out = NULL;
    if (!topology)
        return ordo_error_errno(error, "topology");
    topology->synthetic = description != NULL;
    topology->usable = hwloc_bitmap_alloc();
    if (!topology->usable || hwloc_topology_init(&topology->hwloc) != 0) {
        int code = ordo_error_errno(error, "hwloc");
        hwloc_bitmap_free(topology->usable);
        free(topology);
        return code;
    }
    if (description && hwloc_topology_set_synthetic(topology->hwloc, description) != 0) {
        ordo_topology_close(topology);
        return ordo_error_set(error, ORDO_E_INVALID, EINVAL,
                              "'%s': not a synthetic topology (example: 'pack:2 core:4 pu:2')", description);
    }
    if (hwloc_topology_load(topology->hwloc) != 0) {
        int code = ordo_error_errno(error, "hwloc: the topology cannot be read");
        ordo_topology_close(topology);
        return code;
    }
    if (!description && !hwloc_topology_is_thissystem(topology->hwloc)) {
        ordo_topology_close(topology);
        return ordo_error_set(error, ORDO_E_SYSTEM, EXDEV,
                              "hwloc describes another machine: unset HWLOC_SYNTHETIC, HWLOC_XMLFILE and the like");
    }
    hwloc_bitmap_copy(topology->usable, hwloc_topology_get_allowed_cpuset(topology->hwloc));
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    if (!description && bound && hwloc_get_cpubind(topology->hwloc, bound, HWLOC_CPUBIND_THREAD) == 0)
        hwloc_bitmap_and(topology->usable, topology->usable, bound);
    hwloc_bitmap_free(bound);
    *out = topology;
    return ORDO_OK;
}

void ordo_topology_close(struct ordo_topology *topology)
{
    if (!topology)
        return;
    hwloc_topology_destroy(topology->hwloc);
    hwloc_bitmap_free(topology->usable);
    free(topology);
}

static int list_cpus(hwloc_const_bitmap_t set, unsigned **cpus, int *count, struct ordo_error *error)
{
    *count = hwloc_bitmap_weight(set);
    *cpus = calloc((size_t)*count, sizeof **cpus);
    if (!*cpus)
        return ordo_error_errno(error, "cpu list");
    int next = 0, cpu;
    hwloc_bitmap_foreach_begin(cpu, set)(*cpus)[next++] = (unsigned)cpu;
    hwloc_bitmap_foreach_end();
    return ORDO_OK;
}

/* hwloc's own list parser takes any text for some list, so the form is checked first: N or N-M, joined by commas. */
static bool well_formed(const char *list)
{
    for (;;) {
        size_t digits = strspn(list, "0123456789");
        if (digits == 0 || digits > 6)
            return false;
        unsigned long first = strtoul(list, NULL, 10);
        list += digits;
        if (*list == '-') {
            digits = strspn(++list, "0123456789");
            if (digits == 0 || digits > 6 || strtoul(list, NULL, 10) < first)
                return false;
            list += digits;
        }
        if (*list == '\0')
            return true;
        if (*list++ != ',')
            return false;
    }
}

int ordo_topology_select(const struct ordo_topology *topology, const char *list, unsigned **cpus, int *count,
                         struct ordo_error *error)
{
    char allowed[64];
    if (!list)
        return list_cpus(topology->usable, cpus, count, error);
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    int code = ORDO_OK;
    if (!set)
        return ordo_error_errno(error, "cpu list");
    if (!well_formed(list) || hwloc_bitmap_list_sscanf(set, list) != 0) {
        code = ordo_error_set(error, ORDO_E_INVALID, EINVAL, "'%.40s': not a list of CPUs (example: 0-3,8)", list);
    } else if (!hwloc_bitmap_isincluded(set, topology->usable)) {
        hwloc_bitmap_list_snprintf(allowed, sizeof allowed, topology->usable);
        hwloc_bitmap_andnot(set, set, topology->usable);
        code = ordo_error_set(error, ORDO_E_INVALID, EINVAL, "cpu %d: not in the allowed set %s",
                              hwloc_bitmap_first(set), allowed);
    } else {
        code = list_cpus(set, cpus, count, error);
    }
    hwloc_bitmap_free(set);
    return code;
}

void ordo_topology_format_cpus(const unsigned *cpus, int count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int first = 0; first < count;) {
        int last = first;
        while (last + 1 < count && cpus[last + 1] == cpus[last] + 1)
            last++;
        char range[32];
        int length = last > first ? snprintf(range, sizeof range, "%s%u-%u", first ? "," : "", cpus[first], cpus[last])
                                  : snprintf(range, sizeof range, "%s%u", first ? "," : "", cpus[first]);
        if (used + (size_t)length + sizeof "..." > size) {
            (void)snprintf(text + used, size - used, "...");
            return;
        }
        memcpy(text + used, range, (size_t)length + 1);
        used += (size_t)length;
        first = last + 1;
    }
}

enum ordo_distance ordo_topology_distance(const struct ordo_topology *topology, unsigned a, unsigned b)
{
    static const struct {
        hwloc_obj_type_t type;
        enum ordo_distance distance;
    } levels[] = {
        {HWLOC_OBJ_CORE, ORDO_DISTANCE_CORE},
        {HWLOC_OBJ_L2CACHE, ORDO_DISTANCE_L2},
        {HWLOC_OBJ_L3CACHE, ORDO_DISTANCE_L3},
        {HWLOC_OBJ_PACKAGE, ORDO_DISTANCE_PACKAGE},
    };
    hwloc_obj_t x = hwloc_get_pu_obj_by_os_index(topology->hwloc, a);
    hwloc_obj_t y = hwloc_get_pu_obj_by_os_index(topology->hwloc, b);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(topology->hwloc, levels[i].type, x);
        if (above && above == hwloc_get_ancestor_obj_by_type(topology->hwloc, levels[i].type, y))
            return levels[i].distance;
    }
    return hwloc_bitmap_intersects(x->nodeset, y->nodeset) ? ORDO_DISTANCE_NUMA : ORDO_DISTANCE_MACHINE;
}

int ordo_topology_socket(const struct ordo_topology *topology)
{
    hwloc_obj_t package = NULL;
    while ((package = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE, package)))
        if (hwloc_bitmap_isincluded(topology->usable, package->cpuset))
            return (int)package->logical_index;
    return -1;
}

int ordo_topology_pin(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error)
{
    if (topology->synthetic)
        return ordo_error_set(error, ORDO_E_SYSTEM, EXDEV, "cpu %u: is of a synthetic machine, nothing can run there",
                              cpu);
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (!set)
        return ordo_error_errno(error, "cpu %u", cpu);
    hwloc_bitmap_only(set, cpu);
    int failed = hwloc_set_cpubind(topology->hwloc, set, HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT);
    int sys_errno = errno;
    hwloc_bitmap_free(set);
    if (failed) {
        errno = sys_errno;
        return ordo_error_errno(error, "cpu %u: cannot pin a thread", cpu);
    }
    return ordo_topology_check_pinned(topology, cpu, error);
}

int ordo_topology_check_pinned(const struct ordo_topology *topology, unsigned cpu, struct ordo_error *error)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (!set)
        return ordo_error_errno(error, "cpu %u", cpu);
    int failed = hwloc_get_cpubind(topology->hwloc, set, HWLOC_CPUBIND_THREAD) != 0;
    bool alone = !failed && hwloc_bitmap_isset(set, cpu) && hwloc_bitmap_weight(set) == 1;
    hwloc_bitmap_free(set);
    int here = sched_getcpu(); /* one call, where hwloc's last location reads a file of /proc */
    if (alone && here == (int)cpu)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "cpu %u: the thread was moved to cpu %d (something else sets its affinity)", cpu, here);
}

void *ordo_topology_alloc(const struct ordo_topology *topology, unsigned cpu, size_t bytes, struct ordo_error *error)
{
    hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology->hwloc, cpu);
    void *memory =
        hwloc_alloc_membind(topology->hwloc, bytes, pu->nodeset, HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET);
    if (!memory) {
        (void)ordo_error_errno(error, "memory near cpu %u", cpu);
        return NULL;
    }
    memset(memory, 0, bytes);
    return memory;
}

void ordo_topology_free(const struct ordo_topology *topology, void *memory, size_t bytes)
{
    if (memory)
        (void)hwloc_free(topology->hwloc, memory, bytes);
}

void ordo_topology_describe(const struct ordo_topology *topology, char *text, size_t size)
{
    const char *model = NULL;
    hwloc_obj_t package = hwloc_get_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE, 0);
    if (package)
        model = hwloc_obj_get_info_by_name(package, "CPUModel");
    int packages = hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE);
    int cores = hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_CORE);
    int cpus = hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_PU);
    (void)snprintf(text, size, "%s, %d package%s, %d core%s, %d CPU%s",
                   topology->synthetic ? "synthetic machine"
                   : model             ? model
                                       : "unknown processor",
                   packages, packages == 1 ? "" : "s", cores, cores == 1 ? "" : "s", cpus, cpus == 1 ? "" : "s");
}
