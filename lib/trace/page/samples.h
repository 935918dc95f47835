/* Samples of the clock of each rank: its readings at up to 256 events, and the global times of these events. */
#ifndef ORDO_TRACE_PAGE_SAMPLES_H
#define ORDO_TRACE_PAGE_SAMPLES_H

#include "trace/event/event.h"

enum { ORDO_SAMPLES_MOST = 256 };

struct ordo_sample {
    int64_t time_ns; /* by the rank's clock */
    struct ordo_event_stamp stamp;
};

struct ordo_samples {
    struct ordo_sample *all;
    uint32_t count, room;
    uint64_t taken, every; /* events that were taken; one of `every` is a sample */
    int64_t widest_ns;     /* the largest width of the interval of an event, of all events */
};

/** Takes an event. If there are too many samples, drops every second one. Returns 0, or -1 if out of memory. */
int ordo_samples_take(struct ordo_samples *samples, int64_t time_ns, const struct ordo_event_stamp *stamp);

/** Sorts the samples by time, after the last one. The events of a rank may come in any order. */
void ordo_samples_sort(struct ordo_samples *samples);
void ordo_samples_free(struct ordo_samples *samples);

#endif
