#include "net/log/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* Reads bytes of the file as they are. Returns 0 at the end, and after a failure. */
static size_t read_bytes(struct ordo_log_reader *reader, char *to, size_t room)
{
    ssize_t got;
    do
        got = read(reader->fd, to, room);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        reader->failure = errno;
    return got > 0 ? (size_t)got : 0;
}

/* Unpacks until something is unpacked, or nothing more will be. Returns the number of unpacked bytes. */
static size_t unpack_bytes(struct ordo_log_reader *reader, char *to, size_t room)
{
    struct ordo_unpack_step *step = &reader->step;
    step->to = to;
    step->room = room;
    while (step->room == room && !reader->is_damaged) {
        bool is_empty = step->count == 0;
        if (is_empty) {
            step->from = reader->packed;
            step->count = read_bytes(reader, reader->packed, ORDO_LOG_PACKED);
        }
        bool has_ended = step->count == 0;
        if (has_ended && reader->is_whole) /* no library needs a call to see this */
            break;
        enum ordo_unpacked come_to = reader->packing->run(reader->unpacking, step);
        reader->is_whole = come_to == ORDO_UNPACKED_WHOLE;
        reader->is_damaged = come_to == ORDO_UNPACKED_DAMAGED || (has_ended && !reader->is_whole && step->room == room);
        if (has_ended)
            break;
    }
    return room - step->room;
}

static void fill(struct ordo_log_reader *reader)
{
    memmove(reader->buffer, reader->buffer + reader->at, reader->filled - reader->at);
    reader->filled -= reader->at;
    reader->at = 0;
    char *to = reader->buffer + reader->filled;
    size_t room = ORDO_LOG_BUFFER - reader->filled;
    size_t got = reader->packing ? unpack_bytes(reader, to, room) : read_bytes(reader, to, room);
    reader->filled += got;
    reader->has_ended = got == 0;
}

static int begin_unpacking(struct ordo_log_reader *reader, struct ordo_error *error)
{
    if (!reader->packing->open)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s: is compressed by %s, which this program cannot read: unpack it with %s",
                              reader->path, reader->packing->name, reader->packing->program);
    reader->unpacking = reader->packing->open();
    reader->packed = malloc(ORDO_LOG_PACKED);
    if (!reader->unpacking || !reader->packed)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", reader->path);
    memcpy(reader->packed, reader->buffer, reader->filled); /* at most ORDO_LOG_PACKED, see begin_reading */
    reader->step = (struct ordo_unpack_step){.from = reader->packed, .count = reader->filled};
    reader->filled = 0;
    return ORDO_OK;
}

/* Reads the first bytes, which tell the form of compression. */
static int begin_reading(struct ordo_log_reader *reader, struct ordo_error *error)
{
    static const char mark[] = "\xef\xbb\xbf"; /* the byte-order mark of UTF-8 */
    size_t got;
    do {
        got = read_bytes(reader, reader->buffer + reader->filled, ORDO_LOG_PACKED - reader->filled);
        reader->filled += got;
    } while (got > 0 && reader->filled < ORDO_PACKING_MAGIC_MOST);
    if (reader->failure == EISDIR)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: is a folder: give the files in it", reader->path);
    if (reader->failure) {
        errno = reader->failure;
        return ordo_error_errno(error, "%s", reader->path);
    }
    reader->packing = ordo_packing_find(reader->buffer, reader->filled);
    if (reader->packing)
        return begin_unpacking(reader, error);
    if (reader->filled >= 3 && memcmp(reader->buffer, mark, 3) == 0)
        reader->at = 3;
    return ORDO_OK;
}

int ordo_log_reader_open(struct ordo_log_reader *reader, const char *path, struct ordo_error *error)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *reader = (struct ordo_log_reader){.path = path};
    reader->fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    if (reader->fd < 0) {
        int code = errno;
        return ordo_error_set(error, ORDO_E_SYSTEM, code, "%s: %s%s", path, strerror(code), ordo_file_remedy(code));
    }
    reader->buffer = malloc(ORDO_LOG_BUFFER);
    int code = reader->buffer ? begin_reading(reader, error)
                              : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", path);
    if (code)
        ordo_log_reader_close(reader);
    return code;
}

