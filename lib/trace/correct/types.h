/* The options of a correction, and its report. */
#ifndef ORDO_TRACE_CORRECT_TYPES_H
#define ORDO_TRACE_CORRECT_TYPES_H

#include "trace/causal/match.h"
#include "trace/correct/evidence.h"
#include "trace/correct/traces.h"
#include "trace/device/devices.h"

struct ordo_correct_options {
    struct ordo_traces_options traces;
    const char *sync; /* the file of sessions; NULL: use the sessions in the traces, or their messages */
    const struct ordo_method *method;
    struct ordo_declared declared;
    const struct ordo_form *to; /* NULL: the form of the first trace */
    struct ordo_folder *folder; /* for a form that is a folder; the caller finishes it. NULL: refuse such a form */
    bool causal;                /* repair violations of causality that remain */
    double stretch;             /* largest relative change of a local interval by a repair */
    bool leaves_devices;        /* do not correct the clocks of devices */
};

enum ordo_correct_source { ORDO_SOURCE_FILE, ORDO_SOURCE_TRACE, ORDO_SOURCE_MESSAGES, ORDO_SOURCE_ONE_CLOCK };

struct ordo_correct_rank {
    int32_t rank;
    uint64_t events;
    int64_t first_ns, last_ns; /* times of the rank's first and last event, by its own clock */
};

struct ordo_correct_report {
    enum ordo_correct_source source;
    struct ordo_clocks clocks;
    struct ordo_correct_rank *ranks; /* the `rank_count` ranks that have events, the lowest first */
    int rank_count;
    uint64_t events;
    uint64_t on_devices; /* events of `changed` that only a device's clock moved */
    uint64_t changed;    /* events whose global time is not the recorded time, before a repair */
    struct ordo_devices devices;
    struct ordo_evidence evidence; /* all 0 if the clocks came from sessions */
    struct ordo_causality causality;
    bool repaired;  /* the trace was repaired, which needs the option `causal` */
    double stretch; /* the largest stretch that was allowed to a rank */
    uint64_t moved_events;
    int64_t moved_most_ns;
};

#endif
