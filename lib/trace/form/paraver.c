/* Traces of Paraver (tools.bsc.es/paraver), as Extrae and others write them: the records are in NAME.prv, names of states
 * and of types and values of events in NAME.pcf, names of threads in NAME.row.
 *
 * A task is a rank; the tasks of several applications are numbered one after the other. A message is one record, with
 * both of its ends: the send is its logical send, the receive its physical receive. States are spans of a thread of
 * their own, whose number is that of the thread plus STATES, because they do not nest with calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "trace/file/layout.h"
#include "trace/form/form.h"
#include "trace/input/number.h"
#include "trace/paraver/labels.h"
#include "trace/paraver/record.h"
#include "trace/paraver/write.h"

enum { STATES = 1 << 20, FIELDS_MOST = 13 };

/* A region that was entered and not left; the region around it has the index `outer` - 1. */
struct open_region {
    uint64_t outer;
    int64_t value;
};

/* A part of a message whose time has not come. */
struct waiting {
    int64_t time_ns;
    struct ordo_paraver_record record;
};

struct paraver {
    struct ordo_labels labels;
    int64_t unit_ns;
    int64_t *first; /* the first rank of each application */
    size_t applications, room;
    uint64_t world;    /* the number of the communicator of all tasks; 0: not known */
    bool has_groups;   /* there are communicators of some tasks */
    int64_t origin_ns; /* of a corrected trace: global time minus time in the file */

    struct ordo_text rest; /* of an event: the pairs that were not returned yet */
    int64_t time_ns, root, communicator;
    struct ordo_paraver_record record; /* of the last event */
    struct ordo_text line;             /* the next line, if `is_held` */
    int64_t line_ns;                   /* its time */
    bool is_held;
    struct waiting *waiting; /* a heap; the earliest part first */
    size_t waiting_count, waiting_room;
    uint64_t messages;
    struct ordo_map open; /* a thread and a type: index of its innermost open region, plus 1 */
    struct open_region *regions;
    uint64_t free; /* the first unused region, plus 1; `outer` is the next one */
    size_t region_count, region_room;
    char name[64];
    bool has_record; /* a record was read */
};

static bool paraver_looks(struct ordo_text beginning)
{
    return beginning.length > 9 && strncasecmp(beginning.at, "#Paraver ", 9) == 0;
}

static void paraver_close(struct ordo_reader *reader)
{
    struct paraver *paraver = reader->state;
    if (!paraver)
        return;
    ordo_labels_free(&paraver->labels);
    ordo_map_free(&paraver->open);
    free(paraver->first);
    free(paraver->regions);
    free(paraver->waiting);
    free(paraver);
    reader->state = NULL;
}

static int refuse_memory(const struct ordo_reader *reader, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
}

/* Takes the text up to the next `letter` off a line, and the letter. */
static struct ordo_text take_paraver(struct ordo_text *line, char letter)
{
    const char *end = memchr(line->at, letter, line->length);
    struct ordo_text field = {line->at, end ? (size_t)(end - line->at) : line->length};
    size_t taken = field.length + (end != NULL);
    *line = (struct ordo_text){line->at + taken, line->length - taken};
    return field;
}

/* Takes a number off a line, and the colon behind it. */
static bool take_number(struct ordo_text *line, int64_t least, int64_t most, int64_t *number)
{
    return ordo_text_within(take_paraver(line, ':'), least, most, number);
}

static int add_application(struct ordo_reader *reader, int64_t tasks, struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    if (paraver->applications + 1 >= paraver->room) {
        size_t room = paraver->room ? 2 * paraver->room : 16;
        int64_t *first = realloc(paraver->first, room * sizeof *first);
        if (!first)
            return refuse_memory(reader, error);
        paraver->first = first;
        paraver->room = room;
    }
    if (paraver->applications == 0)
        paraver->first[0] = 0;
    int64_t next = paraver->first[paraver->applications] + tasks;
    if (next > ORDO_TRACE_RANKS_MOST)
        return ordo_reader_refuse(reader, error, "has more than %d tasks: it is no trace", ORDO_TRACE_RANKS_MOST);
    paraver->first[++paraver->applications] = next;
    return ORDO_OK;
}

/* Reads the applications: each is its number of tasks and, in parentheses, threads:node of each task; and it may have a
 * comma and the number of its communicators. */
