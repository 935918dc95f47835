/* Publishes a calibration: the record, and the JSON file next to it. */
#ifndef ORDO_PUBLISH_H
#define ORDO_PUBLISH_H

#include "calibrate/record/publish.h"

/** Publishes the result in `path` and `path`.json, together.
 *
 * EXIT_OK: published
 * EXIT_UNKNOWN: the result could not be used; nothing is replaced
 * EXIT_INTERNAL: a file could not be written; `error` is filled */
int publish_result(const char *path, struct ordo_calibration *result, struct ordo_error *error);

#endif
