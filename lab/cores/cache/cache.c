#include "lab/cores/cache/cache.h"

#include <stdlib.h>

#include "lab/cores/cache/caches.h"

enum { MOST_CORES = 2048 };

static int machine_check(const struct cores_machine *machine, int step, struct ordo_error *error)
{
    bool power = machine->line_bytes > 0 && !(machine->line_bytes & (machine->line_bytes - 1));
    if (machine->cores < 1 || machine->cores > MOST_CORES || machine->clusters < 1 || machine->nodes < 1)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "cache: %d cores, %d clusters, %d nodes: use 1 to %d cores",
                              machine->cores, machine->clusters, machine->nodes, MOST_CORES);
    if (!power || machine->line_bytes < 16 || machine->line_bytes > 4096)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "cache: lines of %d bytes: use a power of two, 16 to 4096",
                              machine->line_bytes);
    if (step < 0 || step > 2 || (!machine->l1.bytes && !machine->l2.bytes))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "cache: step %d, no L1 and no L2: use step 0 to 2, and a cache",
                              step);
    return 0;
}

/* Notes the first CPU of each core, the cluster of each core, and the first core of each cluster. */
static void places_fill(struct cores_caches *caches)
{
    const struct cores_machine *machine = caches->machine;
    for (int cpu = machine->cpus - 1; cpu >= 0; cpu--) {
        int core = machine->core[cpu];
        caches->first[core] = cpu;
        caches->cluster[core] = machine->cluster[cpu];
        caches->head[machine->cluster[cpu]] = core;
    }
}

static void transfers_fill(struct cores_caches *caches)
{
    const struct cores_machine *machine = caches->machine;
    size_t cores = (size_t)machine->cores, cpus = (size_t)machine->cpus;
    for (size_t requester = 0; requester < cores; requester++)
        for (size_t holder = 0; holder < cores; holder++)
            caches->transfer_ps[requester * cores + holder] =
                machine->transfer_ps[(size_t)caches->first[holder] * cpus + (size_t)caches->first[requester]];
}

/* Maps the tags. A core without L1 or without L2 has the one that it has for both. */
static int levels_open(struct cores_caches *caches, struct ordo_error *error)
{
    const struct cores_machine *machine = caches->machine;
    const struct cores_level *l1 = machine->l1.bytes ? &machine->l1 : &machine->l2;
    const struct cores_level *l2 = machine->l2.bytes ? &machine->l2 : &machine->l1;
    int code = cores_tags_open(&caches->l1, l1, machine->cores, machine->line_bytes, error);
    if (!code)
        code = cores_tags_open(&caches->l2, l2, machine->cores, machine->line_bytes, error);
    if (!code)
        code = cores_tags_open(&caches->l3, &machine->l3, machine->clusters, machine->line_bytes, error);
    return code;
}

static int caches_fill(struct cores_caches *caches, struct ordo_error *error)
{
    const struct cores_machine *machine = caches->machine;
    size_t cores = (size_t)machine->cores;
    caches->first = calloc(cores, sizeof *caches->first);
    caches->cluster = calloc(cores, sizeof *caches->cluster);
    caches->head = calloc((size_t)machine->clusters, sizeof *caches->head);
    caches->transfer_ps = calloc(cores * cores, sizeof *caches->transfer_ps);
    if (!caches->first || !caches->cluster || !caches->head || !caches->transfer_ps ||
        cores_directory_open(&caches->directory, machine->line_bytes))
        return ordo_error_errno(error, "the directory of %d cores", machine->cores);
    cores_pool_open(&caches->pool, machine->cores);
    places_fill(caches);
    transfers_fill(caches);
    return levels_open(caches, error);
}

void cores_caches_step(struct cores_caches *caches, int step)
{
    const struct cores_range *range = &caches->machine->transfer_percent;
    caches->percent = step == 0 ? range->low : step == 1 ? range->likely : range->high;
}

int cores_caches_open(struct cores_caches **caches, const struct cores_machine *machine, int step,
                      struct ordo_error *error)
{
    int code = machine_check(machine, step, error);
    *caches = NULL;
    if (code)
        return code;
    *caches = calloc(1, sizeof **caches);
    if (!*caches)
        return ordo_error_errno(error, "the caches of %d cores", machine->cores);
    (*caches)->machine = machine;
    (*caches)->core_of = machine->core;
    (*caches)->line_bits = __builtin_ctz((unsigned)machine->line_bytes);
    cores_caches_step(*caches, step);
    code = caches_fill(*caches, error);
    if (code) {
        cores_caches_close(*caches);
        *caches = NULL;
    }
    return code;
}

