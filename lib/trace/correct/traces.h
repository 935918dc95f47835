/* The files of a trace as one stream of events, each with its place in global time: one file as it stands, several merged
 * by that place. */
#ifndef ORDO_TRACE_CORRECT_TRACES_H
#define ORDO_TRACE_CORRECT_TRACES_H

#include "trace/clocks/clocks.h"
#include "trace/form/form.h"

struct ordo_traces_options {
    const char *const *paths;
    int count;
    const struct ordo_form *form; /* NULL: by what each file begins with */
    struct ordo_columns columns;
    bool partial; /* what is whole of files that were cut is enough */
};

/** A file, with its next event. */
struct ordo_trace_of_file {
    struct ordo_reader reader;
    struct ordo_event event;
    struct ordo_event_stamp stamp, end; /* the second where the event is a span */
    bool some;                          /* there is one */
    bool is_pipe;                       /* it can be read once */
};

struct ordo_traces {
    struct ordo_trace_of_file *files;
    int count;
    int *heap, size; /* files with an event, the earliest one first */
    bool begun;      /* events were given */
    bool started;
    struct ordo_clocks *clocks; /* NULL: stamps are those of the file, or of the rank's own clock */
};

/** Opens all files; ORDO_E_INVALID where two are of one rank. */
int ordo_traces_open(struct ordo_traces *traces, const struct ordo_traces_options *options, struct ordo_error *error);
void ordo_traces_close(struct ordo_traces *traces);

/** From the beginning, with events placed by these clocks from now on. */
int ordo_traces_start(struct ordo_traces *traces, struct ordo_clocks *clocks, struct ordo_error *error);

/** Notes the time of a file's event for the granule of its rank. */
void ordo_trace_note(struct ordo_clocks *clocks, const struct ordo_trace_of_file *file);

/** The next event: 1, 0 at the end, a negative code. It stays until the next call. */
int ordo_traces_next(struct ordo_traces *traces, const struct ordo_trace_of_file **file, struct ordo_error *error);

#endif
