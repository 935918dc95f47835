/* Handles SIGTERM and SIGINT: the first signal ends the measurement; a second signal ends the remaining work, such as
 * telling the agents to stop. */
#ifndef ORDO_NET_ENDING_H
#define ORDO_NET_ENDING_H

#include <stdbool.h>

/** Begins to catch the signals. They no longer end the process. */
void ending_heed(void);

/** True if a signal has come. */
bool ending_asked(void);

/** Call at the begin of the remaining work, after a signal or after the end of the measurement. */
void ending_begin(void);

/** True if a signal ends the remaining work: a signal came after ending_begin, or two or more signals came before. */
bool ending_asked_anew(void);

#endif
