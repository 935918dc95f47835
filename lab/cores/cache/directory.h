/* The directory: which cores and which L3 caches have a line, and until when the line is busy. Pages of 4 KiB are
 * numbered by first touch, and a line by its page and its place there; a table of two levels finds the number. */
#ifndef ORDO_LAB_CORES_CACHE_DIRECTORY_H
#define ORDO_LAB_CORES_CACHE_DIRECTORY_H

#include "lab/cores/cache/sharers.h"

/* What one core, the owner, has to do for the line. */
enum cores_duty {
    CORES_DUTY_NONE,
    CORES_DUTY_EXCLUSIVE, /* it has the only copy, exclusive or modified: its tag knows which */
    CORES_DUTY_OWNED,     /* MOESI: memory is old, and the owner sends the line to readers */
    CORES_DUTY_FORWARD    /* MESIF: the owner sends the line to readers */
};

enum { CORES_L3_NONE = -1, CORES_L3_SEVERAL = -2 };

struct cores_entry {
    uint64_t busy_ps;  /* the time until which the line is busy */
    uint64_t taken_ps; /* the time at which the last requester in the queue has the line */
    uint64_t wait_ps, queued_ps;
    uint32_t misses, transfers, invalidations, writebacks;
    uint32_t version;             /* counts exclusive copies: each makes the line's tags in the L3 caches invalid */
    struct cores_sharers sharers; /* with the owner */
    int16_t owner;                /* a core; -1 */
    int16_t asker;                /* the core whose request was queued last; -1 */
    int16_t l3, l3_modified; /* the cluster whose L3 has a copy of this version; whose copy is newer than memory's */
    bool asks_read;          /* the last request in the queue is a read */
    uint8_t duty;            /* of the owner: enum cores_duty */
};

struct cores_chunk;

struct cores_directory {
    uint32_t **map;             /* by the upper half of a page's number: tables by the lower half */
    struct cores_chunk **chunk; /* the entries, by number of page */
    size_t room;
    uint32_t pages; /* numbers start at 1 */
    int line_bits;
};

/** 0: opened; ORDO_E_SYSTEM: out of memory. */
int cores_directory_open(struct cores_directory *directory, int line_bytes);
void cores_directory_close(struct cores_directory *directory);

/** Returns the number of the line `line` (its address over the size of a line), at least 1. A new page belongs to the
 * node `node`. 0: out of memory. */
uint32_t cores_directory_find(struct cores_directory *directory, uint64_t line, int node);

/** The entry of a number, the node of its page's memory, and its line. */
struct cores_entry *cores_directory_entry(const struct cores_directory *directory, uint32_t number);
int cores_directory_node(const struct cores_directory *directory, uint32_t number);
uint64_t cores_directory_line(const struct cores_directory *directory, uint32_t number);

/** Returns the first number behind the last line. Numbers begin with the returned value of cores_directory_first. */
uint32_t cores_directory_first(const struct cores_directory *directory);
uint32_t cores_directory_end(const struct cores_directory *directory);

#endif