static int read_applications(struct ordo_reader *reader, struct ordo_text line, struct ordo_error *error)
{
    int code = ORDO_OK;
    while (!code && line.length > 0) {
        int64_t tasks;
        if (!ordo_text_within(take_paraver(&line, '('), 0, ORDO_TRACE_RANKS_MOST, &tasks))
            return ordo_reader_refuse(reader, error,
                                      "its applications are not TASKS(THREADS:NODE,...): write it again");
        (void)take_paraver(&line, ')');
        (void)take_paraver(&line, ':'); /* the number of communicators */
        code = add_application(reader, tasks, error);
    }
    return code;
}

/* Reads the header: #Paraver (date at time):duration[_ns]:nodes(cpus):applications:... */
static int read_header(struct ordo_reader *reader, struct ordo_text line, struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    int64_t count;
    (void)take_paraver(&line, ')');
    (void)take_paraver(&line, ':');
    struct ordo_text duration = take_paraver(&line, ':');
    bool in_ns = duration.length > 3 && memcmp(duration.at + duration.length - 3, "_ns", 3) == 0;
    paraver->unit_ns = in_ns ? 1 : 1000;
    reader->step_ns = in_ns ? 0 : 1000;
    struct ordo_text nodes = take_paraver(&line, ':');
    if (duration.length == 0 || nodes.length == 0 || !take_number(&line, 0, INT32_MAX, &count) || line.length == 0)
        return ordo_reader_refuse(reader, error, "is no header of Paraver: write the trace again");
    return read_applications(reader, line, error);
}

static int paraver_open(struct ordo_reader *reader, struct ordo_error *error)
{
    struct ordo_text line = {"", 0};
    struct paraver *paraver = reader->state = calloc(1, sizeof *paraver);
    if (!paraver)
        return refuse_memory(reader, error);
    int code = ordo_input_line(&reader->input, &line, error);
    if (code >= 0)
        code = paraver_looks(line) ? read_header(reader, line, error)
                                   : ordo_reader_refuse(reader, error, "is no trace of Paraver: name its file .prv");
    if (!code)
        code = ordo_labels_read(&paraver->labels, reader->input.path, error);
    reader->has_rows = !code;
    if (code)
        paraver_close(reader);
    return code;
}

/* Reads a communicator: c:application:number:count:tasks. The first one of all tasks, in their order, is the world. */
static void read_communicator(struct paraver *paraver, struct ordo_text line)
{
    int64_t application, number, count, task;
    (void)take_paraver(&line, ':');
    if (!take_number(&line, 1, (int64_t)paraver->applications, &application) ||
        !take_number(&line, 1, INT64_MAX, &number) || !take_number(&line, 0, ORDO_TRACE_RANKS_MOST, &count))
        return;
    bool is_all = paraver->applications == 1 && count == paraver->first[1];
    for (int64_t i = 1; is_all && i <= count; i++)
        is_all = take_number(&line, i, i, &task);
    if (is_all && paraver->world == 0)
        paraver->world = (uint64_t)number;
    paraver->has_groups |= !is_all && count > 1;
}

static void read_comment(struct ordo_reader *reader, struct ordo_text line)
{
    struct paraver *paraver = reader->state;
    size_t length = strlen(ORDO_PARAVER_MARK);
    if (line.length > length && memcmp(line.at, ORDO_PARAVER_MARK, length) == 0)
        reader->corrected =
            ordo_text_int((struct ordo_text){line.at + length, line.length - length}, &paraver->origin_ns);
}

static int refuse_record(const struct ordo_reader *reader, struct ordo_error *error)
{
    return ordo_reader_refuse(reader, error, "is no record of Paraver: correct or remove it");
}

/* Leaves out a record that cannot be read. A row that is cut is refused instead, because the file ends too early. */
static int skip_record(struct ordo_reader *reader, struct ordo_error *error)
{
    if (ordo_reader_is_cut(reader))
        return refuse_record(reader, error);
    return ordo_reader_odd(reader, ORDO_ODD_RECORD, reader->input.row, 1, error);
}

/* Judges the end of the file: a file whose records are all damaged is no trace. */
static int judge_end(const struct ordo_reader *reader, struct ordo_error *error)
{
    const struct paraver *paraver = reader->state;
    uint64_t count = reader->odds.of[ORDO_ODD_RECORD].count;
    if (paraver->has_record || count == 0)
        return 0;
    return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                          "%s: row %llu: is no record of Paraver, and neither is any other row: write the trace again",
                          reader->input.path, (unsigned long long)reader->odds.of[ORDO_ODD_RECORD].row);
}

