/* The ranks of the processes of one file that does not say of which rank it is. */
#ifndef ORDO_TRACE_CHROME_PROCESSES_H
#define ORDO_TRACE_CHROME_PROCESSES_H

#include "trace/event/names.h"

struct ordo_processes {
    struct ordo_names names; /* pids, as they are in the file */
    int32_t *ranks;          /* by the number of the name */
    uint32_t room, distant;  /* `distant`: number of pids that got a rank */
};

enum { ORDO_PROCESSES_RANKS = 1 << 20 };

/** Declares the rank of a pid, as Ordo's own files do. Returns 0; -1 if out of memory. */
int ordo_processes_declare(struct ordo_processes *processes, struct ordo_text pid, int32_t rank);

/** Returns the rank of a process: the declared one; or `otherwise` if it is >= 0; or the pid; or, for a pid that is a
 * text or too large, the highest rank that no such pid has. Returns -1 if out of memory. */
int32_t ordo_processes_rank(struct ordo_processes *processes, struct ordo_text pid, int32_t otherwise);

void ordo_processes_free(struct ordo_processes *processes);

#endif
