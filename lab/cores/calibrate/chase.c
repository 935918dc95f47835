/* Loads whose addresses come from loads: latency of each cache, and the number of loads that miss at the same time. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/random.h"
#include "base/time.h"
#include "lab/cores/calibrate/measure.h"

#define LARGE_PAGE ((size_t)2 << 20)
#define BIG ((size_t)256 << 20)

enum { CHAINS = 32, LOADS = 16384, STORES = 16384 };

struct walk {
    char *memory, *map; /* [bytes], aligned; the mapping that holds it */
    size_t bytes, step;
};

static void **line_at(const struct walk *walk, size_t index)
{
    return (void **)(void *)(walk->memory + index * walk->step);
}

/* Links all lines to one random ring (Sattolo). */
static int link_lines(const struct walk *walk)
{
    size_t count = walk->bytes / walk->step;
    uint32_t *order = malloc(count * sizeof *order);
    uint64_t random = 1;
    if (!order)
        return -1;
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = count - 1; i > 0; i--) {
        size_t other = (ordo_random_next(&random) >> 16) % i;
        uint32_t value = order[i];
        order[i] = order[other];
        order[other] = value;
    }
    for (size_t i = 0; i < count; i++)
        *line_at(walk, order[i]) = line_at(walk, order[(i + 1) % count]);
    free(order);
    return 0;
}

static int open_walk(struct walk *walk, size_t bytes, int line_bytes, struct ordo_error *error)
{
    *walk = (struct walk){.bytes = bytes, .step = (size_t)line_bytes};
    walk->map = mmap(NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (walk->map == MAP_FAILED)
        return ordo_error_errno(error, "%zu bytes to measure the caches", bytes);
    walk->memory = walk->map + (LARGE_PAGE - (uintptr_t)walk->map % LARGE_PAGE) % LARGE_PAGE;
    (void)madvise(walk->memory, bytes, MADV_HUGEPAGE);
    if (link_lines(walk)) {
        (void)munmap(walk->map, bytes + LARGE_PAGE);
        return ordo_error_errno(error, "the order of %zu bytes", bytes);
    }
    return ORDO_OK;
}

static void close_walk(const struct walk *walk)
{
    (void)munmap(walk->map, walk->bytes + LARGE_PAGE);
}

/* Returns the time of a load while `count` chains are followed in turn. */
static double chains_ns(void **at, int count)
{
    int64_t start_ns = ordo_raw_ns();
    for (int i = 0; i < LOADS / count; i++)
        for (int chain = 0; chain < count; chain++)
            at[chain] = *(void **)at[chain];
    double ns = (double)(ordo_raw_ns() - start_ns) / LOADS;
    for (int chain = 0; chain < count; chain++)
        __asm__ volatile("" : : "r"(at[chain]) : "memory");
    return ns;
}

/* The same for one chain, whose loop would cost as much as a load from L1. */
static double chain_ns(void **at)
{
    void *next = *at;
    int64_t start_ns = ordo_raw_ns();
    for (int i = 0; i < LOADS; i += 8)
        next = *(void **)*(void **)*(void **)*(void **)*(void **)*(void **)*(void **)*(void **)next;
    __asm__ volatile("" : : "r"(next) : "memory");
    *at = next;
    return (double)(ordo_raw_ns() - start_ns) / LOADS;
}

/* Follows the chains while the thread keeps its CPU. A ring that fits into a cache is followed once before, because
 * other programs may have evicted its lines. */
static double undisturbed_ns(const struct walk *walk, void **at, int count)
{
    double ns = 0;
    for (int i = 0; i < CORES_CALIBRATE_TRIES; i++) {
        for (size_t load = 0; walk->bytes < BIG && load < walk->bytes / walk->step; load += LOADS)
            (void)chain_ns(at);
        long losses = cores_calibrate_losses();
        ns = count == 1 ? chain_ns(at) : chains_ns(at, count);
        if (losses == cores_calibrate_losses())
            break;
    }
    return ns;
}

static struct cores_calibrate_interval measure_walk(const struct walk *walk, int count)
{
    void *at[CHAINS];
    double rounds[CORES_CALIBRATE_ROUNDS];
    for (int i = 0; i < count; i++)
        at[i] = line_at(walk, walk->bytes / walk->step / (size_t)count * (size_t)i);
    for (int r = 0; r < CORES_CALIBRATE_ROUNDS; r++)
        rounds[r] = undisturbed_ns(walk, at, count);
    return cores_calibrate_interval_of(rounds);
}

/* Stores to lines that are in no cache, each in another page's part of the memory. */
static struct cores_calibrate_interval measure_stores(const struct walk *walk)
{
    double rounds[CORES_CALIBRATE_ROUNDS];
    size_t lines = walk->bytes / walk->step;
    uint64_t random = 1;
    for (int r = 0; r < CORES_CALIBRATE_ROUNDS; r++) {
        int64_t start_ns = ordo_raw_ns();
        for (int i = 0; i < STORES; i++)
            line_at(walk, (ordo_random_next(&random) >> 16) % lines)[1] = NULL;
        rounds[r] = (double)(ordo_raw_ns() - start_ns) / STORES;
    }
    return cores_calibrate_interval_of(rounds);
}

static int measure_level(struct cores_calibrate_machine *machine, enum cores_calibrate_value value, size_t bytes,
                         struct ordo_error *error)
{
    struct walk walk;
    int failed = open_walk(&walk, bytes, machine->line_bytes, error);
    if (failed)
        return failed;
    machine->ns[value] = measure_walk(&walk, 1);
    if (value == CORES_CALIBRATE_MEMORY) {
        machine->ns[CORES_CALIBRATE_CHAINS] = measure_walk(&walk, CHAINS);
        machine->ns[CORES_CALIBRATE_STORE_MISS] = measure_stores(&walk);
    }
    close_walk(&walk);
    return ORDO_OK;
}

int cores_calibrate_chase(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    int failed = measure_level(machine, CORES_CALIBRATE_L1, machine->l1_bytes / 2, error);
    if (!failed)
        failed = measure_level(machine, CORES_CALIBRATE_L2, machine->l2_bytes / 4, error);
    if (!failed && machine->l3_bytes)
        failed = measure_level(machine, CORES_CALIBRATE_L3, 4 * machine->l2_bytes, error);
    return failed ? failed : measure_level(machine, CORES_CALIBRATE_MEMORY, BIG, error);
}
