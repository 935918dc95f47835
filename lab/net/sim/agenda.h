/* The agenda of a simulation: its events in the order of true time. Events at one time are in the order in which they
 * were put.
 *
 * The agenda is a calendar for the next millisecond, and a heap for later events (R. Brown, Calendar queues, CACM
 * 31(10), 1988). The calendar is an array of buckets, each for a short time; after the last bucket, the next turn
 * begins with the first. The width of a bucket is fixed, because packets are under way for microseconds. */
#ifndef ORDO_LAB_NET_SIM_AGENDA_H
#define ORDO_LAB_NET_SIM_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ordo_net_event {
    struct ordo_net_event *next;
    int64_t at_ps;
    uint64_t order;
};

struct ordo_net_agenda {
    struct ordo_net_event **bucket; /* the buckets of one turn of the calendar */
    struct ordo_net_event **later;  /* a heap of the events after this turn */
    size_t near, far, room;         /* the number of events in the buckets and in the heap; the size of the heap */
    int64_t at;                     /* the number of the present bucket, counted from time 0 */
    uint64_t order;
};

/** Makes an empty agenda. Returns false if out of memory. */
bool ordo_net_agenda_make(struct ordo_net_agenda *agenda);
/** Frees the agenda, but not its events. */
void ordo_net_agenda_free(struct ordo_net_agenda *agenda);

/** Adds an event. Its time must not be before the time of the event that was taken last. Returns false if out of
 * memory. */
bool ordo_net_agenda_put(struct ordo_net_agenda *agenda, struct ordo_net_event *event);

/** Removes and returns the next event, or NULL. */
struct ordo_net_event *ordo_net_agenda_take(struct ordo_net_agenda *agenda);

#endif
