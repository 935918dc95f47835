#include "trace/input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unpack/unpack.h"

struct ordo_unpacker {
    const struct ordo_packing *packing;
    void *state;
    struct ordo_unpack_step step; /* `from` and `count`: the packed bytes that were read and not yet unpacked */
    bool is_whole;                /* no stream is open */
    size_t size;                  /* of `packed` */
    char packed[];
};

/* Reads bytes of the file. Returns their number, 0 at the end, or a negative code. */
static ptrdiff_t read_some(const struct ordo_input *input, char *to, size_t most, struct ordo_error *error)
{
    for (;;) {
        ssize_t got = read(input->fd, to, most);
        if (got >= 0)
            return got;
        if (errno != EINTR)
            return ordo_error_errno(error, "%s", input->path);
    }
}

static int refuse_packed(const struct ordo_input *input, struct ordo_error *error)
{
    const struct ordo_packing *packing = input->unpacker->packing;
    return ordo_error_set(error, ORDO_E_CHECKSUM, 0, "%s: its compressed data (%s) are damaged: copy it again",
                          input->path, packing->name);
}

/* Reads and unpacks until there is some text. Returns as read_some. */
static ptrdiff_t unpack_some(struct ordo_input *input, char *to, size_t most, struct ordo_error *error)
{
    struct ordo_unpacker *unpacker = input->unpacker;
    struct ordo_unpack_step *step = &unpacker->step;
    step->to = to;
    step->room = most;
    for (;;) {
        size_t before = step->count;
        enum ordo_unpacked come = unpacker->packing->run(unpacker->state, step);
        if (come == ORDO_UNPACKED_DAMAGED) {
            bool begins_stream = before - step->count > ORDO_PACKING_MAGIC_MOST || step->room < most;
            input->cut = input->has_tail = unpacker->is_whole && !begins_stream;
            return input->has_tail ? 0 : refuse_packed(input, error);
        }
        if (come == ORDO_UNPACKED_WHOLE || step->count < before)
            unpacker->is_whole = come == ORDO_UNPACKED_WHOLE;
        if (step->room < most)
            return (ptrdiff_t)(most - step->room);
        if (step->count > 0)
            continue;
        ptrdiff_t got = read_some(input, unpacker->packed, unpacker->size, error);
        step->from = unpacker->packed;
        step->count = got > 0 ? (size_t)got : 0;
        if (got == 0)
            input->cut = !unpacker->is_whole;
        if (got <= 0)
            return got;
    }
}

static ptrdiff_t more_text(struct ordo_input *input, char *to, size_t most, struct ordo_error *error)
{
    return input->unpacker ? unpack_some(input, to, most, error) : read_some(input, to, most, error);
}

static void close_unpacker(struct ordo_input *input)
{
    if (input->unpacker && input->unpacker->state)
        input->unpacker->packing->close(input->unpacker->state);
    free(input->unpacker);
    input->unpacker = NULL;
}

/* Takes the bytes in the buffer as the beginning of a compressed file. */
static int open_unpacker(struct ordo_input *input, const struct ordo_packing *packing, struct ordo_error *error)
{
    if (!packing->open)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "%s: is compressed by %s, which this program cannot read: unpack it with %s", input->path,
                              packing->name, packing->program);
    size_t size = input->filled > ORDO_INPUT_BUFFER ? input->filled : ORDO_INPUT_BUFFER;
    struct ordo_unpacker *unpacker = input->unpacker = calloc(1, sizeof *unpacker + size);
    if (unpacker) {
        unpacker->packing = packing;
        unpacker->size = size;
        unpacker->state = packing->open();
    }
    if (!unpacker || !unpacker->state)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", input->path);
    memcpy(unpacker->packed, input->buffer, input->filled);
    unpacker->step = (struct ordo_unpack_step){.from = unpacker->packed, .count = input->filled};
    input->filled = 0;
    return ORDO_OK;
}

/* Refuses text whose letters have two bytes or four, with or without its mark, and a file that is compressed twice. */
static int judge_text(const struct ordo_input *input, struct ordo_error *error)
{
    const char *at = input->buffer;
    bool is_marked = input->filled > 1 && (memcmp(at, "\xff\xfe", 2) == 0 || memcmp(at, "\xfe\xff", 2) == 0);
    bool is_wide = input->filled > 3 && ((strchr("[{", at[0]) && at[0] && !at[1]) ||
                                         (!at[0] && !at[1] && !at[2] && at[3] && strchr("[{", at[3])) ||
                                         (!at[0] && at[1] && strchr("[{", at[1])));
    if (is_marked || is_wide)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "%s: is text in UTF-16 or UTF-32: convert it to UTF-8 with iconv", input->path);
    const struct ordo_packing *packing = input->unpacker ? ordo_packing_find(at, input->filled) : NULL;
    if (packing)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: is compressed twice: unpack it once, with %s",
                              input->path, input->unpacker->packing->program);
    return ORDO_OK;
}

