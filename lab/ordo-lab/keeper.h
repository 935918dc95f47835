/* The process that keeps the namespaces of a sandbox, see sandbox.h, and what runs in them.
 *
 * It stands between the program and the first process of the namespaces, since the one that makes them stays outside. */
#ifndef ORDO_LAB_KEEPER_H
#define ORDO_LAB_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

#include "lab/ordo-lab/sandbox_plan.h"

/** Ends of pipes that are written to: the report of the client, and a line for each thing that is wrong. */
enum { KEEPER_REPORT, KEEPER_COMPLAINT, KEEPER_PIPES };

/** What a child of `parent` does; returns to nobody. */
_Noreturn void keeper_run(const struct sandbox_plan *plan, pid_t parent, const int *pipes);

int64_t keeper_now_ms(void);

#endif