/* Returns the rank of a place; -1 if there is none. */
static int32_t rank_of(const struct paraver *paraver, const struct ordo_paraver_place *place)
{
    if (place->application < 1 || place->application > paraver->applications || place->task < 1)
        return -1;
    int64_t rank = paraver->first[place->application - 1] + place->task - 1;
    return rank < paraver->first[place->application] ? (int32_t)rank : -1;
}

static bool take_place(const struct paraver *paraver, struct ordo_text *line, struct ordo_paraver_place *place)
{
    int64_t cpu, application, task, thread;
    if (!take_number(line, 0, UINT32_MAX, &cpu) || !take_number(line, 1, UINT32_MAX, &application) ||
        !take_number(line, 1, UINT32_MAX, &task) || !take_number(line, 1, STATES, &thread))
        return false;
    *place = (struct ordo_paraver_place){(uint32_t)cpu, (uint32_t)application, (uint32_t)task, (uint32_t)thread};
    return rank_of(paraver, place) >= 0;
}

static bool take_time(const struct paraver *paraver, struct ordo_text *line, int64_t *time_ns)
{
    const int64_t most = INT64_MAX / 4 / 1000;
    if (!take_number(line, 0, paraver->unit_ns == 1 ? INT64_MAX / 4 : most, time_ns))
        return false;
    *time_ns *= paraver->unit_ns;
    return true;
}

/* Returns the next event of a place, without its kind. */
static struct ordo_event event_of(struct ordo_reader *reader, const struct ordo_paraver_place *place, int64_t time_ns)
{
    struct paraver *paraver = reader->state;
    struct ordo_event event = ordo_event_none(reader);
    event.rank = rank_of(paraver, place);
    event.thread = place->thread - 1;
    event.time_ns = reader->corrected ? time_ns + paraver->origin_ns : time_ns;
    event.kind = ORDO_EVENT_OTHER;
    event.raw = (struct ordo_text){(const char *)&paraver->record, sizeof paraver->record};
    return event;
}

/* Returns a name, or a word and a number if there is none. */
static struct ordo_text named(struct paraver *paraver, struct ordo_text name, const char *word, int64_t number)
{
    if (name.length > 0)
        return name;
    int length = snprintf(paraver->name, sizeof paraver->name, "%s %lld", word, (long long)number);
    return (struct ordo_text){paraver->name, (size_t)length};
}

static int read_state(struct ordo_reader *reader, struct ordo_text line, struct ordo_event *event,
                      struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    struct ordo_paraver_record *record = &paraver->record;
    int64_t begin_ns, end_ns;
    *record = (struct ordo_paraver_record){.kind = ORDO_PARAVER_STATE};
    if (!take_place(paraver, &line, &record->place) || !take_time(paraver, &line, &begin_ns) ||
        !take_time(paraver, &line, &end_ns) || end_ns < begin_ns || !take_number(&line, 0, INT64_MAX, &record->value))
        return skip_record(reader, error);
    *event = event_of(reader, &record->place, begin_ns);
    event->kind = ORDO_EVENT_SPAN;
    event->thread += STATES;
    event->duration_ns = end_ns - begin_ns;
    event->name = named(paraver, ordo_labels_state(&paraver->labels, (uint64_t)record->value), "state", record->value);
    event->communicator = ORDO_EVENT_NO_COMMUNICATOR;
    return 1;
}

/* Returns a part of a message as an event. */
static void set_part(struct ordo_reader *reader, const struct waiting *part, struct ordo_event *event)
{
    struct paraver *paraver = reader->state;
    struct ordo_paraver_record *record = &paraver->record;
    *record = part->record;
    bool sends = record->part < ORDO_PARAVER_WAITS;
    const struct ordo_paraver_place *own = sends ? &record->place : &record->other;
    const struct ordo_paraver_place *other = sends ? &record->other : &record->place;
    *event = event_of(reader, own, part->time_ns);
    if (record->part == ORDO_PARAVER_LEAVES || record->part == ORDO_PARAVER_WAITS)
        return;
    event->kind = sends ? ORDO_EVENT_SEND : ORDO_EVENT_RECV;
    event->peer = rank_of(paraver, other);
    event->tag = record->type >= 0 && record->type <= INT32_MAX ? (int32_t)record->type : -1;
    event->bytes = (uint64_t)record->value;
    event->has_bytes = true;
}

