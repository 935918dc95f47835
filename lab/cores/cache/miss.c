/* The protocols. */
#include "lab/cores/cache/cache.h"
#include "lab/cores/cache/core.h"
#include "lab/cores/cache/shelf.h"

struct request {
    struct cores_caches *caches;
    int cpu, core, cluster;
    enum cores_access access;
    uint32_t number;
    uint64_t line;
    struct cores_entry *entry;
    bool brief; /* the request occupies the line only while the directory is read */
};

/* The time until the line is there, and its origin. */
struct source {
    uint32_t ps;
    enum cores_from from;
    int holder; /* a core; -1 */
};

static struct source memory_source(const struct request *request)
{
    const struct cores_machine *machine = request->caches->machine;
    int node = cores_directory_node(&request->caches->directory, request->number);
    uint32_t ps = machine->memory_ps[(size_t)machine->node[request->cpu] * (size_t)machine->nodes + (size_t)node];
    return (struct source){ps, CORES_FROM_MEMORY, -1};
}

/* Finds the data of a line of which the core has no copy. The cluster's own L3 is first: it has a copy only if the copy
 * is current. The L3 of another cluster sends the line only if memory's is old, as if it were the cluster's first
 * core. */
static struct source line_source(const struct request *request)
{
    struct cores_caches *caches = request->caches;
    const struct cores_entry *entry = request->entry;
    if (cores_shelf_have(caches, request->cluster, request->number))
        return (struct source){caches->l3.hit_ps, CORES_FROM_L3, -1};
    if (entry->duty)
        return (struct source){cores_transfer_ps(caches, request->core, entry->owner), CORES_FROM_CPU, entry->owner};
    if (entry->l3_modified >= 0)
        return (struct source){cores_transfer_ps(caches, request->core, caches->head[entry->l3_modified]),
                               CORES_FROM_L3, -1};
    return memory_source(request);
}

static void owner_set(struct cores_entry *entry, int core, enum cores_duty duty)
{
    entry->owner = (int16_t)core;
    entry->duty = (uint8_t)duty;
}

/* Notes that a core has no copy any more because its L2 was full. The core says so: the directory is exact. */
static void line_evicted(struct cores_caches *caches, int core, uint64_t tag)
{
    uint32_t number = cores_directory_find(&caches->directory, tag >> 2, 0);
    struct cores_entry *entry = cores_directory_entry(&caches->directory, number);
    bool modified = (tag & 3) == CORES_COPY_MODIFIED || (entry->owner == core && entry->duty == CORES_DUTY_OWNED);
    cores_sharers_remove(&caches->pool, &entry->sharers, core);
    if (entry->owner == core)
        owner_set(entry, -1, CORES_DUTY_NONE);
    cores_shelf_put(caches, caches->cluster[core], number, modified);
}

/* Gives the requester its copy. If the directory has no memory for it, the requester uses the line once and keeps
 * none. */
static bool copy_take(const struct request *request, enum cores_copy copy)
{
    struct cores_caches *caches = request->caches;
    struct cores_sharers *sharers = &request->entry->sharers;
    uint64_t victim;
    if (!cores_sharers_have(&caches->pool, sharers, request->core) &&
        !cores_sharers_add(&caches->pool, sharers, request->core)) {
        caches->exhausted = true;
        return false;
    }
    victim = cores_core_take(caches, request->core, request->line, copy);
    if (victim)
        line_evicted(caches, request->core, victim);
    return true;
}

/* Makes the only copy in the machine. */
static void exclusive_take(const struct request *request, enum cores_copy copy)
{
    cores_shelf_drop(request->caches, request->number);
    if (copy_take(request, copy))
        owner_set(request->entry, request->core, CORES_DUTY_EXCLUSIVE);
}

/* Makes the exclusive copy of the owner a shared one. MOESI keeps modified data in the owner's cache; the other
 * protocols write them back to the L3 of the owner's cluster. */
static void owner_share(const struct request *request)
{
    struct cores_caches *caches = request->caches;
    struct cores_entry *entry = request->entry;
    int owner = entry->owner;
    bool modified = cores_core_copy(caches, owner, request->line) == CORES_COPY_MODIFIED;
    cores_core_change(caches, owner, request->line, CORES_COPY_SHARED);
    if (modified && caches->machine->protocol == CORES_MOESI) {
        owner_set(entry, owner, CORES_DUTY_OWNED);
        return;
    }
    owner_set(entry, -1, CORES_DUTY_NONE);
    cores_shelf_put(caches, caches->cluster[owner], request->number, modified);
}

/* Reads a line of which the core has no copy. In MESIF, the last reader forwards it to the next. Shared
 * lines are kept in the L3 of each cluster that reads them. */
