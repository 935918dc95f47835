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

enum { ORDO_JSON_MEMBERS_MOST = 32 };

/** An object whose members are found in one pass. */
struct ordo_json_members {
    struct ordo_member all[ORDO_JSON_MEMBERS_MOST]; /* the first `count` members */
    int count;
    struct ordo_text rest; /* the inside of the object behind these members, for ordo_json_member */
    bool is_bare;          /* some value is a word that JSON does not have: NaN, inf, True */
};

/** Finds the members of the object at the beginning of a text. If `inner` is not NULL, also finds the members of the
 * object's member "args"; its count is -1 if there is none, or if it is no object. Returns the length of the object; 0
 * if it is not complete; -1 if it is not JSON. */
ptrdiff_t ordo_json_members(struct ordo_text text, struct ordo_json_members *members, struct ordo_json_members *inner);

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

/** The state of skipping a value that is larger than memory; all 0 at first. */
struct ordo_json_skip {
    int depth;
    bool in_string, is_escaped, is_ended;
};

/** Skips a part of a value. Returns the number of bytes that belong to the value, and sets `is_ended` if the value ends
 * there. A number or a word ends before the first delimiter. */
size_t ordo_json_skip(struct ordo_json_skip *skip, struct ordo_text part);

/** True if a text of letters without quotes is a value of JSON: a number, true, false or null. */
bool ordo_json_is_plain(struct ordo_text word);

/** Writes a string with its quotes and escapes. A byte that is not UTF-8 becomes a question mark. */
void ordo_json_put_string(FILE *stream, struct ordo_text text);

#endif
