/* The text that perf script prints. */
#ifndef ORDO_TRACE_LINES_PERF_H
#define ORDO_TRACE_LINES_PERF_H

#include "trace/event/names.h"
#include "trace/lines/lines.h"

struct ordo_perf {
    const struct ordo_input *input;
    struct ordo_names returning; /* probes that have a probe at the return of their function */
    bool in_chain;               /* the last line was of a callchain */
};

/** True if the beginning of a file looks like such text. */
bool ordo_perf_looks(struct ordo_text beginning);

/** Finds the probes of returns in the beginning of a file. Returns false if out of memory. */
bool ordo_perf_learn(struct ordo_perf *perf, struct ordo_text beginning);

/** Parses a line; see struct ordo_lines_source. `state` is a struct ordo_perf. */
int ordo_perf_parse(void *state, struct ordo_lines *lines, struct ordo_text line, struct ordo_act *act,
                    struct ordo_error *error);

#endif
