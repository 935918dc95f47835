/* Takes readings and events of a daemon into their series: the state of the lock, and the findings. */
#ifndef ORDO_NET_LOG_STATE_H
#define ORDO_NET_LOG_STATE_H

#include "net/log/verdict.h"

/** The place of an item: its series, file and line, and its time. */
struct ordo_log_spot {
    struct ordo_log_judge *judge;
    struct ordo_log_track *track;
    int number; /* of the track */
    int file;
    uint64_t line;
    struct ordo_log_time time;
};

/** Takes an item of the kind READING, SUMMARY or STATE. */
void ordo_log_state_take(const struct ordo_log_spot *spot, const struct ordo_log_item *item);

/** Notes that the daemon, or the machine, started anew. */
void ordo_log_state_restart(const struct ordo_log_spot *spot, const char *why);

/** Ends a series, behind the last line of the last file. */
void ordo_log_state_end(const struct ordo_log_spot *spot);

#endif
