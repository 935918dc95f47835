#include "machine/topology/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/linux.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/gang.h"

enum { SHARED_LEVELS = 4 };

/* Cached data of a CPU. Every pair of CPUs needs it, and hwloc finds a CPU only by a search through all CPUs. */
struct place {
    hwloc_obj_t pu;                   /* NULL if there is no such CPU */
    hwloc_obj_t above[SHARED_LEVELS]; /* NULL if the machine has no such level */
};

struct ordo_topology {
    hwloc_topology_t hwloc;
    /* Sets of CPUs, by the operating system's numbers. */
    hwloc_cpuset_t usable; /* online, and allowed by the cgroup */
    hwloc_cpuset_t bound;  /* usable CPUs in the affinity of the thread that opened the topology */
    hwloc_cpuset_t online;
    struct place *places; /* index: the operating system's number of a CPU */
    int place_count;
    bool synthetic;
};

static const struct {
    hwloc_obj_type_t type;
    enum ordo_distance distance;
} levels[SHARED_LEVELS] = {
    {HWLOC_OBJ_CORE, ORDO_DISTANCE_CORE},
    {HWLOC_OBJ_L2CACHE, ORDO_DISTANCE_L2},
    {HWLOC_OBJ_L3CACHE, ORDO_DISTANCE_L3},
    {HWLOC_OBJ_PACKAGE, ORDO_DISTANCE_PACKAGE},
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

/* Finds the CPUs on which this process may run, whatever its affinity. It asks for all CPUs, and the kernel reduces the
 * request to those that the cgroup allows. Runs in a thread of its own, so that the caller's affinity does not
 * change. */
static int leave_affinity(void *context, int index, struct ordo_error *error)
{
    struct ordo_topology *topology = context;
    (void)index;
    (void)error; /* if the kernel refuses, only the affinity is known */
    (void)hwloc_linux_set_tid_cpubind(topology->hwloc, 0, hwloc_topology_get_complete_cpuset(topology->hwloc));
    if (hwloc_linux_get_tid_cpubind(topology->hwloc, 0, topology->usable) != 0)
        hwloc_bitmap_copy(topology->usable, hwloc_topology_get_allowed_cpuset(topology->hwloc));
    return ORDO_OK;
}

static int stay(void *context, int index, struct ordo_error *error)
{
    (void)context, (void)index, (void)error;
    return ORDO_OK;
}

static void read_online(struct ordo_topology *topology)
{
    char *list = NULL;
    size_t size = 0;
    FILE *file = fopen("/sys/devices/system/cpu/online", "re");
    hwloc_bitmap_copy(topology->online, hwloc_topology_get_complete_cpuset(topology->hwloc));
    if (file && getline(&list, &size, file) > 0)
        (void)hwloc_bitmap_list_sscanf(topology->online, list);
    free(list);
    if (file)
        (void)fclose(file);
}

/* Finds the usable CPUs of the real machine. */
static int find_usable(struct ordo_topology *topology, struct ordo_error *error)
{
    hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology->hwloc);
    int code = ordo_gang_run(1, leave_affinity, stay, topology, error);
    if (code)
        return code;
    read_online(topology);
    hwloc_bitmap_and(topology->usable, topology->usable, allowed);
    hwloc_bitmap_copy(topology->bound, topology->usable);
    hwloc_bitmap_t affinity = hwloc_bitmap_alloc();
    if (affinity && hwloc_linux_get_tid_cpubind(topology->hwloc, 0, affinity) == 0)
        hwloc_bitmap_and(topology->bound, topology->bound, affinity);
    hwloc_bitmap_free(affinity);
    return ORDO_OK;
}

/* True if every CPU is in the same package as in the kernel, as far as the kernel names packages. */
static bool has_packages_of_this_host(const struct ordo_topology *topology)
{
    hwloc_obj_t pu = NULL;
    while ((pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu))) {
        hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE, pu);
        char path[96];
        int number = -1;
        (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/physical_package_id", pu->os_index);
        FILE *file = fopen(path, "re");
        bool known = file && fscanf(file, "%d", &number) == 1 && number >= 0;
        if (file)
            (void)fclose(file);
        if (known && (!package || package->os_index != (unsigned)number))
            return false;
    }
    return true;
}

/* True if a topology from another source describes this machine: it names this host, has the CPUs that are online, and
 * has each of them in the right package. */
