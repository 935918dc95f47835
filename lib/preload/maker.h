/* Makes lines. The reader that finds the line due makes the next one, if no other thread is doing so. */
#ifndef ORDO_PRELOAD_MAKER_H
#define ORDO_PRELOAD_MAKER_H

#include "preload/state.h"

/** Makes and publishes the next line, or ends the service. Returns true if the reader should look at the ring again;
 * false if nothing was published: another thread is at it, or no narrow sight of the kernel's clock could be had. */
bool preload_make(struct preload_state *state);

#endif
