/* Gives each name a number. */
#ifndef ORDO_TRACE_EVENT_NAMES_H
#define ORDO_TRACE_EVENT_NAMES_H

#include "trace/event/event.h"

struct ordo_names {
    struct ordo_text *all; /* all[i] is the name with number i */
    uint32_t count, room;
    uint32_t *slots; /* hash table; a slot holds a name's number + 1, or 0 */
    size_t size;
};

/** Returns the number of a name; gives a new name the next number. Returns UINT32_MAX if out of memory. */
uint32_t ordo_names_number(struct ordo_names *names, struct ordo_text name);

/** Returns the number of a name; UINT32_MAX if it has none. */
uint32_t ordo_names_find(const struct ordo_names *names, struct ordo_text name);
void ordo_names_free(struct ordo_names *names);

#endif
