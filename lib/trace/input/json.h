/* JSON that is too large for a tree: one object after the other, and the members of an object as text. */
#ifndef ORDO_TRACE_INPUT_JSON_H
#define ORDO_TRACE_INPUT_JSON_H

#include <stdio.h>

#include "trace/input/input.h"

/** A member of an object. */
struct ordo_member {
    struct ordo_text key;   /* without its quotes, with its escapes */
    struct ordo_text value; /* as it stands, a string with its quotes */
};

/** Takes the next member off the inside of an object: 1, 0 where there is none, -1 where it is not JSON. */
int ordo_json_member(struct ordo_text *inside, struct ordo_member *member);

/** What is between the braces of an object; with length 0 and `at` NULL where it is none. */
struct ordo_text ordo_json_inside(struct ordo_text object);

/** The value of a string without quotes and escapes, put into `room` where it has escapes; at most `size` bytes of it.
 * What is no string stays as it is. */
struct ordo_text ordo_json_plain(struct ordo_text value, char *room, size_t size);

/** How many letters the value at the beginning of a text has; 0 where it is not whole, -1 where it is none. */
ptrdiff_t ordo_json_span(struct ordo_text text);

static inline bool ordo_json_space(char letter)
{
    return letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
}

/** Writes a string with its quotes and escapes. What is no letter of UTF-8 becomes a question mark. */
void ordo_json_put_string(FILE *stream, struct ordo_text text);

#endif
