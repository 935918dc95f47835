/* First, all nodes that are on no cycle are removed, so that the strongly connected components of several nodes remain
 * (R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Computing 1972; without recursion). Then
 * breadth-first searches from some of the remaining nodes look for the shortest path back to their start. The first
 * such search always finds a path. */
#include "cc/history/graph.h"

#include <ordo/error.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 256 }; /* limit of further searches after a cycle was found */

int history_graph_add(struct history_graph *graph, struct history_edge edge)
{
    if (graph->count >= graph->limit)
        return ORDO_E_SYSTEM;
    if (graph->count == graph->capacity) {
        size_t wider = graph->capacity ? 2 * graph->capacity : 4096;
        struct history_edge *edges = realloc(graph->edges, wider * sizeof *edges);
        if (!edges)
            return ORDO_E_SYSTEM;
        graph->edges = edges;
        graph->capacity = wider;
    }
    graph->edges[graph->count++] = edge;
    return ORDO_OK;
}

struct search {
    const struct history_edge *edges; /* sorted by origin */
    size_t *first;                    /* [nodes + 1]: index of the first edge of a node */
    uint32_t nodes;
    uint32_t *cyclic; /* true if the node is on a cycle; during walk_nodes, the node from which it was reached */
    uint32_t *queue;
    size_t *by;      /* the edge by which a node was reached */
    uint32_t *depth; /* distance from the start of the present search */
    uint32_t *mark;  /* number of the search that reached the node last */
};

/* Sorts the edges by their origins (counting sort). */
static int sort_edges(struct history_graph *graph, size_t *first, uint32_t nodes)
{
    struct history_edge *sorted = malloc((graph->count + 1) * sizeof *sorted);
    if (!sorted)
        return ORDO_E_SYSTEM;
    for (size_t i = 0; i < graph->count; i++)
        first[graph->edges[i].from + 1]++;
    for (uint32_t node = 0; node < nodes; node++)
        first[node + 1] += first[node];
    for (size_t i = graph->count; i-- > 0;) /* first[from + 1] is the end of the node's edges: fill them from the end */
        sorted[--first[graph->edges[i].from + 1]] = graph->edges[i];
    /* Now first[node + 1] is where the edges of `node` begin. */
    memmove(first, first + 1, nodes * sizeof *first);
    first[nodes] = graph->count;
    free(graph->edges);
    graph->edges = sorted;
    graph->capacity = graph->count + 1;
    return ORDO_OK;
}

/* Takes a finished component from the stack. Its nodes are on cycles if it has several. Returns the number of nodes on
 * cycles: the size of the component, or 0 if it has one node. */
static uint32_t close_component(struct search *search, uint32_t node, uint32_t *top)
{
    uint32_t bottom = *top, size;
    while (search->queue[--bottom] != node)
        ;
    size = *top - bottom;
    while (*top > bottom) {
        uint32_t member = search->queue[--*top];
        search->cyclic[member] = size > 1;
        search->depth[member] = UINT32_MAX; /* no longer on the stack */
    }
    return size > 1 ? size : 0;
}

/* Makes one depth-first walk. Here `depth` is the order of arrival, `mark` the smallest order of arrival known to be
 * reachable, `queue` the stack, and `by` the next edge to follow. Returns the number of walked nodes that are on
 * cycles. */
static uint32_t walk_nodes(struct search *search, uint32_t node, uint32_t *order)
{
    uint32_t top = 0, left = 0, root = node;
    search->cyclic[node] = node;
    for (;;) {
        if (search->depth[node] == 0) {
            search->depth[node] = search->mark[node] = ++*order;
            search->by[node] = search->first[node];
            search->queue[top++] = node;
        }
        if (search->by[node] < search->first[node + 1]) {
            uint32_t to = search->edges[search->by[node]++].to;
            if (search->depth[to] == 0) {
                search->cyclic[to] = node;
                node = to;
            } else if (search->depth[to] < search->mark[node]) {
                search->mark[node] = search->depth[to];
            }
            continue;
        }
        uint32_t from = search->cyclic[node], mark = search->mark[node];
        if (mark == search->depth[node])
            left += close_component(search, node, &top);
        if (node == root)
            return left;
        node = from;
        if (mark < search->mark[node])
            search->mark[node] = mark;
    }
}

