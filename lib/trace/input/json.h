/* A parser for JSON that is too large for a tree: it reads one object after the other, and the members of an object as
 * text. */
#ifndef ORDO_TRACE_INPUT_JSON_H
#define ORDO_TRACE_INPUT_JSON_H

#include <stdio.h>

#include "trace/input/input.h"

/** A member of an object. */
struct ordo_member {
    struct ordo_text key;   /* without its quotes, with its escapes */
    struct ordo_text value; /* as it is in the file; a string with its quotes */
};

/** Removes the next member from the inside of an object. Returns 1; 0 if there is none; -1 if the text is not JSON. */
int ordo_json_member(struct ordo_text *inside, struct ordo_member *member);

/** Returns the text between the braces of an object; with length 0 and `at` NULL if the text is no object. */
struct ordo_text ordo_json_inside(struct ordo_text object);

/** Returns a string without its quotes and escapes. If the string has escapes, the result is in `room` and has at most
 * `size` bytes. Returns a value that is not a string unchanged. */
struct ordo_text ordo_json_plain(struct ordo_text value, char *room, size_t size);

/** Returns the length of the value at the beginning of a text; 0 if the value is not complete; -1 if it is not JSON. */
ptrdiff_t ordo_json_span(struct ordo_text text);

static inline bool ordo_json_space(char letter)
{
    return letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
}

/** Writes a string with its quotes and escapes. A byte that is not UTF-8 becomes a question mark. */
void ordo_json_put_string(FILE *stream, struct ordo_text text);

#endif
