#include "trace/lines/ftrace.h"

#include "trace/lines/scan.h"
#include "trace/lines/tracepoint.h"

/* Letters of "(17)". The limit bounds the time of a line with many brackets. */
enum { GROUP_MOST = 32 };

/* A line without its prologue: "bash-17 (17) [001] d..2. 62009.490996: " */
struct ftrace_line {
    struct ordo_text command; /* "bash" */
    struct ordo_text details; /* the text behind the time */
    int64_t cpu, time_ns;
};

/* Reads the time in front of a colon. The format for latencies has whole microseconds: "62009490996us+". */
static bool read_ftrace_time(struct ordo_text word, int64_t *time_ns)
{
    const int64_t most_us = INT64_MAX / 4 / 1000;
    size_t us = ordo_scan_find(word, "us");
    word.length -= word.length > 0 && word.at[word.length - 1] == ':';
    if (us >= word.length)
        return ordo_scan_seconds(word, time_ns);
    bool is_number = ordo_scan_number((struct ordo_text){word.at, us}, time_ns) && *time_ns < most_us;
    *time_ns *= is_number ? 1000 : 1;
    return is_number && word.length - us <= 3;
}

/* Reads the number of the task from "bash-17" or "bash-17 (17)". */
static bool read_task_number(struct ordo_text head, int64_t *task, struct ordo_text *command)
{
    head = ordo_scan_trim(head);
    if (ordo_scan_ends(head, ")")) {
        for (int most = 0; most < GROUP_MOST && head.length > 0 && head.at[head.length - 1] != '('; most++)
            head.length--;
        head.length -= head.length > 0;
        head = ordo_scan_trim(head);
    }
    size_t digits = head.length;
    while (digits > 0 && ordo_scan_digit(head.at[digits - 1]))
        digits--;
    *command = (struct ordo_text){head.at, digits - (digits > 0)};
    return digits > 1 && head.at[digits - 1] == '-' && ordo_scan_number(ordo_scan_from(head, digits), task);
}

/* Returns a command without the name of the buffer that trace-cmd puts in front: "buffer:     bash". */
static struct ordo_text without_buffer(struct ordo_text command)
{
    size_t at = ordo_scan_find(command, ":  ");
    return at < command.length ? ordo_scan_trim(ordo_scan_from(command, at + 1)) : command;
}

/* Finds the CPU in brackets behind the task. A command may have brackets too. */
static bool find_cpu(struct ordo_text line, struct ftrace_line *found, struct ordo_text *rest, int64_t *task)
{
    for (size_t at = 0; at < line.length; at++) {
        at += ordo_scan_find(ordo_scan_from(line, at), "[");
        struct ordo_text inside = ordo_scan_from(line, at + 1);
        size_t end = 0;
        while (end < inside.length && ordo_scan_digit(inside.at[end]))
            end++;
        bool is_word = at > 0 && (ordo_scan_blank(line.at[at - 1]) || line.at[at - 1] == ')') && end < inside.length &&
                       inside.at[end] == ']';
        if (!is_word || !ordo_scan_number((struct ordo_text){inside.at, end}, &found->cpu))
            continue;
        *rest = ordo_scan_from(inside, end + 1);
        if (read_task_number((struct ordo_text){line.at, at}, task, &found->command))
            return true;
    }
    return false;
}

/* Reads flags, if they are there, and the time behind them. */
static bool read_time_after_flags(struct ordo_text rest, struct ftrace_line *found)
{
    struct ordo_text word = ordo_scan_word(&rest);
    if (!ordo_scan_ends(word, ":"))
        word = ordo_scan_word(&rest);
    found->details = ordo_scan_trim(rest);
    return ordo_scan_ends(word, ":") && read_ftrace_time(word, &found->time_ns);
}

