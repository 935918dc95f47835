#include "trace/correct/session.h"

#include <unistd.h>

#include "trace/correct/messages.h"

/* The sessions that are in the files themselves; `some` tells whether there are any. */
static int learn_from_traces(struct ordo_traces *traces, struct ordo_clocks *clocks, bool *some,
                             struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; !code && i < traces->count; i++) {
        struct ordo_reader *reader = &traces->files[i].reader;
        if (!reader->form->learn)
            continue;
        code = ordo_reader_rewind(reader, error); /* events may have been read already */
        if (!code)
            code = reader->form->learn(reader, clocks, error);
        if (!code)
            code = ordo_reader_rewind(reader, error);
    }
    for (int i = 0; i < clocks->count; i++)
        *some |= clocks->of[i].fixes.count > 0 || clocks->of[i].has_shared;
    return code;
}

/* Reads the first events of a file for the units of its times, and returns to its beginning. Errors are left to the reader
 * that comes upon them next. */
static int sample(struct ordo_reader *reader, struct ordo_clocks *clocks, struct ordo_error *error)
{
    enum { ENOUGH = 4096 };
    struct ordo_event event;
    struct ordo_error later;
    if (lseek(reader->input.fd, 0, SEEK_CUR) < 0) /* a pipe is read once */
        return ORDO_OK;
    int code = ordo_reader_rewind(reader, error);
    for (int i = 0; !code && i < ENOUGH && ordo_reader_next(reader, &event, &later) == 1; i++)
        if (event.kind != ORDO_EVENT_META)
            ordo_clocks_note(clocks, event.rank, event.time_ns, reader->step_ns);
    return code ? code : ordo_reader_rewind(reader, error);
}

/* The events that come later make a unit finer, if anything: what is taken from the first ones is certain [U1]. */
static int sample_all(struct ordo_traces *traces, struct ordo_clocks *clocks, struct ordo_error *error)
{
    int code = ordo_clocks_grow(clocks, 0, error);
    for (int i = 0; !code && clocks->granule_ns == ORDO_GRANULE_OF_DIGITS && i < traces->count; i++)
        code = sample(&traces->files[i].reader, clocks, error);
    return code;
}

int ordo_session_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                       struct ordo_correct_report *report, struct ordo_error *error)
{
    bool some = false;
    int code;
    report->clocks.granule_ns = options->declared.granule_ns;
    if (options->sync) {
        report->source = ORDO_SOURCE_FILE;
        code = ordo_clocks_read(&report->clocks, options->sync, error);
    } else {
        report->source = ORDO_SOURCE_TRACE;
        code = learn_from_traces(traces, &report->clocks, &some, error);
    }
    if (!code && !options->sync && !some) {
        report->source = ORDO_SOURCE_MESSAGES;
        return ordo_messages_learn(traces, options, &report->clocks, error);
    }
    if (!code)
        code = ordo_clocks_make(&report->clocks, options->method, &options->declared, error);
    return code ? code : sample_all(traces, &report->clocks, error);
}
