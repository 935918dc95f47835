/* Loads whose addresses come from loads: latency and size of each cache, and the number of loads that miss at the same
 * time. */
#include <math.h>

#include "base/random.h"
#include "base/time.h"
#include "lab/cores/calibrate/walk.h"

#define BIG ((size_t)256 << 20)

enum { STORES = 16384 };

/* Stores to lines that are in no cache, each in another page's part of the memory. */
static struct cores_calibrate_interval measure_stores(const struct cores_walk *walk)
{
    double rounds[CORES_CALIBRATE_ROUNDS];
    size_t lines = walk->bytes / walk->step;
    uint64_t random = 1;
    for (int r = 0; r < CORES_CALIBRATE_ROUNDS; r++) {
        int64_t start_ns = ordo_raw_ns();
        for (int i = 0; i < STORES; i++)
            cores_walk_at(walk, (ordo_random_next(&random) >> 16) % lines)[1] = NULL;
        rounds[r] = (double)(ordo_raw_ns() - start_ns) / STORES;
    }
    return cores_calibrate_interval_of(rounds);
}

static int measure_level(struct cores_calibrate_machine *machine, enum cores_calibrate_value value, size_t bytes,
                         struct ordo_error *error)
{
    struct cores_walk walk;
    bool cached = value != CORES_CALIBRATE_MEMORY;
    int failed = cores_walk_open(&walk, bytes, (size_t)machine->line_bytes, true, error);
    if (failed)
        return failed;
    machine->ns[value] = cores_walk_measure(&walk, 1, cached);
    if (!cached) {
        machine->ns[CORES_CALIBRATE_CHAINS] = cores_walk_measure(&walk, CORES_CALIBRATE_CHAINS_MOST, false);
        machine->ns[CORES_CALIBRATE_STORE_MISS] = measure_stores(&walk);
    }
    cores_walk_close(&walk);
    return ORDO_OK;
}

/* Finds the size of the L3 that this machine may use: a host may give its guest a part, and other guests use the rest. It
 * is the largest size at which a load takes less than the geometric mean of L3 and memory. If these two hardly differ,
 * the kernel's size stays. */
static int measure_share(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    double l3_ns = machine->ns[CORES_CALIBRATE_L3].median, memory_ns = machine->ns[CORES_CALIBRATE_MEMORY].median;
    double most_ns = sqrt(l3_ns * memory_ns);
    uint64_t share = 3 * machine->l2_bytes, bytes = share;
    if (memory_ns < 1.5 * l3_ns)
        return ORDO_OK;
    while (bytes < machine->l3_bytes) {
        struct cores_walk walk;
        bytes = bytes * 4 / 3;
        int failed = cores_walk_open(&walk, bytes, (size_t)machine->line_bytes, true, error);
        if (failed)
            return failed;
        double ns = cores_walk_measure(&walk, 1, true).median;
        cores_walk_close(&walk);
        if (ns > most_ns)
            break;
        share = bytes < machine->l3_bytes ? bytes : machine->l3_bytes;
    }
    machine->l3_bytes = machine->l3_bytes < share ? machine->l3_bytes : share;
    return ORDO_OK;
}

int cores_calibrate_chase(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    int failed = measure_level(machine, CORES_CALIBRATE_L1, machine->l1_bytes / 2, error);
    if (!failed)
        failed = measure_level(machine, CORES_CALIBRATE_L2, machine->l2_bytes / 4, error);
    if (!failed && machine->l3_bytes)
        failed = measure_level(machine, CORES_CALIBRATE_L3, 3 * machine->l2_bytes, error);
    if (!failed)
        failed = measure_level(machine, CORES_CALIBRATE_MEMORY, BIG, error);
    return failed || !machine->l3_bytes ? failed : measure_share(machine, error);
}