/* Reads a line of the format for latencies, which has the CPU in front of the flags: "bash-17  1d..2. 9000us : ". */
static bool read_latency(struct ordo_text line, struct ftrace_line *found, int64_t *task)
{
    struct ordo_text rest = line, flags = {NULL, 0};
    while (rest.length > 0) {
        struct ordo_text word = ordo_scan_word(&rest);
        size_t digits = 0;
        while (digits < flags.length && ordo_scan_digit(flags.at[digits]))
            digits++;
        if (digits > 0 && digits < flags.length && read_ftrace_time(word, &found->time_ns) &&
            ordo_scan_number((struct ordo_text){flags.at, digits}, &found->cpu)) {
            found->details = ordo_scan_trim(rest);
            bool has_colon = ordo_scan_begins(found->details, ":");
            found->details = ordo_scan_trim(ordo_scan_from(found->details, has_colon));
            return read_task_number((struct ordo_text){line.at, (size_t)(flags.at - line.at)}, task, &found->command);
        }
        flags = word;
    }
    return false;
}

static bool split_line(struct ordo_text line, struct ftrace_line *found, int64_t *task)
{
    struct ordo_text rest;
    bool is_line =
        (find_cpu(line, found, &rest, task) && read_time_after_flags(rest, found)) || read_latency(line, found, task);
    return is_line && found->details.length > 0;
}

/* Reads a duration, such as "+ 12.345 us"; the mark says how long it is. True for blanks too: no duration. */
static bool read_duration(struct ordo_text text, int64_t *duration_ns, bool *is_blank)
{
    text = ordo_scan_trim(text);
    *is_blank = text.length == 0;
    if (text.length > 0 && memchr("+!#*@$", *text.at, 6))
        text = ordo_scan_trim(ordo_scan_from(text, 1));
    if (!ordo_scan_ends(text, " us"))
        return *is_blank;
    text.length -= 3;
    if (ordo_scan_number(text, duration_ns)) {
        *duration_ns *= *duration_ns < INT64_MAX / 4000 ? 1000 : 1;
        return true;
    }
    bool is_read = ordo_scan_seconds(text, duration_ns) && *duration_ns >= 0;
    *duration_ns /= 1000000;
    return is_read;
}

/* Reads the text behind the bar: "name() {" begins a function, "name();" is a whole one, "}" ends one. */
static int read_function(struct ordo_text text, int64_t duration_ns, bool has_duration, struct ordo_act *act)
{
    text = ordo_scan_trim(text);
    size_t paren = ordo_scan_find(text, "(");
    act->name = (struct ordo_text){text.at, paren};
    if (ordo_scan_begins(text, "}")) {
        act->kind = ORDO_ACT_END;
        act->name.length = 0;
        return ORDO_LINE_EVENT;
    }
    if (ordo_scan_begins(text, "/*")) {
        act->name = ordo_scan_trim(ordo_scan_from(text, 2));
        act->name.length = ordo_scan_find(act->name, ":");
        return ORDO_LINE_EVENT;
    }
    bool is_leaf = ordo_scan_find(text, ";") < text.length;
    act->kind = !is_leaf ? ORDO_ACT_BEGIN : has_duration ? ORDO_ACT_SPAN : ORDO_ACT_POINT;
    act->duration_ns = is_leaf ? duration_ns : 0;
    return paren < text.length && paren > 0 ? ORDO_LINE_EVENT : ORDO_LINE_ODD;
}

/* Reads columns up to the bar behind the duration. `text` becomes the text behind it. */
static bool take_duration(struct ordo_text *text, int64_t *duration_ns, bool *is_blank, struct ordo_text *task)
{
    *duration_ns = 0;
    *task = (struct ordo_text){NULL, 0};
    for (int column = 0; column < 4; column++) {
        size_t bar = ordo_scan_find(*text, "|");
        struct ordo_text part = {text->at, bar};
        if (bar == text->length)
            return false;
        *text = ordo_scan_from(*text, bar + 1);
        if (read_duration(part, duration_ns, is_blank))
            return true;
        *task = column == 0 ? part : *task;
    }
    return false;
}

/* Reads the CPU in front of a closing parenthesis: "3)". */
static bool take_graph_cpu(struct ordo_text *text, int64_t *cpu)
{
    size_t end = ordo_scan_find(*text, ")");
    if (end == text->length || !ordo_scan_number(ordo_scan_trim((struct ordo_text){text->at, end}), cpu))
        return false;
    *text = ordo_scan_from(*text, end + 1);
    return *cpu <= ORDO_LINES_CPU_MOST;
}

