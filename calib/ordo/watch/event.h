/* Events of the watcher (schema ordo-watch/1). */
#ifndef ORDO_WATCH_EVENT_H
#define ORDO_WATCH_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/interval.h"
#include "common/event_log.h"

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

/** Writes the event to the log. Returns 0, or a negative code with `error` filled; the event then waits. */
int event_put(struct event_log *log, const struct event *event, struct ordo_error *error);

#endif
