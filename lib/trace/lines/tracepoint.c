#include "trace/lines/tracepoint.h"

#include "trace/lines/scan.h"

/* Parts of names. An event that ends a region and finds none open is a point, because other events have such names
 * too: sched_process_exit. */
static const struct {
    const char *begin, *end;
    bool is_first; /* the parts are followed by more of the name */
} pairs[] = {{"sys_enter_", "sys_exit_", true}, {"syscall_entry_", "syscall_exit_", true},
             {"_entry", "_exit", false},        {"_enter", "_exit", false},
             {"_begin", "_end", false},         {"_execute_start", "_execute_end", false}};

/* The name of a region for any system call. If both this and the event of the particular call are traced, they cross,
 * and the latter is a point. */
static const char any_call[] = "syscall ";

/* Returns the position of a part in a name: at the begin of the name behind its system, or at its end. */
static size_t find_part(struct ordo_text name, const char *part, bool is_first)
{
    size_t colon = ordo_scan_find(name, ":"), from = colon < name.length ? colon + 1 : 0;
    if (is_first)
        return ordo_scan_begins(ordo_scan_from(name, from), part) ? from : name.length;
    return ordo_scan_ends(name, part) ? name.length - strlen(part) : name.length;
}

/* Returns the name without the part that says entry or exit: "sys_openat" of "sys_enter_openat". */
static struct ordo_text without_part(struct ordo_lines *lines, struct ordo_text name, size_t at, const char *part,
                                     bool is_first)
{
    size_t kept = 0;
    while (is_first && part[kept] != '_')
        kept++;
    return ordo_lines_name(lines, (struct ordo_text){name.at, at + kept},
                           ordo_scan_from(name, at + strlen(part) - (is_first ? 1 : 0)));
}

void ordo_tracepoint_pair(struct ordo_lines *lines, struct ordo_text name, struct ordo_act *act)
{
    act->kind = ORDO_ACT_POINT;
    act->name = name;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && act->kind == ORDO_ACT_POINT; i++)
        for (int is_end = 0; is_end < 2; is_end++) {
            const char *part = is_end ? pairs[i].end : pairs[i].begin;
            size_t at = find_part(name, part, pairs[i].is_first);
            if (at == name.length || name.length > sizeof lines->name)
                continue;
            if (pairs[i].is_first && ordo_lines_is_in(lines, act, any_call))
                return;
            act->kind = is_end ? ORDO_ACT_END : ORDO_ACT_BEGIN;
            act->is_call = pairs[i].is_first;
            act->name = without_part(lines, name, at, part, pairs[i].is_first);
            act->point = is_end ? name : act->point;
            break;
        }
}

bool ordo_tracepoint_switch(struct ordo_lines *lines, struct ordo_act *act, struct ordo_text previous,
                            struct ordo_text next, struct ordo_text command)
{
    if (!ordo_scan_number(previous, &act->previous) || !ordo_scan_number(next, &act->next) ||
        act->previous >= ORDO_LINES_CPUS || act->next >= ORDO_LINES_CPUS)
        return false;
    act->kind = ORDO_ACT_SWITCH;
    struct ordo_text tail = {next.at - 1, next.length + 1};
    act->name = ordo_lines_name(lines, command, tail);
    if (command.length < sizeof lines->name)
        lines->name[command.length] = '-';
    return true;
}

/* Returns the text from behind `key` to before `end`, both of which are in the text. */
static bool find_command(struct ordo_text text, const char *key, const char *end, struct ordo_text *found)
{
    size_t at = ordo_scan_find(text, key);
    struct ordo_text rest = ordo_scan_from(text, at + strlen(key));
    size_t length = ordo_scan_find(rest, end);
    *found = (struct ordo_text){rest.at, length};
    return at < text.length && length < rest.length;
}

/* Reads a task as trace-cmd prints it, "bash:17 [120]": its command and number. */
static bool read_task(struct ordo_text text, struct ordo_text *command, struct ordo_text *number)
{
    size_t end = ordo_scan_find(text, " [");
    size_t colon = end;
    while (colon > 0 && text.at[colon - 1] != ':')
        colon--;
    if (end == text.length || colon == 0)
        return false;
    *command = (struct ordo_text){text.at, colon - 1};
    *number = (struct ordo_text){text.at + colon, end - colon};
    return true;
}

/* Reads a switch as the kernel prints it, and as trace-cmd does: "bash:17 [120] S ==> sleep:18 [120]". */
static int read_switch(struct ordo_lines *lines, struct ordo_text details, struct ordo_act *act)
{
    struct ordo_text command, other, previous, next;
    size_t arrow = ordo_scan_find(details, "==> ");
    bool has_arrow = arrow < details.length; /* trace-cmd report -R prints none */
    struct ordo_text left = {details.at, arrow}, right = has_arrow ? ordo_scan_from(details, arrow + 4) : details;
    bool is_read = find_command(right, "next_comm=", " next_pid=", &command);
    if (is_read) {
        previous = ordo_scan_field(left, " prev_pid=");
        next = ordo_scan_field(right, " next_pid=");
    } else {
        is_read = read_task(left, &other, &previous) && read_task(right, &command, &next);
    }
    return is_read && ordo_tracepoint_switch(lines, act, previous, next, command) ? ORDO_LINE_EVENT : ORDO_LINE_ODD;
}

