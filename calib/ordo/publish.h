/* Publishes a calibration: the record, and the JSON file next to it. */
#ifndef ORDO_PUBLISH_H
#define ORDO_PUBLISH_H

#include "calibrate/record/publish.h"

/** Publishes the result: the record in `path` and the JSON file `path`.json, together.
 *
 * EXIT_OK: published
 * EXIT_UNKNOWN: the result is not usable; no file was replaced
 * EXIT_INTERNAL: a file could not be written; `error` is filled */
int publish_result(const char *path, struct ordo_calibration *result, struct ordo_error *error);

#endif