static struct source line_read(struct request *request)
{
    struct cores_caches *caches = request->caches;
    struct cores_entry *entry = request->entry;
    struct source source = line_source(request);
    if (!entry->sharers.count && (entry->l3 == CORES_L3_NONE || entry->l3 == request->cluster)) {
        exclusive_take(request, entry->l3_modified >= 0 ? CORES_COPY_MODIFIED : CORES_COPY_EXCLUSIVE);
        return source;
    }
    request->brief = entry->duty != CORES_DUTY_EXCLUSIVE;
    if (entry->duty == CORES_DUTY_EXCLUSIVE)
        owner_share(request);
    cores_shelf_put(caches, request->cluster, request->number, false);
    if (copy_take(request, CORES_COPY_SHARED) && caches->machine->protocol == CORES_MESIF)
        owner_set(entry, request->core, CORES_DUTY_FORWARD);
    return source;
}

/* Takes the copies of all other cores away. Returns the farthest of them, and the time until it has answered. */
static struct source others_drop(const struct request *request, bool had)
{
    struct cores_caches *caches = request->caches;
    struct cores_entry *entry = request->entry;
    struct source farthest = {0, CORES_FROM_NOWHERE, -1};
    int at = 0, core;
    while ((core = cores_sharers_next(&caches->pool, &entry->sharers, &at)) >= 0) {
        uint32_t ps = cores_transfer_ps(caches, request->core, core);
        if (core == request->core)
            continue;
        if (farthest.holder < 0 || ps > farthest.ps)
            farthest = (struct source){ps, CORES_FROM_NOWHERE, core};
        cores_core_drop(caches, core, request->line);
        entry->invalidations++;
    }
    cores_sharers_clear(&caches->pool, &entry->sharers);
    if (had) /* there is room for one */
        (void)cores_sharers_add(&caches->pool, &entry->sharers, request->core);
    owner_set(entry, -1, CORES_DUTY_NONE);
    return farthest;
}

/* The time until the directory has found that no other core has a copy: the directory is part of the L3, or of the
 * memory. */
static uint32_t directory_ps(const struct request *request)
{
    const struct cores_caches *caches = request->caches;
    return caches->l3.ways ? caches->l3.hit_ps : memory_source(request).ps;
}

/* Writes a line: its data come while the other copies are invalidated. */
static struct source line_write(struct request *request)
{
    struct cores_entry *entry = request->entry;
    bool had = cores_sharers_have(&request->caches->pool, &entry->sharers, request->core);
    struct source data = {0, CORES_FROM_NOWHERE, -1}, farthest;
    if (!had)
        data = line_source(request);
    else if (entry->sharers.count == 1)
        data.ps = directory_ps(request);
    farthest = others_drop(request, had);
    entry->invalidations -= data.from == CORES_FROM_CPU; /* this copy moved */
    exclusive_take(request, CORES_COPY_MODIFIED);
    if (farthest.ps > data.ps) {
        data.ps = farthest.ps;
        data.holder = farthest.holder;
    }
    return data;
}

/* Returns the time for which the request occupies the line. A transfer takes its share. A read of a line that no core
 * has for itself changes the directory's entry only, and the data come from a cache or a memory that serves such reads
 * one after the other without waiting for their arrival; the entry is in a small memory, which takes as long as L1. */
static uint64_t occupied_ps(const struct request *request, uint32_t ps)
{
    const struct cores_caches *caches = request->caches;
    if (!request->brief)
        return (uint64_t)ps * caches->percent / 100;
    return ps < caches->l1.hit_ps ? ps : caches->l1.hit_ps;
}

/* Returns true if another core has the line for itself, or if a write takes it from others. */
static bool is_taken(const struct request *request)
{
    const struct cores_entry *entry = request->entry;
    bool others = entry->sharers.count > cores_sharers_have(&request->caches->pool, &entry->sharers, request->core);
    return others && (request->access != CORES_READ || entry->duty == CORES_DUTY_EXCLUSIVE);
}

/* The transfer that a request will wait for, as far as it is known when it is queued: from the last one in the queue, or
 * from the farthest holder. */
static uint32_t expected_ps(const struct request *request, bool queued)
{
    const struct cores_caches *caches = request->caches;
    const struct cores_entry *entry = request->entry;
    uint32_t most = 0;
    int at = 0, core;
    if (queued && entry->asker >= 0 && entry->asker != request->core)
        return cores_transfer_ps(caches, request->core, entry->asker);
    while ((core = cores_sharers_next(&caches->pool, &entry->sharers, &at)) >= 0) {
        uint32_t ps = core == request->core ? 0 : cores_transfer_ps(caches, request->core, core);
        most = ps > most ? ps : most;
    }
    return most;
}

