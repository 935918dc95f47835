/* A whole calibration, from the machine to a result; publishing and printing are the caller's. */
#ifndef ORDO_SESSION_H
#define ORDO_SESSION_H

#include "calibrate/measure/sweep.h"
#include "calibrate/record/calibration.h"

struct session {
    struct ordo_pair_runs runs;       /* total per direction, over all sweeps */
    uint64_t margin_ticks, margin_ns; /* the sum of both */
    uint64_t valid_days;
    int repeats;
    bool parallel, force, quiet;
    const char *cpu_list; /* NULL: every CPU that is online and allowed by the cgroup */
    const char *replaces; /* the record that will be replaced: without a list, no CPU of it may be lost; NULL: none */
};

/** What `ordo calibrate` does without options. */
#define SESSION_DEFAULTS                                                                                               \
    {                                                                                                                  \
        .runs = {.runs = 100000}, .repeats = 3, .valid_days = 365                                                      \
    }

/** Sweeps are this far apart, so that a drift has time to show. */
#define SESSION_GAP_NS 1000000000u

/** Measures; `*result` is the caller's to free. Returns EXIT_OK, or an exit code with `error` filled: EXIT_FAILS where
 * the clocks do not pass, EXIT_UNKNOWN where they could not be measured. */
int session_run(const struct session *session, struct ordo_calibration **result, struct ordo_error *error);

#endif
