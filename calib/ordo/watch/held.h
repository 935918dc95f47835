/* The watched record: a copy of it, and a check that the file is still the same. */
#ifndef ORDO_WATCH_HELD_H
#define ORDO_WATCH_HELD_H

#include <stdbool.h>
#include <sys/types.h>

#include <ordo/record.h>

/** A loaded record. All members zero: no record. */
struct held {
    void *bytes;
    struct ordo_record_view view; /* points into `bytes` */
    unsigned *cpus;               /* the covered CPUs, ascending */
    int count;
    dev_t device;
    ino_t inode;
    bool within_reach; /* `fd` is a descriptor of ordo_record_reach */
    int fd;
    bool withdrawn; /* proved wrong: marked DISRUPTED, or about to be */
};

/** Loads the record at `path`, and checks whether programs could open it at present. Returns 0; or the reason, with
 * `error` filled and `held` unchanged. */
int held_load(struct held *held, const char *path, struct ordo_error *error);

/** True if a record is loaded. */
bool held_any(const struct held *held);

/** Compares the file at `path` with the loaded record.
 *
 * ORDO_OK: the file is the same record, and valid
 * ORDO_E_SUPERSEDED: the file is another record
 * ORDO_E_DISRUPTED: the file is the same record, marked DISRUPTED
 * ORDO_E_MISSING: there is no file
 * ORDO_E_SYSTEM: the file cannot be read at present */
int held_look(struct held *held, const char *path);

/** Returns the descriptor that can mark the record, and transfers it to the caller; -1 if there is none. */
int held_take_fd(struct held *held);

void held_drop(struct held *held);

#endif
