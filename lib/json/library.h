/* The JSON library, for the files of this folder only. Other files know its values by a type that needs no header of
 * it. */
#ifndef ORDO_JSON_LIBRARY_H
#define ORDO_JSON_LIBRARY_H

#include <stdint.h>

#include <jansson.h>

struct ordo_json_value; /* builder.h */

/* Removes const: the library counts references even in a value that is only read. */
static inline json_t *jansson_of(const struct ordo_json_value *value)
{
    return (json_t *)(uintptr_t)value;
}

static inline struct ordo_json_value *value_of(json_t *value)
{
    return (struct ordo_json_value *)value;
}

#endif
