/* Events, each as one line of JSON (schema ordo-watch/1) in a log that survives the loss of its file. */
#ifndef ORDO_WATCH_EVENT_H
#define ORDO_WATCH_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/interval.h"

/** An event. After the first two members, one that is 0 or NULL is not written, unless a flag says otherwise. */
struct event {
    const char *event; /* a word */
    char text[320];    /* one line for people */
    bool about_cpus;   /* cpu, a and b are set */
    unsigned cpu;      /* the one that has probably moved */
    unsigned a, b;
    bool has_offset;
    struct ordo_interval offset_ticks; /* clock b minus clock a */
    bool has_drift, proved;
    double drift_ppb, low_ppb, high_ppb, left_s;
    uint64_t boundary_ticks, generation; /* of the record concerned */
};

/** Makes a new event with a formatted text. */
struct event event_of(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define EVENT_LOG_BYTES (8 << 20)

/** The destination of events. Lines that cannot be written wait, at most 256; the oldest are dropped first. A file of
 * EVENT_LOG_BYTES is renamed to FILE.1, which replaces the one before, and a new file begins. */
struct event_log {
    const char *path; /* NULL: stdout */
    int fd;
    char *waiting[256];
    int count, dropped;
    size_t sent; /* bytes of the first waiting line that are already in the file; no rotation in between */
    bool failed; /* the last attempt failed */
};

void event_log_open(struct event_log *log, const char *path);

/** Writes the waiting lines and one event. Returns 0, or a negative code with `error` filled; the line waits then. */
int event_log_put(struct event_log *log, const struct event *event, struct ordo_error *error);

/** Tries again to write the waiting lines. */
int event_log_flush(struct event_log *log, struct ordo_error *error);

void event_log_close(struct event_log *log);

#endif
