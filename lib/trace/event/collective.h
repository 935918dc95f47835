/* The collectives of all libraries, by the names of their calls.
 *
 * [K18] In the v and w forms of MPI's collectives, and in MPI_Reduce_scatter, each pair of ranks has an amount of data of
 *       its own, which may be 0. A rank need not wait for a rank from which it receives nothing, and the name of the call
 *       does not state the amounts. The name therefore does not prove that any rank waits for another. */
#ifndef ORDO_TRACE_EVENT_COLLECTIVE_H
#define ORDO_TRACE_EVENT_COLLECTIVE_H

#include "trace/event/event.h"

/** Returns which ranks wait for which in the collective of this name. Knows the blocking collectives of MPI, such as
 * "MPI_Allreduce", and the kernels of NCCL (trace/event/nccl.h). */
enum ordo_event_collective ordo_event_collective_of(struct ordo_text name);

/** Returns the same for the collectives in which the name alone proves it: ORDO_COLLECTIVE_NONE for those in which a rank
 * may contribute nothing [K18]. */
enum ordo_event_collective ordo_event_waits_of(struct ordo_text name);

#endif
