/* Writes the scopes and the corrected clocks of a calibration or a record, as JSON and as text. */
#ifndef ORDO_CALIBRATE_REPORT_SCOPES_H
#define ORDO_CALIBRATE_REPORT_SCOPES_H

#include "calibrate/record/scopes.h"
#include "json/builder.h"

/** Puts `scopes` and `unmeasured_pairs` into the document. */
void ordo_report_put_scopes(struct ordo_json *document, const struct ordo_scopes *scopes, double tick_hz);

/** Puts `corrections_ticks`, with one number for each CPU of the document, and `corrected_boundary_ticks` with its
 * nanoseconds. All are null if the boundary is 0, because then there are no corrections. */
void ordo_report_put_corrections(struct ordo_json *document, const int64_t *ticks, int count, uint64_t boundary_ticks,
                                 double tick_hz);

/** Writes a sentence of text: the gain of corrected clocks, and whether it is worth their cost. */
void ordo_report_write_corrected(FILE *stream, uint64_t boundary_ticks, uint64_t corrected_boundary_ticks,
                                 double tick_hz);

/** Writes a line for each kind of scope: the number of scopes, and their smallest and largest boundary. Returns 0, or
 * -1 if out of memory. */
int ordo_report_write_scopes(FILE *stream, const struct ordo_scopes *scopes, double tick_hz);

#endif
