/* A file that describes a machine whose clocks disagree: the difference between each CPU's clock and the real counter,
 * and the time of each change.
 *
 * Programs that are compiled with skewed_cpus.h map the file ($ORDO_SKEW_FILE) and read it at every reading of the
 * clock. `skew-machine` may change the file at any moment. Each change states the tick of the real counter at which it
 * happens. It can therefore be written in advance and take effect in the middle of a message; no program needs to run
 * at that moment. */
#ifndef ORDO_TESTS_SKEWED_H
#define ORDO_TESTS_SKEWED_H

#include <stdint.h>

enum { SKEWED_CPUS = 4096, SKEWED_CHANGES = 3 };

/* From the tick `from` on, the clock is ahead by `ticks` more, and gains `ppb` more ns a second. `from` 0: no
 * change. */
struct skewed_change {
    uint64_t from;
    int64_t ticks, ppb;
};

/* `version` is odd during a write, and otherwise even. */
struct skewed_cpu {
    uint64_t version __attribute__((aligned(128)));
    struct skewed_change changes[SKEWED_CHANGES];
};

struct skewed_machine {
    struct skewed_cpu cpus[SKEWED_CPUS];
};

/* Returns by how much the clock of a CPU is ahead when the real counter shows `now`, from its changes. */
static inline int64_t skewed_sum(const struct skewed_change *changes, uint64_t now)
{
    int64_t sum = 0;
    for (int i = 0; i < SKEWED_CHANGES; i++) {
        int64_t since = (int64_t)(now - changes[i].from);
        if (changes[i].from == 0 || since < 0)
            continue;
        sum += changes[i].ticks;
        if (changes[i].ppb != 0)
            sum += (int64_t)((double)since * (double)changes[i].ppb * 1e-9);
    }
    return sum;
}

/* Returns by how much the clock of a CPU is ahead, from the file, which may change during the call. */
static inline int64_t skewed_ahead(const struct skewed_machine *machine, unsigned cpu, uint64_t now)
{
    const struct skewed_cpu *one = &machine->cpus[cpu % SKEWED_CPUS];
    struct skewed_change changes[SKEWED_CHANGES];
    uint64_t before, after;
    do {
        /* Acquire, pairs with skewed_set: the changes are of this version or of a later one. */
        before = __atomic_load_n(&one->version, __ATOMIC_ACQUIRE);
        for (int i = 0; i < SKEWED_CHANGES; i++) {
            changes[i].from = __atomic_load_n(&one->changes[i].from, __ATOMIC_ACQUIRE);
            changes[i].ticks = __atomic_load_n(&one->changes[i].ticks, __ATOMIC_ACQUIRE);
            changes[i].ppb = __atomic_load_n(&one->changes[i].ppb, __ATOMIC_ACQUIRE);
        }
        /* Relaxed, after acquiring loads: if the version has not changed, all changes are of this version. */
        after = __atomic_load_n(&one->version, __ATOMIC_RELAXED);
    } while (before != after || before & 1);
    return skewed_sum(changes, now);
}

/* Replaces the changes of a CPU. One writer at a time. */
static inline void skewed_set(struct skewed_machine *machine, unsigned cpu, const struct skewed_change *changes)
{
    struct skewed_cpu *one = &machine->cpus[cpu % SKEWED_CPUS];
    uint64_t version = one->version;
    __atomic_store_n(&one->version, version + 1, __ATOMIC_RELAXED);
    for (int i = 0; i < SKEWED_CHANGES; i++) {
        /* Release, pairs with skewed_ahead: a reader that sees a change sees the odd version. */
        __atomic_store_n(&one->changes[i].from, changes[i].from, __ATOMIC_RELEASE);
        __atomic_store_n(&one->changes[i].ticks, changes[i].ticks, __ATOMIC_RELEASE);
        __atomic_store_n(&one->changes[i].ppb, changes[i].ppb, __ATOMIC_RELEASE);
    }
    /* Release, pairs with skewed_ahead: the changes are visible. */
    __atomic_store_n(&one->version, version + 2, __ATOMIC_RELEASE);
}

#endif
