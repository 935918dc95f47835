/* The events of a file in Chrome's form, as events of ranks and threads. */
#ifndef ORDO_TRACE_CHROME_EVENT_H
#define ORDO_TRACE_CHROME_EVENT_H

#include "trace/chrome/document.h"
#include "trace/chrome/lanes.h"
#include "trace/chrome/processes.h"
#include "trace/input/nest.h"

enum { ORDO_CHROME_NAME_MOST = 4096 };

/** The first number of the threads of asynchronous events. */
#define ORDO_CHROME_LANES (UINT32_C(3) << 30)

struct ordo_chrome_events {
    struct ordo_chrome_document document;
    struct ordo_tracks tracks;
    struct ordo_thread_track *track; /* of the last event; NULL: none */
    struct ordo_nest nest;           /* the open collectives, because an E need not repeat what its B states */
    struct ordo_lanes lanes;
    struct ordo_processes processes;
    struct ordo_names callers; /* pids of calls for devices */
    int declared;              /* the unit of ts and dur that the caller declares, as `places`; -1: none */
    int places;                /* ts and dur are numbers of 10^places ns */
    bool has_unit;             /* the unit is certain: an event had a ts other than 0 */
    char *key;                 /* of an asynchronous event */
    size_t key_room;
    char name[ORDO_CHROME_NAME_MOST];
    struct ordo_json_members members, args;
};

/** The next event: apart from `event`, its stamp and whether Ordo corrected it. */
struct ordo_chrome_read {
    struct ordo_event *event; /* set to the empty event by the caller; `rank` is the file's, or -1 */
    struct ordo_event_stamp stamp;
    bool is_corrected;
};

/** Reads the next event. Returns 1; 0 at the end; or a negative code. */
int ordo_chrome_events_next(struct ordo_chrome_events *events, struct ordo_chrome_read *read, struct ordo_error *error);

/** Keeps the begin of a collective for its end; call after the event is checked. Returns 0 or a negative code. */
int ordo_chrome_events_keep(struct ordo_chrome_events *events, const struct ordo_event *event,
                            struct ordo_error *error);

/** Forgets everything that was learnt from events; call it before the first one too. */
void ordo_chrome_events_reset(struct ordo_chrome_events *events);

#endif
