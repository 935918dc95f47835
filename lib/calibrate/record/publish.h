/* Writes the boundary record of <ordo/record.h>, and publishes it by rename. Only the words `status` and `seen` of a
 * published record change. */
#ifndef ORDO_CALIBRATE_RECORD_PUBLISH_H
#define ORDO_CALIBRATE_RECORD_PUBLISH_H

#include <stddef.h>

#include <ordo/record.h>

#include "base/error.h"
#include "calibrate/record/calibration.h"

/** Builds the record of a calibration as malloc'ed bytes, with the status VALID and its checksum. */
int ordo_record_build(const struct ordo_calibration *calibration, void **bytes, size_t *count,
                      struct ordo_error *error);

/** Finds the path at which a calibration publishes by default: $ORDO_RECORD, else ORDO_RECORD_PATH for root, else the
 * user's own path below $XDG_RUNTIME_DIR. ordo_record_find will find the record at this path. */
int ordo_record_default_path(char *path, size_t size, struct ordo_error *error);

/** Writes the path of the record of the clock with this id into `own`: `path` itself for this program's clock, and
 * `path` + ".monotonic" for the kernel's. ORDO_E_INVALID: the path is too long. */
int ordo_record_path_of(uint32_t clock, const char *path, char *own, size_t size, struct ordo_error *error);

/** A second file about a calibration. It is rendered as malloc'ed text after the generation is known. */
struct ordo_record_companion {
    const char *path;
    int (*render)(const struct ordo_calibration *calibration, const char *path, char **text, size_t *bytes,
                  struct ordo_error *error);
};

/** Marks the record at `path` DISRUPTED if the calibration refutes it (refute.h); the calibration's `refuted` and a
 * warning then state the reason. Needs neither the lock nor disk space. If this user may not write the record, it is
 * only judged, and `refuted.marked` is false. A record that is already DISRUPTED is not judged. */
void ordo_record_judge(const char *path, struct ordo_calibration *calibration);

/** Publishes the calibration at `path`: sets its generation to the old record's generation + 1, marks the old record
 * SUPERSEDED (unless it is DISRUPTED), and replaces it. The file of `companion`, unless NULL, is replaced together with
 * the record. If the calibration refutes the old record (refute.h), it is marked DISRUPTED first (ordo_record_judge).
 *
 * The lock `path`.lock serialises the publishers of one record; each waits for at most 5 s. ORDO_E_MEASURE: this
 * process could not open the new record, so nothing was replaced. On failure the old record is unchanged, except for a
 * possible mark DISRUPTED, which the error then mentions. If only the rename of the companion failed, the error says
 * that the record was published. Adds a warning to the calibration if other users may replace files in that
 * directory. */
int ordo_record_publish(const char *path, struct ordo_calibration *calibration,
                        const struct ordo_record_companion *companion, struct ordo_error *error);

/** Opens the record at `path` for ordo_record_disrupt_at, before the caller reads and checks it. Returns a descriptor,
 * or -1 with errno if this process may not write the record. */
int ordo_record_reach(const char *path);

/** Marks the `checked` record DISRUPTED: its handles see the mark with their next ordo_status, and no program can open
 * it again. Takes no lock. `fd` is the result of ordo_record_reach, or -1. With a descriptor, the record can be marked
 * even if another record has taken its name.
 *
 * 0: the record is marked
 * ORDO_E_SUPERSEDED: the record was replaced or removed, and `fd` does not refer to it
 * ORDO_E_SYSTEM: the record cannot be opened or mapped now */
int ordo_record_disrupt_at(int fd, const char *path, const struct ordo_record *checked, struct ordo_error *error);

/** Marks as ordo_record_disrupt_at, without a descriptor. */
int ordo_record_disrupt(const char *path, const struct ordo_record *checked, struct ordo_error *error);

/** Notes in the `checked` record that its clock ran at the record's rate until `now`. From then on, readers tolerate
 * only the drift since `now`. Never waits. ORDO_E_SUPERSEDED: another record has replaced this one. */
int ordo_record_refresh(const char *path, const struct ordo_record *checked, const struct ordo_record_moment *now,
                        struct ordo_error *error);

#endif
