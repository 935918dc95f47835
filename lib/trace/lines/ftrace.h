/* The text of the kernel's tracer: its files trace and trace_pipe, and trace-cmd report. */
#ifndef ORDO_TRACE_LINES_FTRACE_H
#define ORDO_TRACE_LINES_FTRACE_H

#include "trace/lines/lines.h"

/** True if the beginning of a file looks like such text. */
bool ordo_ftrace_looks(struct ordo_text beginning);

/** Parses a line; see struct ordo_lines_source. `state` is the struct ordo_input. */
int ordo_ftrace_parse(void *state, struct ordo_lines *lines, struct ordo_text line, struct ordo_act *act,
                      struct ordo_error *error);

#endif
