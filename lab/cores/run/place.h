/* The places in the program that wait for cache lines, in the measured part of a run: between the two reads of the
 * clock of a thread's CPU time that ordo-bench does around a worker's operations. */
#ifndef ORDO_LAB_CORES_PLACE_H
#define ORDO_LAB_CORES_PLACE_H

#include "lab/cores/run/cpu.h"

/** Notes that the instruction whose hook returns to `pc` asked for a line at `ps`. */
void cores_place_note(uintptr_t pc, uintptr_t address, enum cores_access access, const struct cores_ask *ask,
                      const struct cores_miss *miss, uint64_t ps);

/** Notes which bytes of a line the running CPU uses, if the line is one that CPUs take from each other. */
void cores_place_use_bytes(uintptr_t address, size_t bytes, bool writes);

static inline void cores_place_use(uintptr_t address, size_t bytes, bool writes)
{
    if (__builtin_expect(cores.counts_lines, 0))
        cores_place_use_bytes(address, bytes, writes);
}

/** Notes the instruction that allocated a block. */
void cores_place_allocated(const void *block, size_t bytes, uintptr_t pc);

/** The running thread reads its CPU time: its measured part begins or ends. */
void cores_place_measure(void);

/** Counts from now on, or does not. */
void cores_place_count(bool counts);

enum { CORES_SPANS = 32, CORES_SITES = 12 };

/* Adjacent bytes of a line that are used alike. */
struct cores_span {
    int first, last;             /* offsets in the line */
    int readers, writers, users; /* numbers of CPUs */
    uint64_t set;                /* equal if the same CPUs read and write */
};

/* An instruction of the program. */
struct cores_site {
    uintptr_t pc;
    enum cores_access access;
    uint64_t misses, transfers, invalidations, wait_ps, queued_ps;
};

/* A line, or all lines: then `address` is 0. */
struct cores_hot_line {
    uintptr_t address;
    uint64_t misses, transfers, invalidations, wait_ps, queued_ps;
    int cpus;           /* that use it; 0: not known, because CPUs hardly take it from each other */
    bool false_sharing; /* several CPUs use it, and no CPU uses a byte that another one writes */
    struct cores_span spans[CORES_SPANS];
    int span_count;
    struct cores_site sites[CORES_SITES]; /* by wait_ps, largest first */
    int site_count;
};

/** Returns the `most` lines with the largest wait_ps, largest first, and their number, or a negative code. `*all`
 * becomes the sum over all lines. The caller frees `*lines`. */
int cores_place_costliest(int most, struct cores_hot_line **lines, struct cores_hot_line *all,
                          struct ordo_error *error);

/** The time that all threads together spent in their measured parts. */
uint64_t cores_place_measured_ps(void);

/** The instruction that allocated the block last, and the bytes that it asked for; false if it is not known. */
bool cores_place_allocation(uintptr_t block, uintptr_t *pc, size_t *bytes);

#endif
