/* Handling of SIGTERM and SIGINT: one ends a measurement, and another one ends the work that remains after it. */
#ifndef ORDO_NET_ENDING_H
#define ORDO_NET_ENDING_H

#include <stdbool.h>

/** Begins to catch the signals; from then on they end nothing by themselves. */
void ending_heed(void);

/** True if a signal came. */
bool ending_asked(void);

/** Marks the beginning of the remaining work, after a signal or after the measurement. */
void ending_begin(void);

/** True if a signal ends the remaining work: one that came after its beginning, or a second one before it. */
bool ending_asked_anew(void);

#endif
