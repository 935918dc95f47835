/* The settings of the recorder: variables ORDO_TRACE_<NAME>, and a file with the same names ($ORDO_TRACE_CONFIG). The
 * settings of sessions have the names of the Intel Trace Collector. */
#ifndef ORDO_TRACE_RECORD_SETTINGS_H
#define ORDO_TRACE_RECORD_SETTINGS_H

#include <stdint.h>

#include "base/error.h"

/** The verification of a shared clock. OFF: none. ON: on each node; if the ranks of a node are proved to share a clock,
 * one of them asks in sessions for all. ALONE: only if all ranks are on one node; the ranks still ask in sessions, so
 * the bounds are the narrower ones of both. */
enum ordo_trace_synced_host { ORDO_TRACE_HOST_OFF, ORDO_TRACE_HOST_ON, ORDO_TRACE_HOST_ALONE };

/** Rank 0 reads the settings and broadcasts this struct, which therefore has no pointers. */
struct ordo_trace_settings {
    char prefix[512];          /* LOGFILE_NAME: prefix of the files' names; "": the program's name */
    char clock[32];            /* CLOCK; "": the hardware clock */
    double sync_max_messages;  /* exchanges of a session with each child, at most */
    double sync_max_duration;  /* longest time of a session, s */
    double sync_period;        /* SYNC_PERIODIC: time between sessions, s; 0: only sessions that the program requests */
    double synced_host;        /* enum ordo_trace_synced_host */
    double synced_cluster;     /* not 0: all clocks are declared to agree, and there are no sessions */
    double buffer_events;      /* size of each thread's ring, in events */
    double flush_period;       /* the longest time until an event is in the file, s */
    int32_t policy, has_error; /* `policy`: enum ordo_trace_policy; `has_error`: nothing is recorded */
    uint64_t run;              /* the number of this run */
    struct ordo_error error;
};

/** Reads the settings over the defaults: first the file, then the variables.
 *
 * ORDO_E_INVALID: a setting is wrong; `error` names it, its value and the allowed values.
 * ORDO_E_SYSTEM: the file cannot be read. */
int ordo_trace_settings_read(struct ordo_trace_settings *settings, struct ordo_error *error);

#endif
