#include "lab/cores/calibrate/walk.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/random.h"
#include "base/time.h"

#define LARGE_PAGE ((size_t)2 << 20)

enum { LOADS = 16384 };

void **cores_walk_at(const struct cores_walk *walk, size_t index)
{
    return (void **)(void *)(walk->memory + index * walk->step);
}

/* Links all pointers to one random ring (Sattolo). */
static int link_ring(const struct cores_walk *walk)
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
        *cores_walk_at(walk, order[i]) = cores_walk_at(walk, order[(i + 1) % count]);
    free(order);
    return 0;
}

int cores_walk_open(struct cores_walk *walk, size_t bytes, size_t step, bool large, struct ordo_error *error)
{
    *walk = (struct cores_walk){.bytes = bytes, .step = step};
    walk->map = mmap(NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (walk->map == MAP_FAILED)
        return ordo_error_errno(error, "%zu bytes to measure the caches", bytes);
    walk->memory = walk->map + (LARGE_PAGE - (uintptr_t)walk->map % LARGE_PAGE) % LARGE_PAGE;
    (void)madvise(walk->memory, bytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    if (link_ring(walk)) {
        (void)munmap(walk->map, bytes + LARGE_PAGE);
        return ordo_error_errno(error, "the order of %zu bytes", bytes);
    }
    return ORDO_OK;
}

void cores_walk_close(const struct cores_walk *walk)
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

/* Follows the chains while the thread keeps its CPU. */
static double undisturbed_ns(const struct cores_walk *walk, void **at, int count, bool whole)
{
    double ns = 0;
    for (int i = 0; i < CORES_CALIBRATE_TRIES; i++) {
        for (size_t load = 0; whole && load < walk->bytes / walk->step; load += LOADS)
            (void)chain_ns(at);
        long losses = cores_calibrate_losses();
        ns = count == 1 ? chain_ns(at) : chains_ns(at, count);
        if (losses == cores_calibrate_losses())
            break;
    }
    return ns;
}

struct cores_calibrate_interval cores_walk_measure(const struct cores_walk *walk, int count, bool whole)
{
    void *at[CORES_CALIBRATE_CHAINS_MOST];
    double rounds[CORES_CALIBRATE_ROUNDS];
    for (int i = 0; i < count; i++)
        at[i] = cores_walk_at(walk, walk->bytes / walk->step / (size_t)count * (size_t)i);
    for (int r = 0; r < CORES_CALIBRATE_ROUNDS; r++)
        rounds[r] = undisturbed_ns(walk, at, count, whole);
    return cores_calibrate_interval_of(rounds);
}
