/* Lanes for asynchronous events (phases b and e; formerly S and F). Their ends are connected by an id and not by a
 * thread, and several are open at a time. Each open id has a lane of its own, which is free again when the last begin of
 * the id has its end. Memory grows with the number of open ids. */
#ifndef ORDO_TRACE_CHROME_LANES_H
#define ORDO_TRACE_CHROME_LANES_H

#include "trace/event/event.h"

struct ordo_lanes_open {
    char *key; /* NULL: the slot is free */
    size_t length;
    uint32_t lane, depth;
    uint64_t row; /* of the first begin */
};

struct ordo_lanes {
    struct ordo_lanes_open *slots; /* hash table of `size` slots, a power of two */
    size_t size, used;
    uint32_t *free; /* `free_count` lanes that are free; `count` lanes were ever in use */
    uint32_t free_count, free_room, count;
};

/** Takes a begin of an id, and sets its lane. Returns 0; -1 if out of memory. */
int ordo_lanes_begin(struct ordo_lanes *lanes, struct ordo_text key, uint64_t row, uint32_t *lane);

/** Takes an end of an id, and sets its lane. Returns false if the id has no begin. */
bool ordo_lanes_end(struct ordo_lanes *lanes, struct ordo_text key, uint32_t *lane);

void ordo_lanes_free(struct ordo_lanes *lanes);

#endif
