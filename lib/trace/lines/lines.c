#include "trace/lines/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/event/collective.h"

/* Outer regions among which an end looks for its begin. The limit bounds the time of an end without a begin. */
enum { DEPTH_MOST = 256 };

static int no_memory(const struct ordo_lines_source *source, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", source->input->path);
}

static int note_line(const struct ordo_lines_source *source, enum ordo_odd odd, uint64_t row, int64_t count,
                     struct ordo_error *error)
{
    return ordo_odds_take(source->odds, source->input->path, odd, row, (uint64_t)count, error);
}

static uint64_t innermost(const struct ordo_lines *lines, int32_t rank, uint32_t thread)
{
    const uint64_t *top = ordo_map_find(&lines->open, (uint32_t)rank, thread);
    return top ? *top : 0;
}

/* Returns an unused region, plus 1; 0 if out of memory. */
static uint64_t unused_region(struct ordo_lines *lines)
{
    if (lines->free > 0) {
        uint64_t own = lines->free;
        lines->free = lines->regions[own - 1].outer;
        return own;
    }
    if (lines->count == lines->room) {
        uint64_t room = lines->room ? 2 * lines->room : 64;
        struct ordo_lines_region *regions = realloc(lines->regions, room * sizeof *regions);
        if (!regions)
            return 0;
        memset(regions + lines->room, 0, (room - lines->room) * sizeof *regions);
        lines->regions = regions;
        lines->room = room;
    }
    return ++lines->count;
}

static bool copy_name(struct ordo_lines_region *region, struct ordo_text name)
{
    if (name.length > region->room) {
        char *larger = realloc(region->name, 2 * name.length);
        if (!larger)
            return false;
        region->name = larger;
        region->room = 2 * name.length;
    }
    if (name.length > 0)
        memcpy(region->name, name.at, name.length);
    region->length = name.length;
    return true;
}

static bool open_line_region(struct ordo_lines *lines, const struct ordo_act *act, uint32_t thread, uint64_t row)
{
    uint64_t *top = ordo_map_add(&lines->open, (uint32_t)act->rank, thread);
    uint64_t own = top ? unused_region(lines) : 0;
    if (own == 0)
        return false;
    struct ordo_lines_region *region = &lines->regions[own - 1];
    region->outer = *top;
    region->row = row;
    region->rank = act->rank;
    region->thread = thread;
    region->is_task = act->kind == ORDO_ACT_SWITCH;
    region->task = act->next;
    region->is_open = copy_name(region, act->name);
    *top = own;
    return region->is_open;
}

/* Closes the innermost region of a thread. Its name stays valid until a region is opened. */
static const struct ordo_lines_region *close_line_region(struct ordo_lines *lines, uint64_t own)
{
    struct ordo_lines_region *region = &lines->regions[own - 1];
    uint64_t *top = ordo_map_find(&lines->open, (uint32_t)region->rank, region->thread);
    if (top && region->outer > 0)
        *top = region->outer;
    else
        ordo_map_remove(&lines->open, (uint32_t)region->rank, region->thread);
    region->is_open = false;
    region->outer = lines->free;
    lines->free = own;
    return region;
}

static bool has_name(const struct ordo_lines_region *region, struct ordo_text name)
{
    return region->length == name.length && (name.length == 0 || memcmp(region->name, name.at, name.length) == 0);
}

/* Returns how many regions an end leaves; 0 if its region is not open. */
static int depth_of_end(const struct ordo_lines *lines, const struct ordo_act *act)
{
    uint64_t at = innermost(lines, act->rank, act->thread);
    for (int depth = 1; at > 0 && depth <= DEPTH_MOST; depth++) {
        const struct ordo_lines_region *region = &lines->regions[at - 1];
        if (act->name.length == 0 || has_name(region, act->name))
            return depth;
        at = region->outer;
    }
    return 0;
}

static int emit(const struct ordo_act *act, uint8_t kind, struct ordo_event *event)
{
    event->kind = kind;
    event->time_ns = act->time_ns;
    event->rank = act->rank;
    event->thread = act->thread;
    event->name = act->name;
    return 1;
}

