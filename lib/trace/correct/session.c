#include "trace/correct/session.h"

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
        *some |= clocks->of[i].fixes.count > 0 || clocks->of[i].shared >= 0;
    return code;
}

int ordo_session_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                       struct ordo_correct_report *report, struct ordo_error *error)
{
    bool some = false;
    int code;
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
    return code ? code : ordo_clocks_make(&report->clocks, options->method, &options->declared, error);
}