/* Begins to read: finds out whether the file is compressed, and leaves out a byte-order mark. */
static int begin(struct ordo_input *input, struct ordo_error *error)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    ptrdiff_t got = ordo_input_need(input, ORDO_PACKING_MAGIC_MOST, error);
    const struct ordo_packing *packing = got > 0 ? ordo_packing_find(input->buffer, (size_t)got) : NULL;
    if (packing) {
        int code = open_unpacker(input, packing, error);
        if (code)
            return code;
        input->ended = false;
        got = ordo_input_need(input, ORDO_PACKING_MAGIC_MOST, error);
    }
    int wrong = got > 0 ? judge_text(input, error) : ORDO_OK;
    if (wrong)
        return wrong;
    if (got >= (ptrdiff_t)sizeof mark && memcmp(input->buffer, mark, sizeof mark) == 0)
        input->at = sizeof mark;
    return got < 0 ? (int)got : ORDO_OK;
}

int ordo_input_open(struct ordo_input *input, const char *path, struct ordo_error *error)
{
    *input = (struct ordo_input){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC), .size = ORDO_INPUT_BUFFER};
    if (input->fd < 0)
        return ordo_error_errno(error, "%s", path);
    input->buffer = malloc(input->size);
    int code = input->buffer ? begin(input, error) : ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", path);
    if (!code)
        return ORDO_OK;
    if (!input->buffer)
        (void)close(input->fd);
    ordo_input_close(input);
    return code;
}

void ordo_input_close(struct ordo_input *input)
{
    close_unpacker(input);
    if (input->buffer)
        (void)close(input->fd);
    free(input->buffer);
    input->buffer = NULL;
}

int ordo_input_rewind(struct ordo_input *input, struct ordo_error *error)
{
    if (lseek(input->fd, 0, SEEK_SET) != 0)
        return ordo_error_errno(error, "%s: has to be read twice, which takes a file", input->path);
    close_unpacker(input);
    input->at = input->filled = 0;
    input->row = input->before = 0;
    input->ended = input->cut = input->has_tail = false;
    return begin(input, error);
}

/* Makes room in the buffer. A buffer that is too small becomes at least twice as large, so that a long line is not
 * copied again and again. */
static int make_room_in_input(struct ordo_input *input, size_t bytes, struct ordo_error *error)
{
    memmove(input->buffer, input->buffer + input->at, input->filled - input->at);
    input->before += input->at;
    input->filled -= input->at;
    input->at = 0;
    if (bytes <= input->size)
        return ORDO_OK;
    bytes = bytes > 2 * input->size ? bytes : 2 * input->size;
    char *larger = realloc(input->buffer, bytes);
    if (!larger)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", input->path);
    input->buffer = larger;
    input->size = bytes;
    return ORDO_OK;
}

ptrdiff_t ordo_input_need(struct ordo_input *input, size_t bytes, struct ordo_error *error)
{
    if (input->filled - input->at >= bytes || input->ended)
        return (ptrdiff_t)(input->filled - input->at);
    int code = make_room_in_input(input, bytes, error);
    while (!code && !input->ended && input->filled < bytes) {
        ptrdiff_t got = more_text(input, input->buffer + input->filled, input->size - input->filled, error);
        code = got < 0 ? (int)got : ORDO_OK;
        input->ended = got == 0;
        input->filled += got > 0 ? (size_t)got : 0;
    }
    return code ? code : (ptrdiff_t)(input->filled - input->at);
}

static int too_long(const struct ordo_input *input, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: row %" PRIu64 " has more than %d letters: it is no trace",
                          input->path, input->row + 1, ORDO_INPUT_LINE_MOST);
}

int ordo_input_line(struct ordo_input *input, struct ordo_text *line, struct ordo_error *error)
{
    size_t searched = 0;
    for (;;) {
        size_t there = input->filled - input->at;
        char *from = input->buffer + input->at;
        char *end = there > searched ? memchr(from + searched, '\n', there - searched) : NULL;
        if ((end ? (size_t)(end - from) : there) >= ORDO_INPUT_LINE_MOST)
            return too_long(input, error);
        if (end || (input->ended && there > 0)) {
            *line = (struct ordo_text){from, end ? (size_t)(end - from) : there};
            input->at += line->length + (end != NULL);
            input->row++;
            line->length -= line->length > 0 && line->at[line->length - 1] == '\r';
            return 1;
        }
        if (input->ended)
            return 0;
        searched = there;
        ptrdiff_t got = ordo_input_need(input, there + 1, error);
        if (got < 0)
            return (int)got;
    }
}

int ordo_input_refuse(const struct ordo_input *input, struct ordo_error *error, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: row %" PRIu64 ": %s", input->path, input->row, text);
}
