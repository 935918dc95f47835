/* The record that is watched: a copy of it, and whether the file still is that one. */
#ifndef ORDO_WATCH_HELD_H
#define ORDO_WATCH_HELD_H

#include <stdbool.h>
#include <sys/types.h>

#include <ordo/record.h>

/** A record as it was loaded. All zero: none. */
struct held {
    void *bytes;
    struct ordo_record_view view; /* leads into `bytes` */
    unsigned *cpus;               /* those that it covers, ascending */
    int count;
    dev_t device;
    ino_t inode;
    bool within_reach; /* `fd` is that of ordo_record_reach */
    int fd;
    bool withdrawn; /* proved wrong: it is marked, or will be */
};

/** Loads the record at `path` and sees whether it could be opened here and now. 0; or why not, with `error` filled and what
 * was held before left as it is. */
int held_load(struct held *held, const char *path, struct ordo_error *error);

/** Whether anything is held. */
bool held_any(const struct held *held);

/** What became of the file: ORDO_OK where it is the same and valid, ORDO_E_SUPERSEDED where another has its place,
 * ORDO_E_DISRUPTED, ORDO_E_MISSING, or ORDO_E_SYSTEM. */
int held_look(struct held *held, const char *path);

/** Takes the descriptor by which the record can be marked, which is the caller's then; -1 if there is none. */
int held_take_fd(struct held *held);

void held_drop(struct held *held);

#endif
