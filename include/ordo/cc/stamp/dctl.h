/* The stamp "dctl": a counter that commits only read, and that moves only when a transaction aborts: the deferred clock
 * of P. Ramalhete, A. Correia, "Scaling Up Transactions with Slower Clocks", PPoPP 2024.
 *
 * Order: as pushed.h says. The stamp differs from gv5 only in an engine that asks for ORDO_STAMP_DEFERRED. Its
 * transaction aborts if it meets a time which the counter has not passed, and pushes the counter for the next attempt;
 * with gv5 the transaction validates its reads and goes on. If the counter has passed the time already, because another
 * thread has pushed it, the transaction goes on with both stamps. An abort is always correct, so the argument for gv5
 * holds for dctl. Engines without aborts push the counter as with gv5.
 */
#ifndef ORDO_STAMP_INCLUDED_BY_STAMP_H
#error "include <ordo/cc/stamp.h>"
#endif

#define ORDO_STAMP_NAME "dctl"
#define ORDO_STAMP_DEFERRED /* the counter moves only at aborts */

#include "pushed.h"
