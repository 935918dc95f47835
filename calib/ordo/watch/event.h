/* Events: each is one line of JSON (schema ordo-watch/1) in a log. If the log file disappears, a new one is created. */
#ifndef ORDO_WATCH_EVENT_H
#define ORDO_WATCH_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/interval.h"

/** An event. Members after `text` are not written if they are 0 or NULL, except those with a flag: a flag that is set
 * makes the event include them. */
struct event {
    const char *event; /* a word from doc/schemas */
    char text[320];    /* one line of text */
    bool about_cpus;   /* cpu, a and b are set */
    unsigned cpu;      /* the CPU whose clock has probably moved */
    unsigned a, b;
    bool has_offset;
    struct ordo_interval offset_ticks; /* clock of b minus clock of a */
    bool has_drift, proved;
    double drift_ppb, low_ppb, high_ppb, left_s;
    uint64_t boundary_ticks, generation; /* of the event's record */
};

/** Makes a new event with a formatted text. */
struct event event_of(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));

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

/** Writes the waiting lines and then the event. Returns 0, or a negative code with `error` filled; the event then
 * waits. */
int event_log_put(struct event_log *log, const struct event *event, struct ordo_error *error);

/** Writes the waiting lines, or as many as possible. */
int event_log_flush(struct event_log *log, struct ordo_error *error);

void event_log_close(struct event_log *log);

#endif
