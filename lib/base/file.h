/* Files that appear whole or not at all. */
#ifndef ORDO_BASE_FILE_H
#define ORDO_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/** Replaces `path` by `count` bytes: written beside it, synced, renamed. On failure the old file is as it was and
 * nothing is left behind. */
int ordo_file_replace(const char *path, const void *bytes, size_t count, mode_t mode, struct ordo_error *error);

/** Whether a file could be created at `path`, for asking before a long measurement, not after. With `make_directory`
 * its directory is made (mode 0755) if only that is missing. */
int ordo_file_prepare(const char *path, bool make_directory, struct ordo_error *error);

#endif
