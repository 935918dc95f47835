/* Walks through the JSON of a file that is larger than memory: only the values that a caller takes are whole in memory.
 * trace/input/json.h finds the ends of values. */
#ifndef ORDO_TRACE_SPANS_WALK_H
#define ORDO_TRACE_SPANS_WALK_H

#include "trace/input/input.h"

enum {
    ORDO_WALK_VALUE_MOST = 1 << 24, /* letters of a value that is taken */
    ORDO_WALK_KEY_MOST = 128        /* a longer key is cut */
};

struct ordo_walk {
    struct ordo_input *input;
    struct ordo_error *error;
    bool is_cut; /* the file ended within a value */
};

/** Called for each element of an array and each member of an object, at the first letter of the value; `key` is empty
 * for an element. Has to take, walk or skip the value. Returns 0 or a negative code. */
typedef int ordo_walk_visit(void *context, struct ordo_walk *walk, struct ordo_text key);

/** Returns the next letter that is no space; 0 at the end of the file; a negative code. */
int ordo_walk_peek(struct ordo_walk *walk);

/** Takes a value. It is valid until the next call. Returns 0 or a negative code. */
int ordo_walk_take(struct ordo_walk *walk, struct ordo_text *value);

/** Skips a value of any length. Returns 0 or a negative code. */
int ordo_walk_skip(struct ordo_walk *walk);

/** Walks an array or an object, and skips any other value. Returns 0 or a negative code. */
int ordo_walk_inside(struct ordo_walk *walk, char opening, ordo_walk_visit *visit, void *context);

/** Refuses the file at the place of the walk. Returns ORDO_E_MALFORMED. */
int ordo_walk_refuse(struct ordo_walk *walk);

/** Returns the position in the file of a text that was taken last. */
static inline uint64_t ordo_walk_place(const struct ordo_walk *walk, const char *at)
{
    return walk->input->before + (uint64_t)(at - walk->input->buffer);
}

/** Returns the text between the brackets of an array; with length 0 and `at` NULL if the text is no array. */
struct ordo_text ordo_walk_array(struct ordo_text array);

/** A member that a caller looks for, and the place for its value. */
struct ordo_walk_wanted {
    const char *key;
    struct ordo_text *value;
};

/** Sets the values of the wanted members that an object has; of several with one key, the last. */
void ordo_walk_members(struct ordo_text object, const struct ordo_walk_wanted *wanted, size_t count);

/** Removes the next element from the inside of an array. Returns 1; 0 if there is none or the text is not JSON. */
int ordo_walk_element(struct ordo_text *inside, struct ordo_text *element);

/** Returns the value of a member of an object; with length 0 if there is none. */
struct ordo_text ordo_walk_member(struct ordo_text object, const char *key);

/** Returns a string without its quotes, and any other value unchanged. */
static inline struct ordo_text ordo_walk_bare(struct ordo_text value)
{
    bool quoted = value.length >= 2 && *value.at == '"';
    return (struct ordo_text){value.at + quoted, value.length - 2 * quoted};
}

/** True if a text is this word. */
bool ordo_walk_is(struct ordo_text text, const char *word);

#endif
