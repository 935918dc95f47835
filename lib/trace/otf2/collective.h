/* MPI's collectives by the numbers of OTF2 and by their names. */
#ifndef ORDO_TRACE_OTF2_COLLECTIVE_H
#define ORDO_TRACE_OTF2_COLLECTIVE_H

#include "trace/event/event.h"
#include "trace/otf2/library.h"

/** Returns which ranks wait for which in a collective of OTF2. */
enum ordo_event_collective ordo_otf2_waits(OTF2_CollectiveOp operation);

/** True for the v and w forms and for MPI_Reduce_scatter, in which each pair of ranks has an amount of its own. */
bool ordo_otf2_is_uneven(OTF2_CollectiveOp operation);

/** Returns the collective of OTF2 for a name such as "MPI_Bcast"; for another name, one in which the same ranks wait. */
OTF2_CollectiveOp ordo_otf2_operation(struct ordo_text name, enum ordo_event_collective waits);

#endif
