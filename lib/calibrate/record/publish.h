/* Writing the boundary record of <ordo/record.h>: immutable, published by rename. */
#ifndef ORDO_CALIBRATE_RECORD_PUBLISH_H
#define ORDO_CALIBRATE_RECORD_PUBLISH_H

#include <stddef.h>

#include <ordo/record.h>

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** The record of a calibration, VALID and checksummed, as malloc'ed bytes. */
int ordo_record_build(const struct ordo_calibration *calibration, void **bytes, size_t *count,
                      struct ordo_error *error);

/** Where calibration publishes by default: $ORDO_RECORD, else ORDO_RECORD_PATH for root, else the user's own below
 * $XDG_RUNTIME_DIR. In each case this is what ordo_record_find takes afterwards. */
int ordo_record_default_path(char *path, size_t size, struct ordo_error *error);

/** Where the record of the clock with this id lies: at `path`, which names the record of this program's clock, or beside
 * it. ORDO_E_INVALID: the path is too long. */
int ordo_record_path_of(uint32_t clock, const char *path, char *own, size_t size, struct ordo_error *error);

/** A second file about a calibration, rendered as malloc'ed text when its generation is known. */
struct ordo_record_companion {
    const char *path;
    int (*render)(const struct ordo_calibration *calibration, const char *path, char **text, size_t *bytes,
                  struct ordo_error *error);
};

/** Marks the record at `path` DISRUPTED if the calibration refutes it (refute.h); `refuted` of the calibration and a warning
 * say why. Needs neither the lock nor room. One that this user may not write is judged all the same: `refuted.marked` is
 * false then. One that is DISRUPTED already is not judged. */
void ordo_record_judge(const char *path, struct ordo_calibration *calibration);

/** Publishes the calibration at `path`: sets its generation to one more than that of the record there, marks that one
 * SUPERSEDED (a DISRUPTED one stays so), and replaces it; `companion`, unless NULL, is replaced with it. A record that the
 * calibration refutes (refute.h) is marked DISRUPTED first (ordo_record_judge). Publishers of
 * one record take turns (`path`.lock) and wait for each other for 5 s at most. Nothing is replaced by a record that
 * could not be opened here and now: ORDO_E_MEASURE. On failure the old record is as it was, but for that mark, of which the
 * error tells; if only the companion
 * failed in the end, the error says that the record was published. Adds a warning to the calibration where others may
 * replace files in that directory. */
int ordo_record_publish(const char *path, struct ordo_calibration *calibration,
                        const struct ordo_record_companion *companion, struct ordo_error *error);

/** Opens the record at `path` for ordo_record_disrupt_at, before it is read and checked. Returns a descriptor, or -1 with
 * errno if this process may not write it. */
int ordo_record_reach(const char *path);

/** Marks the record that was `checked` DISRUPTED: handles on it see it with their next ordo_status, and nobody opens it
 * again. Takes no lock. `fd` is that of ordo_record_reach, or -1; by it a record can be marked even if another has taken
 * its name.
 *
 * 0: it is marked
 * ORDO_E_SUPERSEDED: another has taken its place, or it was removed, and `fd` does not lead to it
 * ORDO_E_SYSTEM: it cannot be opened or mapped now */
int ordo_record_disrupt_at(int fd, const char *path, const struct ordo_record *checked, struct ordo_error *error);

/** ordo_record_disrupt_at without a descriptor. */
int ordo_record_disrupt(const char *path, const struct ordo_record *checked, struct ordo_error *error);

/** Notes in the record that was `checked` that its clock ran at the record's rate until `now`: what readers tolerate
 * counts from then on. Waits for nobody. ORDO_E_SUPERSEDED where another has taken its place. */
int ordo_record_refresh(const char *path, const struct ordo_record *checked, const struct ordo_record_moment *now,
                        struct ordo_error *error);

#endif
