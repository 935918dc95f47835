/* A directed graph, and the search for a short cycle in it. */
#ifndef ORDO_CC_HISTORY_GRAPH_H
#define ORDO_CC_HISTORY_GRAPH_H

#include <stddef.h>
#include <stdint.h>

/** The reason why one transaction comes before another. */
enum history_reason { HISTORY_WR, HISTORY_WW, HISTORY_RW, HISTORY_MISSED, HISTORY_TIME };

struct history_edge {
    uint32_t from, to;
    uint32_t reason;
    uint32_t table;
    uint64_t key;
};

struct history_graph {
    struct history_edge *edges;
    size_t count, capacity;
    size_t limit; /* largest number of edges */
};

/** Adds an edge. Returns 0, or ORDO_E_SYSTEM if out of memory or beyond the limit. */
int history_graph_add(struct history_graph *graph, struct history_edge edge);

/** Finds a short cycle: the shortest of the graph, unless very many nodes are on cycles; in any case the shortest
 * through one of its nodes. Sorts the edges. `*cycle` gets the cycle's edges in order, an array that the caller frees;
 * `*length` gets their number, or 0 if there is no cycle. Returns 0 or ORDO_E_SYSTEM. */
int history_graph_cycle(struct history_graph *graph, uint32_t nodes, struct history_edge **cycle, size_t *length);

#endif
