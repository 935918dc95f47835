/* One watcher for a record: a lock on `path`.watch, held as long as the watcher lives. */
#ifndef ORDO_WATCH_LOCK_H
#define ORDO_WATCH_LOCK_H

#include <stdbool.h>

#include "base/error.h"

/** Takes the lock; the descriptor, or -1 with `error` filled: ORDO_E_INVALID where another watcher has it, whose process
 * the text names, ORDO_E_SYSTEM where the file cannot be made. */
int watch_lock(const char *path, struct ordo_error *error);

/** False if another watcher would find another lock, or none. True as well if the system refuses the look (too many open
 * files, no memory, no right), because that says nothing: the watcher's own lock must not be taken for another's. */
bool watch_lock_holds(int fd, const char *path);

#endif
