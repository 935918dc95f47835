/* Reads untrusted JSON: checks the text against limits, then the document against a shape.
 *
 *     static const struct ordo_json_field fields[] = {
 *         {"schema", {ORDO_JSON_WORD, .words = schemas}},
 *         {"pairs", {ORDO_JSON_WHOLE, .least = 0, .most = 1000}},
 *         {NULL, {0}},
 *     };
 *     static const struct ordo_json_shape shape = {ORDO_JSON_OBJECT, .fields = fields};
 *     if (!ordo_json_read(text, bytes, &value, &fault) && !ordo_json_check(value, &shape, &fault))
 *         ...every key of the shape is present, no other key is, and every value is in its range
 *
 * A fault quotes text of the document only as printable ASCII, so that it is safe to show on a terminal. */
#ifndef ORDO_JSON_READER_H
#define ORDO_JSON_READER_H

#include <ordo/error.h>

#include "json/builder.h"

/** The first fault of a text or a document. */
struct ordo_json_fault {
    char path[96];  /* "$.classes[3].pairs"; "line 2, column 7" if the text is not JSON */
    char found[80]; /* the value found at the path, and the expected value */
    bool unknown;   /* true: the fault is a key that the shape does not contain */
};

enum ordo_json_kind {
    ORDO_JSON_OBJECT,
    ORDO_JSON_ARRAY,
    ORDO_JSON_WHOLE, /* an integer */
    ORDO_JSON_REAL,  /* an integer or a real number */
    ORDO_JSON_TRUTH, /* true or false */
    ORDO_JSON_WORD,  /* one of a list of words */
    ORDO_JSON_CODES, /* a text of `least` to `most` characters, all from a set */
    ORDO_JSON_FORM,  /* a text that matches a form, as "2026-11" matches "9999-99" */
};

struct ordo_json_field;

struct ordo_json_shape {
    enum ordo_json_kind kind;
    bool or_null;
    int64_t least, most;      /* limits of a number, or of the length of an array or a text */
    const char *const *words; /* ORDO_JSON_WORD: the permitted words, ending with NULL */
    const char *form;         /* ORDO_JSON_FORM: '9' matches 1 to 4 digits, any other character matches itself */
                              /* ORDO_JSON_CODES: the set */
    const char *form_name;    /* ORDO_JSON_FORM: the form in words for users, such as "YYYY-MM" */
    const struct ordo_json_field *fields; /* of an object: all keys, all required, ending with a key of NULL */
    const struct ordo_json_shape *items;  /* of an array: the shape of each item */
};

struct ordo_json_field {
    const char *key;
    struct ordo_json_shape shape;
};

/** Parses a text. Refuses duplicate keys, text after the document, NaN, numbers that fit neither int64_t nor a finite
 * double, and a depth of more than 2048. Returns
 *
 * - 0: `*value` is set, and the caller owns it;
 * - -1: `fault` is set;
 * - ORDO_E_SYSTEM: out of memory. */
int ordo_json_read(const char *text, size_t bytes, struct ordo_json_value **value, struct ordo_json_fault *fault);

/** Reads and parses a file, as ordo_json_read. On failure `error` names the file, the position, the fault and `remedy`.
 * Returns
 *
 * - ORDO_OK: `*value` is set, and the caller owns it;
 * - ORDO_E_INVALID: the file cannot be read or is not valid;
 * - ORDO_E_SYSTEM: out of memory. */
int ordo_json_load(const char *path, const char *remedy, struct ordo_json_value **value, struct ordo_error *error);

void ordo_json_free(struct ordo_json_value *value);

/** Checks a document against a shape. Returns 0, or -1 with `fault`, which names the first difference. */
int ordo_json_check(const struct ordo_json_value *value, const struct ordo_json_shape *shape,
                    struct ordo_json_fault *fault);

/** Copies `text` as printable ASCII: other characters become '?', and a text that is too long ends with "...". */
void ordo_json_show(const char *text, char *shown, size_t size);

/* The functions below also accept NULL and values of a wrong kind, and treat them as values without keys and items that
 * are neither numbers nor texts. */

/** True if a value is of this kind. ORDO_JSON_WORD, ORDO_JSON_FORM and ORDO_JSON_CODES all mean a text. */
bool ordo_json_is(const struct ordo_json_value *value, enum ordo_json_kind kind);

bool ordo_json_equal(const struct ordo_json_value *a, const struct ordo_json_value *b);

/** Returns the value of a key; NULL if the key is missing. */
const struct ordo_json_value *ordo_json_get(const struct ordo_json_value *object, const char *key);

/** Returns the value of a key; NULL if it is null or missing. */
const struct ordo_json_value *ordo_json_part(const struct ordo_json_value *object, const char *key);

/** Return the length of an array, and an item of an array; NULL if there is no such item. */
size_t ordo_json_count(const struct ordo_json_value *array);
const struct ordo_json_value *ordo_json_item(const struct ordo_json_value *array, size_t index);

/** A key of an object and its value. */
struct ordo_json_entry {
    const char *key;
    const struct ordo_json_value *value;
};

/** Moves `entry` to the next key of an object; an entry of zeros moves to the first key. False if there are no more
 * keys. */
bool ordo_json_next(const struct ordo_json_value *object, struct ordo_json_entry *entry);

/** Return the integer of a value, of a key or of an item; `otherwise` if it is not an integer. */
int64_t ordo_json_whole_of(const struct ordo_json_value *value, int64_t otherwise);
int64_t ordo_json_whole(const struct ordo_json_value *object, const char *key, int64_t otherwise);
int64_t ordo_json_whole_at(const struct ordo_json_value *array, size_t index, int64_t otherwise);

/** Return the number of a value or of a key; `otherwise` if it is not a number. */
double ordo_json_number_of(const struct ordo_json_value *value, double otherwise);
double ordo_json_number(const struct ordo_json_value *object, const char *key, double otherwise);

/** Return the text of a value or of a key; NULL if it is not a text. The text is valid as long as the document. */
const char *ordo_json_word_of(const struct ordo_json_value *value);
const char *ordo_json_word(const struct ordo_json_value *object, const char *key);

/** True if the key has the JSON value true. */
bool ordo_json_truth(const struct ordo_json_value *object, const char *key);

#endif
