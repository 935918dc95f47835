/* A server and a client of a daemon, each in a network of its own, joined by a virtual cable.
 *
 * The processes, the networks and the files below /run are in namespaces. Each process dies with its parent, and the
 * first parent is this program. When the first process of the namespaces ends, the kernel removes them. Nothing is
 * therefore left behind, however this program ends. Neither daemon can set a clock, because it lacks the capability. */
#ifndef ORDO_LAB_SANDBOX_H
#define ORDO_LAB_SANDBOX_H

#include "base/error.h"
#include "lab/ordo-lab/sandbox_plan.h"

/** Called for each line of the report. */
typedef void sandbox_line(void *context, const char *line);

/** Runs both daemons for the time of the plan, and passes on each line of the client's report. Takes at most ten
 * seconds longer.
 *
 * ORDO_E_MISSING: a program is not installed.
 * ORDO_E_SYSTEM: namespaces are not allowed here, or a daemon ended early. */
int sandbox_run(const struct sandbox_plan *plan, sandbox_line *line, void *context, struct ordo_error *error);

#endif
