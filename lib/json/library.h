/* The header of the JSON library, for the files of this folder only. Other files use struct ordo_json_value, which does
 * not need this header. */
#ifndef ORDO_JSON_LIBRARY_H
#define ORDO_JSON_LIBRARY_H

#include <stdint.h>

#include <jansson.h>

struct ordo_json_value; /* builder.h */

/* Removes const, because the library changes reference counts even of a value that is only read. */
static inline json_t *jansson_of(const struct ordo_json_value *value)
{
    return (json_t *)(uintptr_t)value;
}

static inline struct ordo_json_value *value_of(json_t *value)
{
    return (struct ordo_json_value *)value;
}

#endif
