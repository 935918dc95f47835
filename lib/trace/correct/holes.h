/* Calls of collectives that are counted and not numbered: finds out which calls of two ranks belong together. */
#ifndef ORDO_TRACE_CORRECT_HOLES_H
#define ORDO_TRACE_CORRECT_HOLES_H

#include <stddef.h>

#include "trace/correct/part.h"

/** Numbers the calls `other` like the calls `one` of another rank, which are as many or more. `waits` are the kinds of
 * the names. `limit` is the largest rate between the clocks, `slack_ns` the part of a contradiction that rounding
 * explains. Returns how many of the calls `other` have a number; those without get UINT32_MAX. Sets *odd to the index of the
 * first call whose pair contradicts an earlier one; to `count` if there is none. */
size_t ordo_holes_number(const struct ordo_part *one, size_t count_one, struct ordo_part *other, size_t count,
                         const uint8_t *waits, double limit, double slack_ns, size_t *odd);

#endif
