/* Files that appear whole or not at all.
 *
 * A link is followed, and stays; one of another user (but root) is refused, wherever it is in the path (base/place.h).
 * Only a regular file is ever replaced. */
#ifndef ORDO_BASE_FILE_H
#define ORDO_BASE_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/place.h"

/** Replaces the file `path` by `count` bytes: writes them to a new file in the same folder, syncs it and renames it.
 * On failure the old file is as it was and nothing is left behind. A character device, a pipe that has a reader, and
 * /dev/stdout and the like, which name a descriptor of this process, are written to instead. The new file gets the mode
 * of the old one, and `mode` if there was none. A file of another user (but root) is refused. */
int ordo_file_replace(const char *path, const void *bytes, size_t count, mode_t mode, struct ordo_error *error);

/** A new version of a file that waits in the same folder, whole and on the disk. */
struct ordo_staged_file {
    const struct ordo_file_place *place;
    struct ordo_file_place own; /* only if it was staged by a path */
    bool found;                 /* `own` is open */
    char beside[NAME_MAX + 1];
    sigset_t held; /* the signal mask before */
};

/** Writes and syncs the new version; the file itself, which must be a regular one or missing, is not touched. The
 * calling thread's signals are held from here until ordo_file_finish, so that none of them ends the program while a new
 * version would be left behind. If several files are staged, the same thread finishes them, and the one that was staged
 * first is the last. */
int ordo_file_stage(struct ordo_staged_file *staged, const char *path, const void *bytes, size_t count, mode_t mode,
                    struct ordo_error *error);

/** The same at a place that was found before, and that stays open until ordo_file_finish. */
int ordo_file_stage_at(struct ordo_staged_file *staged, const struct ordo_file_place *place, const void *bytes,
                       size_t count, mode_t mode, struct ordo_error *error);

/** Renames the new version over the file, or drops it if `commit` is false. Ends `staged` in any case. */
int ordo_file_finish(struct ordo_staged_file *staged, bool commit, struct ordo_error *error);

/** A file that is too large for memory, while it is written: it appears whole or not at all. If the file system has
 * O_TMPFILE, a process that is killed leaves nothing behind either. */
struct ordo_file_stream {
    FILE *stream; /* the caller writes to it */
    struct ordo_file_place place;
    bool replaces;             /* true: a file; false: a device, a pipe or a descriptor, which is written to directly */
    char beside[NAME_MAX + 1]; /* empty: the new file has no name yet */
    mode_t mode;
};

/** Begins the file. Everything else is as with ordo_file_replace. */
int ordo_file_stream_open(struct ordo_file_stream *file, const char *path, mode_t mode, struct ordo_error *error);

/** Syncs and renames the file, or drops it if `commit` is false. Ends `file` in any case. */
int ordo_file_stream_close(struct ordo_file_stream *file, bool commit, struct ordo_error *error);

/** Removes new versions of `path` that a kill or a crash between ordo_file_stage and ordo_file_finish has left behind,
 * if they are this user's. Only for a caller that knows that no other process is staging that file now. */
void ordo_file_sweep(const char *path);

/** The same at a place that was found before. */
void ordo_file_sweep_at(const struct ordo_file_place *place);

/** Checks whether a file can be created or replaced at `path`, before a long measurement. With `make_directory` its
 * directory is made (mode 0755) if only that is missing. */
int ordo_file_prepare(const char *path, bool make_directory, struct ordo_error *error);

/** The same at a place that was found before; `path` is for messages. */
int ordo_file_prepare_at(const char *path, const struct ordo_file_place *place, struct ordo_error *error);

/** The same for ordo_file_replace, which may also write to devices, pipes and descriptors. */
int ordo_file_prepare_output(const char *path, struct ordo_error *error);

/** Returns ": " and the remedy for a file that open(2) refused to read; empty if the system's words say it. */
const char *ordo_file_remedy(int sys_errno);

#endif
