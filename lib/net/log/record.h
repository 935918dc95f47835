/* A line that is an object of JSON, as journalctl --output=json, docker and container runtimes write it. */
#ifndef ORDO_NET_LOG_RECORD_H
#define ORDO_NET_LOG_RECORD_H

#include "net/log/stamp.h"

struct ordo_log_record {
    struct ordo_log_text message, host, program; /* without quotes; empty: the object has none */
    struct ordo_log_time time;
    int64_t pid; /* -1: the object has none */
};

/** Reads the known members of an object. Escapes in them stay as they are, except that a line end at the end of a
 * message is left out: no message that is judged has one. False: the line is no object with a message. */
bool ordo_log_record_read(struct ordo_log_record *record, struct ordo_log_text raw, int64_t latest_ns);

#endif