/* Finds the nodes that are on cycles, and returns their number. */
static uint32_t find_cyclic_nodes(struct search *search)
{
    uint32_t order = 0, left = 0;
    for (uint32_t node = 0; node < search->nodes; node++)
        if (search->depth[node] == 0)
            left += walk_nodes(search, node, &order);
    memset(search->mark, 0, search->nodes * sizeof *search->mark);
    return left;
}

/* Returns the length of the shortest cycle through `start`, or 0 if there is none shorter than `limit`. `*last` gets
 * the cycle's last edge. */
static uint32_t search_from(struct search *search, uint32_t start, uint32_t turn, uint32_t limit, size_t *last)
{
    uint32_t head = 0, tail = 0;
    search->queue[tail++] = start;
    search->mark[start] = turn;
    search->depth[start] = 0;
    for (; head < tail; head++) {
        uint32_t node = search->queue[head];
        if (search->depth[node] + 1 >= limit)
            return 0;
        for (size_t i = search->first[node]; i < search->first[node + 1]; i++) {
            uint32_t to = search->edges[i].to;
            if (to == start) {
                *last = i;
                return search->depth[node] + 1;
            }
            if (!search->cyclic[to] || search->mark[to] == turn)
                continue;
            search->mark[to] = turn;
            search->depth[to] = search->depth[node] + 1;
            search->by[to] = i;
            search->queue[tail++] = to;
        }
    }
    return 0;
}

static int copy_cycle(const struct search *search, size_t last, uint32_t length, struct history_edge **cycle)
{
    *cycle = malloc(length * sizeof **cycle);
    if (!*cycle)
        return ORDO_E_SYSTEM;
    for (uint32_t at = length; at-- > 0;) {
        (*cycle)[at] = search->edges[last];
        last = search->by[search->edges[last].from];
    }
    return ORDO_OK;
}

static int find_shortest(struct search *search, struct history_edge **cycle, size_t *length)
{
    uint32_t left = find_cyclic_nodes(search), best = UINT32_MAX, searched = 0;
    for (uint32_t node = 0; left > 0 && node < search->nodes && searched < STARTS; node++) {
        size_t last = 0;
        if (!search->cyclic[node])
            continue;
        uint32_t found = search_from(search, node, node + 1, best, &last);
        searched += best != UINT32_MAX;
        if (found == 0)
            continue;
        best = found;
        free(*cycle);
        if (copy_cycle(search, last, found, cycle))
            return ORDO_E_SYSTEM;
        *length = found;
    }
    return ORDO_OK;
}

int history_graph_cycle(struct history_graph *graph, uint32_t nodes, struct history_edge **cycle, size_t *length)
{
    struct search search = {.nodes = nodes};
    int code = ORDO_E_SYSTEM;
    *cycle = NULL;
    *length = 0;
    search.first = calloc((size_t)nodes + 2, sizeof *search.first);
    search.by = calloc((size_t)nodes + 1, sizeof *search.by);
    uint32_t *arrays = calloc((size_t)nodes + 1, 4 * sizeof *arrays);
    if (search.first && search.by && arrays && sort_edges(graph, search.first, nodes) == ORDO_OK) {
        search.edges = graph->edges;
        search.cyclic = arrays;
        search.queue = arrays + nodes;
        search.depth = arrays + 2 * (size_t)nodes;
        search.mark = arrays + 3 * (size_t)nodes;
        code = find_shortest(&search, cycle, length);
    }
    free(search.first);
    free(search.by);
    free(arrays);
    return code;
}
