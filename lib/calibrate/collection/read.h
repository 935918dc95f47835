/* Reads and checks a report from an untrusted source. */
#ifndef ORDO_CALIBRATE_COLLECTION_READ_H
#define ORDO_CALIBRATE_COLLECTION_READ_H

#include "base/error.h"
#include "calibrate/collection/report.h"
#include "json/reader.h"

/** Parses the text of a report, and checks it in three steps: the text against limits, the document against schema
 * ordo-report/1, and its numbers against each other. Pure.
 *
 * 0: `*report` is the caller's
 * ORDO_E_MALFORMED: `error` has one line: `name`, the path, the finding and the remedy
 * ORDO_E_SYSTEM: out of memory */
int ordo_collection_parse(const char *text, size_t bytes, const char *name, struct ordo_collection_report **report,
                          struct ordo_error *error);

/** Does the same for a file. ORDO_E_MISSING or ORDO_E_SYSTEM: it cannot be read, or is no regular file. */
int ordo_collection_load(const char *path, struct ordo_collection_report **report, struct ordo_error *error);

/** Checks the numbers of a report against each other.
 *
 * 0: they agree
 * -1: `fault` says which do not
 * ORDO_E_SYSTEM: out of memory */
int ordo_collection_judge(const struct ordo_collection_report *report, struct ordo_json_fault *fault);

#endif
