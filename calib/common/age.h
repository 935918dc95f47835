/* How long ago a record was measured. */
#ifndef ORDO_COMMON_AGE_H
#define ORDO_COMMON_AGE_H

#include <stdint.h>

#include <ordo/record.h>

/** Returns how long ago it was measured, in nanoseconds; -1 if that was in another boot, or cannot be known. */
int64_t cli_age_ns(const struct ordo_record *head);

/** Writes ", 3 h ago", in the largest unit of which there are two; returns "" if the age is negative. */
const char *cli_age_text(int64_t age_ns, char text[48]);

#endif
