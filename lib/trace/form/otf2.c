/* Archives of OTF2 (Open Trace Format 2, www.vi-hps.org), as Score-P and others write them: a folder with an anchor
 * file, which is the file to name. A location is a thread of a rank. The library reads an archive in a process of its
 * own (trace/otf2/process.h), because it may crash on a damaged archive.
 *
 * Events that only the archive knows (metrics, requests, locks, ...) are ORDO_EVENT_OTHER. If an archive becomes an
 * archive, all definitions and events are passed on, and only the times change. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "trace/clocks/clocks.h"
#include "trace/event/names.h"
#include "trace/file/layout.h"
#include "trace/form/form.h"
#include "trace/otf2/archive.h"

enum { RUN_BYTES = 1 << 26 };

struct otf2 {
    struct ordo_process process;
    struct ordo_otf2_task task;
    struct ordo_names names; /* in the order in which they were sent */
    struct ordo_text *sent;
    uint32_t sent_count, sent_room;
};

static bool otf2_looks(struct ordo_text beginning)
{
    return beginning.length >= 6 && memcmp(beginning.at, "\3BOTF2", 6) == 0;
}

static void otf2_close(struct ordo_reader *reader)
{
    struct otf2 *otf2 = reader->state;
    if (!otf2)
        return;
    ordo_process_stop(&otf2->process);
    ordo_names_free(&otf2->names);
    free(otf2->sent);
    free(otf2);
    reader->state = NULL;
}

static int add_sent_name(struct otf2 *otf2, const char *bytes, size_t length)
{
    if (otf2->sent_count == otf2->sent_room) {
        uint32_t room = otf2->sent_room ? 2 * otf2->sent_room : 64;
        struct ordo_text *sent = realloc(otf2->sent, room * sizeof *sent);
        if (!sent)
            return -1;
        otf2->sent = sent;
        otf2->sent_room = room;
    }
    uint32_t number = ordo_names_number(&otf2->names, (struct ordo_text){bytes, length});
    if (number == UINT32_MAX)
        return -1;
    otf2->sent[otf2->sent_count++] = otf2->names.all[number];
    return 0;
}

/* Receives the next record, after those that the caller need not see. Returns its kind, or a negative code. */
static int receive(struct ordo_reader *reader, struct ordo_process_head *head, const char **bytes,
                   struct ordo_error *error)
{
    struct otf2 *otf2 = reader->state;
    static const enum ordo_odd odds[] = {[ORDO_OTF2_UNDEFINED] = ORDO_ODD_UNDEFINED,
                                         [ORDO_OTF2_UNKNOWN] = ORDO_ODD_UNKNOWN,
                                         [ORDO_OTF2_SNAPSHOT] = ORDO_ODD_SNAPSHOT};
    struct ordo_otf2_start start;
    struct ordo_otf2_odd odd;
    const char *path = reader->input.path;
    for (;;) {
        int code = ordo_process_receive(&otf2->process, path, head, bytes, error);
        if (code != 1)
            return code;
        switch (head->kind) {
        case ORDO_OTF2_START:
            memcpy(&start, *bytes, sizeof start);
            reader->step_ns = start.step_ns;
            reader->corrected = start.corrected;
            break;
        case ORDO_OTF2_NAME:
            if (add_sent_name(otf2, *bytes, head->bytes))
                return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", path);
            break;
        case ORDO_OTF2_ODD:
            memcpy(&odd, *bytes, sizeof odd);
            code = ordo_reader_odd(reader, odds[odd.oddity], reader->input.row + 1, odd.count, error);
            if (code)
                return code;
            break;
        case ORDO_OTF2_CUT:
            ordo_odds_note(&reader->odds, ORDO_ODD_CUT, reader->input.row, 1);
            break;
        case ORDO_OTF2_FAILED:
            return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: %.*s", path, (int)head->bytes, *bytes);
        default:
            return (int)head->kind;
        }
    }
}

static int refuse_build(const struct ordo_reader *reader, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_INVALID, 0,
                          "%s: is an OTF2 archive, and this ordo-trace was built without OTF2: install "
                          "libopen-trace-format2-dev, and build it again",
                          reader->input.path);
}

static int otf2_open(struct ordo_reader *reader, struct ordo_error *error)
{
    ptrdiff_t got = ordo_input_need(&reader->input, 6, error);
    if (got < 0)
        return (int)got;
    if (!otf2_looks((struct ordo_text){reader->input.buffer + reader->input.at, (size_t)got}))
        return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "%s: is no anchor file of an OTF2 archive: name its traces.otf2", reader->input.path);
    if (!ordo_otf2_is_there)
        return refuse_build(reader, error);
    struct otf2 *otf2 = reader->state = calloc(1, sizeof *otf2);
    if (!otf2)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
    otf2->task.path = reader->input.path;
    return ORDO_OK;
}

