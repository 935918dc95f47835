/* A gang: threads that begin their work together, after each has prepared itself (by pinning itself, for example). */
#ifndef ORDO_BASE_GANG_H
#define ORDO_BASE_GANG_H

#include "base/error.h"

/** One step of member `index`. Returns 0, or a negative code with `error` filled. */
typedef int ordo_gang_step(void *context, int index, struct ordo_error *error);

/** Runs `enter` and then `work` in `size` new threads, and waits for them to end.
 *
 * No member starts `work` before every member has left `enter`; if any `enter` failed, none does. Earlier writes of the
 * caller are visible to the members, and the members' writes are visible after the return. Returns the code of the
 * lowest failing index, with its error. */
int ordo_gang_run(int size, ordo_gang_step *enter, ordo_gang_step *work, void *context, struct ordo_error *error);

#endif
