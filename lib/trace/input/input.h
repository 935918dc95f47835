/* A file that is read from its beginning to its end, in memory that does not grow with it. It is never mapped, so that who
 * cuts it short meanwhile makes the reader refuse it and nothing worse. */
#ifndef ORDO_TRACE_INPUT_INPUT_H
#define ORDO_TRACE_INPUT_INPUT_H

#include "base/error.h"
#include "trace/event/event.h"

struct ordo_input {
    const char *path;
    int fd;
    bool ended; /* nothing more to read into the buffer */
    char *buffer;
    size_t size;       /* of the buffer */
    size_t at, filled; /* what is next, and behind what was read */
    uint64_t row;      /* of what was returned last, from 1 */
    uint64_t before;   /* bytes of the file before the buffer */
};

enum {
    ORDO_INPUT_LINE_MOST = 1 << 20, /* letters of a line, and of an object of JSON */
    ORDO_INPUT_BUFFER = 1 << 18
};

int ordo_input_open(struct ordo_input *input, const char *path, struct ordo_error *error);
void ordo_input_close(struct ordo_input *input);

/** From the beginning again; ORDO_E_SYSTEM where the file cannot be, such as a pipe. */
int ordo_input_rewind(struct ordo_input *input, struct ordo_error *error);

/** Has at least `bytes` in the buffer from `at` on, or all that there are; returns how many, or a negative code. What was
 * returned before is then gone. */
ptrdiff_t ordo_input_need(struct ordo_input *input, size_t bytes, struct ordo_error *error);

/** The next line without its end, which stays until the next call: 1, or 0 at the end of the file, or a negative code. */
int ordo_input_line(struct ordo_input *input, struct ordo_text *line, struct ordo_error *error);

#endif
