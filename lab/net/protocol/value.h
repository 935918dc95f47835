/* The values of a protocol's options. */
#ifndef ORDO_LAB_NET_PROTOCOL_VALUE_H
#define ORDO_LAB_NET_PROTOCOL_VALUE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** Reads "yes" or "no". Returns false for anything else. */
static inline bool ordo_net_value_yes(const char *value, bool *yes)
{
    *yes = strcmp(value, "yes") == 0;
    return *yes || strcmp(value, "no") == 0;
}

/** Reads a whole number from `least` to `most`. Returns false for anything else. */
static inline bool ordo_net_value_number(const char *value, long least, long most, int *number)
{
    char *end;
    long found = strtol(value, &end, 10);
    *number = (int)found;
    return *value >= '0' && *value <= '9' && *end == '\0' && found >= least && found <= most;
}

#endif
