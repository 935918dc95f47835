/* Ensures that a record has only one watcher, by a lock on `path`.watch that is held until the watcher ends. */
#ifndef ORDO_WATCH_LOCK_H
#define ORDO_WATCH_LOCK_H

#include <stdbool.h>

#include "base/error.h"

/** Takes the lock. Returns the descriptor, or -1 with `error` filled:
 *
 * ORDO_E_INVALID: another watcher holds the lock; the text names its process
 * ORDO_E_SYSTEM: the file cannot be created */
int watch_lock(const char *path, struct ordo_error *error);

/** True if the file of the lock is still at its path, so that another watcher would find it locked. Also true if the
 * system refuses the check (too many open files, no memory, no permission): then nothing is known, and the watcher must
 * not conclude that it lost its lock. */
bool watch_lock_holds(int fd, const char *path);

#endif
