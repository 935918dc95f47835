/* What happened, as one line of JSON (schema ordo-watch/1) in a log that survives the loss of its file. */
#ifndef ORDO_WATCH_EVENT_H
#define ORDO_WATCH_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/interval.h"

/** An event; what is 0 or NULL beside the first two is not written, except where a flag says so. */
struct event {
    const char *event; /* a word */
    char text[320];    /* one line for people */
    bool about_cpus;   /* cpu, a and b count */
    unsigned cpu;      /* the one that has probably moved */
    unsigned a, b;
    bool has_offset;
    struct ordo_interval offset_ticks; /* clock b less clock a */
    bool has_drift, proved;
    double drift_ppb, low_ppb, high_ppb, left_s;
    uint64_t boundary_ticks, generation; /* of the record that it is about */
};

/** A new event with a formatted text. */
struct event event_of(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define EVENT_LOG_BYTES (8 << 20)

/** Where events go. Lines that cannot be written wait, 256 at most, the oldest are dropped first. A file of EVENT_LOG_BYTES is
 * renamed to FILE.1, in the place of the one before, and a new one begins. */
struct event_log {
    const char *path; /* NULL: stdout */
    int fd;
    char *waiting[256];
    int count, dropped;
    size_t sent; /* bytes of the first that waits, already in the file: it is not rotated in between */
    bool failed; /* the last attempt */
};

void event_log_open(struct event_log *log, const char *path);

/** Writes one event, and what waits. 0, or a negative code with `error` filled: the line waits then. */
int event_log_put(struct event_log *log, const struct event *event, struct ordo_error *error);

/** Tries again to write what waits. */
int event_log_flush(struct event_log *log, struct ordo_error *error);

void event_log_close(struct event_log *log);

#endif