/* Adds a part to the heap. */
static int hold_part(struct ordo_reader *reader, const struct waiting *part, struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    size_t at = paraver->waiting_count;
    if (at == paraver->waiting_room) {
        size_t room = paraver->waiting_room ? 2 * paraver->waiting_room : 64;
        struct waiting *waiting = realloc(paraver->waiting, room * sizeof *waiting);
        if (!waiting)
            return refuse_memory(reader, error);
        paraver->waiting = waiting;
        paraver->waiting_room = room;
    }
    for (; at > 0 && part->time_ns < paraver->waiting[(at - 1) / 2].time_ns; at = (at - 1) / 2)
        paraver->waiting[at] = paraver->waiting[(at - 1) / 2];
    paraver->waiting[at] = *part;
    paraver->waiting_count++;
    return ORDO_OK;
}

/* Removes the earliest part from the heap. */
static struct waiting take_part(struct paraver *paraver)
{
    struct waiting *all = paraver->waiting, first = all[0], moved = all[--paraver->waiting_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < paraver->waiting_count; at = child) {
        if (child + 1 < paraver->waiting_count && all[child + 1].time_ns < all[child].time_ns)
            child++;
        if (all[child].time_ns >= moved.time_ns)
            break;
        all[at] = all[child];
    }
    all[at] = moved;
    return first;
}

/* Reads a message. Its send is the next event; its other parts wait for their times, because a record is at the time of
 * the send, and a receive is to be within its call. */
static int read_message(struct ordo_reader *reader, struct ordo_text line, struct ordo_event *event,
                        struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    struct waiting part = {.record = {.kind = ORDO_PARAVER_MESSAGE, .message = ++paraver->messages}};
    int64_t times_ns[4];
    int code = ORDO_OK;
    if (!take_place(paraver, &line, &part.record.place) || !take_time(paraver, &line, &times_ns[ORDO_PARAVER_SENDS]) ||
        !take_time(paraver, &line, &times_ns[ORDO_PARAVER_LEAVES]) || !take_place(paraver, &line, &part.record.other) ||
        !take_time(paraver, &line, &times_ns[ORDO_PARAVER_WAITS]) ||
        !take_time(paraver, &line, &times_ns[ORDO_PARAVER_RECEIVES]) ||
        !take_number(&line, 0, INT64_MAX, &part.record.value) ||
        !take_number(&line, INT64_MIN, INT64_MAX, &part.record.type))
        return skip_record(reader, error);
    for (uint32_t i = ORDO_PARAVER_LEAVES; !code && i <= ORDO_PARAVER_RECEIVES; i++) {
        part.record.part = i;
        part.time_ns = times_ns[i];
        code = hold_part(reader, &part, error);
    }
    part.record.part = ORDO_PARAVER_SENDS;
    part.time_ns = times_ns[ORDO_PARAVER_SENDS];
    set_part(reader, &part, event);
    return code ? code : 1;
}

/* Enters a region of a type. */
static int push(struct ordo_reader *reader, uint64_t thread, uint64_t type, int64_t value, struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    uint64_t *innermost = ordo_map_add(&paraver->open, thread, type), own = paraver->free;
    if (innermost && own == 0 && paraver->region_count == paraver->region_room) {
        size_t room = paraver->region_room ? 2 * paraver->region_room : 64;
        struct open_region *regions = realloc(paraver->regions, room * sizeof *regions);
        innermost = regions ? innermost : NULL;
        paraver->regions = regions ? regions : paraver->regions;
        paraver->region_room = regions ? room : paraver->region_room;
    }
    if (!innermost)
        return refuse_memory(reader, error);
    if (own == 0)
        own = ++paraver->region_count;
    else
        paraver->free = paraver->regions[own - 1].outer;
    paraver->regions[own - 1] = (struct open_region){*innermost, value};
    *innermost = own;
    return ORDO_OK;
}

/* Leaves the innermost region of a type. Returns its value; 0 if there is none. */
static int64_t pop(struct paraver *paraver, uint64_t thread, uint64_t type)
{
    uint64_t *innermost = ordo_map_find(&paraver->open, thread, type);
    if (!innermost || *innermost == 0)
        return 0;
    uint64_t own = *innermost;
    struct open_region *region = &paraver->regions[own - 1];
    *innermost = region->outer;
    region->outer = paraver->free;
    paraver->free = own;
    return region->value;
}

