/* What a correction is asked for, and what it reports. */
#ifndef ORDO_TRACE_CORRECT_TYPES_H
#define ORDO_TRACE_CORRECT_TYPES_H

#include "trace/causal/match.h"
#include "trace/correct/traces.h"

struct ordo_correct_options {
    struct ordo_traces_options traces;
    const char *sync; /* the file of sessions; NULL: those of the traces, or their messages */
    const struct ordo_method *method;
    struct ordo_declared declared;
    const struct ordo_form *to; /* NULL: that of the first trace */
    bool causal;                /* repair what still violates causality */
    double stretch;             /* by which part of its length a local interval may change for that */
};

enum ordo_correct_source { ORDO_SOURCE_FILE, ORDO_SOURCE_TRACE, ORDO_SOURCE_MESSAGES };

struct ordo_correct_rank {
    int32_t rank;
    uint64_t events;
    int64_t first_ns, last_ns; /* of its events, by its clock */
};

struct ordo_correct_report {
    enum ordo_correct_source source;
    struct ordo_clocks clocks;
    struct ordo_correct_rank *ranks; /* those that have events, the lowest first; `rank_count` of them */
    int rank_count;
    uint64_t events;
    struct ordo_causality causality;
    bool repaired;  /* with `causal` */
    double stretch; /* by which part of its length a local interval of some rank was allowed to change */
    uint64_t moved_events;
    int64_t moved_most_ns;
};

#endif
