#include "cluster/verify/node_clock.h"

#include <ordo/clock.h>

uint64_t ordo_node_read(const struct ordo_node_clock *clock)
{
    /* Those that count nanoseconds are the kernel's and MPI's, and promise no order; the
     * hardware clock's read before them does. */
    uint64_t now = ordo_clock_read();
    if (clock->source->unit_hz)
        now = clock->source->read();
    if (clock->ahead_units || clock->fast != 0)
        now += (uint64_t)(clock->ahead_units + (int64_t)((double)(int64_t)(now - clock->origin) * clock->fast));
    return now;
}