/* Starts the reading, unless it runs. */
static int start(struct ordo_reader *reader, bool learns, struct ordo_error *error)
{
    struct otf2 *otf2 = reader->state;
    if (otf2->process.buffer)
        return ORDO_OK;
    otf2->task.learns = learns;
    otf2->task.is_partial = reader->partial;
    return ordo_process_start(&otf2->process, ordo_otf2_work, &otf2->task, error);
}

static int otf2_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct otf2 *otf2 = reader->state;
    struct ordo_process_head head;
    struct ordo_otf2_event sent;
    const char *bytes;
    int code = start(reader, false, error);
    if (!code)
        code = receive(reader, &head, &bytes, error);
    if (code != ORDO_OTF2_EVENT)
        return code;
    memcpy(&sent, bytes, sizeof sent);
    *event = sent.event;
    event->row = ++reader->input.row;
    event->raw = (struct ordo_text){bytes + sizeof sent, head.bytes - sizeof sent};
    if (sent.name < otf2->sent_count)
        event->name = otf2->sent[sent.name];
    reader->stamp = sent.stamp;
    return 1;
}

static int otf2_learn(struct ordo_reader *reader, struct ordo_clocks *clocks, struct ordo_error *error)
{
    struct ordo_process_head head;
    struct ordo_otf2_fix sent;
    const char *bytes;
    int code = start(reader, true, error);
    while (!code && (code = receive(reader, &head, &bytes, error)) == ORDO_OTF2_FIX) {
        memcpy(&sent, bytes, sizeof sent);
        struct ordo_fix fix = {sent.session, sent.local_ns, sent.local_ns, sent.low_ns, sent.high_ns};
        code = ordo_clocks_grow(clocks, sent.rank, error);
        if (!code)
            code = ordo_fixes_add(&clocks->of[sent.rank].fixes, &fix, error);
    }
    return code;
}

/** Returns the path, so that a writer of the same form finds the definitions. */
static struct ordo_text otf2_head(const struct ordo_reader *reader)
{
    return (struct ordo_text){reader->input.path, strlen(reader->input.path)};
}

struct otf2_out {
    struct ordo_sorter *sorter;
    struct ordo_names names;
    struct ordo_map members; /* pairs of a communicator and a rank in it */
    int32_t last_rank;
    int64_t first_ns, last_ns;
    int sys_errno; /* 0: no error */
};

static int otf2_begin(struct ordo_writer *writer, struct ordo_error *error)
{
    if (!ordo_otf2_is_there)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "--to otf2: this ordo-trace was built without OTF2: install libopen-trace-format2-dev, "
                              "and build it again");
    struct otf2_out *out = writer->state = calloc(1, sizeof *out);
    if (out)
        out->sorter = ordo_sorter_create(RUN_BYTES);
    if (!out || !out->sorter)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    out->first_ns = INT64_MAX;
    out->last_ns = INT64_MIN;
    return ORDO_OK;
}

static struct ordo_otf2_record record_of(struct otf2_out *out, const struct ordo_event *event,
                                         const struct ordo_event_stamp *stamp)
{
    return (struct ordo_otf2_record){.earliest_ns =
                                         (int64_t)((uint64_t)stamp->earliest_ns - (uint64_t)stamp->global_ns),
                                     .latest_ns = (int64_t)((uint64_t)stamp->latest_ns - (uint64_t)stamp->global_ns),
                                     .communicator = event->communicator,
                                     .bytes = event->bytes,
                                     .has_bytes = event->has_bytes,
                                     .name = ordo_names_number(&out->names, event->name),
                                     .rank = event->rank,
                                     .peer = event->peer,
                                     .tag = event->tag,
                                     .root = event->root,
                                     .thread = event->thread,
                                     .kind = event->kind,
                                     .collective = event->collective};
}

static void add_record(struct otf2_out *out, uint64_t location, int64_t time_ns, const struct ordo_otf2_record *record,
                       struct ordo_text raw)
{
    char room[sizeof *record + 4096], *bytes = room;
    if (sizeof *record + raw.length > sizeof room)
        bytes = malloc(sizeof *record + raw.length);
    if (bytes) {
        memcpy(bytes, record, sizeof *record);
        if (raw.length > 0)
            memcpy(bytes + sizeof *record, raw.at, raw.length);
    }
    struct ordo_sorter_key key = {location, time_ns};
    if (!bytes || ordo_sorter_add(out->sorter, key, bytes, sizeof *record + raw.length))
        out->sys_errno = errno;
    out->first_ns = time_ns < out->first_ns ? time_ns : out->first_ns;
    out->last_ns = time_ns > out->last_ns ? time_ns : out->last_ns;
    if (bytes != room)
        free(bytes);
}

