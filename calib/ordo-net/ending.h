/* SIGTERM and SIGINT, which end a measurement, and then also what it leaves to be done. */
#ifndef ORDO_NET_ENDING_H
#define ORDO_NET_ENDING_H

#include <stdbool.h>

/** From now on signals are heeded, and end nothing by themselves. */
void ending_heed(void);

/** Whether one came. */
bool ending_asked(void);

/** What is left to be done begins, because a signal came or because all else is done. */
void ending_begin(void);

/** Whether a signal came that ends it: one since it began, or one more than ended what was before. */
bool ending_asked_anew(void);

#endif
