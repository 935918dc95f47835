/* The files of a trace as one stream of events, each with its global time. The events of one file keep its order;
 * several files are merged by global time. */
#ifndef ORDO_TRACE_CORRECT_TRACES_H
#define ORDO_TRACE_CORRECT_TRACES_H

#include "trace/clocks/clocks.h"
#include "trace/correct/numbering.h"
#include "trace/device/devices.h"
#include "trace/form/form.h"

struct ordo_traces_options {
    const char *const *paths;
    int count;
    const struct ordo_form *form; /* NULL: inferred from the beginning of each file */
    struct ordo_columns columns;
    bool partial; /* accept the undamaged beginning of a truncated file */
    bool strict;  /* refuse a file in which something is odd */
    /* Called for each file that was read to its end, when the traces are closed; NULL: not called. */
    void (*tell)(const struct ordo_reader *reader);
};

/** A file, with its next event. */
struct ordo_trace_of_file {
    struct ordo_reader reader;
    struct ordo_event event;
    struct ordo_event_stamp stamp, end;    /* `end` is set if the event is a span */
    struct ordo_device_place begins, ends; /* if event.moved_ns is not 0, or the device is corrected */
    bool is_moved;                         /* the event is on a device whose clock is corrected */
    bool some;                             /* there is a next event */
    bool is_pipe;                          /* the file can be read only once */
};

struct ordo_traces {
    struct ordo_trace_of_file *files;
    int count;
    int *heap, size; /* indices of the files with a next event; the earliest event first */
    bool begun;      /* ordo_traces_next was called since the start */
    bool ended;      /* all events were read since the start */
    void (*tell)(const struct ordo_reader *reader);
    bool started;
    const struct ordo_numbering *numbering; /* of collectives; NULL: by the order of the file */
    const struct ordo_devices *devices;     /* moves events of devices; NULL: none */
    struct ordo_clocks *clocks; /* NULL: stamps are corrected times of the file, or times by the rank's clock */
};

/** Opens all files. ORDO_E_INVALID: two files are of one rank. */
int ordo_traces_open(struct ordo_traces *traces, const struct ordo_traces_options *options, struct ordo_error *error);
void ordo_traces_close(struct ordo_traces *traces);

/** Returns to the beginning of all files, and places events by these clocks from now on. */
int ordo_traces_start(struct ordo_traces *traces, struct ordo_clocks *clocks, struct ordo_error *error);

/** Notes the time of a file's event for the granule of its rank. */
void ordo_trace_note(struct ordo_clocks *clocks, const struct ordo_trace_of_file *file);

/** Finds the next event. *file is valid until the next call.
 *
 * 1: there is an event
 * 0: the end
 * negative: an error code */
int ordo_traces_next(struct ordo_traces *traces, const struct ordo_trace_of_file **file, struct ordo_error *error);

#endif
