#include "lab/cores/run/place.h"

#include <stdlib.h>

#include "lab/cores/run/schedule.h"
#include "lab/cores/run/table.h"

enum {
    SHARED_MISSES = 16,  /* a line that was taken this often from another CPU is worth the memory for its bytes */
    SHARED_LINES = 16384 /* largest number of lines with such memory */
};

/* Misses of one instruction at one line; key: the line's address, and the instruction with its kind of access. */
struct miss_item {
    struct cores_key key;
    uint64_t misses, transfers, invalidations, wait_ps, queued_ps;
};

/* The bytes that a CPU uses. A bit is a 64th of a line. */
struct used {
    uint64_t read, written;
};

struct line_item {
    struct cores_key key;
    struct used *used; /* [index of the CPU]; NULL: not yet worth it */
    unsigned taken;
};

struct block_item {
    struct cores_key key;
    uintptr_t pc;
    size_t bytes;
};

/* A thread in its measured part. */
struct measured_item {
    struct cores_key key;
    bool measured;
    uint64_t begin_ps;
};

static struct {
    bool counts;
    struct cores_table misses, lines, blocks, threads;
    unsigned shared;
    int *on_cpu; /* [cpu_room]: number of threads in their measured part */
    int cpu_room;
    uint64_t measured_ps;
} places = {
    .misses = {.item_bytes = sizeof(struct miss_item)},
    .lines = {.item_bytes = sizeof(struct line_item)},
    .blocks = {.item_bytes = sizeof(struct block_item)},
    .threads = {.item_bytes = sizeof(struct measured_item)},
};

static uintptr_t line_address(uintptr_t address)
{
    return address & ~((uintptr_t)cores.machine->line_bytes - 1);
}

static bool is_measured(void)
{
    return places.counts && cores.cpu->index < places.cpu_room && places.on_cpu[cores.cpu->index] > 0;
}

/* Makes room for the CPU's count. */
static bool cpu_have(int index)
{
    if (index < places.cpu_room)
        return true;
    int room = index + cores.machine->cpus + 1;
    int *grown = realloc(places.on_cpu, (size_t)room * sizeof *grown);
    if (!grown)
        return false;
    for (int i = places.cpu_room; i < room; i++)
        grown[i] = 0;
    places.on_cpu = grown;
    places.cpu_room = room;
    return true;
}

void cores_place_measure(void)
{
    struct cores_key key = {(uintptr_t)cores_thread_self(), 0};
    struct measured_item *thread = cores.counts_lines ? cores_table_have(&places.threads, key) : NULL;
    if (!thread || !cpu_have(cores.cpu->index))
        return;
    thread->measured = !thread->measured;
    places.on_cpu[cores.cpu->index] += thread->measured ? 1 : -1;
    if (thread->measured)
        thread->begin_ps = cores.cpu->front_ps;
    else if (places.counts)
        places.measured_ps += cores.cpu->front_ps - thread->begin_ps;
}

void cores_place_count(bool counts)
{
    places.counts = counts;
}

/* A line that CPUs take from each other gets memory for the bytes that each of them uses. */
static void line_taken(uintptr_t address)
{
    struct line_item *line = cores_table_have(&places.lines, (struct cores_key){address, 0});
    if (!line || line->used || ++line->taken < SHARED_MISSES || places.shared == SHARED_LINES)
        return;
    places.shared++;
    line->used = calloc((size_t)cores.machine->cpus, sizeof *line->used);
}

void cores_place_note(uintptr_t pc, uintptr_t address, enum cores_access access, const struct cores_ask *ask,
                      const struct cores_miss *miss, uint64_t ps)
{
    if (!is_measured())
        return;
    struct cores_key key = {line_address(address), pc * CORES_ACCESSES + access};
    struct miss_item *item = cores_table_have(&places.misses, key);
    if (!item)
        return;
    item->misses++;
    item->transfers += miss->from == CORES_FROM_CPU;
    item->invalidations += miss->invalidated;
    item->wait_ps += miss->done_ps - ps;
    item->queued_ps += ask->start_ps - ps;
    if (miss->from == CORES_FROM_CPU || miss->invalidated)
        line_taken(key.a);
}

