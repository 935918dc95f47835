/* What is to happen when, in the order of true time; of equal times what was put first comes first.
 *
 * A calendar of buckets for the next millisecond, and a heap for what is later (R. Brown, Calendar queues, CACM 31(10), 1988, with a
 * fixed width: packets are under way for microseconds). */
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
    struct ordo_net_event **bucket; /* of one turn of the calendar */
    struct ordo_net_event **later;  /* a heap */
    size_t near, far, room;         /* how many are in the buckets and in the heap, and what the heap has room for */
    int64_t at;                     /* the number of the bucket that is looked at, counted from time 0 */
    uint64_t order;
};

/** False where memory ran out. */
bool ordo_net_agenda_make(struct ordo_net_agenda *agenda);
/** Frees itself, not the events. */
void ordo_net_agenda_free(struct ordo_net_agenda *agenda);

/** Not before the time of what was taken last. False where memory ran out. */
bool ordo_net_agenda_put(struct ordo_net_agenda *agenda, struct ordo_net_event *event);

/** The next event, NULL where there is none. */
struct ordo_net_event *ordo_net_agenda_take(struct ordo_net_agenda *agenda);

#endif
