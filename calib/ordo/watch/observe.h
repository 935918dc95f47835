/* Observations of everything besides the pairs, in the main loop and during a calibration. */
#ifndef ORDO_WATCH_OBSERVE_H
#define ORDO_WATCH_OBSERVE_H

#include "ordo/watch/state.h"

/** Observes the machine (not the pairs), once a second. True if a finding needs a calibration. */
bool watch_observe(struct watch *watch);

/** Watches during a calibration; call it between two pairs. Sends the watchdog message to the service manager, handles
 * signals, walks, and once a second marks and observes. True if the calibration should end: a signal stops the watcher,
 * or there is a finding that needs a new calibration. */
bool watch_meanwhile(struct watch *watch);

#endif
