/* The forms of traces: the registry of this folder. A reader returns one event after the other, and a writer takes
 * events with their global times. The memory of both does not grow with the trace. */
#ifndef ORDO_TRACE_FORM_FORM_H
#define ORDO_TRACE_FORM_FORM_H

#include <stdio.h>

#include "base/folder.h"
#include "trace/input/input.h"
#include "trace/input/odd.h"

/** The columns of CSV, and the keys of JSON Lines: first the columns that are read, then the columns that a correction
 * adds. */
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

/** The names of the columns: by default "rank", "time_ns", ...; and the unit of the times that are read. */
struct ordo_columns {
    const char *names[ORDO_COLUMNS];
    int places; /* a time is a number of 10^places ns; -1: the form's own unit */
};

struct ordo_columns ordo_columns_defaults(void);

/** Returns the column with this default name; -1 if there is none. */
int ordo_column_find(const char *name, size_t length);

/** Sets the unit of times: "s", "ms", "us" or "ns". A column of times that has its default name is then called time_s,
 * and so on. Returns false if there is no such unit. */
bool ordo_columns_set_unit(struct ordo_columns *columns, const char *unit);

struct ordo_form;
struct ordo_clocks;

struct ordo_reader {
    const struct ordo_form *form;
    struct ordo_input input;
    struct ordo_columns columns;
    int32_t rank;    /* the file's rank, if a form has one file for each rank; -1: each event states its rank */
    uint64_t run;    /* number of the run, the same in all its files; 0: the form does not state it */
    int64_t step_ns; /* step of the clock's readings; 0: the form does not state it */
    int64_t base_ns; /* the instant from which the file counts its times, which are already added to it */
    bool partial;    /* accept the undamaged beginning of a truncated file */
    bool has_rows;   /* the head of the file or an event has been read: an error in its last row may be a cut */
    bool corrected;  /* events have global_ns, earliest_ns and latest_ns; `stamp` has those of the last event */
    struct ordo_event_stamp stamp;
    struct ordo_odds odds; /* oddities of the part that was read */
    void *state;
};

struct ordo_writer {
    const struct ordo_form *form;
    FILE *stream;
    struct ordo_columns columns;
    bool merges;           /* events come from several files, each of one rank */
    bool same;             /* events come from a reader of the writer's form, so that `raw` can be passed on */
    struct ordo_text head; /* the text before the first event in the reader's form (CSV: the line of names) */
    const struct ordo_reader *first;    /* the first of the readers if `same` */
    const struct ordo_reader **readers; /* all of them */
    int reader_count;
    int64_t base_ns;            /* of the first reader if `same` */
    bool failed;                /* set by `end`: out of memory */
    struct ordo_folder *folder; /* of a form that is a folder: where `finish` makes it */
    void *state;
};

/** Facts about the recorder that a file states. */
struct ordo_facts {
    const char *clock, *host; /* valid while the reader is open */
    uint64_t nominal_hz;
    int32_t size, node, clock_of;
    bool proved; /* a verification showed that the rank shares the clock of `clock_of` */
    int64_t shared_at_ns, shared_for_ns, shared_residual_ns, shared_drift_ppb; /* as in struct ordo_trace_head */
    const char *policy;                                                        /* the policy for a full buffer */
    uint64_t exchanges;                                                        /* number of exchanges read so far */
    uint64_t lost; /* events that the recorder lost and counted */
    bool closed;   /* the recorder ended the file */
};

struct ordo_form {
    const char *name;   /* as on a command line */
    const char *title;  /* one line for people */
    const char *suffix; /* of files of this form */
    bool of_one_rank;   /* a file holds one rank; the order of several files gives the ranks that they do not state */
    bool devices;       /* events may be of devices (trace/event/device.h) */
    bool spans;         /* the writer takes ORDO_EVENT_SPAN; otherwise it gets a begin and an end */
    bool looks_first;   /* `looks` is exact, and is asked before that of the other forms */
    bool is_folder;     /* the writer makes a folder of files, and writes nothing to the stream */
    bool is_whole;      /* a file has to have all ranks: several files are refused */

    /** True if the beginning of a file looks like this form. */
    bool (*looks)(struct ordo_text beginning);

    /** Opens a reader on an open input, at its beginning. */
    int (*open)(struct ordo_reader *reader, struct ordo_error *error);

