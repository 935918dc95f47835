/* Writes the boundary record of <ordo/record.h>, which is immutable and published by rename. */
#ifndef ORDO_CALIBRATE_RECORD_PUBLISH_H
#define ORDO_CALIBRATE_RECORD_PUBLISH_H

#include <stddef.h>

#include <ordo/record.h>

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** Builds the record of a calibration, VALID and checksummed, as malloc'ed bytes. */
int ordo_record_build(const struct ordo_calibration *calibration, void **bytes, size_t *count,
                      struct ordo_error *error);

/** Finds the place where calibration publishes by default: $ORDO_RECORD, else ORDO_RECORD_PATH for root, else the
 * user's own below $XDG_RUNTIME_DIR. ordo_record_find finds the record there afterwards. */
int ordo_record_default_path(char *path, size_t size, struct ordo_error *error);

/** Writes the path of the record of the clock with this id: `path` itself for this program's clock, else the name next
 * to it. ORDO_E_INVALID: the path is too long. */
int ordo_record_path_of(uint32_t clock, const char *path, char *own, size_t size, struct ordo_error *error);

/** A second file about a calibration, rendered as malloc'ed text once its generation is known. */
struct ordo_record_companion {
    const char *path;
    int (*render)(const struct ordo_calibration *calibration, const char *path, char **text, size_t *bytes,
                  struct ordo_error *error);
};

/** Marks the record at `path` DISRUPTED if the calibration refutes it (refute.h); the calibration's `refuted` and a
 * warning say why. Needs neither the lock nor disk space. A record that this user may not write is judged as well;
 * `refuted.marked` is then false. A record that is already DISRUPTED is not judged. */
void ordo_record_judge(const char *path, struct ordo_calibration *calibration);

/** Publishes the calibration at `path`: sets its generation to one more than that of the record there, marks that one
 * SUPERSEDED (a DISRUPTED one stays DISRUPTED), and replaces it. `companion`, unless NULL, is replaced together with
 * it. A record that the calibration refutes (refute.h) is marked DISRUPTED first (ordo_record_judge).
 *
 * Publishers of one record take turns (`path`.lock) and wait for each other for at most 5 s. A new record that could
 * not be opened here and now replaces nothing: ORDO_E_MEASURE. On failure the old record is unchanged, except for the
 * mark DISRUPTED, which the error then mentions. If only the companion failed in the end, the error says that the
 * record was published. Adds a warning to the calibration if other users may replace files in that directory. */
int ordo_record_publish(const char *path, struct ordo_calibration *calibration,
                        const struct ordo_record_companion *companion, struct ordo_error *error);

/** Opens the record at `path` for ordo_record_disrupt_at, before the caller reads and checks it. Returns a descriptor,
 * or -1 with errno if this process may not write the record. */
int ordo_record_reach(const char *path);

/** Marks the `checked` record DISRUPTED: its handles see the mark with their next ordo_status, and no program can open
 * it again. Takes no lock. `fd` is that of ordo_record_reach, or -1; with it a record can be marked even if another
 * record has taken its name.
 *
 * 0: marked
 * ORDO_E_SUPERSEDED: another record has taken its place, or it was removed, and `fd` does not lead to it
 * ORDO_E_SYSTEM: it cannot be opened or mapped now */
int ordo_record_disrupt_at(int fd, const char *path, const struct ordo_record *checked, struct ordo_error *error);

/** Does the same as ordo_record_disrupt_at, without a descriptor. */
int ordo_record_disrupt(const char *path, const struct ordo_record *checked, struct ordo_error *error);

/** Notes in the `checked` record that its clock ran at the record's rate until `now`: the drift that readers tolerate
 * counts from then on. Never waits. ORDO_E_SUPERSEDED: another record has taken its place. */
int ordo_record_refresh(const char *path, const struct ordo_record *checked, const struct ordo_record_moment *now,
                        struct ordo_error *error);

#endif
