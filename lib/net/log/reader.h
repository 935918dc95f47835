/* The lines of a file, which may be compressed, a pipe, or no text at all. Memory does not grow with the file or with
 * its longest line. */
#ifndef ORDO_NET_LOG_READER_H
#define ORDO_NET_LOG_READER_H

#include <stdbool.h>

#include "base/error.h"
#include "net/log/text.h"
#include "unpack/unpack.h"

enum { ORDO_LOG_BUFFER = 1 << 18, ORDO_LOG_PACKED = 1 << 16, ORDO_LOG_LINE_MOST = 1 << 14 };

/** Why a line, or the rest of a file, is not read. */
enum ordo_log_odd {
    ORDO_LOG_ODD_LONG,      /* more than ORDO_LOG_LINE_MOST characters */
    ORDO_LOG_ODD_BINARY,    /* has a NUL, also behind its first other character */
    ORDO_LOG_ODD_MALFORMED, /* see ORDO_LOG_MALFORMED */
    ORDO_LOG_ODD_CUT,       /* the file ends within the line */
    ORDO_LOG_ODD_DAMAGED,   /* the compressed file is damaged or ends too early; the rest is not read */
    ORDO_LOG_ODD_FAILED,    /* read(2) failed; the rest is not read */
    ORDO_LOG_ODDS
};

struct ordo_log_reader {
    const char *path;
    int fd;
    char *buffer; /* ORDO_LOG_BUFFER bytes, of which [at, filled) are not yet read as lines */
    size_t at, filled;
    bool has_ended;
    uint64_t line; /* number of the last line, from 1 */
    const struct ordo_packing *packing;
    void *unpacking;
    char *packed;
    struct ordo_unpack_step step;
    bool is_whole; /* the compressed stream is complete so far */
    bool is_damaged;
    int failure; /* errno of read(2), or 0 */
};

/** Opens a file; "-" is standard input. On success the caller ends it with ordo_log_reader_close.
 *
 * 0: it is open
 * ORDO_E_SYSTEM: it cannot be opened or read, or out of memory
 * ORDO_E_INVALID: it is a folder, or its compression cannot be read by this build */
int ordo_log_reader_open(struct ordo_log_reader *reader, const char *path, struct ordo_error *error);
void ordo_log_reader_close(struct ordo_log_reader *reader);

/** True if the file can be opened again and will be the same. */
bool ordo_log_reader_is_regular(const struct ordo_log_reader *reader);

/** A step of reading: a line, a line that is left out, or the end of the file. */
enum ordo_log_step { ORDO_LOG_END, ORDO_LOG_LINE, ORDO_LOG_CUT_LINE, ORDO_LOG_SKIPPED };

/** Reads the next line, without its line end, and without NULs in front, which a crash of the machine leaves.
 * ORDO_LOG_CUT_LINE: the last line, which has no line end. ORDO_LOG_SKIPPED: `*odd` is the reason, and `*text` the begin
 * of the line. The text is valid until the next call. */
enum ordo_log_step ordo_log_reader_next(struct ordo_log_reader *reader, struct ordo_log_text *text,
                                        enum ordo_log_odd *odd);

/** Fills the buffer, and returns the text in it, which stays unread. */
struct ordo_log_text ordo_log_reader_peek(struct ordo_log_reader *reader);

#endif
