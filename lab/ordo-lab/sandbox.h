/* A server and a client of a daemon, each in a network of its own, joined by a cable that exists for them alone.
 *
 * All of it lives in namespaces: processes, networks and the files below /run. Each process dies with the one that started it, the last of
 * which is this one, and the kernel takes the namespaces away with their first process. So nothing is left behind, however this program
 * ends. Neither daemon may set a clock: it lacks the capability. */
#ifndef ORDO_LAB_SANDBOX_H
#define ORDO_LAB_SANDBOX_H

#include "base/error.h"
#include "lab/ordo-lab/sandbox_plan.h"

/** Called for each line of the report. */
typedef void sandbox_line(void *context, const char *line);

/** Runs both for so long, and hands over what the client reports. ORDO_E_MISSING: a program is not here; ORDO_E_SYSTEM: namespaces are not allowed
 * here, or a daemon ended early. It takes at most ten seconds longer. */
int sandbox_run(const struct sandbox_plan *plan, sandbox_line *line, void *context, struct ordo_error *error);

#endif
