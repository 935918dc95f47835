/* The text that perf script prints. A file is of one host, which is a rank. Samples are points; probes of a function's
 * entry and return are a region; the tasks that run on a CPU are bars of a thread of their own. */
#include <stdlib.h>

#include "trace/form/form.h"
#include "trace/lines/perf.h"

struct perf_text {
    struct ordo_lines lines;
    struct ordo_perf perf;
};

static void perf_close(struct ordo_reader *reader)
{
    struct perf_text *text = reader->state;
    if (text) {
        ordo_names_free(&text->perf.returning);
        ordo_lines_free(&text->lines);
    }
    free(text);
    reader->state = NULL;
}

/* Looks for probes of returns in the beginning of the file, so that the first entries before them are begins too. */
static int perf_open(struct ordo_reader *reader, struct ordo_error *error)
{
    struct ordo_input *input = &reader->input;
    struct perf_text *text = reader->state = calloc(1, sizeof *text);
    ptrdiff_t got = ordo_input_need(input, ORDO_INPUT_BUFFER, error);
    bool is_learnt =
        text && got >= 0 && ordo_perf_learn(&text->perf, (struct ordo_text){input->buffer + input->at, (size_t)got});
    if (is_learnt)
        return ORDO_OK;
    perf_close(reader);
    return got < 0 ? (int)got : ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", input->path);
}

static int perf_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct perf_text *text = reader->state;
    text->perf.input = &reader->input;
    struct ordo_lines_source source = {&reader->input, &reader->odds, reader->rank, &text->perf, ordo_perf_parse};
    int more = ordo_lines_next(&text->lines, &source, event, error);
    int code = more == 1 ? ordo_event_check(reader, event, error) : ORDO_OK;
    return code ? code : more;
}

const struct ordo_form ordo_form_perf = {
    .name = "perf",
    .title = "the text of perf script (only read)",
    .suffix = ".txt",
    .of_one_rank = true,
    .looks_first = true,
    .looks = ordo_perf_looks,
    .open = perf_open,
    .next = perf_next,
    .close = perf_close,
};
