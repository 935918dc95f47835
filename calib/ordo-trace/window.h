/* The window of time that a command shows, in global time: --begin, --end, --zero, --around and --call. */
#ifndef ORDO_TRACE_WINDOW_H
#define ORDO_TRACE_WINDOW_H

#include <argp.h>

#include "trace/correct/types.h"
#include "trace/report/analysis.h"

struct window_options {
    double begin_s, end_s; /* end_s 0: up to the end */
    const char *zero;      /* NULL: the first event */
    const char *around;    /* NULL: --begin and --end choose the window */
    int call;              /* 0: the first */
};

/** A child of a command's parser; its input is a struct window_options that holds zeros. */
extern const struct argp window_argp;

/** True if the options choose a part of the trace, or another zero. */
bool window_chosen(const struct window_options *options);

struct window {
    int64_t zero_ns;          /* the instant from which --begin and --end count */
    int64_t begin_ns, end_ns; /* from begin_ns up to, and not including, end_ns */
};

/** Reads the traces, which were started, to find the window. The caller starts them again.
 *
 * ORDO_E_INVALID: the trace has no session or no such call, or the window begins after the end of the trace. */
int window_find(struct window *window, const struct window_options *options, struct ordo_traces *traces,
                const struct ordo_correct_report *report, struct ordo_error *error);

/** Finds the window: the whole trace that `analysis` has analysed, unless the options choose a part. May read the
 * traces; the caller starts them again. Errors are those of window_find. */
int window_choose(struct window *window, const struct window_options *options, struct ordo_traces *traces,
                  const struct ordo_analysis *analysis, const struct ordo_correct_report *report,
                  struct ordo_error *error);

#endif
