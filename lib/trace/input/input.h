/* A file that is read from its beginning to its end, in memory that does not grow with the file. The file is never
 * mapped: if another process truncates it meanwhile, the reader refuses the file and does not get a SIGBUS. */
#ifndef ORDO_TRACE_INPUT_INPUT_H
#define ORDO_TRACE_INPUT_INPUT_H

#include "base/error.h"
#include "trace/event/event.h"

struct ordo_unpacker;

struct ordo_input {
    const char *path;
    int fd;
    bool ended;    /* the whole file was read into the buffer */
    bool cut;      /* the file is compressed, and ends within its compressed data, or has other bytes behind them */
    bool has_tail; /* it has other bytes behind them */
    char *buffer;
    size_t size;                    /* of the buffer */
    size_t at, filled;              /* in the buffer: the next byte, and the end of the bytes that were read */
    uint64_t row;                   /* of the text that was returned last, from 1 */
    uint64_t before;                /* bytes of the unpacked file before the buffer */
    struct ordo_unpacker *unpacker; /* NULL: the file is not compressed */
};

enum {
    ORDO_INPUT_LINE_MOST = 1 << 20, /* letters of a line, and of an object of JSON */
    ORDO_INPUT_BUFFER = 1 << 18
};

/** Opens a file. A compressed file is unpacked while it is read, and a byte-order mark of UTF-8 is left out. */
int ordo_input_open(struct ordo_input *input, const char *path, struct ordo_error *error);
void ordo_input_close(struct ordo_input *input);

/** Returns to the beginning. ORDO_E_SYSTEM: the file cannot seek, such as a pipe. */
int ordo_input_rewind(struct ordo_input *input, struct ordo_error *error);

/** Reads until the buffer has at least `bytes` bytes from `at` on, or the rest of the file. Returns the number of bytes
 * from `at` on, or a negative code. Text from earlier calls becomes invalid. */
ptrdiff_t ordo_input_need(struct ordo_input *input, size_t bytes, struct ordo_error *error);

/** Reads the next line, without its end. Returns 1, or 0 at the end of the file, or a negative code. The line is valid
 * until the next call. */
int ordo_input_line(struct ordo_input *input, struct ordo_text *line, struct ordo_error *error);

/** Sets the error "<file>: row <row>: <text>". Returns ORDO_E_MALFORMED. */
int ordo_input_refuse(const struct ordo_input *input, struct ordo_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
