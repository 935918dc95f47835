/* Reads and checks a report from an untrusted source. */
#ifndef ORDO_CALIBRATE_COLLECTION_READ_H
#define ORDO_CALIBRATE_COLLECTION_READ_H

#include "base/error.h"
#include "calibrate/collection/report.h"
#include "json/reader.h"

/** Parses the text of a report, and checks it in three steps: the text against limits, the document against schema
 * ordo-report/1, and the numbers against each other. A pure function.
 *
 * 0: `*report` is set, and the caller owns it
 * ORDO_E_MALFORMED: `error` has one line: `name`, the path, the finding and the remedy
 * ORDO_E_SYSTEM: out of memory */
int ordo_collection_parse(const char *text, size_t bytes, const char *name, struct ordo_collection_report **report,
                          struct ordo_error *error);

/** Parses and checks a file, as ordo_collection_parse. ORDO_E_MISSING or ORDO_E_SYSTEM: the file cannot be read, or is
 * not a regular file. */
int ordo_collection_load(const char *path, struct ordo_collection_report **report, struct ordo_error *error);

/** Checks the numbers of a report against each other.
 *
 * 0: the numbers agree
 * -1: `fault` says which numbers contradict each other
 * ORDO_E_SYSTEM: out of memory */
int ordo_collection_judge(const struct ordo_collection_report *report, struct ordo_json_fault *fault);

#endif
