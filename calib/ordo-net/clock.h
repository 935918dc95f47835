/* The names of the clocks that a host measures with. */
#ifndef ORDO_NET_CLOCK_H
#define ORDO_NET_CLOCK_H

/** enum ordo_net_clock, or -1: there is none of that name. */
int clock_of(const char *name);

#endif
