/* Makes JSON documents, by the conventions of all of them: a "schema" key first, units in every key, keys in the order
 * in which they were set.
 *
 *     struct ordo_json document = ordo_json_document("ordo-clocks/1"), cpus = ordo_json_array();
 *     ordo_json_put_int(&document, "step_ticks", step);
 *     ordo_json_add(&cpus, ordo_json_int(cpu));
 *     ordo_json_put(&document, "cpus", cpus);               // takes it over: it is used no more
 *     return ordo_json_write(&document, stdout);            // the one place that asks whether anything failed
 *
 * A value remembers that something could not be made, and everything it becomes a part of fails with it. */
#ifndef ORDO_JSON_BUILDER_H
#define ORDO_JSON_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/quantile.h"

/** A value that is only read, here or in reader.h. Its type has no members outside of this folder. */
struct ordo_json_value;

/** A value that is being made. If all its bytes are 0, it is none. It becomes a part of another value, or it is
 * written or dropped. */
struct ordo_json {
    struct ordo_json_value *value;
    bool failed;
};

/** A new object that begins with {"schema": schema, "tool_version": ...}. */
struct ordo_json ordo_json_document(const char *schema);

struct ordo_json ordo_json_object(void);
struct ordo_json ordo_json_array(void);
struct ordo_json ordo_json_null(void);
struct ordo_json ordo_json_int(int64_t value);
struct ordo_json ordo_json_bool(bool value);

/** Makes a number, null if it is not finite. */
struct ordo_json ordo_json_real(double value);

/** Makes a string of text from outside, such as a path. If it is not UTF-8, each byte above 127 becomes "?". NULL
 * becomes null. */
struct ordo_json ordo_json_text(const char *text);

/** Makes a string of `count` characters, all of them ASCII. */
struct ordo_json ordo_json_characters(const char *characters, size_t count);

/** Takes over `value`, as a key of an object or as the next item of an array. */
void ordo_json_put(struct ordo_json *object, const char *key, struct ordo_json value);
void ordo_json_add(struct ordo_json *array, struct ordo_json value);

/** Takes over `value` as the next item of an array that is a key of an object; a missing key becomes an array
 * first. */
void ordo_json_append(struct ordo_json *object, const char *key, struct ordo_json value);

void ordo_json_put_int(struct ordo_json *object, const char *key, int64_t value);

/** A number that is not finite becomes null. */
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

/** Copies the keys of another object, which is left as it is; none if it is none. */
void ordo_json_put_all(struct ordo_json *object, const struct ordo_json *other);

/** Makes a second owner of a value that is complete. */
struct ordo_json ordo_json_share(const struct ordo_json *json);

/** Returns the value made so far, for reading; NULL if the making failed or no value was begun. It lives as long as
 * `json`. */
const struct ordo_json_value *ordo_json_view(const struct ordo_json *json);

/** Frees a value that becomes no part of another and is not written. */
void ordo_json_drop(struct ordo_json *json);

/** Ends the document, and writes it and a newline. Returns 0, or -1 if the stream or anything in the document failed;
 * a document that failed is not written at all. */
int ordo_json_write(struct ordo_json *document, FILE *stream);

/** The same on a single line, for files of one document a line. */
int ordo_json_write_line(struct ordo_json *document, FILE *stream);

/** Ends the document and returns it as text without spaces, with a newline: malloc'ed, NULL if anything failed. */
char *ordo_json_compact(struct ordo_json *document, size_t *bytes);

/** Takes the memory of all values from these two, so that a test can refuse it. */
void ordo_json_allocate_by(void *(*allocate)(size_t bytes), void (*release)(void *memory));

#endif