static bool describes_this_host(struct ordo_topology *topology)
{
    char host[256] = "";
    const char *named = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology->hwloc), "HostName");
    (void)gethostname(host, sizeof host - 1);
    read_online(topology);
    return named && strcmp(named, host) == 0 &&
           hwloc_bitmap_isincluded(topology->online, hwloc_topology_get_complete_cpuset(topology->hwloc)) &&
           hwloc_bitmap_isincluded(hwloc_topology_get_topology_cpuset(topology->hwloc), topology->online) &&
           has_packages_of_this_host(topology);
}

/* Launchers give a node's topology to their processes in a file (HWLOC_XMLFILE), which saves reading it again. hwloc
 * assumes that the file describes another machine, so it neither asks for the allowed CPUs nor binds threads. Once the
 * file is known to describe this machine, it is loaded again, with a flag that makes hwloc ask. Threads are bound by
 * the calls of hwloc/linux.h, which always bind. */
static int load_again_as_this_machine(struct ordo_topology *topology, struct ordo_error *error)
{
    const char *variable = getenv("HWLOC_FSROOT")      ? "HWLOC_FSROOT"
                           : getenv("HWLOC_SYNTHETIC") ? "HWLOC_SYNTHETIC"
                                                       : "HWLOC_XMLFILE"; /* the order in which hwloc prefers them */
    if (!describes_this_host(topology))
        return ordo_error_set(error, ORDO_E_SYSTEM, EXDEV, "hwloc describes another machine: unset %s", variable);
    hwloc_topology_destroy(topology->hwloc);
    topology->hwloc = NULL;
    if (hwloc_topology_init(&topology->hwloc) != 0 ||
        hwloc_topology_set_flags(topology->hwloc, HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM |
                                                      HWLOC_TOPOLOGY_FLAG_THISSYSTEM_ALLOWED_RESOURCES) != 0 ||
        hwloc_topology_load(topology->hwloc) != 0)
        return ordo_error_errno(error, "hwloc: the topology of %s cannot be read", variable);
    return ORDO_OK;
}

static int fill_places(struct ordo_topology *topology, struct ordo_error *error)
{
    hwloc_obj_t pu = NULL;
    topology->place_count = hwloc_bitmap_last(hwloc_topology_get_topology_cpuset(topology->hwloc)) + 1;
    topology->places = calloc((size_t)topology->place_count + 1, sizeof *topology->places);
    if (!topology->places)
        return ordo_error_errno(error, "topology");
    while ((pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu))) {
        struct place *place = &topology->places[pu->os_index];
        place->pu = pu;
        for (int i = 0; i < SHARED_LEVELS; i++)
            place->above[i] = hwloc_get_ancestor_obj_by_type(topology->hwloc, levels[i].type, pu);
    }
    return ORDO_OK;
}

static int load_topology(struct ordo_topology *topology, const char *description, struct ordo_error *error)
{
    topology->synthetic = description != NULL;
    topology->usable = hwloc_bitmap_alloc();
    topology->bound = hwloc_bitmap_alloc();
    topology->online = hwloc_bitmap_alloc();
    if (!topology->usable || !topology->bound || !topology->online)
        return ordo_error_errno(error, "topology");
    if (description && hwloc_topology_set_synthetic(topology->hwloc, description) != 0)
        return ordo_error_set(error, ORDO_E_INVALID, EINVAL,
                              "'%s': not a synthetic topology (example: 'pack:2 core:4 pu:2')", description);
    if (hwloc_topology_load(topology->hwloc) != 0)
        return ordo_error_errno(error, "hwloc: the topology cannot be read");
    if (!description && !hwloc_topology_is_thissystem(topology->hwloc) && load_again_as_this_machine(topology, error))
        return ORDO_E_SYSTEM;
    if (!description && find_usable(topology, error))
        return ORDO_E_SYSTEM;
    if (description) {
        hwloc_bitmap_copy(topology->usable, hwloc_topology_get_allowed_cpuset(topology->hwloc));
        hwloc_bitmap_copy(topology->bound, topology->usable);
        hwloc_bitmap_copy(topology->online, topology->usable);
    }
    return fill_places(topology, error);
}

int ordo_topology_open(struct ordo_topology **out, const char *description, struct ordo_error *error)
{
    struct ordo_topology *topology = calloc(1, sizeof *topology);
    *out = NULL;
    if (!topology || hwloc_topology_init(&topology->hwloc) != 0) {
        int code = ordo_error_errno(error, "topology");
        free(topology);
        return code;
    }
    int code = load_topology(topology, description, error);
    if (code)
        ordo_topology_close(topology);
    else
        *out = topology;
    return code;
}

