/* Files that appear completely or not at all.
 *
 * A link is followed, and stays a link. A link of another user, except root, is refused, wherever it is in the path
 * (base/place.h). Only a regular file is ever replaced. */
#ifndef ORDO_BASE_FILE_H
#define ORDO_BASE_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/place.h"

/** Replaces the file `path` by `count` bytes: writes them to a new file in the same folder, syncs it and renames it. On
 * failure the old file is unchanged and no new file is left behind. A character device, a pipe with a reader, or a path
 * such as /dev/stdout that names a descriptor of this process is not replaced but written to. The new file gets the
 * mode of the old file, or `mode` if there was no old file. A file of another user, except root, is refused. */
int ordo_file_replace(const char *path, const void *bytes, size_t count, mode_t mode, struct ordo_error *error);

/** A new version of a file: complete, synced to the disk, and under another name in the same folder. */
struct ordo_staged_file {
    const struct ordo_file_place *place;
    struct ordo_file_place own; /* used only if the file was staged by its path */
    bool found;                 /* `own` is open */
    char beside[NAME_MAX + 1];
    sigset_t held; /* the signal mask before the staging */
};

/** Writes and syncs the new version. The file itself must be a regular file or missing; this call does not change it.
 * The calling thread's signals are blocked until ordo_file_finish, so that no signal ends the program and leaves a new
 * version behind. If a thread stages several files, the same thread must finish them, and the file that was staged
 * first must be finished last. */
int ordo_file_stage(struct ordo_staged_file *staged, const char *path, const void *bytes, size_t count, mode_t mode,
                    struct ordo_error *error);

/** Stages a file as ordo_file_stage, at a place that was found before. The place must stay open until
 * ordo_file_finish. */
int ordo_file_stage_at(struct ordo_staged_file *staged, const struct ordo_file_place *place, const void *bytes,
                       size_t count, mode_t mode, struct ordo_error *error);

/** Renames the new version over the file, or drops it if `commit` is false. Ends `staged` in any case. */
int ordo_file_finish(struct ordo_staged_file *staged, bool commit, struct ordo_error *error);

/** A file that is written piece by piece, because it is too large for memory. It appears completely or not at all. If
 * the file system supports O_TMPFILE, even a killed process leaves nothing behind. */
struct ordo_file_stream {
    FILE *stream; /* the caller writes to it */
    struct ordo_file_place place;
    bool replaces; /* true: a file is replaced; false: a device, a pipe or a descriptor is written to directly */
    char beside[NAME_MAX + 1]; /* name of the new file; empty: it has no name yet */
    mode_t mode;
};

/** Begins the file. Links, devices, modes and owners are treated as by ordo_file_replace. */
int ordo_file_stream_open(struct ordo_file_stream *file, const char *path, mode_t mode, struct ordo_error *error);

/** Syncs and renames the file, or drops it if `commit` is false. Ends `file` in any case. */
int ordo_file_stream_close(struct ordo_file_stream *file, bool commit, struct ordo_error *error);

/** Removes this user's new versions of `path` that a kill or a crash between ordo_file_stage and ordo_file_finish has
 * left behind. Call it only if no other process is staging this file. */
void ordo_file_sweep(const char *path);

/** Removes the new versions, as ordo_file_sweep, at a place that was found before. */
void ordo_file_sweep_at(const struct ordo_file_place *place);

/** Checks whether a file can be created or replaced at `path`, before a long measurement. If `make_directory` is true
 * and only the last directory of the path is missing, creates it with mode 0755. */
int ordo_file_prepare(const char *path, bool make_directory, struct ordo_error *error);

/** Checks as ordo_file_prepare, at a place that was found before; `path` is for messages. */
int ordo_file_prepare_at(const char *path, const struct ordo_file_place *place, struct ordo_error *error);

/** Checks whether ordo_file_replace can write `path`, which may also be a device, a pipe or a descriptor. */
int ordo_file_prepare_output(const char *path, struct ordo_error *error);

/** Returns ": " and a remedy for an open(2) for reading that failed with `sys_errno`; "" if the system's message
 * suffices. */
const char *ordo_file_remedy(int sys_errno);

#endif