void ordo_log_reader_close(struct ordo_log_reader *reader)
{
    if (reader->unpacking)
        reader->packing->close(reader->unpacking);
    if (reader->fd >= 0)
        (void)close(reader->fd);
    free(reader->packed);
    free(reader->buffer);
    *reader = (struct ordo_log_reader){.fd = -1};
}

bool ordo_log_reader_is_regular(const struct ordo_log_reader *reader)
{
    struct stat info;
    return strcmp(reader->path, "-") != 0 && fstat(reader->fd, &info) == 0 && S_ISREG(info.st_mode);
}

/* Drops the rest of a line that does not fit into the buffer. */
static void drop_line(struct ordo_log_reader *reader)
{
    for (;;) {
        char *from = reader->buffer + reader->at;
        char *end = memchr(from, '\n', reader->filled - reader->at);
        if (end) {
            reader->at = (size_t)(end + 1 - reader->buffer);
            return;
        }
        reader->at = reader->filled;
        fill(reader);
        if (reader->has_ended)
            return;
    }
}

/* Judges a whole line, and trims it. */
static enum ordo_log_step check_raw_line(struct ordo_log_text *text, enum ordo_log_odd *odd)
{
    while (text->at < text->end && *text->at == '\0')
        text->at++;
    if (text->end > text->at && text->end[-1] == '\r')
        text->end--;
    *odd = ordo_log_length(*text) > ORDO_LOG_LINE_MOST ? ORDO_LOG_ODD_LONG : ORDO_LOG_ODD_BINARY;
    bool is_odd = ordo_log_length(*text) > ORDO_LOG_LINE_MOST || memchr(text->at, '\0', ordo_log_length(*text));
    return is_odd ? ORDO_LOG_SKIPPED : ORDO_LOG_LINE;
}

/* Ends the file. Reports each failure that ended it once. */
static enum ordo_log_step end_file(struct ordo_log_reader *reader, struct ordo_log_text *text, enum ordo_log_odd *odd)
{
    *text = (struct ordo_log_text){reader->buffer, reader->buffer};
    if (!reader->is_damaged && !reader->failure)
        return ORDO_LOG_END;
    *odd = reader->failure ? ORDO_LOG_ODD_FAILED : ORDO_LOG_ODD_DAMAGED;
    reader->is_damaged = false;
    reader->failure = 0;
    return ORDO_LOG_SKIPPED;
}

enum ordo_log_step ordo_log_reader_next(struct ordo_log_reader *reader, struct ordo_log_text *text,
                                        enum ordo_log_odd *odd)
{
    size_t searched = 0;
    for (;;) {
        char *from = reader->buffer + reader->at;
        size_t there = reader->filled - reader->at;
        char *end = there > searched ? memchr(from + searched, '\n', there - searched) : NULL;
        if (end) {
            *text = (struct ordo_log_text){from, end};
            reader->at += (size_t)(end + 1 - from);
            reader->line++;
            return check_raw_line(text, odd);
        }
        if (there == ORDO_LOG_BUFFER) {
            reader->line++;
            drop_line(reader);
            *text = (struct ordo_log_text){reader->buffer, reader->buffer};
            *odd = ORDO_LOG_ODD_LONG;
            return ORDO_LOG_SKIPPED;
        }
        searched = there;
        if (!reader->has_ended) {
            fill(reader);
            continue;
        }
        if (there == 0)
            return end_file(reader, text, odd);
        *text = (struct ordo_log_text){from, from + there};
        reader->at = reader->filled;
        reader->line++;
        enum ordo_log_step step = check_raw_line(text, odd);
        return step == ORDO_LOG_LINE ? ORDO_LOG_CUT_LINE : step;
    }
}

struct ordo_log_text ordo_log_reader_peek(struct ordo_log_reader *reader)
{
    while (reader->filled - reader->at < ORDO_LOG_BUFFER && !reader->has_ended)
        fill(reader);
    return (struct ordo_log_text){reader->buffer + reader->at, reader->buffer + reader->filled};
}
