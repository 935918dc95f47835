/* The only door to the JSON library, and the conventions of every JSON document: a "schema" key first, units in
 * every key, keys in the order in which they were set. */
#ifndef ORDO_CALIBRATE_REPORT_JSON_H
#define ORDO_CALIBRATE_REPORT_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "base/quantile.h"

/** A new object that begins with {"schema": schema, "tool_version": ...}. */
json_t *ordo_json_document(const char *schema);

/** A string from outside, such as a path; what is not UTF-8 in it becomes "?". */
json_t *ordo_json_text(const char *text);

/** {"median", "low", "high", "level"}: [low, high] covers the true median with probability `level`. */
json_t *ordo_json_median(struct ordo_median median);

/** Writes the document and a newline, then frees it. 0, or -1 where the stream failed or the document is NULL (out of
 * memory). */
int ordo_json_write(json_t *document, FILE *stream);

#endif
