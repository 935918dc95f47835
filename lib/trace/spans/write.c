#include "trace/spans/write.h"

#include <inttypes.h>
#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const struct ordo_span_edit *const *x = a, *const *y = b;
    return (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

static int64_t whole_us(int64_t time_ns)
{
    return time_ns / 1000 - (time_ns % 1000 < 0);
}

static void write_edit(const struct ordo_spans *spans, const struct ordo_span_edit *edit, FILE *stream)
{
    int64_t value = edit->is_us ? whole_us(edit->value_ns) : edit->value_ns;
    if (edit->begin)
        value -= whole_us(spans->edits[edit->begin - 1].value_ns);
    fprintf(stream, "%" PRId64, value);
}

/* Copies the file up to a place, or up to its end if the place is UINT64_MAX. */
static int copy_up_to(struct ordo_input *input, uint64_t place, FILE *stream, struct ordo_error *error)
{
    while (input->before + input->at < place) {
        ptrdiff_t got = ordo_input_need(input, 1, error);
        if (got == 0 && place != UINT64_MAX)
            return ordo_error_set(error, ORDO_E_TRUNCATED, 0, "%s: has become shorter while it was read: start again",
                                  input->path);
        if (got <= 0)
            return (int)got;
        uint64_t left = place - input->before - input->at;
        size_t count = left < (uint64_t)got ? (size_t)left : (size_t)got;
        (void)fwrite(input->buffer + input->at, 1, count, stream);
        input->at += count;
    }
    return ORDO_OK;
}

/* Skips the letters of a time. */
static int skip_letters(struct ordo_input *input, uint32_t count, struct ordo_error *error)
{
    ptrdiff_t got = ordo_input_need(input, count, error);
    if (got >= 0)
        input->at += got < (ptrdiff_t)count ? (size_t)got : count;
    return got < 0 ? (int)got : ORDO_OK;
}

int ordo_spans_copy(const struct ordo_spans *spans, const char *path, FILE *stream, struct ordo_error *error)
{
    struct ordo_input input;
    const struct ordo_span_edit **order = calloc(spans->edit_count + 1, sizeof *order);
    int code = order ? ordo_input_open(&input, path, error) : ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    if (code) {
        free(order);
        return code;
    }
    for (size_t i = 0; i < spans->edit_count; i++)
        order[i] = &spans->edits[i];
    qsort(order, spans->edit_count, sizeof *order, by_place);
    for (size_t i = 0; !code && i < spans->edit_count; i++) {
        code = copy_up_to(&input, order[i]->at, stream, error);
        write_edit(spans, order[i], stream);
        if (!code)
            code = skip_letters(&input, order[i]->length, error);
    }
    if (!code)
        code = copy_up_to(&input, UINT64_MAX, stream, error);
    ordo_input_close(&input);
    free(order);
    return code;
}
