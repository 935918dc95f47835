/* The only door to the JSON library, and the conventions of every JSON document: a "schema" key first, units in
 * every key, keys in the order in which they were set.
 *
 *     struct ordo_json document = ordo_json_document("ordo-clocks/1");
 *     ordo_json_put_int(&document, "step_ticks", step);
 *     ordo_json_put(&document, "clocks", ordo_json_end(&clocks));
 *     return ordo_json_write(&document, stdout);            // the one place that asks whether anything failed
 *
 * A builder remembers that something could not be made, and everything it becomes a part of fails with it. */
#ifndef ORDO_JSON_BUILDER_H
#define ORDO_JSON_BUILDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/quantile.h"

/** An object or an array that is being made. */
struct ordo_json {
    json_t *value;
    bool failed;
};

/** A new object that begins with {"schema": schema, "tool_version": ...}. */
struct ordo_json ordo_json_document(const char *schema);

struct ordo_json ordo_json_object(void);
struct ordo_json ordo_json_array(void);

/** Takes over `value`, as a key of an object or as the next of an array; NULL is a failure. */
void ordo_json_put(struct ordo_json *object, const char *key, json_t *value);
void ordo_json_add(struct ordo_json *array, json_t *value);

void ordo_json_put_int(struct ordo_json *object, const char *key, int64_t value);

/** What is not finite becomes null. */
void ordo_json_put_real(struct ordo_json *object, const char *key, double value);

void ordo_json_put_bool(struct ordo_json *object, const char *key, bool value);

/** NULL becomes null. */
void ordo_json_put_text(struct ordo_json *object, const char *key, const char *value);

/** [low, high] */
void ordo_json_put_ints(struct ordo_json *object, const char *key, int64_t low, int64_t high);
void ordo_json_put_reals(struct ordo_json *object, const char *key, double low, double high);

/** {"median", "low", "high", "level"}: [low, high] covers the true median with probability `level`. */
void ordo_json_put_median(struct ordo_json *object, const char *key, struct ordo_median median);

/** The same four keys in the object itself. */
void ordo_json_put_median_here(struct ordo_json *object, struct ordo_median median);

/** The keys of another object, which is left as it is; NULL: none. */
void ordo_json_put_all(struct ordo_json *object, json_t *other);

/** What was made, the caller's; NULL where anything failed. */
json_t *ordo_json_end(struct ordo_json *json);

/** A number, null where it is not finite. */
json_t *ordo_json_real(double value);

/** A string from outside, such as a path; what is not UTF-8 in it becomes "?". */
json_t *ordo_json_text(const char *text);

/** Ends the document, writes it and a newline. 0, or -1 where the stream or anything in the document failed; then nothing
 * of a document that failed is written. */
int ordo_json_write(struct ordo_json *document, FILE *stream);

/** The same on a single line, for files of one document a line. */
int ordo_json_write_line(struct ordo_json *document, FILE *stream);

/** Ends the document as text without spaces, and a newline: malloc'ed, NULL if anything failed. */
char *ordo_json_compact(struct ordo_json *document, size_t *bytes);

#endif
