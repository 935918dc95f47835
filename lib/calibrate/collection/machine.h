/* A machine's description, in the words and numbers of a report. */
#ifndef ORDO_CALIBRATE_COLLECTION_MACHINE_H
#define ORDO_CALIBRATE_COLLECTION_MACHINE_H

#include "calibrate/collection/report.h"

/** Reads the live machine (`root` NULL or ""), or the files below the directory `root` (tests/machines). The costs of
 * readings stay unknown. */
void ordo_collection_machine_read(struct ordo_collection_machine *machine, const char *root);

#endif
