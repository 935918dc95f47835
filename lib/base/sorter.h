/* Sorts records that are too many for memory: runs of them are sorted in memory and written to a spool, and the runs
 * are merged. Records with equal keys keep their order. */
#ifndef ORDO_BASE_SORTER_H
#define ORDO_BASE_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The order of records: first by group, then by time. */
struct ordo_sorter_key {
    uint64_t group;
    int64_t time;
};

/** A record. `bytes` are valid until the next call. */
struct ordo_sorted {
    struct ordo_sorter_key key;
    const void *bytes;
    size_t count;
};

struct ordo_sorter;

/** Returns a sorter whose runs have at most `run_bytes` bytes in memory; NULL if out of memory. */
struct ordo_sorter *ordo_sorter_create(size_t run_bytes);
void ordo_sorter_free(struct ordo_sorter *sorter);

/** Adds a copy of a record of at most 2^20 bytes. Returns 0, or -1 with errno. */
int ordo_sorter_add(struct ordo_sorter *sorter, struct ordo_sorter_key key, const void *bytes, size_t count);

/** Ends the adding; call it once. Returns 0, or -1 with errno. */
int ordo_sorter_start(struct ordo_sorter *sorter);

/** Finds the next record in order. Returns 1, or 0 at the end, or -1 with errno. */
int ordo_sorter_next(struct ordo_sorter *sorter, struct ordo_sorted *sorted);

#endif
