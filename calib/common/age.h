/* The age of a record. */
#ifndef ORDO_COMMON_AGE_H
#define ORDO_COMMON_AGE_H

#include <stdint.h>

#include <ordo/record.h>

/** Returns the time since the measurement, in nanoseconds; -1 if the record is from an earlier boot, or if the age is
 * unknown. */
int64_t cli_age_ns(const struct ordo_record *head);

/** Writes ", 3 h ago". The unit is the largest for which the number is at least 2. Returns "" if the age is
 * negative. */
const char *cli_age_text(int64_t age_ns, char text[48]);

#endif