/* Notes the task that a CPU continues: " 3)   bash-17    =>    sleep-18 ". */
static int read_graph_switch(struct ordo_lines *lines, struct ordo_text text, int64_t cpu, struct ordo_act *act)
{
    int64_t task;
    if (!read_task_number(ordo_scan_from(text, ordo_scan_find(text, "=>") + 2), &task, &act->command) ||
        task >= ORDO_LINES_CPUS)
        return ORDO_LINE_ODD;
    return ordo_lines_run(lines, act->rank, (uint32_t)cpu, task) ? ORDO_LINE_OTHER : ORDO_E_SYSTEM;
}

static int refuse_timeless(const struct ordo_input *input, struct ordo_error *error)
{
    return ordo_input_refuse(input, error,
                             "has no time: write 1 to options/funcgraph-abstime of the tracer, or use trace-cmd");
}

/* Reads a line of the function_graph tracer: " 62009.490996 |   3) bash-17 | d..1 | + 12.345 us |  name();". */
static int read_graph(const struct ordo_input *input, struct ordo_lines *lines, struct ordo_text line,
                      struct ordo_act *act, struct ordo_error *error)
{
    struct ordo_text rest = line, task_text;
    int64_t cpu, duration_ns, task;
    bool is_blank;
    size_t bar = ordo_scan_find(line, "|");
    bool has_time = ordo_scan_seconds(ordo_scan_trim((struct ordo_text){line.at, bar}), &act->time_ns);
    rest = ordo_scan_from(rest, has_time ? bar + 1 : 0);
    if (!take_graph_cpu(&rest, &cpu))
        return ORDO_LINE_ODD;
    if (ordo_scan_find(rest, "=>") < rest.length && ordo_scan_find(rest, "|") == rest.length)
        return read_graph_switch(lines, rest, cpu, act);
    if (!take_duration(&rest, &duration_ns, &is_blank, &task_text))
        return ORDO_LINE_ODD;
    if (!has_time)
        return lines->has_events ? ORDO_LINE_ODD : refuse_timeless(input, error);
    if (!read_task_number(task_text, &task, &act->command))
        task = ordo_lines_running(lines, act->rank, (uint32_t)cpu);
    return ordo_lines_place(act, task, cpu) ? read_function(rest, duration_ns, !is_blank, act) : ORDO_LINE_ODD;
}

/* Reads an event of the function_graph tracer as trace-cmd prints it: "funcgraph_entry:  0.179 us  |  name();". */
static int read_graph_event(struct ordo_text details, bool is_exit, struct ordo_act *act)
{
    size_t bar = ordo_scan_find(details, "|");
    int64_t duration_ns = 0;
    bool is_blank = true;
    if (is_exit) {
        act->kind = ORDO_ACT_END;
        return ORDO_LINE_EVENT;
    }
    if (bar == details.length || !read_duration((struct ordo_text){details.at, bar}, &duration_ns, &is_blank))
        return ORDO_LINE_ODD;
    return read_function(ordo_scan_from(details, bar + 1), duration_ns, !is_blank, act);
}

/* Reads an event whose text has no name in front of a colon: a function and its caller, or a call of the system. */
static int read_unnamed(struct ordo_lines *lines, struct ordo_text details, struct ordo_act *act)
{
    struct ordo_text rest = details, word = ordo_scan_word(&rest);
    size_t paren = ordo_scan_find(word, "(");
    bool is_call = ordo_scan_begins(word, "sys_");
    act->kind = ORDO_ACT_POINT;
    act->name = word;
    if (ordo_scan_begins(word, "<stack") || ordo_scan_begins(word, "=>") || ordo_scan_is(word, "<user"))
        return ORDO_LINE_OTHER;
    if (is_call && paren < word.length) {
        act->kind = ORDO_ACT_BEGIN;
        act->is_call = true;
        act->name = ordo_lines_name(lines, (struct ordo_text){word.at, paren}, (struct ordo_text){NULL, 0});
    } else if (is_call && ordo_scan_begins(ordo_scan_trim(rest), "->")) {
        act->kind = ORDO_ACT_END;
    }
    return ORDO_LINE_EVENT;
}

