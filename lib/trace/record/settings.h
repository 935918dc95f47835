/* What the recorder is asked to do: variables ORDO_TRACE_<NAME>, and a file of the same names ($ORDO_TRACE_CONFIG). The
 * names of sessions are those of the Intel Trace Collector. */
#ifndef ORDO_TRACE_RECORD_SETTINGS_H
#define ORDO_TRACE_RECORD_SETTINGS_H

#include <stdint.h>

#include "base/error.h"

/** Read on rank 0 and told to all, so without pointers. */
struct ordo_trace_settings {
    char prefix[512];          /* LOGFILE_NAME: of the files' names; "" for the program's name */
    char clock[32];            /* CLOCK; "" for the hardware's */
    double sync_max_messages;  /* of a session, with each child */
    double sync_max_duration;  /* of a session, s */
    double sync_period;        /* SYNC_PERIODIC: between sessions, s; 0: none but those that are asked for */
    double synced_host;        /* not 0: one child a node, where it is proved that its ranks share a clock */
    double synced_cluster;     /* not 0: no sessions, the clocks are taken to agree */
    double buffer_events;      /* of each thread */
    double flush_period;       /* at most so long until an event is in the file, s */
    int32_t policy, has_error; /* enum ordo_trace_policy; whether `error` says why nothing is recorded */
    uint64_t run;              /* the number of this run */
    struct ordo_error error;
};

/** Reads them over the defaults, the file first. ORDO_E_INVALID, and which setting is wrong, what it is and what it may
 * be; ORDO_E_SYSTEM, the file cannot be read. */
int ordo_trace_settings_read(struct ordo_trace_settings *settings, struct ordo_error *error);

#endif
