/* A calibration goes to its place: the record, and the JSON beside it. */
#ifndef ORDO_PUBLISH_H
#define ORDO_PUBLISH_H

#include "calibrate/record/publish.h"

/** Publishes the result in `path` and `path`.json, together. Returns EXIT_OK, EXIT_UNKNOWN where the result could not
 * be used (nothing is replaced then), or EXIT_INTERNAL where a file could not be written, with `error` filled. */
int publish_result(const char *path, struct ordo_calibration *result, struct ordo_error *error);

#endif
