#include "cluster/transport/sim_port.h"

#include <stdlib.h>

enum { SLOTS = 4096, WAYS = 2 };

/* Time is divided into slots of port_ns, each for one message. */
struct ordo_sim_ports {
    int64_t port_ns;
    int64_t taken[]; /* of each port, at slot % SLOTS: 1 + the last slot there that a message took */
};

struct ordo_sim_ports *ordo_sim_ports_new(int nodes, int64_t port_ns)
{
    struct ordo_sim_ports *ports = calloc(1, sizeof *ports + (size_t)nodes * WAYS * SLOTS * sizeof *ports->taken);
    if (ports)
        ports->port_ns = port_ns;
    return ports;
}

void ordo_sim_ports_free(struct ordo_sim_ports *ports)
{
    free(ports);
}

int64_t ordo_sim_ports_pass(struct ordo_sim_ports *ports, int node, enum ordo_sim_way way, int64_t at_ns)
{
    int64_t *taken = &ports->taken[((size_t)node * WAYS + way) * SLOTS], slot = at_ns / ports->port_ns;
    while (taken[slot % SLOTS] == slot + 1)
        slot++;
    taken[slot % SLOTS] = slot + 1;
    int64_t begin_ns = slot * ports->port_ns;
    return (begin_ns > at_ns ? begin_ns : at_ns) + ports->port_ns;
}