    /** Reads the next event.
     * 1: there is an event
     * 0: the end
     * negative: an error code; `error` has file, row and remedy */
    int (*next)(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error);
    void (*close)(struct ordo_reader *reader);

    /** Returns to the first event; the input is at its beginning. NULL: close and open the reader instead. */
    int (*again)(struct ordo_reader *reader, struct ordo_error *error);

    /** Returns the text with which a writer of the same form begins; NULL: no text. Valid while the reader is open. */
    struct ordo_text (*head)(const struct ordo_reader *reader);

    /** Returns the text with which a writer of the same form ends, after all events were read; NULL: no text. */
    struct ordo_text (*tail)(const struct ordo_reader *reader);

    /** Adds the sessions in the file to the clocks; NULL: files of this form have none. Afterwards the position of the
     * input is unspecified. */
    int (*learn)(struct ordo_reader *reader, struct ordo_clocks *clocks, struct ordo_error *error);

    /** Returns the facts about the recorder in the part of the file that was read; NULL: the form has none. */
    struct ordo_facts (*tell)(const struct ordo_reader *reader);

    /** Writes the beginning of a trace; NULL: this form cannot be written. `put` writes an event, and uses `end` only
     * for a span. The caller checks the stream for errors after the end. */
    int (*begin)(struct ordo_writer *writer, struct ordo_error *error);
    void (*put)(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                const struct ordo_event_stamp *end);
    void (*end)(struct ordo_writer *writer);

    /** Completes the output, after the last event and before `end`: makes the folder, or writes a text that
     * depends on all events. NULL: there is nothing to complete. */
    int (*finish)(struct ordo_writer *writer, struct ordo_error *error);
};

/** All forms, ending with NULL; generated from the files of this folder. */
extern const struct ordo_form *const ordo_forms[];

/** Returns the form of this name, or NULL. */
const struct ordo_form *ordo_form_find(const char *name);

/** Opens a trace. If `form` is NULL, the form is inferred from the beginning of the file. */
int ordo_reader_open(struct ordo_reader *reader, const char *path, const struct ordo_form *form,
                     const struct ordo_columns *columns, struct ordo_error *error);

/** Judges the end of a file, or an error: `more` is what `form->next` returned. If the file is cut within its compressed
 * data or within its last row, its whole part is accepted only if the caller accepts partial files. A file whose only
 * row is malformed has no whole part. Returns 0 or a negative code. */
int ordo_reader_end(struct ordo_reader *reader, int more, struct ordo_error *error);

/** Reads the next event, as `form->next`. */
static inline int ordo_reader_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    int more = reader->form->next(reader, event, error);
    if (more != 1)
        return ordo_reader_end(reader, more, error);
    reader->has_rows = true;
    return 1;
}

/** Returns to the beginning. */
int ordo_reader_rewind(struct ordo_reader *reader, struct ordo_error *error);
void ordo_reader_close(struct ordo_reader *reader);

/** Sets the error "<file>: row <row>: <text>". Returns ORDO_E_MALFORMED. */
int ordo_reader_refuse(const struct ordo_reader *reader, struct ordo_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Counts `count` oddities of a kind, the first at `row`.
 * 0: counted; the caller reads on
 * ORDO_E_MALFORMED: the caller of the reader refuses oddities; `error` names this one */
int ordo_reader_odd(struct ordo_reader *reader, enum ordo_odd odd, uint64_t row, uint64_t count,
                    struct ordo_error *error);

/** True if the row that was read last is the last one of the file, and lacks its end. If such a row cannot be read, the
 * reader returns ORDO_E_MALFORMED, which ordo_reader_end judges. */
bool ordo_reader_is_cut(const struct ordo_reader *reader);

/** Returns an event whose fields are all empty. */
struct ordo_event ordo_event_none(const struct ordo_reader *reader);

/** Sets a field of an event from the value of a column or key. Returns 0, or the code of ordo_reader_refuse if the
 * value is wrong. */
int ordo_event_set(const struct ordo_reader *reader, struct ordo_event *event, int column, struct ordo_text value,
                   struct ordo_error *error);

/** Sets a field of `stamp` from the value of one of the three corrected columns. */
int ordo_stamp_set(struct ordo_reader *reader, int column, struct ordo_text value, struct ordo_error *error);

/** Checks an event after all its fields are set. */
int ordo_event_check(const struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error);

#endif
