#include "cluster/verify/node_clock.h"

#include <ordo/clock.h>

uint64_t ordo_node_read(const struct ordo_node_clock *clock)
{
    /* Clocks that count nanoseconds are the kernel's and MPI's. Their reads may be reordered with earlier loads, so a
     * read of the hardware clock, which orders earlier loads, comes first. */
    uint64_t now = ordo_clock_read();
    if (clock->source->unit_hz)
        now = clock->source->read();
    if (clock->ahead_units || clock->fast != 0)
        now += (uint64_t)(clock->ahead_units + (int64_t)((double)(int64_t)(now - clock->origin) * clock->fast));
    return now;
}
