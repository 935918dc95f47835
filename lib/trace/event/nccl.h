/* The kernels of NCCL and RCCL that run a collective on a device, by their names: "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
 * for example, formerly "ncclKernel_AllReduce_...".
 *
 * [K1] A kernel of all-reduce, all-gather or reduce-scatter ends on a rank after it has read data that the kernels of
 *      all other ranks of the group sent or forwarded. A kernel sends nothing before it begins. No such kernel
 *      therefore ends before the kernels of all ranks have begun. Broadcast and reduce wait for the root, or the root
 *      waits; their kernels' names do not state the root.
 * [K2] A host's record of a collective (record_param_comms, "nccl:all_reduce") ends when the kernel is queued. Other
 *      ranks may not have entered, so such a record is no collective in the sense of [K1]. Its arguments name the group
 *      and the sequence number, and the arguments of the kernel repeat them.
 * [K3] A kernel of sends and receives may carry any pattern, so its name alone proves nothing. */
#ifndef ORDO_TRACE_EVENT_NCCL_H
#define ORDO_TRACE_EVENT_NCCL_H

#include "trace/event/event.h"

/** The communicator of kernels whose group is not stated. It is not a communicator of MPI. */
#define ORDO_NCCL_COMMUNICATOR (UINT64_C(1) << 61)

/** Returns the kernel's name behind its prefix, such as "AllReduce_Sum_f32_RING_LL"; with `at` NULL if the name is not
 * that of a kernel. */
struct ordo_text ordo_nccl_kernel(struct ordo_text name);

/** Returns the operation in the name of a kernel: "AllReduce" for example. Returns any other name whole. */
struct ordo_text ordo_nccl_operation(struct ordo_text name);

/** Returns which ranks wait for which in the kernel of this name. ORDO_COLLECTIVE_NONE: in none that the name proves. */
enum ordo_event_collective ordo_nccl_collective_of(struct ordo_text name);

#endif
