#include "trace/correct/session.h"

#include <stdlib.h>

#include "trace/correct/messages.h"

/* Reads the sessions in the traces themselves. Sets *some if there are any. */
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
    for (int i = ordo_clocks_next(clocks, -1); i < clocks->count; i = ordo_clocks_next(clocks, i))
        *some |= clocks->of[i].fixes.count > 0 || clocks->of[i].has_shared;
    return code;
}

/* Counts the ranks with a clock whose granule may still become finer with further times. */
static int count_unsettled(const struct ordo_clocks *clocks)
{
    int count = 0;
    for (int i = ordo_clocks_next(clocks, -1); i < clocks->count; i = ordo_clocks_next(clocks, i))
        count += (clocks->of[i].made || clocks->of[i].has_shared) && !ordo_clocks_settled(clocks, i);
    return count;
}

/* Reads the times of a file until no further time can make a granule finer, and returns to the beginning of the file.
 * Ignores errors in the file, because the next pass over the file reports them. */
static int note_times(struct ordo_trace_of_file *file, struct ordo_clocks *clocks, struct ordo_error *error)
{
    struct ordo_error later;
    int code = ordo_reader_rewind(&file->reader, error), unsettled = count_unsettled(clocks);
    while (!code && unsettled > 0 && ordo_reader_next(&file->reader, &file->event, &later) == 1) {
        int32_t rank = file->event.rank;
        bool is_known = file->event.kind != ORDO_EVENT_META && rank >= 0 && rank < clocks->count;
        bool before = is_known && ordo_clocks_settled(clocks, rank);
        ordo_trace_note(clocks, file);
        unsettled -= is_known && !before && ordo_clocks_settled(clocks, rank);
        if (is_known && rank == file->reader.rank && ordo_clocks_settled(clocks, rank))
            break; /* the file has no other rank */
    }
    return code ? code : ordo_reader_rewind(&file->reader, error);
}

/* Notes the times of all files, because the granule of a rank depends on all its times and must be known before the
 * first time is placed. */
static int note_all_times(struct ordo_traces *traces, struct ordo_clocks *clocks, struct ordo_error *error)
{
    int code = ordo_clocks_grow(clocks, 0, error);
    for (int i = 0; !code && clocks->granule_ns == ORDO_GRANULE_OF_DIGITS && i < traces->count; i++)
        if (!traces->files[i].is_pipe)
            code = note_times(&traces->files[i], clocks, error);
    return code;
}

/* True if nothing is known of a rank in a file. Looks at the first `most` events only. A rank that comes later is refused
 * at its first event. */
static bool has_unknown(struct ordo_trace_of_file *file, struct ordo_clocks *clocks, int most)
{
    struct ordo_error later;
    bool unknown = file->reader.rank >= 0 && !ordo_clocks_curve(clocks, file->reader.rank);
    if (file->reader.rank >= 0 || ordo_reader_rewind(&file->reader, &later))
        return unknown;
    for (int i = 0; !unknown && i < most && ordo_reader_next(&file->reader, &file->event, &later) == 1; i++)
        unknown = file->event.kind != ORDO_EVENT_META && !ordo_clocks_curve(clocks, file->event.rank);
    return unknown;
}

/* Corrects the ranks that took part in no session by their messages and collectives with the other ranks. */
static int learn_others(struct ordo_traces *traces, const struct ordo_correct_options *options,
                        struct ordo_correct_report *report, struct ordo_error *error)
{
    enum { LOOK_AT = 100000 };
    bool unknown = false, pipe = false;
    int code = ORDO_OK;
    for (int i = 0; i < traces->count; i++)
        pipe |= traces->files[i].is_pipe;
    for (int i = 0; !pipe && !unknown && i < traces->count; i++)
        unknown = has_unknown(&traces->files[i], &report->clocks, LOOK_AT / traces->count + 1);
    for (int i = 0; !pipe && !code && i < traces->count; i++)
        code = ordo_reader_rewind(&traces->files[i].reader, error);
    if (!code && unknown) {
        ordo_devices_free(&report->devices); /* learned again, with the messages */
        code = ordo_messages_learn(traces, options, report, error);
    }
    /* A rank that stays unknown is refused at its first event. */
    return code == ORDO_E_MEASURE && report->evidence.is_short ? ORDO_OK : code;
}

