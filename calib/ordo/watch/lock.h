/* One watcher for each record: a lock on `path`.watch, held as long as the watcher lives. */
#ifndef ORDO_WATCH_LOCK_H
#define ORDO_WATCH_LOCK_H

#include <stdbool.h>

#include "base/error.h"

/** Takes the lock. Returns the descriptor, or -1 with `error` filled:
 *
 * ORDO_E_INVALID: another watcher has it; the text names its process
 * ORDO_E_SYSTEM: the file cannot be made */
int watch_lock(const char *path, struct ordo_error *error);

/** False if another watcher would find another lock, or none. True also if the system refuses the check (too many open
 * files, no memory, no right), because the refusal proves nothing, and the watcher must not mistake its own lock for
 * another's. */
bool watch_lock_holds(int fd, const char *path);

#endif
