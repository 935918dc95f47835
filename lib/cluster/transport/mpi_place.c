/* Finds the socket of a rank in the machine's topology. */
#include <limits.h>

#include "cluster/transport/mpi.h"
#include "machine/topology/topology.h"

int ordo_mpi_socket(void)
{
    struct ordo_topology *topology;
    if (ordo_topology_open(&topology, NULL, NULL))
        return INT_MAX;
    int socket = ordo_topology_socket(topology);
    ordo_topology_close(topology);
    return socket < 0 ? INT_MAX : socket;
}
