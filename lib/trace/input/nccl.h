/* The arguments in which a profiler of PyTorch describes a kernel of NCCL: the process group, its ranks, and the number
 * of the collective in the group. */
#ifndef ORDO_TRACE_INPUT_NCCL_H
#define ORDO_TRACE_INPUT_NCCL_H

#include "trace/event/event.h"

/** Sets communicator, number and collective of an event from its name and its "args", an object of JSON. Call after the
 * name is set. Leaves an event alone if its name is not that of a kernel of NCCL. */
void ordo_nccl_args(struct ordo_event *event, struct ordo_text args);

#endif
