/* The names of the clocks with which a host can measure. */
#ifndef ORDO_NET_CLOCK_H
#define ORDO_NET_CLOCK_H

/** Returns the enum ordo_net_clock of a name, or -1 if there is none. */
int clock_of(const char *name);

#endif
