/* The frame of a trace in Chrome's form: an array of events; objects with such an array "traceEvents" among other
 * members; or events without an array, one after the other. Reads what viewers read: commas that are missing or too
 * many, an array without its end, and several documents in one file are odd, and are counted. */
#ifndef ORDO_TRACE_CHROME_DOCUMENT_H
#define ORDO_TRACE_CHROME_DOCUMENT_H

#include "trace/input/input.h"
#include "trace/input/json.h"
#include "trace/input/odd.h"

/** Facts that the members of the document state. They hold for all events, but may stand behind them. */
struct ordo_chrome_facts {
    int32_t rank;      /* "rank" of "distributedInfo"; -1: not stated */
    int64_t base_ns;   /* "baseTimeNanoseconds": the instant from which all ts count */
    bool has_base;     /* a base is stated */
    bool is_profile;   /* a profiler of one process and its devices wrote the file */
    bool is_corrected; /* Ordo wrote the file: its times are global */
};

/** The texts of the document's members other than its events, as they are in the file, with commas between them. */
struct ordo_chrome_others {
    char *at;
    size_t length, room;
};

enum ordo_chrome_where {
    ORDO_CHROME_BETWEEN, /* outside of any document */
    ORDO_CHROME_MEMBERS, /* in an object, before or behind its events */
    ORDO_CHROME_EVENTS,  /* in the array of events of an object */
    ORDO_CHROME_ARRAY,   /* in an array that is the whole document */
    ORDO_CHROME_ENDED
};

struct ordo_chrome_document {
    struct ordo_input *input;
    struct ordo_odds *odds;
    enum ordo_chrome_where where;
    bool is_settled;    /* all events have the present facts: other ones are refused */
    bool is_behind;     /* an array of events has ended */
    bool has_events;    /* an array of events, or an event, was found */
    bool after_event;   /* no comma has been read since the last event */
    bool after_comma;   /* a comma was the last thing read in the array */
    bool partial;       /* accept a file that ends within an event */
    uint64_t documents; /* number of documents that have begun */
    struct ordo_chrome_facts facts;
    struct ordo_chrome_others head, tail; /* before and behind the events of the first document */
};

/** Reads up to the first event. If the members before the events lack a fact, looks behind the events too, unless the
 * input is a pipe. */
int ordo_chrome_document_open(struct ordo_chrome_document *document, struct ordo_input *input, struct ordo_odds *odds,
                              struct ordo_error *error);

/** Returns to the first event, with the same facts; the input is at its beginning. */
int ordo_chrome_document_again(struct ordo_chrome_document *document, struct ordo_error *error);

/** Finds the next event: its members and those of its args, valid until the next call, and its text.
 * 1: there is an event
 * 0: the end
 * negative: an error code */
int ordo_chrome_document_next(struct ordo_chrome_document *document, struct ordo_text *event,
                              struct ordo_json_members *members, struct ordo_json_members *args,
                              struct ordo_error *error);
void ordo_chrome_document_close(struct ordo_chrome_document *document);

/** Counts something odd at the present row. Returns 0, or refuses it if the odds are strict. */
int ordo_chrome_odd(const struct ordo_chrome_document *document, enum ordo_odd odd, uint64_t row, uint64_t count,
                    struct ordo_error *error);

#endif
