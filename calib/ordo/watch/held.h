/* The watched record: a copy of it, and whether the file still is that record. */
#ifndef ORDO_WATCH_HELD_H
#define ORDO_WATCH_HELD_H

#include <stdbool.h>
#include <sys/types.h>

#include <ordo/record.h>

/** A loaded record. All zero: none. */
struct held {
    void *bytes;
    struct ordo_record_view view; /* points into `bytes` */
    unsigned *cpus;               /* the covered ones, ascending */
    int count;
    dev_t device;
    ino_t inode;
    bool within_reach; /* `fd` comes from ordo_record_reach */
    int fd;
    bool withdrawn; /* proved wrong: marked already, or to be marked */
};

/** Loads the record at `path` and checks whether it could be opened here and now. Returns 0, or the reason with `error`
 * filled and `held` unchanged. */
int held_load(struct held *held, const char *path, struct ordo_error *error);

/** True if a record is held. */
bool held_any(const struct held *held);

/** Compares the file with the held record.
 *
 * ORDO_OK: it is the same record, and valid
 * ORDO_E_SUPERSEDED: another record has its place
 * ORDO_E_DISRUPTED: it is marked
 * ORDO_E_MISSING: there is no file
 * ORDO_E_SYSTEM: the file cannot be read now */
int held_look(struct held *held, const char *path);

/** Takes the descriptor by which the record can be marked; the caller then owns it. -1 if there is none. */
int held_take_fd(struct held *held);

void held_drop(struct held *held);

#endif
