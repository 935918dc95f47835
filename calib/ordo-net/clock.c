#include "ordo-net/clock.h"

#include <string.h>

#include "net/udp/socket.h"

int clock_of(const char *name)
{
    for (int i = 0; i < ORDO_NET_CLOCKS; i++)
        if (strcmp(name, ordo_net_clock_name(i)) == 0)
            return i;
    return -1;
}
