/* The main loop of the watcher. */
#ifndef ORDO_WATCH_LOOP_H
#define ORDO_WATCH_LOOP_H

#include "ordo/watch/state.h"

/** Runs the watcher. Returns the exit code. */
int watch_run(struct watch *watch);

#endif
