/* What a machine tells of itself, as the words and numbers of a report. */
#ifndef ORDO_CALIBRATE_COLLECTION_MACHINE_H
#define ORDO_CALIBRATE_COLLECTION_MACHINE_H

#include "calibrate/collection/report.h"

/** Reads the live machine, or the files below the directory `root` (tests/machines); NULL and "" are the live one. The
 * costs of readings are left as not told. */
void ordo_collection_machine_read(struct ordo_collection_machine *machine, const char *root);

#endif
