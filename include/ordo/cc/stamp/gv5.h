/* The stamp "gv5": a counter that commits only read. A thread that meets a time which the counter has not passed pushes
 * the counter, and goes on (the fifth clock in section 3 of Dice, Shalev, Shavit, DISC 2006; the authors' code adds one
 * at the commit instead, with the same effect).
 *
 * Order: as pushed.h says.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "gv5"

#include "pushed.h"