static bool request_find(struct request *request, int cpu, uintptr_t address, enum cores_access access,
                         struct cores_caches *caches)
{
    int core = caches->core_of[cpu];
    *request = (struct request){caches, cpu,  core, caches->cluster[core], access, 0, address >> caches->line_bits,
                                NULL,   false};
    request->number = cores_directory_find(&caches->directory, request->line, caches->machine->node[cpu]);
    if (request->number)
        request->entry = cores_directory_entry(&caches->directory, request->number);
    caches->exhausted |= !request->number;
    return request->number;
}

/* The holder loses the line half a transfer after the request is served: the request's way to the holder is as long as
 * the line's way back. A line is not taken before its last requester has had it. */
struct cores_ask cores_caches_ask(struct cores_caches *caches, int cpu, uintptr_t address, enum cores_access access,
                                  uint64_t now_ps)
{
    struct request request;
    struct cores_ask ask = {now_ps, now_ps};
    if (!request_find(&request, cpu, address, access, caches))
        return ask;
    struct cores_entry *entry = request.entry;
    bool queued = entry->busy_ps > now_ps;
    if (queued && access == CORES_READ &&
        entry->asks_read) { /* the line is about to be shared: reads go side by side */
        ask.start_ps = ask.take_ps = entry->taken_ps > now_ps ? entry->taken_ps : now_ps;
        entry->queued_ps += ask.start_ps - now_ps;
        entry->wait_ps += ask.start_ps - now_ps;
        return ask;
    }
    ask.start_ps = ask.take_ps = queued ? entry->busy_ps : now_ps;
    entry->queued_ps += ask.start_ps - now_ps;
    entry->wait_ps += ask.start_ps - now_ps;
    if (!queued && !is_taken(&request))
        return ask;
    uint32_t ps = expected_ps(&request, queued);
    ask.take_ps = ask.start_ps + ps / 2;
    if (ask.take_ps < entry->taken_ps)
        ask.take_ps = entry->taken_ps;
    entry->busy_ps = ask.start_ps + (uint64_t)ps * caches->percent / 100;
    entry->taken_ps = ask.take_ps + ps - ps / 2;
    entry->asker = (int16_t)request.core;
    entry->asks_read = access == CORES_READ;
    return ask;
}

/* Makes later requests wait until this one has the line, if cores_caches_ask did not know that they must: the line comes
 * from a memory or an L3, so that no core had to give it up. A request that was queued meanwhile is later than take_ps,
 * and stays the last one. Reads of a shared line do not wait for each other. */
static void arrival_note(const struct request *request, const struct cores_ask *ask, uint64_t done_ps)
{
    struct cores_entry *entry = request->entry;
    if (request->brief || entry->taken_ps > ask->take_ps)
        return;
    entry->taken_ps = done_ps;
    entry->asker = (int16_t)request->core;
    entry->asks_read = request->access == CORES_READ;
}

struct cores_miss cores_caches_take(struct cores_caches *caches, int cpu, uintptr_t address, enum cores_access access,
                                    const struct cores_ask *ask)
{
    struct request request;
    uint32_t ps;
    if (cores_caches_hit(caches, cpu, address, access, &ps)) /* another CPU of the core has fetched it meanwhile */
        return (struct cores_miss){ask->take_ps + ps, ps == caches->l1.hit_ps ? CORES_FROM_L1 : CORES_FROM_L2, -1, 0};
    if (!request_find(&request, cpu, address, access, caches)) {
        const struct cores_machine *machine = caches->machine;
        ps = machine->memory_ps[(size_t)machine->node[cpu] * (size_t)(machine->nodes + 1)];
        return (struct cores_miss){ask->take_ps + ps, CORES_FROM_MEMORY, -1, 0};
    }
    struct cores_entry *entry = request.entry;
    uint32_t invalidated = entry->invalidations;
    struct source source = access == CORES_READ ? line_read(&request) : line_write(&request);
    uint64_t done_ps = ask->start_ps + source.ps;
    if (done_ps < ask->take_ps + source.ps / 2)
        done_ps = ask->take_ps + source.ps / 2;
    if (entry->busy_ps < ask->start_ps + occupied_ps(&request, source.ps))
        entry->busy_ps = ask->start_ps + occupied_ps(&request, source.ps);
    arrival_note(&request, ask, done_ps);
    entry->misses++;
    entry->transfers += source.from == CORES_FROM_CPU;
    entry->wait_ps += done_ps - ask->start_ps;
    return (struct cores_miss){done_ps, source.from, source.holder < 0 ? -1 : caches->first[source.holder],
                               entry->invalidations - invalidated};
}
