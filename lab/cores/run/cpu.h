/* One simulated CPU, and the time that its instructions take.
 *
 * The model of a core that executes out of order is small: `front_ps` is the time at which the next instruction enters
 * the core; a load begins then, or when its address is known, whichever is later; the front may be ahead of the latest
 * value by at most the reorder buffer. A mispredicted branch waits for all values, because its condition may have
 * passed through memory, where dependences are not followed. An atomic operation delays later accesses, but not the
 * instructions between them.
 *
 * The address of an access is known when the register of the hook's argument is (lab/cores/code/depend.h). Values also
 * pass through memory, and through functions without hooks: an address near one of the last loaded values waits for
 * this value, too. Each rule misses dependences that the other one sees, so the later time is taken. */
#ifndef ORDO_LAB_CORES_CPU_H
#define ORDO_LAB_CORES_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/cores/cache/cache.h"
#include "lab/cores/cache/tlb.h"
#include "lab/cores/code/code.h"

enum {
    CORES_RECENT = 8,   /* loaded values that may be the base of the next addresses */
    CORES_NEAR = 1024,  /* bytes behind a loaded value within which an address was computed from it */
    CORES_MISSES = 64,  /* power of two, at least the largest overlap */
    CORES_FILLS = 64,   /* power of two: lines whose data may be under way */
    CORES_STORES = 256, /* power of two, at least the largest number of store entries */
    CORES_REORDER = 224 /* instructions that are in a core at once (Zen 3: 256, Skylake: 224, Neoverse N1: 128) */
};

struct cores_thread;

/* A line on its way to the CPU, and the time at which its data arrive. */
struct cores_fill {
    uintptr_t line;
    uint64_t ready_ps;
};

struct cores_cpu {
    int index;       /* machine's number; >= the machine's CPUs: a floating CPU */
    int place;       /* the CPU whose caches it uses: its own, or CPU 0 if it floats */
    uint64_t key_ps; /* time at which it acts next, while it waits for its turn */
    uint64_t front_ps, loads_ps, stores_ps;
    uint64_t barrier_ps; /* end of the last atomic operation or fence: no later access begins before it */
    uint64_t release_ps; /* end of the accesses before the last release fence: no later store is visible before it */
    struct {
        uintptr_t value;
        uint64_t ready_ps;
    } recent[CORES_RECENT];
    uintptr_t pc;                    /* of the access that it does */
    uint64_t block_ps;               /* time at which its block began */
    uint64_t address_ps;             /* time at which the address of its access is known */
    uint64_t known_ps[CORES_VALUES]; /* times of values; lab/cores/code/depend.h */
    unsigned loaded, missed, stored; /* numbers of loads, misses, stores so far */
    uint64_t miss_ps[CORES_MISSES], store_ps[CORES_STORES];
    struct cores_fill fills[CORES_FILLS]; /* by line */
    struct cores_predictor *predictor;
    struct cores_thread *current, *ready, **ready_end; /* ready: first in, first out */
    uint64_t slice_ps;                                 /* time at which `current` got the CPU */
    uint64_t stall_at_ps;                              /* time of the next stall */
    uint64_t random;
    int64_t skew_ticks, rate_ppb;
    struct cores_store *pending; /* stores of atomics that are not yet visible; buffer.h */
};

/* The state that every hook needs. */
struct cores_state {
    struct cores_cpu *cpu; /* the running CPU; NULL: nothing is simulated now */
    uint64_t horizon_ps;   /* key of the CPU that is furthest behind, of those that wait for their turn */
    uint64_t slack_ps;
    uint64_t visible_ps; /* time at which the next buffered store of any CPU becomes visible */
    uint64_t instruction_ps, reorder_ps;
    uint64_t stall_ps, stall_each_ps; /* options of the run */
    int overlap;
    bool counts_lines;
    const struct cores_machine *machine;
    struct cores_caches *caches;
    struct cores_tlb tlb;
    struct cores_code *code;
};
extern struct cores_state cores;

/* What a program does on the running CPU. `size` is in bytes. */
void cores_block(uintptr_t pc);

/** Begin and end the work of the hook that returns to `pc`. */
void cores_hook_begin(uintptr_t pc);
void cores_hook_end(uintptr_t pc);

/** A hook has the result of an atomic operation in the register of a function's result. */
static inline void cores_hook_result(struct cores_cpu *cpu)
{
    cpu->known_ps[CORES_VALUE_RESULT] = cpu->known_ps[CORES_VALUE_LOADED];
}

void cores_load(uintptr_t address, unsigned size);
void cores_load_plain(uintptr_t address, unsigned size);
void cores_store_plain(uintptr_t address, unsigned size);
void cores_range(uintptr_t address, size_t bytes, enum cores_access access);
void cores_prefetch(uintptr_t address, enum cores_access access);

/** An atomic read-modify-write: waits for the line. The caller does it on the value afterwards. */
void cores_update(uintptr_t address, unsigned size, bool releases);

/** The time at which an atomic store becomes visible. */
uint64_t cores_store_atomic(uintptr_t address, unsigned size, bool releases);
void cores_fence(void);

/** Orders earlier loads and stores before later stores, without waiting: a release fence. */
void cores_fence_release(void);

/** Makes the stores of all CPUs visible, as interrupts of all of them do: membarrier(2). Floating CPUs, which stand for
 * threads that are pinned nowhere, lose no time. */
void cores_fence_all(void);

/** Time passes on the running CPU. */
void cores_spend(uint64_t ps);

/** Waits for earlier loads, or for earlier loads and stores. */
void cores_drain(bool stores);

#endif
