/* Reads a machine's description in the words and numbers of a report. */
#ifndef ORDO_CALIBRATE_COLLECTION_MACHINE_H
#define ORDO_CALIBRATE_COLLECTION_MACHINE_H

#include "calibrate/collection/report.h"

/** Reads the live machine if `root` is NULL or "", else the files below the directory `root` (tests/machines). The
 * costs of clock readings stay unknown. */
void ordo_collection_machine_read(struct ordo_collection_machine *machine, const char *root);

#endif
