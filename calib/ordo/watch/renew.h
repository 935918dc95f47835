/* The life of the record: loading, checking and renewing it. */
#ifndef ORDO_WATCH_RENEW_H
#define ORDO_WATCH_RENEW_H

#include "ordo/watch/state.h"

/** Loads the record if it is valid; otherwise requests a calibration. */
void watch_load(struct watch *watch);

/** Executes the requested calibration when its time has come. */
void watch_renew(struct watch *watch);

/** Sets the options to those of the loaded record. The caller must free `*list` and `*present`, even after an error.
 * Returns 0, or ORDO_E_SYSTEM if out of memory. */
int watch_choose(struct watch *watch, struct ordo_calibrate_options *options, char **list, char **present);

/** Checks the file of the record, and whether the record is still valid. */
void watch_look_at_record(struct watch *watch);

#endif
