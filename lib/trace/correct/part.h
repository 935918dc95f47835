/* A call of one rank for a collective. */
#ifndef ORDO_TRACE_CORRECT_PART_H
#define ORDO_TRACE_CORRECT_PART_H

#include <stdint.h>

/** The part of one rank in a collective. */
struct ordo_part {
    int64_t begin_ns, end_ns; /* INT64_MIN and INT64_MAX: not in the trace */
    int64_t early_ns;         /* by how much the begin may be earlier, as the device's clock allows; INT64_MAX: any */
    int64_t late_ns;          /* by how much the end may be later */
    uint32_t group, number;   /* `group`: index of the communicator times 2, plus 1 if the calls are counted */
    uint32_t name;            /* number of the operation's name */
    int32_t rank, root;       /* in a prefix reduction `root` is the place of the rank */
    uint32_t kernels;         /* number of kernels that the part consists of; 1 for a call */
    uint32_t device;          /* index + 1 of the device whose clock shows the times; 0: the rank's clock */
    uint32_t first; /* place in the file; after ordo_collectives_settle index of the collective's first part */
};

#endif
