/* Makes JSON documents. All follow the same conventions: the first key is "schema", keys contain units, and keys are in
 * the order in which they were set.
 *
 *     struct ordo_json document = ordo_json_document("ordo-clocks/1"), cpus = ordo_json_array();
 *     ordo_json_put_int(&document, "step_ticks", step);
 *     ordo_json_add(&cpus, ordo_json_int(cpu));
 *     ordo_json_put(&document, "cpus", cpus);               // takes over `cpus`: do not use it any more
 *     return ordo_json_write(&document, stdout);            // the only check for failures
 *
 * If a value could not be made, it is marked as failed, and every value that contains it fails as well. */
#ifndef ORDO_JSON_BUILDER_H
#define ORDO_JSON_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/quantile.h"

/** A value that is only read, through this header or reader.h. The type is incomplete outside of this folder. */
struct ordo_json_value;

/** A value under construction. If all its bytes are 0, there is no value. The caller makes it a part of another value,
 * writes it, or drops it. */
struct ordo_json {
    struct ordo_json_value *value;
    bool failed;
};

/** Makes an object that begins with {"schema": schema, "tool_version": ...}. */
struct ordo_json ordo_json_document(const char *schema);

struct ordo_json ordo_json_object(void);
struct ordo_json ordo_json_array(void);
struct ordo_json ordo_json_null(void);
struct ordo_json ordo_json_int(int64_t value);
struct ordo_json ordo_json_bool(bool value);

/** Makes a number, or null if `value` is not finite. */
struct ordo_json ordo_json_real(double value);

/** Makes a string from untrusted text, such as a path. If the text is not UTF-8, each byte above 127 becomes "?". NULL
 * becomes null. */
struct ordo_json ordo_json_text(const char *text);

/** Makes a string of `count` ASCII characters. */
struct ordo_json ordo_json_characters(const char *characters, size_t count);

/** Takes over `value`: ordo_json_put as a key of an object, ordo_json_add as the next item of an array. */
void ordo_json_put(struct ordo_json *object, const char *key, struct ordo_json value);
void ordo_json_add(struct ordo_json *array, struct ordo_json value);

/** Takes over `value` as the next item of the array `key` of an object. If the key is missing, makes the array
 * first. */
void ordo_json_append(struct ordo_json *object, const char *key, struct ordo_json value);

void ordo_json_put_int(struct ordo_json *object, const char *key, int64_t value);

/** Sets a key to a number, or to null if the number is not finite. */
void ordo_json_put_real(struct ordo_json *object, const char *key, double value);

void ordo_json_put_bool(struct ordo_json *object, const char *key, bool value);

/** Sets a key to a text, or to null if `value` is NULL. */
void ordo_json_put_text(struct ordo_json *object, const char *key, const char *value);

/** Sets a key to the array [low, high]. */
void ordo_json_put_ints(struct ordo_json *object, const char *key, int64_t low, int64_t high);
void ordo_json_put_reals(struct ordo_json *object, const char *key, double low, double high);

/** Sets a key to an object with the keys "median", "low", "high" and "level". [low, high] contains the true median with
 * probability `level`. */
void ordo_json_put_median(struct ordo_json *object, const char *key, struct ordo_median median);

/** Sets these four keys in the object itself. */
void ordo_json_put_median_here(struct ordo_json *object, struct ordo_median median);

/** Copies the keys of the object `other`, which stays unchanged. Copies no keys if `other` is no object. */
void ordo_json_put_all(struct ordo_json *object, const struct ordo_json *other);

/** Returns a second reference to a complete value. */
struct ordo_json ordo_json_share(const struct ordo_json *json);

/** Returns the value made so far, for reading; NULL if it failed or was not begun. The result is valid as long as
 * `json`. */
const struct ordo_json_value *ordo_json_view(const struct ordo_json *json);

/** Frees a value that is neither a part of another value nor written. */
void ordo_json_drop(struct ordo_json *json);

/** Ends the document, and writes it and a newline. Returns 0, or -1 if the stream or a value of the document failed. A
 * failed document is not written at all. */
int ordo_json_write(struct ordo_json *document, FILE *stream);

/** Ends the document, and writes it as ordo_json_write, but on a single line, for files with one document per line. */
int ordo_json_write_line(struct ordo_json *document, FILE *stream);

/** Ends the document. Returns it as a malloc'ed text without spaces, followed by a newline; NULL if a value of the
 * document failed. */
char *ordo_json_compact(struct ordo_json *document, size_t *bytes);

/** Makes all values use these two functions for their memory, so that a test can make allocations fail. */
void ordo_json_allocate_by(void *(*allocate)(size_t bytes), void (*release)(void *memory));

#endif