static int emit_end(struct ordo_lines *lines, uint64_t own, int64_t time_ns, struct ordo_event *event)
{
    const struct ordo_lines_region *region = close_line_region(lines, own);
    event->kind = ORDO_EVENT_END;
    event->time_ns = time_ns;
    event->rank = region->rank;
    event->thread = region->thread;
    event->name = (struct ordo_text){region->name, region->length};
    return 1;
}

/* Leaves the innermost region. If it is not the region of the end, its own end is missing, and the act goes on. */
static int take_end(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_event *event,
                    struct ordo_error *error)
{
    struct ordo_act *act = &lines->act;
    int depth = depth_of_end(lines, act);
    act->kind = depth > 1 ? ORDO_ACT_END : ORDO_ACT_DONE;
    if (depth == 0 && act->point.length > 0) {
        act->name = act->point;
        return emit(act, ORDO_EVENT_POINT, event);
    }
    if (depth == 0)
        return note_line(source, ORDO_ODD_EARLY_END, event->row, 1, error);
    uint64_t own = innermost(lines, act->rank, act->thread);
    int code = depth > 1 ? note_line(source, ORDO_ODD_OPEN_BEGIN, lines->regions[own - 1].row, 1, error) : ORDO_OK;
    return code ? code : emit_end(lines, own, act->time_ns, event);
}

/* Ends the bar of the task that ran, and begins that of the next one. */
static int take_switch(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_event *event,
                       struct ordo_error *error)
{
    struct ordo_act *act = &lines->act;
    uint32_t row = ORDO_LINES_CPUS + act->cpu;
    uint64_t own = innermost(lines, act->rank, row);
    if (own > 0) {
        bool is_other = lines->regions[own - 1].task != act->previous;
        int code = is_other ? note_line(source, ORDO_ODD_EARLY_END, event->row, 1, error) : ORDO_OK;
        return code ? code : emit_end(lines, own, act->time_ns, event);
    }
    act->thread = row;
    if (!ordo_lines_run(lines, act->rank, act->cpu, act->next) ||
        (act->next != 0 && !open_line_region(lines, act, row, event->row)))
        return no_memory(source, error);
    act->kind = ORDO_ACT_DONE;
    return act->next != 0 ? emit(act, ORDO_EVENT_BEGIN, event) : 0;
}

/* Ends a call whose own end was lost: the thread is in the next call already. */
static int end_call(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_event *event,
                    struct ordo_error *error)
{
    uint64_t own = innermost(lines, lines->act.rank, lines->act.thread);
    int code = note_line(source, ORDO_ODD_OPEN_BEGIN, lines->regions[own - 1].row, 1, error);
    return code ? code : emit_end(lines, own, lines->act.time_ns, event);
}

/* Makes the next event of an act. Returns 1; 0 if the act makes none; or a negative code. */
static int take_act(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_event *event,
                    struct ordo_error *error)
{
    struct ordo_act *act = &lines->act;
    switch (act->kind) {
    case ORDO_ACT_END:
        return take_end(lines, source, event, error);
    case ORDO_ACT_SWITCH:
        return take_switch(lines, source, event, error);
    case ORDO_ACT_BEGIN:
        if (act->is_call && ordo_lines_is_in(lines, act, "sys"))
            return end_call(lines, source, event, error);
        if (!open_line_region(lines, act, act->thread, event->row))
            return no_memory(source, error);
        act->kind = ORDO_ACT_DONE;
        return emit(act, ORDO_EVENT_BEGIN, event);
    default:
        event->duration_ns = act->duration_ns;
        uint8_t kind = act->kind == ORDO_ACT_SPAN ? ORDO_EVENT_SPAN : ORDO_EVENT_POINT;
        act->kind = ORDO_ACT_DONE;
        return emit(act, kind, event);
    }
}

/* Writes a text into a title, without letters that JSON or a terminal would have to escape. */
static size_t put_plain(char *to, size_t most, struct ordo_text text)
{
    size_t count = text.length < most ? text.length : most;
    for (size_t i = 0; i < count; i++) {
        char letter = text.at[i];
        to[i] = letter < ' ' || letter > '~' || letter == '"' || letter == '\\' ? '?' : letter;
    }
    return count;
}

