#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph/mesh.h"

/* A system of linear equations. Its unknowns are the potentials of the hosts that are connected to host 0, without host
 * 0, whose potential is 0. For these unknowns, the Laplacian is positive definite. */
struct system {
    const struct ordo_net_mesh *mesh;
    const bool *used;
    double *degree; /* by host: number of its used edges; 0: the host is not an unknown */
    double *residual, *scaled, *direction, *image;
};

static bool counts(const struct system *system, int edge)
{
    return !system->used || system->used[edge];
}

/* Computes y = Laplacian * x. */
static void apply(const struct system *system, const double *x, double *y)
{
    memset(y, 0, (size_t)system->mesh->hosts * sizeof *y);
    for (int i = 0; i < system->mesh->edges; i++) {
        const struct ordo_net_edge *edge = &system->mesh->edge[i];
        if (!counts(system, i))
            continue;
        y[edge->b] += x[edge->b] - x[edge->a];
        y[edge->a] -= x[edge->b] - x[edge->a];
    }
    for (int host = 0; host < system->mesh->hosts; host++)
        if (system->degree[host] == 0)
            y[host] = 0;
}

static double dot(const struct system *system, const double *x, const double *y)
{
    double sum = 0;
    for (int host = 0; host < system->mesh->hosts; host++)
        sum += x[host] * y[host];
    return sum;
}

static void precondition(const struct system *system)
{
    for (int host = 0; host < system->mesh->hosts; host++)
        system->scaled[host] = system->degree[host] > 0 ? system->residual[host] / system->degree[host] : 0;
}

/* Computes the residual at each host: the sum, over its edges, of the offset minus the difference of potentials. */
static void begin_residuals(const struct system *system, const double *offset, const double *potential)
{
    const struct ordo_net_mesh *mesh = system->mesh;
    memset(system->residual, 0, (size_t)mesh->hosts * sizeof *system->residual);
    for (int i = 0; i < mesh->edges; i++) {
        const struct ordo_net_edge *edge = &mesh->edge[i];
        if (!counts(system, i) || (edge->a != 0 && system->degree[edge->a] == 0))
            continue;
        double left = offset[i] - (potential[edge->b] - potential[edge->a]);
        system->residual[edge->b] += left;
        system->residual[edge->a] -= left;
    }
    system->residual[0] = 0;
    precondition(system);
    memcpy(system->direction, system->scaled, (size_t)mesh->hosts * sizeof *system->direction);
}

static void step_potential(const struct system *system, double length, double *potential)
{
    for (int host = 0; host < system->mesh->hosts; host++) {
        potential[host] += length * system->direction[host];
        system->residual[host] -= length * system->image[host];
    }
    precondition(system);
}

static void iterate(const struct system *system, double *potential)
{
    double energy = dot(system, system->residual, system->scaled), enough = energy * 1e-24;
    for (int round = 0; round < 4 * system->mesh->hosts && energy > enough; round++) {
        apply(system, system->direction, system->image);
        step_potential(system, energy / dot(system, system->direction, system->image), potential);
        double next = dot(system, system->residual, system->scaled);
        for (int host = 0; host < system->mesh->hosts; host++)
            system->direction[host] = system->scaled[host] + next / energy * system->direction[host];
        energy = next;
    }
}

static bool find_degrees(const struct system *system)
{
    const struct ordo_net_mesh *mesh = system->mesh;
    int *order = calloc((size_t)mesh->hosts, 2 * sizeof *order);
    if (!order)
        return false;
    int reached = ordo_net_mesh_walk(mesh, system->used, order, order + mesh->hosts);
    for (int i = 0; i < mesh->edges; i++) {
        system->degree[mesh->edge[i].a] += counts(system, i);
        system->degree[mesh->edge[i].b] += counts(system, i);
    }
    for (int host = 0; host < mesh->hosts; host++)
        if (order[mesh->hosts + host] < 0) /* host 0, and hosts that are not connected to host 0 */
            system->degree[host] = 0;
    free(order);
    return reached > 0;
}

bool ordo_net_mesh_balance(const struct ordo_net_mesh *mesh, const bool *used, const double *offset, double *potential)
{
    size_t hosts = (size_t)mesh->hosts;
    double *room = calloc(hosts, 5 * sizeof *room);
    struct system system = {mesh, used, room, room + hosts, room + 2 * hosts, room + 3 * hosts, room + 4 * hosts};
    bool made = room && find_degrees(&system);
    if (made) {
        potential[0] = 0;
        begin_residuals(&system, offset, potential);
        iterate(&system, potential);
    }
    free(room);
    return made;
}