/* Learns the clocks of devices from the files whose form has devices. A pipe can be read only once, so its devices stay
 * as they are. */
static int learn_devices(struct ordo_traces *traces, const struct ordo_correct_options *options,
                         struct ordo_correct_report *report, struct ordo_error *error)
{
    int code = ORDO_OK, more = 0;
    for (int i = 0; !code && i < traces->count; i++) {
        struct ordo_reader *reader = &traces->files[i].reader;
        if (!reader->form->devices || traces->files[i].is_pipe)
            continue;
        code = ordo_reader_rewind(reader, error);
        while (!code && (more = ordo_reader_next(reader, &traces->files[i].event, error)) == 1)
            if (ordo_devices_take(&report->devices, i, &traces->files[i].event))
                code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "devices: out of memory");
        code = code ? code : more < 0 ? more : ordo_reader_rewind(reader, error);
    }
    return code ? code : ordo_devices_settle(&report->devices, &options->declared, options->leaves_devices, error);
}

static int learn_clocks(struct ordo_traces *traces, const struct ordo_correct_options *options,
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
        return ordo_messages_learn(traces, options, report, error);
    }
    if (!code)
        code = learn_devices(traces, options, report, error);
    if (!code)
        code = ordo_clocks_make(&report->clocks, options->method, &options->declared, error);
    if (!code)
        code = note_all_times(traces, &report->clocks, error);
    return code ? code : learn_others(traces, options, report, error);
}

/* True if no evidence joins some rank with events to rank 0. `code` is the result of learn_clocks. */
static bool is_open(struct ordo_correct_report *report, int code)
{
    struct ordo_clocks *clocks = &report->clocks;
    for (int i = ordo_clocks_next(clocks, -1); !code && i < clocks->count; i = ordo_clocks_next(clocks, i))
        if (clocks->of[i].unit.count > 0 && !ordo_clocks_curve(clocks, i))
            return true;
    return code == ORDO_E_MEASURE && report->evidence.is_short;
}

/* True if the trace is a single file of a form in which each rank has a file, it has neither sessions nor messages
 * between ranks, and some clock stays unknown. Collectives alone do not make several ranks of a file's processes: a
 * process may have a kernel of NCCL on each of its devices. */
static bool is_of_one_clock(const struct ordo_traces *traces, struct ordo_correct_report *report, int code)
{
    return report->source == ORDO_SOURCE_MESSAGES && traces->count == 1 && traces->files[0].reader.form->of_one_rank &&
           report->evidence.messages == 0 && is_open(report, code);
}

/* Makes a clock the master's, and forgets its fixes. */
static void share_clock(struct ordo_clock *clock)
{
    if (clock->made)
        ordo_correction_free(&clock->correction);
    free(clock->fixes.all);
    clock->fixes = (struct ordo_fixes){.rank = clock->fixes.rank};
    clock->correction = (struct ordo_correction){0};
    clock->made = false;
    clock->has_shared = true;
}

/* Declares that all ranks with events read the master's clock. ordo_messages_learn has noted all times. */
static int share_one_clock(const struct ordo_correct_options *options, struct ordo_correct_report *report,
                           struct ordo_error *error)
{
    struct ordo_clocks *clocks = &report->clocks;
    int code = ordo_clocks_grow(clocks, 0, error);
    for (int i = ordo_clocks_next(clocks, 0); !code && i < clocks->count; i = ordo_clocks_next(clocks, i))
        if (clocks->of[i].unit.count > 0)
            share_clock(&clocks->of[i]);
    free(report->evidence.ranks);
    report->evidence = (struct ordo_evidence){.numbering = report->evidence.numbering};
    if (!code)
        code = ordo_clocks_make(clocks, options->method, &options->declared, error);
    report->source = ORDO_SOURCE_ONE_CLOCK;
    return code;
}

int ordo_session_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                       struct ordo_correct_report *report, struct ordo_error *error)
{
    int code = learn_clocks(traces, options, report, error);
    traces->numbering = &report->evidence.numbering;
    traces->devices = &report->devices;
    return is_of_one_clock(traces, report, code) ? share_one_clock(options, report, error) : code;
}