/* Makes the name of a thread: "CPU 3", "idle 3", "asynchronous 3" or its command. */
static struct ordo_text title_of(struct ordo_lines *lines, uint32_t thread, struct ordo_text command)
{
    static const struct {
        uint32_t from;
        const char *word;
    } words[] = {{ORDO_LINES_MARKS, "marks"}, {ORDO_LINES_OTHERS, NULL}, {ORDO_LINES_LANES, "asynchronous"},
                 {ORDO_LINES_IDLE, "idle"},   {ORDO_LINES_CPUS, "CPU"},  {0, NULL}};
    enum { COMMAND_MOST = 64 };
    char *to = lines->title;
    int length = 0;
    size_t i = 0;
    while (thread < words[i].from)
        i++;
    if (words[i].word)
        length += snprintf(to + length, COMMAND_MOST, "%s %u", words[i].word, thread - words[i].from);
    else
        length += (int)put_plain(to + length, COMMAND_MOST, command);
    if (!words[i].word && words[i].from == 0)
        length += snprintf(to + length, 16, "%s%u", command.length > 0 ? "-" : "", thread);
    return (struct ordo_text){to, (size_t)length};
}

/* Returns metadata if the thread of the act has none yet. Returns 1, 0 or a negative code. */
static int take_title(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_event *event,
                      struct ordo_error *error)
{
    const struct ordo_act *act = &lines->act;
    uint32_t thread = act->kind == ORDO_ACT_SWITCH ? ORDO_LINES_CPUS + act->cpu : act->thread;
    uint64_t *named = ordo_map_add(&lines->named, (uint32_t)act->rank, thread);
    if (!named)
        return no_memory(source, error);
    if (*named)
        return 0;
    *named = 1;
    event->kind = ORDO_EVENT_META;
    event->rank = act->rank;
    event->thread = thread;
    event->name = (struct ordo_text){ORDO_EVENT_THREAD_NAME, sizeof ORDO_EVENT_THREAD_NAME - 1};
    event->raw = title_of(lines, thread, act->command);
    return 1;
}

/* Ends the bars of the tasks that run when the trace ends, and counts the other open regions. */
static int take_open(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_event *event,
                     struct ordo_error *error)
{
    int code = ORDO_OK;
    while (!code && lines->closed < lines->count) {
        const struct ordo_lines_region *region = &lines->regions[lines->closed++];
        if (region->is_open && region->is_task)
            return emit_end(lines, lines->closed, lines->last_ns, event);
        if (region->is_open)
            code = note_line(source, ORDO_ODD_OPEN_BEGIN, region->row, 1, error);
    }
    return code;
}

/* Reads a line as an act. Returns 1, 0 at the end, or a negative code. */
static int read_act(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_error *error)
{
    struct ordo_text line;
    struct ordo_act *act = &lines->act;
    int code = ordo_input_line(source->input, &line, error);
    if (code != 1)
        return code;
    *act = (struct ordo_act){.rank = source->rank < 0 ? 0 : source->rank};
    int found = source->parse(source->state, lines, line, act, error);
    if (found == ORDO_LINE_EVENT) {
        lines->last_ns = !lines->has_events || act->time_ns > lines->last_ns ? act->time_ns : lines->last_ns;
        lines->has_events = true;
        return 1;
    }
    int64_t count = found == ORDO_LINE_LOST && act->duration_ns > 0 ? act->duration_ns : 1;
    act->kind = ORDO_ACT_DONE;
    if (found == ORDO_LINE_ODD || found == ORDO_LINE_LOST)
        found = note_line(source, found == ORDO_LINE_ODD ? ORDO_ODD_NO_EVENT : ORDO_ODD_LOST, source->input->row, count,
                          error);
    return found == ORDO_E_SYSTEM ? no_memory(source, error) : found < 0 ? found : 1;
}

static struct ordo_event event_on_line(const struct ordo_lines_source *source)
{
    return (struct ordo_event){.row = source->input->row,
                               .peer = -1,
                               .tag = -1,
                               .root = -1,
                               .place = -1,
                               .number = ORDO_EVENT_UNCOUNTED,
                               .flow = ORDO_EVENT_NO_FLOW};
}

/* Recognises a collective whose name has its provider in front, such as "probe_libmpi:MPI_Barrier". Leaves out those in
 * which the name does not prove that ranks wait ([K18] of event/collective.h). */
