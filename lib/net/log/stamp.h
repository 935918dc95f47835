/* The time at the begin of a line of a log, in the forms of syslog, journald, containers, ts and date. */
#ifndef ORDO_NET_LOG_STAMP_H
#define ORDO_NET_LOG_STAMP_H

#include "net/log/text.h"

/** The time of a line: of the wall clock, since the start of the machine, both or neither. */
struct ordo_log_time {
    int64_t wall_ns; /* since 1970 UTC; of a form without a zone as if the zone were UTC */
    int64_t up_ns;   /* CLOCK_MONOTONIC */
    bool has_wall, has_up;
};

/** Steps over the time at the begin of `text`, and over the blanks behind it. A form without a year gets the latest
 * year in which the time is not after `latest_ns`. False: the text begins with no known form, and stays as it is. */
bool ordo_log_stamp(struct ordo_log_text *text, int64_t latest_ns, struct ordo_log_time *time);

/** Steps over a time of chrony's tables, "2026-11-29 06:11:14" or with a fraction, in UTC. */
bool ordo_log_stamp_utc(struct ordo_log_text *text, int64_t *wall_ns);

/** Steps over the time that `chronyc tracking` prints, "Sun Nov 29 06:11:14 2026", in UTC. */
bool ordo_log_stamp_long(struct ordo_log_text *text, int64_t *wall_ns);

/** Writes a wall time for people, as "2026-11-29 06:11:14.250". Returns `text`. */
const char *ordo_log_show_wall(int64_t wall_ns, char text[40]);

#endif