void cores_place_use_bytes(uintptr_t address, size_t bytes, bool writes)
{
    if (!is_measured() || cores.cpu->index >= cores.machine->cpus || !bytes)
        return;
    const struct line_item *line = cores_table_find(&places.lines, (struct cores_key){line_address(address), 0});
    if (!line || !line->used)
        return;
    size_t granule = (size_t)cores.machine->line_bytes / 64, first = (address - line->key.a) / granule;
    size_t last = (address - line->key.a + bytes - 1) / granule;
    uint64_t bits = (last >= 63 ? UINT64_MAX : (UINT64_C(1) << (last + 1)) - 1) & (UINT64_MAX << first);
    struct used *used = &line->used[cores.cpu->index];
    *(writes ? &used->written : &used->read) |= bits;
}

void cores_place_allocated(const void *block, size_t bytes, uintptr_t pc)
{
    struct block_item *item =
        cores.counts_lines && block ? cores_table_have(&places.blocks, (struct cores_key){(uintptr_t)block, 0}) : NULL;
    if (!item)
        return;
    item->pc = pc;
    item->bytes = bytes;
}

bool cores_place_allocation(uintptr_t block, uintptr_t *pc, size_t *bytes)
{
    const struct block_item *item = cores_table_find(&places.blocks, (struct cores_key){block, 0});
    *pc = item ? item->pc : 0;
    *bytes = item ? item->bytes : 0;
    return item;
}

uint64_t cores_place_measured_ps(void)
{
    return places.measured_ps;
}

/* The line's misses in the order of their addresses, and of one address in the order of their waiting time. */
static int compare_misses(const void *a, const void *b)
{
    const struct miss_item *x = *(const struct miss_item *const *)a, *y = *(const struct miss_item *const *)b;
    if (x->key.a != y->key.a)
        return x->key.a < y->key.a ? -1 : 1;
    if (x->wait_ps != y->wait_ps)
        return x->wait_ps > y->wait_ps ? -1 : 1;
    return (x->key.b > y->key.b) - (x->key.b < y->key.b);
}

static int compare_instructions(const void *a, const void *b)
{
    const struct miss_item *x = *(const struct miss_item *const *)a, *y = *(const struct miss_item *const *)b;
    if (x->key.b != y->key.b)
        return x->key.b < y->key.b ? -1 : 1;
    return (x->key.a > y->key.a) - (x->key.a < y->key.a);
}

static struct cores_site site_of(const struct miss_item *item)
{
    return (struct cores_site){item->key.b / CORES_ACCESSES,
                               (enum cores_access)(item->key.b % CORES_ACCESSES),
                               item->misses,
                               item->transfers,
                               item->invalidations,
                               item->wait_ps,
                               item->queued_ps};
}

/* Inserts a site into the list, which keeps those with the longest waiting time. */
static void site_insert(struct cores_hot_line *line, struct cores_site site)
{
    int i = line->site_count < CORES_SITES ? line->site_count++ : CORES_SITES;
    if (i == CORES_SITES && line->sites[--i].wait_ps >= site.wait_ps)
        return;
    for (; i > 0 && line->sites[i - 1].wait_ps < site.wait_ps; i--)
        line->sites[i] = line->sites[i - 1];
    line->sites[i] = site;
}

static void line_add(struct cores_hot_line *line, const struct miss_item *item)
{
    line->misses += item->misses;
    line->transfers += item->transfers;
    line->invalidations += item->invalidations;
    line->wait_ps += item->wait_ps;
    line->queued_ps += item->queued_ps;
}

/* How the CPUs use one 64th of a line. */
static struct cores_span span_at(const struct used *used, int bit)
{
    struct cores_span span = {0};
    for (int cpu = 0; cpu < cores.machine->cpus; cpu++) {
        bool reads = used[cpu].read >> bit & 1, writes = used[cpu].written >> bit & 1;
        span.readers += reads;
        span.writers += writes;
        span.users += reads || writes;
        span.set = (span.set << 1 | span.set >> 63) * UINT64_C(0x9e3779b97f4a7c15) + 2 * reads + writes;
    }
    return span;
}

