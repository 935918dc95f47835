/* The keeper of a sandbox, see sandbox.h: the process that makes the namespaces, and the processes that run in them.
 *
 * The keeper is between the program and the first process of the namespaces, because the process that makes a PID
 * namespace remains outside it. */
#ifndef ORDO_LAB_KEEPER_H
#define ORDO_LAB_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

#include "lab/ordo-lab/sandbox_plan.h"

/** The write ends of pipes: for the report of the client, and for error messages, one a line. */
enum { KEEPER_REPORT, KEEPER_COMPLAINT, KEEPER_PIPES };

/** Runs the keeper, in a child of `parent`. */
_Noreturn void keeper_run(const struct sandbox_plan *plan, pid_t parent, const int *pipes);

int64_t keeper_now_ms(void);

#endif
