#include "cluster/mpi/verify_work.h"

#include <math.h>
#include <stdlib.h>

#include "base/plural.h"

static void node_free(struct ordo_verify_node *node)
{
    free(node->ranks);
    free(node->verdicts);
    free(node->summaries);
    free(node->pairs);
    free(node->swept);
}

void ordo_verify_free(struct ordo_verify *verify)
{
    if (!verify)
        return;
    node_free(&verify->own);
    for (int i = 0; i < verify->node_count; i++)
        node_free(&verify->nodes[i]);
    free(verify->nodes);
    free(verify->ranks);
    free(verify->kinds);
    free(verify->node_residual_ns);
    free(verify->socket_residual_ns);
    free(verify->node_drift_ppb);
    free(verify->socket_drift_ppb);
    free(verify->lowest);
    free(verify);
}

void *ordo_verify_array(size_t count, size_t bytes)
{
    return calloc(count + 1, bytes);
}

int ordo_verify_node_alloc(struct ordo_verify_node *node, int clock_count, bool pairs, struct ordo_error *error)
{
    size_t clocks = (size_t)clock_count;
    node->pair_count = pairs ? node->pair_count : 0;
    node->sweeps = pairs ? node->sweeps : 0;
    node->ranks = ordo_verify_array((size_t)node->size, sizeof *node->ranks);
    node->verdicts = ordo_verify_array(clocks, sizeof *node->verdicts);
    node->summaries = ordo_verify_array(clocks, sizeof *node->summaries);
    node->pairs = ordo_verify_array(clocks * (size_t)node->pair_count, sizeof *node->pairs);
    node->swept = ordo_verify_array(clocks * (size_t)node->sweeps, sizeof *node->swept);
    if (node->ranks && node->verdicts && node->summaries && node->pairs && node->swept)
        return ORDO_OK;
    return ordo_error_errno(error, "verdicts of %d rank%s", node->size, ordo_plural(node->size));
}

double ordo_verify_ns(const struct ordo_verify_node *node, const struct ordo_clock_source *source, int64_t units)
{
    if (units == INT64_MIN || units == INT64_MAX)
        return units < 0 ? -INFINITY : INFINITY;
    return (double)units * 1e9 / (source->unit_hz ? (double)source->unit_hz : node->tick_hz);
}

struct ordo_verify *ordo_verify_alloc(int clock_count)
{
    struct ordo_verify *verify = ordo_verify_array(1, sizeof *verify);
    size_t clocks = (size_t)clock_count;
    if (!verify)
        return NULL;
    verify->clock_count = clock_count;
    verify->kinds = ordo_verify_array(clocks, sizeof *verify->kinds);
    verify->node_residual_ns = ordo_verify_array(clocks, sizeof *verify->node_residual_ns);
    verify->socket_residual_ns = ordo_verify_array(clocks, sizeof *verify->socket_residual_ns);
    verify->node_drift_ppb = ordo_verify_array(clocks, sizeof *verify->node_drift_ppb);
    verify->socket_drift_ppb = ordo_verify_array(clocks, sizeof *verify->socket_drift_ppb);
    verify->lowest = ordo_verify_array(clocks, sizeof *verify->lowest);
    if (verify->kinds && verify->node_residual_ns && verify->socket_residual_ns && verify->node_drift_ppb &&
        verify->socket_drift_ppb && verify->lowest)
        return verify;
    ordo_verify_free(verify);
    return NULL;
}

void ordo_verify_release(const struct ordo_verify_work *run, void *memory)
{
    if (run->watch->lost < 0)
        free(memory);
}
