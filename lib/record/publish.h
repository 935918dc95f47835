/* Writing the boundary record of <ordo/record.h>: immutable, published by rename. */
#ifndef ORDO_RECORD_PUBLISH_H
#define ORDO_RECORD_PUBLISH_H

#include <stddef.h>

#include "base/error.h"
#include "record/calibration.h"

/** The record of a calibration, VALID and checksummed, as malloc'ed bytes. */
int ordo_record_build(const struct ordo_calibration *calibration, void **bytes, size_t *count,
                      struct ordo_error *error);

/** Where calibration publishes by default: $ORDO_RECORD, else ORDO_RECORD_PATH for root, else the user's own below
 * $XDG_RUNTIME_DIR. */
int ordo_record_default_path(char *path, size_t size, struct ordo_error *error);

/** Publishes the calibration at `path`: sets its generation to one more than that of the record there, marks that one
 * SUPERSEDED (a DISRUPTED one stays so), and replaces it. Publishers of one directory take turns. On failure the old
 * record is as it was. */
int ordo_record_publish(const char *path, struct ordo_calibration *calibration, struct ordo_error *error);

/** Marks the record of this generation DISRUPTED, if it is VALID: handles on it see it with their next ordo_status, and
 * nobody opens it again. ORDO_E_SUPERSEDED where another generation has taken its place. */
int ordo_record_disrupt(const char *path, uint64_t generation, struct ordo_error *error);

#endif
