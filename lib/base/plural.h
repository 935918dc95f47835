/* "1 rank", "2 ranks". */
#ifndef ORDO_BASE_PLURAL_H
#define ORDO_BASE_PLURAL_H

#include <stdint.h>

/** Returns the ending, "" or "s", of a regular noun that follows this number. */
static inline const char *ordo_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
