/* The forms that a trace may have: the registry of this folder. A reader gives one event after the other and a writer
 * takes them with their places in global time, both in memory that does not grow with the trace. */
#ifndef ORDO_TRACE_FORM_FORM_H
#define ORDO_TRACE_FORM_FORM_H

#include <stdio.h>

#include "trace/input/input.h"

/** The columns of CSV, and the keys of JSON Lines: those that are read, and then those that corrections add. */
enum ordo_column {
    ORDO_COLUMN_RANK,
    ORDO_COLUMN_TIME,
    ORDO_COLUMN_KIND,
    ORDO_COLUMN_NAME,
    ORDO_COLUMN_PEER,
    ORDO_COLUMN_TAG,
    ORDO_COLUMN_BYTES,
    ORDO_COLUMN_THREAD,
    ORDO_COLUMN_COMMUNICATOR,
    ORDO_COLUMN_ROOT,
    ORDO_COLUMN_NUMBER,
    ORDO_COLUMNS_READ,
    ORDO_COLUMN_GLOBAL = ORDO_COLUMNS_READ,
    ORDO_COLUMN_EARLIEST,
    ORDO_COLUMN_LATEST,
    ORDO_COLUMNS
};

/** What a column is called: by default "rank", "time_ns", ... */
struct ordo_columns {
    const char *names[ORDO_COLUMNS];
};

struct ordo_columns ordo_columns_defaults(void);

/** The column of this default name, or -1. */
int ordo_column_find(const char *name, size_t length);

struct ordo_form;
struct ordo_clocks;

struct ordo_reader {
    const struct ordo_form *form;
    struct ordo_input input;
    struct ordo_columns columns;
    int32_t rank;    /* of a form with one file a rank; -1: the events say it */
    uint64_t run;    /* the same in all files of one run; 0: the form does not say */
    int64_t step_ns; /* of the clock's readings; 0: the form does not say */
    bool partial;    /* what is whole of a file that was cut is enough */
    bool corrected;  /* it has global_ns, earliest_ns and latest_ns: `stamp` is of the last event */
    struct ordo_event_stamp stamp;
    void *state;
};

struct ordo_writer {
    const struct ordo_form *form;
    FILE *stream;
    struct ordo_columns columns;
    bool merges;           /* events come from several files, each of one rank */
    bool same;             /* events come from a reader of the same form: `raw` is passed on */
    struct ordo_text head; /* what the reader's form has before its first event (CSV: the line of the names) */
    void *state;
};

/** What a file says of its recorder. */
struct ordo_facts {
    const char *clock, *host; /* stay while the reader is open */
    uint64_t nominal_hz;
    int32_t size, node, clock_of;
    bool proved; /* a verification showed that the rank shares the clock of `clock_of`; as in struct ordo_trace_head: */
    int64_t shared_at_ns, shared_for_ns, shared_residual_ns, shared_drift_ppb;
    const char *policy; /* what was done with a full buffer */
    uint64_t exchanges; /* of sessions, up to here */
    uint64_t lost;      /* events that are not there, and are counted */
    bool closed;        /* the recorder ended the file */
};

struct ordo_form {
    const char *name;   /* as on a command line */
    const char *title;  /* one line for people */
    const char *suffix; /* of files of this form */
    bool of_one_rank;   /* a file is of one rank: where several are given and do not say which, it is their order */
    bool spans;         /* its writer takes ORDO_EVENT_SPAN; else there come a begin and an end */

    /** Whether the beginning of a file looks like it. */
    bool (*looks)(struct ordo_text beginning);

    /** On an input that is open, at its beginning. */
    int (*open)(struct ordo_reader *reader, struct ordo_error *error);

    /** 1 and an event, or 0 at the end, or a negative code with file, row and remedy. */
    int (*next)(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error);
    void (*close)(struct ordo_reader *reader);

    /** What a writer of the same form begins with; NULL: nothing. Stays while the reader is open. */
    struct ordo_text (*head)(const struct ordo_reader *reader);

    /** Adds the sessions that the file has to the clocks; NULL: files of this form have none. Leaves the input anywhere. */
    int (*learn)(struct ordo_reader *reader, struct ordo_clocks *clocks, struct ordo_error *error);

    /** What the file says of its recorder, as far as it was read; NULL: nothing. */
    struct ordo_facts (*tell)(const struct ordo_reader *reader);

    /** NULL: nothing is written in this form. Errors of the stream are asked for at its end. A span has two stamps. */
    int (*begin)(struct ordo_writer *writer, struct ordo_error *error);
    void (*put)(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                const struct ordo_event_stamp *end);
    void (*end)(struct ordo_writer *writer);
};

/** All forms, ending with NULL; generated from the files of this folder. */
extern const struct ordo_form *const ordo_forms[];

/** The form of this name, or NULL. */
const struct ordo_form *ordo_form_find(const char *name);

/** Opens a trace; with `form` NULL by what the file begins with. */
int ordo_reader_open(struct ordo_reader *reader, const char *path, const struct ordo_form *form,
                     const struct ordo_columns *columns, struct ordo_error *error);

/** The next event, as `form->next`. */
static inline int ordo_reader_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    return reader->form->next(reader, event, error);
}

/** From the beginning again. */
int ordo_reader_rewind(struct ordo_reader *reader, struct ordo_error *error);
void ordo_reader_close(struct ordo_reader *reader);

/** "<file>: row <row>: <text>", ORDO_E_MALFORMED. */
int ordo_reader_refuse(const struct ordo_reader *reader, struct ordo_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** An event with nothing in it. */
struct ordo_event ordo_event_none(const struct ordo_reader *reader);

/** Sets what a column or key says of an event; `code` of ordo_reader_refuse where it cannot be. */
int ordo_event_set(const struct ordo_reader *reader, struct ordo_event *event, int column, struct ordo_text value,
                   struct ordo_error *error);

/** Sets what one of the three corrected columns says. */
int ordo_stamp_set(struct ordo_reader *reader, int column, struct ordo_text value, struct ordo_error *error);

/** What is to be checked when all is set. */
int ordo_event_check(const struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error);

#endif
