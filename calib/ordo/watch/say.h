/* The output of the watcher: events, troubles, metrics. */
#ifndef ORDO_WATCH_SAY_H
#define ORDO_WATCH_SAY_H

#include "ordo/watch/state.h"

/** Returns the CPU time of this process. */
int64_t watch_cpu_ns(void);

/** Writes an event to the log, and as text to stderr if the log is a file. */
void watch_say(struct watch *watch, const struct event *event);

/** Notes whether a file could be written, and reports when writing begins to fail and when it succeeds again. */
void watch_trouble(struct watch *watch, struct trouble *trouble, int code, const struct ordo_error *error);

/** Writes the metrics now, if --metrics names a file. */
void watch_write_metrics(struct watch *watch);

#endif
