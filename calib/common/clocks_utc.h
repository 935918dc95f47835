/* Times of a comparison of clocks. */
#ifndef ORDO_COMMON_CLOCKS_UTC_H
#define ORDO_COMMON_CLOCKS_UTC_H

#include "machine/comparison/comparison.h"

/** Writes the time `at_s` seconds after the beginning of the comparison, as "2026-11-22T17:30:00.123456Z". */
void clocks_format_utc(const struct ordo_comparison *comparison, double at_s, char text[40]);

#endif
