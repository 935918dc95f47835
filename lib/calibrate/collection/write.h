/* A report as JSON, schema ordo-report/1. */
#ifndef ORDO_CALIBRATE_COLLECTION_WRITE_H
#define ORDO_CALIBRATE_COLLECTION_WRITE_H

#include "base/error.h"
#include "calibrate/collection/report.h"

/** Renders a report, in the detail `report->detail`, as malloc'ed text. NULL if out of memory. */
char *ordo_collection_render(const struct ordo_collection_report *report, size_t *bytes);

/** Renders a report with its matrix in the first detail that takes fewer than ORDO_COLLECTION_MOST_BYTES, and sets the
 * report's detail.
 *
 * 0: `*text` is malloc'ed
 * ORDO_E_SYSTEM: out of memory, or the report is too large in every detail */
int ordo_collection_fit(struct ordo_collection_report *report, char **text, size_t *bytes, struct ordo_error *error);

#endif
