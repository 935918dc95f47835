/* The collectives of all libraries, by the names of their calls. */
#ifndef ORDO_TRACE_EVENT_COLLECTIVE_H
#define ORDO_TRACE_EVENT_COLLECTIVE_H

#include "trace/event/event.h"

/** Returns which ranks wait for which in the collective of this name. Knows the blocking collectives of MPI, such as
 * "MPI_Allreduce", and the kernels of NCCL (trace/event/nccl.h). */
enum ordo_event_collective ordo_event_collective_of(struct ordo_text name);

#endif
