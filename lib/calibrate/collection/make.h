/* Makes a report from a published record and the machine's own description. */
#ifndef ORDO_CALIBRATE_COLLECTION_MAKE_H
#define ORDO_CALIBRATE_COLLECTION_MAKE_H

#include <time.h>

#include "base/error.h"
#include "calibrate/collection/report.h"

/** The sources of a report. */
struct ordo_collection_source {
    const struct ordo_record_view *record; /* parsed, with a matrix */
    const struct ordo_topology *topology;  /* states cores and L2 caches */
    const struct ordo_collection_machine *machine;
    time_t measured; /* in seconds of Unix time; only the month is kept */
};

/** Makes a report with its matrix, for ordo_collection_fit.
 *
 * 0: `*report` is set, and the caller owns it
 * ORDO_E_UNMEASURED: the record has no matrix
 * ORDO_E_CHECKSUM: a part of the record is damaged
 * ORDO_E_MALFORMED: the places of the record are damaged, or it has too many CPUs
 * ORDO_E_SYSTEM: out of memory */
int ordo_collection_make(const struct ordo_collection_source *source, struct ordo_collection_report **report,
                         struct ordo_error *error);

#endif
