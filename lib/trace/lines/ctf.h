/* Traces of CTF, such as those of LTTng, as babeltrace2 prints them. */
#ifndef ORDO_TRACE_LINES_CTF_H
#define ORDO_TRACE_LINES_CTF_H

#include "trace/event/names.h"
#include "trace/lines/lines.h"

struct ordo_ctf {
    const struct ordo_input *input;
    struct ordo_names hosts; /* the number of a host is its rank if the file has no rank of its own */
    struct ordo_map process; /* a rank and a thread: the process that has its number, plus 1 */
    struct ordo_map others;  /* a rank with a thread, and another process: a new number, plus 1 */
    uint32_t others_count;
    int32_t rank;            /* of the file; -1: not known */
    int64_t day_ns, last_ns; /* times of day only: midnights so far; the last time */
};

/** True if the beginning of a file looks like such text. */
bool ordo_ctf_looks(struct ordo_text beginning);

/** Parses a line; see struct ordo_lines_source. `state` is a struct ordo_ctf. */
int ordo_ctf_parse(void *state, struct ordo_lines *lines, struct ordo_text line, struct ordo_act *act,
                   struct ordo_error *error);

void ordo_ctf_free(struct ordo_ctf *ctf);

#endif
