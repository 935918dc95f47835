/* Traces of CTF (the Common Trace Format, which LTTng and barectf write), as babeltrace2 prints them. A host is a rank.
 * Entries and exits are regions of their thread; the tasks that run on a CPU are bars of a thread of their own. */
#include <stdlib.h>

#include "trace/form/form.h"
#include "trace/lines/ctf.h"

struct ctf_text {
    struct ordo_lines lines;
    struct ordo_ctf ctf;
};

static int ctf_open(struct ordo_reader *reader, struct ordo_error *error)
{
    reader->state = calloc(1, sizeof(struct ctf_text));
    return reader->state ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
}

static int ctf_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct ctf_text *text = reader->state;
    text->ctf.input = &reader->input;
    text->ctf.rank = reader->rank;
    struct ordo_lines_source source = {&reader->input, &reader->odds, reader->rank, &text->ctf, ordo_ctf_parse};
    int more = ordo_lines_next(&text->lines, &source, event, error);
    int code = more == 1 ? ordo_event_check(reader, event, error) : ORDO_OK;
    return code ? code : more;
}

static void ctf_close(struct ordo_reader *reader)
{
    struct ctf_text *text = reader->state;
    if (text) {
        ordo_ctf_free(&text->ctf);
        ordo_lines_free(&text->lines);
    }
    free(text);
    reader->state = NULL;
}

const struct ordo_form ordo_form_ctf = {
    .name = "ctf",
    .title = "CTF as babeltrace2 prints it (only read)",
    .suffix = ".txt",
    .of_one_rank = true,
    .looks_first = true,
    .looks = ordo_ctf_looks,
    .open = ctf_open,
    .next = ctf_next,
    .close = ctf_close,
};