/* Removes the part up to the next bar from a mark. */
static struct ordo_text take_mark_part(struct ordo_text *mark)
{
    size_t length = ordo_scan_find(*mark, "|");
    struct ordo_text part = {mark->at, length};
    *mark = ordo_scan_from(*mark, length + 1);
    return part;
}

/* Reads a mark of an asynchronous region. Regions of different ids may overlap, so each has a row of its own. */
static int read_lane(struct ordo_lines *lines, char letter, struct ordo_text mark, struct ordo_act *act)
{
    bool begins = letter == 'S' || letter == 'G', has_track = letter == 'G' || letter == 'H';
    struct ordo_text all = mark, process = take_mark_part(&mark), name = take_mark_part(&mark), key = all;
    if (has_track) {
        struct ordo_text track = {process.at, process.length + 1 + name.length};
        name = begins ? take_mark_part(&mark) : name;
        key = ordo_lines_name(lines, track, mark);
    }
    uint32_t lane = ORDO_LINES_CPU_MOST;
    if (begins && ordo_lanes_begin(&lines->lanes, key, 0, &lane))
        return ORDO_E_SYSTEM;
    if (!begins && !ordo_lanes_end(&lines->lanes, key, &lane))
        lane = ORDO_LINES_CPU_MOST;
    act->thread = ORDO_LINES_LANES + lane % (ORDO_LINES_OTHERS - ORDO_LINES_LANES);
    act->kind = begins ? ORDO_ACT_BEGIN : ORDO_ACT_END;
    act->name = begins ? name : (struct ordo_text){NULL, 0};
    return ORDO_LINE_EVENT;
}

/* Reads a mark of a program, as Android's atrace writes it: B|process|name, E, S|process|name|cookie, ... */
static int read_mark(struct ordo_lines *lines, struct ordo_text mark, struct ordo_act *act)
{
    char letter = mark.length > 0 ? *mark.at : ' ';
    bool has_parts = mark.length > 1 && mark.at[1] == '|';
    struct ordo_text parts = ordo_scan_from(mark, 2), rest = parts;
    act->kind = ORDO_ACT_POINT;
    ordo_lines_place_mark(lines, act);
    if (letter == 'E' && (has_parts || mark.length == 1)) {
        act->kind = ORDO_ACT_END;
        return ORDO_LINE_EVENT;
    }
    if (has_parts && memchr("SFGH", letter, 4))
        return read_lane(lines, letter, parts, act);
    if (has_parts && memchr("BCIN", letter, 4)) {
        (void)take_mark_part(&rest);
        act->kind = letter == 'B' ? ORDO_ACT_BEGIN : ORDO_ACT_POINT;
        act->name = letter == 'B' ? rest : take_mark_part(&rest);
        return ORDO_LINE_EVENT;
    }
    act->name = (struct ordo_text){mark.at, ordo_scan_find(mark, ":")};
    return ORDO_LINE_EVENT;
}

/* Reads an entry or exit of any system call: "NR 257 (...)", "NR 257 = 3". The return from a signal has the number -1. */
static void read_call(struct ordo_lines *lines, struct ordo_text details, bool begins, struct ordo_act *act)
{
    struct ordo_text plain = ordo_scan_field(details, "NR ");
    struct ordo_text number = plain.at ? plain : ordo_scan_field(details, "id="); /* trace-cmd report -R */
    act->kind = begins ? ORDO_ACT_BEGIN : ORDO_ACT_END;
    act->is_call = true;
    bool is_known = number.at && !ordo_scan_is(number, "-1");
    act->name = is_known || begins ? ordo_lines_name(lines, (struct ordo_text){any_call, sizeof any_call - 1}, number)
                                   : (struct ordo_text){NULL, 0};
}

static bool is_mark(struct ordo_text name)
{
    return ordo_scan_is(name, "tracing_mark_write") || ordo_scan_is(name, "print") || ordo_scan_is(name, "bputs") ||
           ordo_scan_is(name, "bprint");
}

int ordo_tracepoint_read(struct ordo_lines *lines, struct ordo_text name, struct ordo_text details,
                         struct ordo_act *act)
{
    size_t mark = ordo_scan_find(details, "tracing_mark_write: "), colon = ordo_scan_find(name, ":");
    struct ordo_text base = colon < name.length ? ordo_scan_from(name, colon + 1) : name;
    if (ordo_scan_is(base, "sched_switch"))
        return read_switch(lines, details, act);
    if (ordo_scan_is(base, "sys_enter") || ordo_scan_is(base, "sys_exit")) {
        read_call(lines, details, ordo_scan_is(base, "sys_enter"), act);
        return ORDO_LINE_EVENT;
    }
    if (is_mark(base) && (mark < details.length || ordo_scan_is(base, "tracing_mark_write")))
        return read_mark(lines, mark < details.length ? ordo_scan_from(details, mark + 20) : details, act);
    ordo_tracepoint_pair(lines, name, act);
    return ORDO_LINE_EVENT;
}
