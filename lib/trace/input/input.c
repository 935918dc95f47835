#include "trace/input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ordo_input_open(struct ordo_input *input, const char *path, struct ordo_error *error)
{
    *input = (struct ordo_input){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC), .size = ORDO_INPUT_BUFFER};
    if (input->fd < 0)
        return ordo_error_errno(error, "%s", path);
    input->buffer = malloc(input->size);
    if (input->buffer)
        return ORDO_OK;
    (void)close(input->fd);
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", path);
}

void ordo_input_close(struct ordo_input *input)
{
    if (input->buffer)
        (void)close(input->fd);
    free(input->buffer);
    input->buffer = NULL;
}

int ordo_input_rewind(struct ordo_input *input, struct ordo_error *error)
{
    if (lseek(input->fd, 0, SEEK_SET) != 0)
        return ordo_error_errno(error, "%s: has to be read twice, which takes a file", input->path);
    input->at = input->filled = 0;
    input->row = input->before = 0;
    input->ended = false;
    return ORDO_OK;
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
        ssize_t got = read(input->fd, input->buffer + input->filled, input->size - input->filled);
        if (got < 0 && errno != EINTR)
            code = ordo_error_errno(error, "%s", input->path);
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