void cores_caches_close(struct cores_caches *caches)
{
    if (!caches)
        return;
    cores_tags_close(&caches->l1);
    cores_tags_close(&caches->l2);
    cores_tags_close(&caches->l3);
    cores_directory_close(&caches->directory);
    cores_pool_close(&caches->pool);
    free(caches->first);
    free(caches->cluster);
    free(caches->head);
    free(caches->transfer_ps);
    free(caches);
}

/* True if a copy with this tag allows the access. */
static bool tag_allows(uint64_t tag, enum cores_access access)
{
    return access == CORES_READ || (tag & 3) != CORES_COPY_SHARED;
}

/* Returns the tag after the access: the first write makes an exclusive copy modified, and no core hears of it. */
static uint64_t tag_after(uint64_t tag, enum cores_access access)
{
    return access == CORES_READ ? tag : tag | CORES_COPY_MODIFIED;
}

/* The line is in L2, and perhaps in L1. */
static bool l2_hit(struct cores_caches *caches, int core, uint64_t line, enum cores_access access, uint32_t *ps)
{
    uint64_t *set = cores_tags_set(&caches->l2, core, line);
    int way = cores_tags_find(set, caches->l2.ways, line);
    if (way < 0 || !tag_allows(set[way], access))
        return false;
    cores_tags_front(set, way, tag_after(set[way], access));
    (void)cores_tags_put(cores_tags_set(&caches->l1, core, line), caches->l1.ways, set[0]);
    *ps = caches->l2.hit_ps;
    return true;
}

static bool slow_hit(struct cores_caches *caches, int core, uint64_t line, enum cores_access access, uint32_t *ps)
    __attribute__((noinline));

/* The line is not the most recent one of its set in L1, or is to be written and not yet modified. */
static bool slow_hit(struct cores_caches *caches, int core, uint64_t line, enum cores_access access, uint32_t *ps)
{
    uint64_t *set = cores_tags_set(&caches->l1, core, line), tag;
    int way = cores_tags_find(set, caches->l1.ways, line);
    if (way < 0)
        return l2_hit(caches, core, line, access, ps);
    tag = set[way];
    if (!tag_allows(tag, access))
        return false;
    cores_tags_touch(set, caches->l1.ways, way, tag_after(tag, access));
    if (set[0] != tag) {
        uint64_t *below = cores_tags_set(&caches->l2, core, line);
        below[cores_tags_find(below, caches->l2.ways, line)] = set[0];
    }
    *ps = caches->l1.hit_ps;
    return true;
}

bool cores_caches_hit(struct cores_caches *caches, int cpu, uintptr_t address, enum cores_access access, uint32_t *ps)
{
    uint64_t line = address >> caches->line_bits;
    int core = caches->core_of[cpu];
    const uint64_t *set = cores_tags_set(&caches->l1, core, line);
    uint64_t least = access == CORES_READ ? CORES_COPY_SHARED : CORES_COPY_MODIFIED;
    if (__builtin_expect(set[0] - (line << 2) - least <= CORES_COPY_MODIFIED - least, 1)) {
        *ps = caches->l1.hit_ps;
        return true;
    }
    return slow_hit(caches, core, line, access, ps);
}

bool cores_caches_exhausted(const struct cores_caches *caches)
{
    return caches->exhausted;
}

void cores_caches_forget(struct cores_caches *caches)
{
    uint32_t end = cores_directory_end(&caches->directory);
    cores_tags_clear(&caches->l1);
    cores_tags_clear(&caches->l2);
    cores_tags_clear(&caches->l3);
    for (uint32_t number = cores_directory_first(&caches->directory); number < end; number++) {
        struct cores_entry *entry = cores_directory_entry(&caches->directory, number);
        cores_sharers_clear(&caches->pool, &entry->sharers);
        entry->busy_ps = entry->taken_ps = 0;
        entry->asker = -1;
        entry->asks_read = false;
        entry->owner = -1;
        entry->duty = 0;
        entry->l3 = entry->l3_modified = CORES_L3_NONE;
    }
}
