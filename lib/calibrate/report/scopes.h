/* What a calibration and a record say of parts of the machine and of corrected clocks, as JSON. */
#ifndef ORDO_CALIBRATE_REPORT_SCOPES_H
#define ORDO_CALIBRATE_REPORT_SCOPES_H

#include "calibrate/record/scopes.h"
#include "json/builder.h"

/** Puts `scopes` and `unmeasured_pairs` into the document. */
void ordo_report_put_scopes(struct ordo_json *document, const struct ordo_scopes *scopes, double tick_hz);

/** Puts `corrections_ticks`, one for each CPU of the document, and `corrected_boundary_ticks` with its nanoseconds; null
 * where the boundary is 0: there are none. */
void ordo_report_put_corrections(struct ordo_json *document, const int64_t *ticks, int count, uint64_t boundary_ticks,
                                 double tick_hz);

/** Writes a sentence for people: what corrected clocks would bring, and whether that is worth it. */
void ordo_report_write_corrected(FILE *stream, uint64_t boundary_ticks, uint64_t corrected_boundary_ticks,
                                 double tick_hz);

/** Writes a line for each kind of scope: how many, and their boundaries from the least to the largest. Returns 0, or -1
 * where memory ran out. */
int ordo_report_write_scopes(FILE *stream, const struct ordo_scopes *scopes, double tick_hz);

#endif