void ordo_topology_close(struct ordo_topology *topology)
{
    if (!topology)
        return;
    if (topology->hwloc)
        hwloc_topology_destroy(topology->hwloc);
    hwloc_bitmap_free(topology->usable);
    hwloc_bitmap_free(topology->bound);
    hwloc_bitmap_free(topology->online);
    free(topology->places);
    free(topology);
}

static int list_cpus_of_set(hwloc_const_bitmap_t set, unsigned **cpus, int *count, struct ordo_error *error)
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

/* True if a list has the form N or N-M, joined by commas. hwloc's own parser accepts any text as some list. */
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
        return list_cpus_of_set(topology->usable, cpus, count, error);
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
        code = list_cpus_of_set(set, cpus, count, error);
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

int ordo_topology_bound(const struct ordo_topology *topology, unsigned **cpus, int *count, struct ordo_error *error)
{
    return list_cpus_of_set(topology->bound, cpus, count, error);
}

bool ordo_topology_online(const struct ordo_topology *topology, unsigned cpu)
{
    return hwloc_bitmap_isset(topology->online, cpu);
}

enum ordo_distance ordo_topology_distance(const struct ordo_topology *topology, unsigned a, unsigned b)
{
    const struct place *x = &topology->places[a], *y = &topology->places[b];
    for (int i = 0; i < SHARED_LEVELS; i++)
        if (x->above[i] && x->above[i] == y->above[i])
            return levels[i].distance;
    return hwloc_bitmap_intersects(x->pu->nodeset, y->pu->nodeset) ? ORDO_DISTANCE_NUMA : ORDO_DISTANCE_MACHINE;
}

/* Returns hwloc's number of the object at the level of `distance` that contains a CPU; -1 if there is none. */
static int above(const struct place *place, enum ordo_distance distance)
{
    for (int i = 0; i < SHARED_LEVELS; i++)
        if (levels[i].distance == distance && place->above[i])
            return (int)place->above[i]->logical_index;
    return -1;
}

struct ordo_topology_place ordo_topology_locate(const struct ordo_topology *topology, unsigned cpu)
{
    const struct place *place = &topology->places[cpu];
    return (struct ordo_topology_place){.l3 = above(place, ORDO_DISTANCE_L3),
                                        .package = above(place, ORDO_DISTANCE_PACKAGE),
                                        .numa = hwloc_bitmap_first(place->pu->nodeset)};
}

int ordo_topology_socket(const struct ordo_topology *topology)
{
    hwloc_obj_t package = NULL;
    while ((package = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE, package)))
        if (hwloc_bitmap_isincluded(topology->bound, package->cpuset))
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
    int failed = hwloc_linux_set_tid_cpubind(topology->hwloc, 0, set);
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
    int failed = hwloc_linux_get_tid_cpubind(topology->hwloc, 0, set) != 0;
    bool alone = !failed && hwloc_bitmap_isset(set, cpu) && hwloc_bitmap_weight(set) == 1;
    hwloc_bitmap_free(set);
    int here = sched_getcpu(); /* cheaper than hwloc's last location, which reads a file of /proc */
    if (alone && here == (int)cpu)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "cpu %u: the thread was moved to cpu %d (something else sets its affinity)", cpu, here);
}

void *ordo_topology_alloc(const struct ordo_topology *topology, unsigned cpu, size_t bytes, struct ordo_error *error)
{
    void *memory = hwloc_alloc_membind(topology->hwloc, bytes, topology->places[cpu].pu->nodeset, HWLOC_MEMBIND_BIND,
                                       HWLOC_MEMBIND_BYNODESET);
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

int ordo_topology_model_length(const char *model)
{
    size_t length = strlen(model);
    while (length > 0 && (model[length - 1] == ' ' || model[length - 1] == '\t'))
        length--;
    return (int)length;
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
    model = topology->synthetic                          ? "synthetic machine"
            : model && ordo_topology_model_length(model) ? model
                                                         : "unknown processor";
    (void)snprintf(text, size, "%.*s, %d package%s, %d core%s, %d CPU%s", ordo_topology_model_length(model), model,
                   packages, packages == 1 ? "" : "s", cores, cores == 1 ? "" : "s", cpus, cpus == 1 ? "" : "s");
}