static bool is_stack(struct ordo_text name)
{
    return ordo_scan_is(name, "kernel_stack") || ordo_scan_is(name, "user_stack");
}

static int read_details(struct ordo_lines *lines, struct ordo_text details, struct ordo_act *act)
{
    struct ordo_text rest = details, name = ordo_scan_word(&rest);
    if (ordo_scan_begins(name, "(+")) { /* trace-cmd report --ts-diff: the time since the last event */
        details = ordo_scan_trim(rest);
        name = ordo_scan_word(&rest);
    }
    if (!ordo_scan_ends(name, ":") || ordo_scan_find(name, "(") < name.length)
        return read_unnamed(lines, details, act);
    name.length--;
    rest = ordo_scan_trim(rest);
    if (ordo_scan_is(name, "funcgraph_entry") || ordo_scan_is(name, "funcgraph_exit"))
        return read_graph_event(rest, ordo_scan_is(name, "funcgraph_exit"), act);
    if (ordo_scan_is(name, "function"))
        return read_unnamed(lines, rest, act);
    return is_stack(name) ? ORDO_LINE_OTHER : ordo_tracepoint_read(lines, name, rest, act);
}

/* Reads "CPU:3 [LOST 12 EVENTS]", and trace-cmd's "CPU:3 [12 EVENTS DROPPED]". */
static int read_lost(struct ordo_text line, struct ordo_act *act)
{
    size_t bracket = ordo_scan_find(line, "[");
    bool is_lost = bracket < line.length && ordo_scan_find(line, "EVENTS") < line.length;
    act->duration_ns = ordo_scan_first_number(ordo_scan_from(line, bracket), 1);
    return is_lost ? ORDO_LINE_LOST : ORDO_LINE_OTHER;
}

static bool is_heading(struct ordo_text line)
{
    static const char *const headings[] = {"#", "version = ", "cpus=", "TRACE:", "=>", "----", "CPU "};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (ordo_scan_begins(line, headings[i]))
            return true;
    return line.length == 0;
}

int ordo_ftrace_parse(void *state, struct ordo_lines *lines, struct ordo_text line, struct ordo_act *act,
                      struct ordo_error *error)
{
    struct ftrace_line found;
    int64_t task;
    struct ordo_text trimmed = ordo_scan_trim(line);
    if (ordo_scan_begins(trimmed, "CPU:"))
        return read_lost(trimmed, act);
    if (is_heading(trimmed))
        return ORDO_LINE_OTHER;
    if (split_line(line, &found, &task)) {
        act->time_ns = found.time_ns;
        act->command = without_buffer(found.command);
        return ordo_lines_place(act, task, found.cpu) ? read_details(lines, found.details, act) : ORDO_LINE_ODD;
    }
    return read_graph(state, lines, line, act, error);
}

/* True if a line begins as those of the function_graph tracer without and with a time. */
static bool is_graph_line(struct ordo_text line)
{
    int64_t cpu, time_ns;
    size_t bar = ordo_scan_find(line, "|");
    bool has_time = ordo_scan_seconds(ordo_scan_trim((struct ordo_text){line.at, bar}), &time_ns);
    line = ordo_scan_from(line, has_time ? bar + 1 : 0);
    return take_graph_cpu(&line, &cpu) && ordo_scan_find(line, "|") < line.length;
}

bool ordo_ftrace_looks(struct ordo_text beginning)
{
    if (ordo_scan_is_json(beginning))
        return false;
    while (beginning.length > 0) {
        size_t end = ordo_scan_find(beginning, "\n");
        struct ordo_text line = {beginning.at, end}, trimmed = ordo_scan_trim(line);
        struct ftrace_line found;
        int64_t task;
        if (ordo_scan_begins(trimmed, "# tracer: "))
            return true;
        if (!is_heading(trimmed) && !ordo_scan_begins(trimmed, "CPU:"))
            return split_line(line, &found, &task) || is_graph_line(line);
        beginning = ordo_scan_from(beginning, end + 1);
    }
    return false;
}