/* Sets the communicator of a call. Without one in its record, a collective is of all ranks if there is no other
 * communicator. */
static void set_communicator(const struct paraver *paraver, struct ordo_event *event)
{
    if (paraver->communicator > 0)
        event->communicator = (uint64_t)paraver->communicator == paraver->world ? 0 : (uint64_t)paraver->communicator;
    else
        event->communicator = paraver->has_groups ? ORDO_EVENT_NO_COMMUNICATOR : 0;
    event->root = paraver->root > 0 ? (int32_t)paraver->root - 1 : -1;
}

static int set_region(struct ordo_reader *reader, struct ordo_event *event, int64_t type, int64_t value,
                      struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    uint64_t thread = (uint64_t)event->rank << 32 | event->thread;
    bool ends = value == 0;
    int code = ends ? ORDO_OK : push(reader, thread, (uint64_t)type, value, error);
    if (code)
        return code;
    int64_t region = ends ? pop(paraver, thread, (uint64_t)type) : value;
    if (region == 0)
        return ORDO_OK; /* an end without its begin */
    event->kind = ends ? ORDO_EVENT_END : ORDO_EVENT_BEGIN;
    event->name =
        named(paraver, ordo_labels_value(&paraver->labels, (uint64_t)type, (uint64_t)region), "region", region);
    event->communicator = ORDO_EVENT_NO_COMMUNICATOR;
    if (type == ORDO_PARAVER_COLLECTIVE)
        set_communicator(paraver, event);
    return ordo_event_check(reader, event, error);
}

/* True if a pair has a bound of the record's time, which is in the stamp. */
static bool is_bound(int64_t type)
{
    return type == ORDO_PARAVER_EARLIEST || type == ORDO_PARAVER_LATEST;
}

/* Returns the next pair of the record as an event. */
static int next_pair(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    struct ordo_paraver_record *record = &paraver->record;
    do {
        (void)take_number(&paraver->rest, 0, INT64_MAX, &record->type); /* read_context has read them before */
        (void)take_number(&paraver->rest, INT64_MIN, INT64_MAX, &record->value);
    } while (reader->corrected && is_bound(record->type) && paraver->rest.length > 0);
    *event = event_of(reader, &record->place, paraver->time_ns);
    uint64_t type = (uint64_t)record->type, value = (uint64_t)record->value;
    if (ordo_labels_is_region(&paraver->labels, type)) {
        int code = set_region(reader, event, record->type, record->value, error);
        return code ? code : 1;
    }
    event->name = ordo_labels_value(&paraver->labels, type, value);
    event->kind = event->name.length > 0 ? ORDO_EVENT_POINT : ORDO_EVENT_OTHER;
    return 1;
}

/* Reads the pairs of a record that tell about its other pairs. Returns false if the record is not a list of pairs. */
static bool read_context(struct ordo_reader *reader, struct ordo_text rest)
{
    struct paraver *paraver = reader->state;
    int64_t type, value, global_ns = paraver->time_ns + paraver->origin_ns;
    paraver->root = paraver->communicator = 0;
    reader->stamp = (struct ordo_event_stamp){global_ns, global_ns, global_ns};
    do {
        if (!take_number(&rest, 0, INT64_MAX, &type) || !take_number(&rest, INT64_MIN, INT64_MAX, &value))
            return false;
        if (type == ORDO_PARAVER_COMMUNICATOR)
            paraver->communicator = value;
        else if (type == ORDO_PARAVER_ROOT && value <= ORDO_TRACE_RANKS_MOST)
            paraver->root = value;
        else if (type == ORDO_PARAVER_EARLIEST)
            reader->stamp.earliest_ns = (int64_t)((uint64_t)global_ns - (uint64_t)value);
        else if (type == ORDO_PARAVER_LATEST)
            reader->stamp.latest_ns = (int64_t)((uint64_t)global_ns + (uint64_t)value);
    } while (rest.length > 0);
    return true;
}

static int read_events(struct ordo_reader *reader, struct ordo_text line, struct ordo_event *event,
                       struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    struct ordo_paraver_record *record = &paraver->record;
    *record = (struct ordo_paraver_record){.kind = ORDO_PARAVER_EVENT};
    if (!take_place(paraver, &line, &record->place) || !take_time(paraver, &line, &paraver->time_ns) ||
        !read_context(reader, line))
        return skip_record(reader, error);
    paraver->rest = line;
    return next_pair(reader, event, error);
}

