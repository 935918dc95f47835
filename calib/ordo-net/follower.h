/* The events of `ordo-net measure --follow`: what changed from one window to the next. Each event is a line of text on
 * stdout, and a line of JSON (schema ordo-measure-event/1) in the log. */
#ifndef ORDO_NET_FOLLOWER_H
#define ORDO_NET_FOLLOWER_H

#include "common/event_log.h"
#include "ordo-net/measured.h"

enum follower_file { FOLLOWER_LOG, FOLLOWER_METRICS, FOLLOWER_DRAWING, FOLLOWER_FILES };

struct follower {
    struct measured *measured;
    const char *program;
    struct event_log log;
    bool logs, prints; /* prints: text to stdout */
    bool *silent;      /* by host: it did not answer in the last window */
    bool contrary, failed, troubled[FOLLOWER_FILES];
    size_t changes; /* number of alarms that changed in this window */
};

/** Begins with the event `start`. `log`: the log's file; NULL: none. False if out of memory. */
bool follower_begin(struct follower *follower, const char *log, bool prints, const char *program);

/** Judges the window, and reports the changes. `failure`: the reason why it has no result; NULL: it has one. */
void follower_take(struct follower *follower, const char *failure);

/** Notes whether a file could be written. Reports when writing begins to fail, and when it succeeds again. */
void follower_file(struct follower *follower, enum follower_file file, int code, const struct ordo_error *error);

/** True if a file could not be written when it was written last. */
bool follower_troubled(const struct follower *follower);

/** Ends with the event `stop`. */
void follower_end(struct follower *follower);

#endif
