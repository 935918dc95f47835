/* A log of events: each is one line of JSON. If the log file disappears, a new one is created. */
#ifndef ORDO_COMMON_EVENT_LOG_H
#define ORDO_COMMON_EVENT_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "json/builder.h"

#define EVENT_LOG_BYTES (8 << 20)

/** A log of events. Up to 256 lines that cannot be written yet wait; if there are more, the oldest are dropped. A file
 * that has grown to EVENT_LOG_BYTES is renamed to FILE.1, replacing an earlier FILE.1, and a new file begins. */
struct event_log {
    const char *path; /* NULL: stdout */
    int fd;
    char *waiting[256];
    int count, dropped;
    size_t sent; /* bytes of the first waiting line that are already in the file; > 0: no rotation now */
    bool failed; /* the last attempt failed */
};

void event_log_open(struct event_log *log, const char *path);

/** Adds the present time, the event and one line of text to a new document, which it takes over. The caller may add
 * keys. */
struct ordo_json event_begin(struct ordo_json document, const char *event, const char *words);

/** Writes the waiting lines and then the event, which it takes over. Returns 0, or a negative code with `error` filled;
 * the event then waits. */
int event_log_put(struct event_log *log, struct ordo_json *event, struct ordo_error *error);

/** Writes the waiting lines, or as many as possible. */
int event_log_flush(struct event_log *log, struct ordo_error *error);

void event_log_close(struct event_log *log);

#endif