static void set_collective(struct ordo_event *event)
{
    const char *colon = event->name.length > 0 ? memchr(event->name.at, ':', event->name.length) : NULL;
    size_t taken = colon ? (size_t)(colon - event->name.at) + 1 : 0;
    if (taken > 0 && (event->kind == ORDO_EVENT_BEGIN || event->kind == ORDO_EVENT_END))
        event->collective =
            (uint8_t)ordo_event_waits_of((struct ordo_text){event->name.at + taken, event->name.length - taken});
}

int ordo_lines_next(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_event *event,
                    struct ordo_error *error)
{
    int more = 1, made = 0;
    while (!lines->is_ended && more == 1 && made == 0) {
        if (lines->act.kind == ORDO_ACT_DONE || !lines->has_events)
            more = read_act(lines, source, error);
        lines->is_ended = more == 0;
        *event = event_on_line(source);
        bool has_act = more == 1 && lines->act.kind != ORDO_ACT_DONE;
        made = has_act ? take_title(lines, source, event, error) : 0;
        if (has_act && made == 0)
            made = take_act(lines, source, event, error);
    }
    if (more == 0 && !lines->has_events && source->odds->of[ORDO_ODD_NO_EVENT].count > 0)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "%s: row %llu: is no event, and neither is any other line: name the form with --from",
                              source->input->path, (unsigned long long)source->odds->of[ORDO_ODD_NO_EVENT].row);
    if (lines->is_ended) {
        *event = event_on_line(source);
        made = take_open(lines, source, event, error);
    }
    set_collective(event);
    return more < 0 ? more : made;
}

void ordo_lines_free(struct ordo_lines *lines)
{
    for (uint64_t i = 0; i < lines->count; i++)
        free(lines->regions[i].name);
    free(lines->regions);
    ordo_map_free(&lines->open);
    ordo_map_free(&lines->named);
    ordo_map_free(&lines->tasks);
    ordo_lanes_free(&lines->lanes);
    *lines = (struct ordo_lines){0};
}

bool ordo_lines_place(struct ordo_act *act, int64_t task, int64_t cpu)
{
    act->cpu = cpu >= 0 && cpu <= ORDO_LINES_CPU_MOST ? (uint32_t)cpu : 0;
    act->thread = task > 0 ? (uint32_t)task : ORDO_LINES_IDLE + act->cpu;
    return task >= -1 && task < ORDO_LINES_CPUS && cpu <= ORDO_LINES_CPU_MOST;
}

int64_t ordo_lines_running(const struct ordo_lines *lines, int32_t rank, uint32_t cpu)
{
    const uint64_t *task = ordo_map_find(&lines->tasks, (uint32_t)rank, cpu);
    return task ? (int64_t)*task - 1 : -1;
}

bool ordo_lines_run(struct ordo_lines *lines, int32_t rank, uint32_t cpu, int64_t task)
{
    uint64_t *place = ordo_map_add(&lines->tasks, (uint32_t)rank, cpu);
    if (place)
        *place = (uint64_t)(task + 1);
    return place != NULL;
}

bool ordo_lines_is_in(const struct ordo_lines *lines, const struct ordo_act *act, const char *letters)
{
    uint64_t own = innermost(lines, act->rank, act->thread);
    const struct ordo_lines_region *region = own > 0 ? &lines->regions[own - 1] : NULL;
    size_t length = strlen(letters);
    return region && region->length >= length && memcmp(region->name, letters, length) == 0;
}

void ordo_lines_place_mark(struct ordo_lines *lines, struct ordo_act *act)
{
    lines->has_marks_apart |= ordo_lines_is_in(lines, act, "sys");
    act->thread += lines->has_marks_apart && act->thread < ORDO_LINES_CPUS ? ORDO_LINES_MARKS : 0;
}

struct ordo_text ordo_lines_name(struct ordo_lines *lines, struct ordo_text first, struct ordo_text second)
{
    size_t most = sizeof lines->name;
    first.length = first.length < most ? first.length : most;
    second.length = second.length < most - first.length ? second.length : most - first.length;
    if (first.length > 0)
        memcpy(lines->name, first.at, first.length);
    if (second.length > 0)
        memcpy(lines->name + first.length, second.at, second.length);
    return (struct ordo_text){lines->name, first.length + second.length};
}