static void put_half(struct otf2_out *out, const struct ordo_event *event, uint8_t kind,
                     const struct ordo_event_stamp *stamp)
{
    struct ordo_otf2_record record = record_of(out, event, stamp);
    record.kind = kind;
    record.is_span = event->kind == ORDO_EVENT_SPAN;
    int32_t last = event->peer > event->rank ? event->peer : event->rank;
    out->last_rank = last > out->last_rank ? last : out->last_rank;
    uint64_t communicator = event->communicator == ORDO_EVENT_NO_COMMUNICATOR ? 0 : event->communicator;
    if (record.name == UINT32_MAX || !ordo_map_add(&out->members, communicator, (uint64_t)event->rank) ||
        (event->peer >= 0 && !ordo_map_add(&out->members, communicator, (uint64_t)event->peer)))
        out->sys_errno = ENOMEM;
    add_record(out, ordo_otf2_location(event->rank, event->thread), stamp->global_ns, &record,
               (struct ordo_text){NULL, 0});
}

static void otf2_put(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                     const struct ordo_event_stamp *end)
{
    struct otf2_out *out = writer->state;
    struct ordo_otf2_raw raw;
    if (out->sys_errno)
        return;
    if (writer->same) {
        memcpy(&raw, event->raw.at, sizeof raw);
        struct ordo_otf2_record record = {.earliest_ns = stamp->earliest_ns - stamp->global_ns,
                                          .latest_ns = stamp->latest_ns - stamp->global_ns,
                                          .is_raw = 1};
        add_record(out, raw.location, stamp->global_ns, &record, event->raw);
        return;
    }
    if (event->kind >= ORDO_EVENT_OTHER)
        return;
    put_half(out, event, event->kind == ORDO_EVENT_SPAN ? ORDO_EVENT_BEGIN : event->kind, stamp);
    if (event->kind == ORDO_EVENT_SPAN)
        put_half(out, event, ORDO_EVENT_END, end);
}

static void otf2_end(struct ordo_writer *writer)
{
    struct otf2_out *out = writer->state;
    if (!out)
        return;
    ordo_sorter_free(out->sorter);
    ordo_names_free(&out->names);
    ordo_map_free(&out->members);
    free(out);
    writer->state = NULL;
}

/* Writes in a process of its own, because the library reads the definitions of the source there. */
static int write_apart(const struct ordo_otf2_output *output, const char *path, struct ordo_error *error)
{
    struct ordo_process process;
    struct ordo_process_head head = {ORDO_OTF2_ALIVE, 0};
    const char *bytes;
    int code = ordo_process_start(&process, ordo_otf2_write, output, error);
    if (code)
        return code;
    for (code = 1; code == 1 && head.kind == ORDO_OTF2_ALIVE;)
        code = ordo_process_receive(&process, path, &head, &bytes, error);
    if (code == 1 && head.kind == ORDO_OTF2_FAILED)
        code = ordo_error_set(error, ORDO_E_INVALID, 0, "%s: %.*s", path, (int)head.bytes, bytes);
    if (code == ORDO_E_MALFORMED) /* the library aborts if it cannot write */
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: the OTF2 library gave up writing it: make room on its disk",
                              path);
    ordo_process_stop(&process);
    return code == 1 ? ORDO_OK : code;
}

static int otf2_finish(struct ordo_writer *writer, struct ordo_error *error)
{
    struct otf2_out *out = writer->state;
    if (!out->sys_errno && ordo_sorter_start(out->sorter))
        out->sys_errno = errno;
    if (out->sys_errno)
        return ordo_error_set(error, ORDO_E_SYSTEM, out->sys_errno, "%s: %s", writer->folder->path,
                              strerror(out->sys_errno));
    if (out->last_rank / 16 > (int64_t)out->members.count + 64)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s: OTF2 numbers ranks without gaps, and most ranks below %d have no events: write "
                              "another form",
                              writer->folder->path, out->last_rank);
    int code = ordo_folder_make(writer->folder, error);
    struct ordo_otf2_output output = {.folder = writer->folder->staged,
                                      .source = writer->same ? writer->head.at : NULL,
                                      .sorter = out->sorter,
                                      .names = &out->names,
                                      .members = &out->members,
                                      .last_rank = out->last_rank,
                                      .first_ns = out->first_ns,
                                      .last_ns = out->last_ns};
    return code ? code : write_apart(&output, writer->folder->path, error);
}

const struct ordo_form ordo_form_otf2 = {
    .name = "otf2",
    .title = "an archive of OTF2, by its anchor file traces.otf2",
    .suffix = ".otf2",
    .spans = true,
    .is_folder = true,
    .looks = otf2_looks,
    .open = otf2_open,
    .next = otf2_next,
    .close = otf2_close,
    .head = otf2_head,
    .learn = otf2_learn,
    .begin = otf2_begin,
    .put = otf2_put,
    .finish = otf2_finish,
    .end = otf2_end,
};
