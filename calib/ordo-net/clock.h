/* The names of the clocks that a host can measure with. */
#ifndef ORDO_NET_CLOCK_H
#define ORDO_NET_CLOCK_H

/** Returns the enum ordo_net_clock with this name. -1: there is none. */
int clock_of(const char *name);

#endif
