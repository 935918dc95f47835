/* The meaning of a line of a log. */
#ifndef ORDO_NET_LOG_ITEM_H
#define ORDO_NET_LOG_ITEM_H

#include "net/log/line.h"

/** The kind of series to which a reading belongs. */
enum ordo_log_series {
    ORDO_LOG_SERVO,        /* ptp4l, phc2sys and ts2phc: the offset that the servo sees */
    ORDO_LOG_TRACKING,     /* chronyd: the offset of the clock, from all sources */
    ORDO_LOG_STATISTICS,   /* chronyd: the estimate of one source */
    ORDO_LOG_MEASUREMENTS, /* chronyd: the measurements of one source */
    ORDO_LOG_REFCLOCK,     /* chronyd: the samples of a reference clock */
    ORDO_LOG_SERIES
};

/** Returns the name of a kind of series: "servo", "tracking", ... */
const char *ordo_log_series_name(enum ordo_log_series series);

enum ordo_log_kind {
    ORDO_LOG_FOREIGN,   /* a line of another program */
    ORDO_LOG_OTHER,     /* a line of these programs that is not judged */
    ORDO_LOG_READING,   /* an offset */
    ORDO_LOG_SUMMARY,   /* the root of the mean square, and the maximum, of several offsets */
    ORDO_LOG_STATE,     /* a change that is judged: `event` */
    ORDO_LOG_MALFORMED, /* begins like a reading, and has a word that is no number */
    ORDO_LOG_KINDS
};

enum ordo_log_event {
    ORDO_LOG_CLOCKCHECK, /* linuxptp saw the clock jump, or run at another rate than linuxptp set */
    ORDO_LOG_PORT_LOST,  /* a port leaves the state SLAVE */
    ORDO_LOG_PORT_SLAVE, /* a port is in the state SLAVE */
    ORDO_LOG_PORT_FAULT, /* a port is in the state FAULTY */
    ORDO_LOG_MASTER,     /* `detail` is the master or the source from now on */
    ORDO_LOG_FAULT,      /* the daemon reports that something failed */
    ORDO_LOG_STEPPED,    /* the clock was set; `value_ns` is the size, or NAN */
    ORDO_LOG_WRONG,      /* the daemon says that the clock is wrong by `value_ns` */
    ORDO_LOG_UNSYNCED,   /* the daemon has no source any more */
    ORDO_LOG_FALSE,      /* a source contradicts the majority */
    ORDO_LOG_TIME_JUMP,  /* chronyd noticed that another program set the clock */
    ORDO_LOG_STARTED,    /* the daemon starts */
    ORDO_LOG_EVENTS
};

/** Values that a line does not have are NAN. Offsets are positive if the clock is ahead of its reference. */
struct ordo_log_item {
    enum ordo_log_kind kind;
    enum ordo_log_series series;
    enum ordo_log_event event;
    struct ordo_log_text clock;  /* the clock or the source; empty: the daemon has only one */
    struct ordo_log_text detail; /* of an event */
    double offset_ns;            /* of a reading */
    double rms_ns, max_ns;       /* of a summary */
    double delay_ns;             /* the round trip to the reference, or half of it, as the daemon reports it */
    double bound_ns;             /* the largest error that the daemon claims */
    double freq_ppb;
    double value_ns;
    int servo; /* 0: unlocked, 1: jump, 2: locked, 3: locked and stable; -1: the line has no state */
};

/** Reads a line of ptp4l, phc2sys or ts2phc, or of an unnamed program if it can only be theirs. */
void ordo_log_linuxptp(const struct ordo_log_line *line, struct ordo_log_item *item);

/** Reads a message of chronyd, or of an unnamed program if it can only be chronyd's: with -d it does not name itself. */
void ordo_log_chronyd(const struct ordo_log_line *line, struct ordo_log_item *item);

/** Reads a row of one of chronyd's log files, whose time it stores in `*time`. If `is_cut` is true, the last field is
 * left out. False: it is no such row, and nothing is stored. */
bool ordo_log_chrony_row(struct ordo_log_text raw, bool is_cut, struct ordo_log_time *time, struct ordo_log_item *item);

/** The report of chronyc that a file is in. All bytes 0: in none. */
struct ordo_log_chronyc {
    enum { ORDO_CHRONYC_NONE, ORDO_CHRONYC_TRACKING, ORDO_CHRONYC_SOURCES, ORDO_CHRONYC_SOURCESTATS } report;
    bool is_synced, is_own_clock;
    double offset_ns, root_delay_ns, root_dispersion_ns, freq_ppb;
    struct ordo_log_time reference; /* the time of the last update, from the report */
    struct ordo_log_time said;      /* the last time that stood alone on a line, as `date` prints it */
    char source[64];                /* the address in the report */
};

/** Reads a line of the output of `chronyc tracking`, `sources` or `sourcestats`, also with -c. False: it is none. */
bool ordo_log_chronyc_line(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw, int64_t latest_ns,
                           struct ordo_log_time *time, struct ordo_log_item *item);

#endif
