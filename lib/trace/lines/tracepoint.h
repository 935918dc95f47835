/* The meaning of the kernel's events, which perf and ftrace print in the same way: switches, entries and exits, and the
 * marks that programs write. */
#ifndef ORDO_TRACE_LINES_TRACEPOINT_H
#define ORDO_TRACE_LINES_TRACEPOINT_H

#include "trace/lines/lines.h"

/** Sets the kind and the names of an act from the name of its event ("sched_switch", perf's "sched:sched_switch") and
 * the text behind it. Time, thread and CPU are set. Returns an enum ordo_lines_found; ORDO_E_SYSTEM: out of memory. */
int ordo_tracepoint_read(struct ordo_lines *lines, struct ordo_text name, struct ordo_text details,
                         struct ordo_act *act);

/** Takes an event whose name has a part that says entry or exit, and sets the act's kind and names. Any other event is a
 * point. */
void ordo_tracepoint_pair(struct ordo_lines *lines, struct ordo_text name, struct ordo_act *act);

/** Makes a switch of an act. Returns false if the numbers are not those of tasks. */
bool ordo_tracepoint_switch(struct ordo_lines *lines, struct ordo_act *act, struct ordo_text previous,
                            struct ordo_text next, struct ordo_text command);

#endif