/* Reads a line. Returns 1 if it gave an event, 0 if it gave none, or a negative code. */
static int read_record_line(struct ordo_reader *reader, struct ordo_text line, struct ordo_event *event,
                            struct ordo_error *error)
{
    char kind = line.length > 1 && line.at[1] == ':' ? *line.at : '\0';
    struct ordo_text fields = kind ? (struct ordo_text){line.at + 2, line.length - 2} : line;
    if (line.length == 0)
        return 0;
    if (*line.at == '#')
        read_comment(reader, line);
    if (kind == 'c' || kind == 'C')
        read_communicator(reader->state, line);
    if (*line.at == '#' || kind == 'c' || kind == 'C' || kind == 'i' || kind == 'I')
        return 0;
    return kind == '1'   ? read_state(reader, fields, event, error)
           : kind == '2' ? read_events(reader, fields, event, error)
           : kind == '3' ? read_message(reader, fields, event, error)
                         : skip_record(reader, error);
}

/* Returns the time of a line; INT64_MIN if it has none. */
static int64_t time_of_line(const struct paraver *paraver, struct ordo_text line)
{
    enum { BEFORE = 5 }; /* fields before the time */
    int64_t time_ns;
    for (int i = 0; i < BEFORE; i++)
        (void)take_paraver(&line, ':');
    return take_time(paraver, &line, &time_ns) ? time_ns : INT64_MIN;
}

/* Holds the next line. Returns 1, or 0 at the end, or a negative code. */
static int hold_line(struct ordo_reader *reader, struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    int code = paraver->is_held ? 1 : ordo_input_line(&reader->input, &paraver->line, error);
    if (code == 1 && !paraver->is_held)
        paraver->line_ns = time_of_line(paraver, paraver->line);
    paraver->is_held = code == 1;
    return code;
}

static int paraver_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct paraver *paraver = reader->state;
    int code = 0;
    if (paraver->record.kind == ORDO_PARAVER_EVENT && paraver->rest.length > 0)
        return next_pair(reader, event, error);
    while (code == 0) {
        int more = hold_line(reader, error);
        if (more < 0)
            return more;
        if (paraver->waiting_count > 0 && (more == 0 || paraver->waiting[0].time_ns <= paraver->line_ns)) {
            struct waiting part = take_part(paraver);
            set_part(reader, &part, event);
            code = 1;
        } else if (more == 0) {
            return judge_end(reader, error);
        } else {
            paraver->is_held = false;
            code = read_record_line(reader, paraver->line, event, error);
            paraver->has_record |= code == 1;
        }
    }
    if (code == 1 && paraver->record.kind != ORDO_PARAVER_EVENT)
        reader->stamp = (struct ordo_event_stamp){event->time_ns, event->time_ns, event->time_ns};
    return code;
}

/** Returns the path, so that a writer of the same form finds the header and the names. */
static struct ordo_text paraver_head(const struct ordo_reader *reader)
{
    return (struct ordo_text){reader->input.path, strlen(reader->input.path)};
}

static int paraver_begin(struct ordo_writer *writer, struct ordo_error *error)
{
    writer->state = ordo_paraver_create(writer->same ? writer->head.at : NULL);
    return writer->state ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
}

static void paraver_put(struct ordo_writer *writer, const struct ordo_event *event,
                        const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end)
{
    ordo_paraver_put(writer->state, event, stamp, end);
}

static int paraver_finish(struct ordo_writer *writer, struct ordo_error *error)
{
    return ordo_paraver_finish(writer->state, writer->folder, error);
}

static void paraver_end(struct ordo_writer *writer)
{
    ordo_paraver_free(writer->state);
    writer->state = NULL;
}

const struct ordo_form ordo_form_paraver = {
    .name = "paraver",
    .title = "a trace of Paraver, by its file .prv",
    .suffix = ".prv",
    .spans = true,
    .is_folder = true,
    .looks = paraver_looks,
    .open = paraver_open,
    .next = paraver_next,
    .close = paraver_close,
    .head = paraver_head,
    .begin = paraver_begin,
    .put = paraver_put,
    .finish = paraver_finish,
    .end = paraver_end,
};
