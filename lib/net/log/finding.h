/* What is wrong in a log, and when. */
#ifndef ORDO_NET_LOG_FINDING_H
#define ORDO_NET_LOG_FINDING_H

#include "net/log/stamp.h"

enum ordo_log_wrong {
    ORDO_LOG_LOST,        /* the clock was locked to its reference, and no longer is */
    ORDO_LOG_SAW_JUMP,    /* linuxptp's clockcheck, or chronyd, saw the clock jump */
    ORDO_LOG_SET,         /* the daemon set the clock */
    ORDO_LOG_JUMPED,      /* the offset changed at once by far more than it usually does */
    ORDO_LOG_FAILED,      /* the daemon reports that something failed */
    ORDO_LOG_NEW_MASTER,  /* another master or source */
    ORDO_LOG_LIAR,        /* a source contradicts the majority */
    ORDO_LOG_RESTARTED,   /* the daemon or the machine started anew */
    ORDO_LOG_SILENT,      /* no reading for far longer than usual, or than allowed */
    ORDO_LOG_TIME_BACK,   /* the times of the lines go back */
    ORDO_LOG_OVER_OFFSET, /* beyond --max-offset, --max-delay, --max-bound */
    ORDO_LOG_OVER_DELAY,
    ORDO_LOG_OVER_BOUND,
    ORDO_LOG_WRONGS
};

/** Returns the word of a kind of finding, as in JSON: "lock-lost", "clock-jump", ... */
const char *ordo_log_wrong_name(enum ordo_log_wrong wrong);

enum { ORDO_LOG_FINDING_TEXT = 120 };

/** A finding: one event, or several of one kind and one series that follow each other. */
struct ordo_log_finding {
    enum ordo_log_wrong wrong;
    int track, file;
    uint64_t line; /* of the first event */
    struct ordo_log_time begin, end;
    uint64_t count;
    double worst_ns;                  /* the greatest magnitude, with its sign; NAN: the kind has none */
    bool is_open;                     /* the log ends before this ends */
    char text[ORDO_LOG_FINDING_TEXT]; /* the daemon's own words, or "" */
};

enum { ORDO_LOG_FINDINGS = 1000 };

/** The first ORDO_LOG_FINDINGS findings, and the numbers of all. */
struct ordo_log_findings {
    struct ordo_log_finding list[ORDO_LOG_FINDINGS];
    int listed;
    uint64_t counts[ORDO_LOG_WRONGS];
};

/** Begins a finding and counts it. Returns its place in the list; -1 if the list is full. */
int ordo_log_finding_begin(struct ordo_log_findings *findings, const struct ordo_log_finding *finding);

/** Adds another event to the finding at `place`, which may be -1. */
void ordo_log_finding_extend(struct ordo_log_findings *findings, int place, const struct ordo_log_time *time,
                             double worst_ns);

#endif
