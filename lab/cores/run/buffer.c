#include "lab/cores/run/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* A store in flight. Its CPU's list is in the order of visible_ps; the list of all CPUs that have some is short. */
struct cores_store {
    struct cores_store *next;
    uint64_t visible_ps;
    uintptr_t address;
    unsigned size;
    unsigned char value[16];
};

static struct cores_store *spare;
static struct cores_cpu **owners; /* CPUs with stores in flight */
static int owner_count, owner_room;

static void note_owner(struct cores_cpu *cpu)
{
    if (owner_count == owner_room) {
        owner_room = owner_room ? 2 * owner_room : 64;
        struct cores_cpu **grown = realloc(owners, (size_t)owner_room * sizeof *grown);
        if (!grown)
            abort();
        owners = grown;
    }
    owners[owner_count++] = cpu;
}

static struct cores_store *allocate(void)
{
    struct cores_store *store = spare;
    if (store)
        spare = store->next;
    else if (!(store = malloc(sizeof *store)))
        abort();
    return store;
}

static void perform_first(struct cores_cpu *cpu)
{
    struct cores_store *store = cpu->pending;
    memcpy((void *)store->address, store->value, store->size);
    cpu->pending = store->next;
    store->next = spare;
    spare = store;
}

/* Lets a store wait for a random time if CPUs stall: a store buffer may drain as late as it likes. Without this, another
 * CPU could hardly see that a load has overtaken a store, because it queues for the line behind the store. Stores that
 * must come later (stores_ps), and fences, wait for it. */
static uint64_t linger(struct cores_cpu *cpu, uint64_t visible_ps)
{
    if (!cores.stall_each_ps || !cores.stall_ps)
        return visible_ps;
    visible_ps += ordo_random_next(&cpu->random) % cores.stall_ps;
    if (cpu->stores_ps < visible_ps)
        cpu->stores_ps = visible_ps;
    return visible_ps;
}

void cores_buffer_store(uintptr_t address, unsigned size, const void *value, uint64_t visible_ps)
{
    struct cores_cpu *cpu = cores.cpu;
    visible_ps = linger(cpu, visible_ps);
    struct cores_store *store = allocate(), **at = &cpu->pending;
    if (!cpu->pending)
        note_owner(cpu);
    for (const struct cores_store *same = cpu->pending; same; same = same->next)
        if (same->address == address && same->visible_ps > visible_ps)
            visible_ps = same->visible_ps; /* stores to one place stay in order */
    while (*at && (*at)->visible_ps <= visible_ps)
        at = &(*at)->next;
    *store = (struct cores_store){.next = *at, .visible_ps = visible_ps, .address = address, .size = size};
    memcpy(store->value, value, size);
    *at = store;
    if (visible_ps < cores.visible_ps)
        cores.visible_ps = visible_ps;
}

void cores_buffer_load(uintptr_t address, unsigned size, void *value)
{
    memcpy(value, (const void *)address, size);
    for (const struct cores_store *store = cores.cpu ? cores.cpu->pending : NULL; store; store = store->next)
        if (store->address == address)
            memcpy(value, store->value, size < store->size ? size : store->size);
}

/* Forgets CPUs without stores in flight, and finds the next time. */
static void look_at_owners(void)
{
    int kept = 0;
    cores.visible_ps = UINT64_MAX;
    for (int i = 0; i < owner_count; i++) {
        if (!owners[i]->pending)
            continue;
        if (owners[i]->pending->visible_ps < cores.visible_ps)
            cores.visible_ps = owners[i]->pending->visible_ps;
        owners[kept++] = owners[i];
    }
    owner_count = kept;
}

void cores_buffer_drain(struct cores_cpu *cpu)
{
    if (!cpu->pending)
        return;
    while (cpu->pending)
        perform_first(cpu);
    look_at_owners();
}

void cores_buffer_flush(uintptr_t address, size_t bytes)
{
    for (const struct cores_store *store = cores.cpu->pending; store; store = store->next)
        if (store->address < address + bytes && address < store->address + store->size) {
            cores_buffer_drain(cores.cpu);
            return;
        }
}

void cores_buffer_reach(uint64_t now_ps)
{
    while (now_ps >= cores.visible_ps) { /* the earliest stores of all CPUs first */
        for (int i = 0; i < owner_count; i++)
            while (owners[i]->pending && owners[i]->pending->visible_ps <= cores.visible_ps)
                perform_first(owners[i]);
        look_at_owners();
    }
}
