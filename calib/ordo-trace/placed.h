/* Traces in global time, for commands that read them: corrected traces are read as they are, other traces are corrected
 * while they are read. */
#ifndef ORDO_TRACE_PLACED_H
#define ORDO_TRACE_PLACED_H

#include "ordo-trace/inputs.h"
#include "trace/correct/session.h"

struct placed_options {
    struct ordo_correct_options correct;
    double wander_ppb, skew_ppb;
    int granule_ns;
    bool raw;
};

/** A child of a command's parser, which takes the options of inputs_argp too; its input is a struct placed_options that
 * holds placed_defaults(). */
extern const struct argp placed_argp;

struct placed_options placed_defaults(void);

/** Opens the traces, learns the clocks if necessary, and starts them. The caller calls placed_close in any case. */
int placed_open(struct ordo_traces *traces, struct ordo_correct_report *report, struct placed_options *options,
                struct ordo_error *error);

/** Starts again from the beginning. */
int placed_again(struct ordo_traces *traces, struct ordo_error *error);
void placed_close(struct ordo_traces *traces, struct ordo_correct_report *report);

/** Writes a picture or a page of the traces, which were started. `context` is that of placed_write. */
typedef int placed_writer(struct ordo_traces *traces, const struct ordo_correct_report *report, const void *context,
                          FILE *stream, struct ordo_error *error);

/** Opens the traces and lets `write` write them into a file, which appears only when it is complete; "-" is stdout. The
 * file is opened first, so that a path that cannot be written is refused before the traces are read; a path of an
 * input is refused. Returns the exit code of the command. */
int placed_write(const char *command, const char *output, struct placed_options *options, placed_writer *write,
                 const void *context);

#endif
