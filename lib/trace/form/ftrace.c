/* The text of the kernel's tracer: the files trace and trace_pipe, trace-cmd report, and Android's atrace. A file is of
 * one host, which is a rank. The tasks that run on a CPU are bars of a thread of their own. */
#include <stdlib.h>

#include "trace/form/form.h"
#include "trace/lines/ftrace.h"

static int ftrace_open(struct ordo_reader *reader, struct ordo_error *error)
{
    reader->state = calloc(1, sizeof(struct ordo_lines));
    return reader->state ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
}

static int ftrace_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct ordo_lines_source source = {&reader->input, &reader->odds, reader->rank, &reader->input, ordo_ftrace_parse};
    int more = ordo_lines_next(reader->state, &source, event, error);
    int code = more == 1 ? ordo_event_check(reader, event, error) : ORDO_OK;
    return code ? code : more;
}

static void ftrace_close(struct ordo_reader *reader)
{
    if (reader->state)
        ordo_lines_free(reader->state);
    free(reader->state);
    reader->state = NULL;
}

const struct ordo_form ordo_form_ftrace = {
    .name = "ftrace",
    .title = "the text of ftrace, trace-cmd and atrace (only read)",
    .suffix = ".txt",
    .of_one_rank = true,
    .looks_first = true,
    .looks = ordo_ftrace_looks,
    .open = ftrace_open,
    .next = ftrace_next,
    .close = ftrace_close,
};