static void span_append(struct cores_hot_line *line, struct cores_span span)
{
    struct cores_span *before = line->span_count ? &line->spans[line->span_count - 1] : NULL;
    if (before && before->last + 1 == span.first && before->set == span.set)
        before->last = span.last;
    else if (line->span_count < CORES_SPANS)
        line->spans[line->span_count++] = span;
}

/* Notes which bytes of the line are used by how many CPUs. */
static void spans_fill(struct cores_hot_line *line)
{
    const struct line_item *item = cores_table_find(&places.lines, (struct cores_key){line->address, 0});
    bool written = false, shared = false;
    if (!item || !item->used)
        return;
    for (int cpu = 0; cpu < cores.machine->cpus; cpu++)
        line->cpus += (item->used[cpu].read | item->used[cpu].written) != 0;
    for (int bit = 0, granule = cores.machine->line_bytes / 64; bit < 64; bit++) {
        struct cores_span span = span_at(item->used, bit);
        span.first = bit * granule;
        span.last = span.first + granule - 1;
        written |= span.writers > 0;
        shared |= span.writers > 0 && span.users > 1;
        if (span.users)
            span_append(line, span);
    }
    line->false_sharing = line->cpus > 1 && written && !shared;
}

/* Inserts a line into the sorted list, of which at most `most` remain. Returns their number. */
static int hot_insert(struct cores_hot_line *lines, int count, int most, const struct cores_hot_line *line)
{
    int i = count < most ? count++ : most;
    if (i == most && lines[--i].wait_ps >= line->wait_ps)
        return count;
    for (; i > 0 && lines[i - 1].wait_ps < line->wait_ps; i--)
        lines[i] = lines[i - 1];
    lines[i] = *line;
    return count;
}

/* Sums the items, which are sorted by address, for each line. */
static int lines_sum(struct miss_item *const *items, size_t count, struct cores_hot_line *lines, int most)
{
    int found = 0;
    for (size_t at = 0; at < count;) {
        struct cores_hot_line line = {.address = items[at]->key.a};
        for (; at < count && items[at]->key.a == line.address; at++) {
            line_add(&line, items[at]);
            site_insert(&line, site_of(items[at]));
        }
        found = hot_insert(lines, found, most, &line);
    }
    for (int i = 0; i < found; i++)
        spans_fill(&lines[i]);
    return found;
}

/* Sums the items, which are sorted by instruction, over all lines. */
static void sites_sum(struct miss_item *const *items, size_t count, struct cores_hot_line *all)
{
    for (size_t at = 0; at < count;) {
        struct cores_hot_line one = {0};
        struct cores_site site = site_of(items[at]);
        for (uintptr_t instruction = items[at]->key.b; at < count && items[at]->key.b == instruction; at++)
            line_add(&one, items[at]);
        line_add(all,
                 &(struct miss_item){{0}, one.misses, one.transfers, one.invalidations, one.wait_ps, one.queued_ps});
        site_insert(all, (struct cores_site){site.pc, site.access, one.misses, one.transfers, one.invalidations,
                                             one.wait_ps, one.queued_ps});
    }
}

int cores_place_costliest(int most, struct cores_hot_line **lines, struct cores_hot_line *all, struct ordo_error *error)
{
    struct miss_item **items = calloc(places.misses.count + 1, sizeof *items);
    size_t count = 0;
    *lines = calloc((size_t)most, sizeof **lines);
    if (!items || !*lines) {
        free(items);
        return ordo_error_errno(error, "a list of %zu misses", places.misses.count);
    }
    for (size_t at = 0; at < places.misses.room; at++)
        if (cores_table_at(&places.misses, at))
            items[count++] = cores_table_at(&places.misses, at);
    *all = (struct cores_hot_line){0};
    qsort(items, count, sizeof *items, compare_instructions);
    sites_sum(items, count, all);
    qsort(items, count, sizeof *items, compare_misses);
    int found = lines_sum(items, count, *lines, most);
    free(items);
    return found;
}
