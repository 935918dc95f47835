#include "trace/lines/ctf.h"

#include "trace/lines/scan.h"
#include "trace/lines/tracepoint.h"

#define SECOND_NS INT64_C(1000000000)
#define DAY_NS (86400 * SECOND_NS)

/* The fields that place an event and give its meaning. */
enum { CPU, VPID, VTID, PID, TID, PROGRAM, ADDRESS, FUNCTION, PREVIOUS, NEXT, COMMAND, FIELDS };

static const struct {
    const char *name;
    bool in_payload; /* the last group of fields; otherwise a group before it */
} fields[FIELDS] = {[CPU] = {"cpu_id", false},   [VPID] = {"vpid", false},       [VTID] = {"vtid", false},
                    [PID] = {"pid", false},      [TID] = {"tid", false},         [PROGRAM] = {"procname", false},
                    [ADDRESS] = {"addr", true},  [FUNCTION] = {"func", true},    [PREVIOUS] = {"prev_tid", true},
                    [NEXT] = {"next_tid", true}, [COMMAND] = {"next_comm", true}};

/* A line: "[time] (+delta) host event: { fields }, ..., { fields }". */
struct ctf_line {
    struct ordo_text time, host, event, groups;
    struct ordo_text values[FIELDS]; /* `at` is NULL if the line does not have the field */
    bool has_unnamed;                /* a value has no name */
};

/* Returns the length of a quoted text, with its quotes. */
static size_t length_of_quoted(struct ordo_text text)
{
    size_t at = 1;
    while (at < text.length && text.at[at] != '"')
        at += text.at[at] == '\\' ? 2 : 1;
    return at < text.length ? at + 1 : text.length;
}

/* Returns the length of a value, up to the comma or brace behind it: a number, a quoted text, "( "LABEL" : 5 )". */
static size_t length_of_value(struct ordo_text text)
{
    size_t at = 0;
    if (text.length > 0 && *text.at == '"')
        return length_of_quoted(text);
    bool in_paren = text.length > 0 && *text.at == '(';
    while (at < text.length && (in_paren ? text.at[at] != ')' : text.at[at] != ',' && text.at[at] != ' '))
        at += text.at[at] == '"' ? length_of_quoted(ordo_scan_from(text, at)) : 1;
    return at < text.length ? at + in_paren : text.length;
}

static void note_field(struct ctf_line *line, struct ordo_text key, struct ordo_text value, bool in_payload)
{
    if (key.length < 3 || key.length > 9)
        return;
    for (int i = 0; i < FIELDS; i++)
        if (fields[i].in_payload == in_payload && ordo_scan_is(key, fields[i].name))
            line->values[i] = value;
}

/* Returns the length of a name in front of " = "; 0 if there is none. */
static size_t length_of_key(struct ordo_text text)
{
    size_t at = 0;
    while (at < text.length && !memchr(" ,{}\"", text.at[at], 5))
        at++;
    return ordo_scan_begins(ordo_scan_from(text, at), " = ") ? at : 0;
}

/* Reads the fields of a group, and of those in it. Returns its length. */
static size_t read_group(struct ctf_line *line, struct ordo_text text, bool in_payload)
{
    size_t at = 0;
    int depth = 0;
    while (at < text.length) {
        char letter = text.at[at];
        depth += letter == '{' || letter == '[' ? 1 : letter == '}' || letter == ']' ? -1 : 0;
        if (depth == 0)
            return at + 1;
        if (memchr("{}[], ", letter, 6) &&
            !(letter == '[' && at + 1 < text.length && ordo_scan_digit(text.at[at + 1]))) {
            at++;
            continue;
        }
        depth -= letter == '[';
        struct ordo_text rest = ordo_scan_from(text, at);
        size_t key = length_of_key(rest), from = key > 0 ? key + 3 : 0;
        struct ordo_text value = ordo_scan_from(rest, from);
        if (value.length > 0 && (*value.at == '{' || (*value.at == '[' && key > 0))) {
            at += from;
            continue;
        }
        value.length = length_of_value(value);
        line->has_unnamed |= key == 0;
        note_field(line, (struct ordo_text){rest.at, key}, value, in_payload);
        at += from + value.length + (from + value.length == 0);
    }
    return text.length;
}

/* Returns the length of the group at the beginning of a text, without reading it. */
static size_t skip_group(struct ordo_text text)
{
    int depth = 0;
    for (size_t at = 0; at < text.length; at++) {
        if (text.at[at] == '"')
            at += length_of_quoted(ordo_scan_from(text, at)) - 1;
        else if (text.at[at] == '{')
            depth++;
        else if (text.at[at] == '}' && --depth == 0)
            return at + 1;
    }
    return text.length;
}

/* Reads all groups; the last one is the payload. */
static void read_groups(struct ctf_line *line)
{
    struct ordo_text rest = line->groups;
    while (rest.length > 0) {
        size_t begin = ordo_scan_find(rest, "{");
        rest = ordo_scan_from(rest, begin);
        size_t length = skip_group(rest);
        bool is_last = ordo_scan_find(ordo_scan_from(rest, length), "{") == rest.length - length;
        (void)read_group(line, (struct ordo_text){rest.at, length}, is_last);
        rest = ordo_scan_from(rest, length);
    }
}

/* Splits the text in front of the groups: "host event", or "event". Fields that can stand between them are left out. */
static bool split_words(struct ctf_line *line, struct ordo_text head)
{
    head = ordo_scan_trim(head);
    line->event = ordo_scan_last(&head);
    line->host = ordo_scan_word(&head);
    line->host.length = ordo_scan_find(line->host, "/");
    return line->event.length > 0;
}

/* Splits "[time] (+delta) host event: { ... }". */
static bool split_ctf(struct ordo_text text, struct ctf_line *line)
{
    size_t end = ordo_scan_find(text, "]");
    line->time = (struct ordo_text){text.at + 1, end - (end > 0)};
    struct ordo_text head = ordo_scan_trim(ordo_scan_from(text, end + 1));
    size_t colon = ordo_scan_find(head, ": {");
    if (end == text.length || colon == head.length)
        return false;
    line->groups = ordo_scan_from(head, colon + 2);
    head.length = colon;
    if (ordo_scan_begins(head, "("))
        head = ordo_scan_from(head, ordo_scan_find(head, ")") + 1);
    return split_words(line, head);
}

/* Returns the value of a column that --names all prints: "name = value,". */
static struct ordo_text named_value(struct ordo_text text, const char *name)
{
    size_t at = ordo_scan_find(text, name);
    text = ordo_scan_from(text, at + strlen(name));
    return (struct ordo_text){text.at, ordo_scan_find(text, ",")};
}

/* Splits "timestamp = time, delta = ..., trace:hostname = host, name = event, event.fields = { ... }". */
static bool split_named(struct ordo_text text, struct ctf_line *line)
{
    size_t begin = ordo_scan_find(text, " = {");
    struct ordo_text head = {text.at, begin};
    line->time = named_value(head, "timestamp = ");
    line->host = named_value(head, "trace:hostname = ");
    line->event = named_value(head, ", name = ");
    line->groups = ordo_scan_from(text, begin);
    return begin < text.length && line->event.length > 0;
}

/* Reads the number of days from 1970-01-01 to a date of the Gregorian calendar: "2026-11-28". */
static bool read_date(struct ordo_text text, int64_t *days)
{
    int64_t year, month, day;
    if (text.length != 10 || text.at[4] != '-' || text.at[7] != '-' ||
        !ordo_scan_number((struct ordo_text){text.at, 4}, &year) ||
        !ordo_scan_number((struct ordo_text){text.at + 5, 2}, &month) ||
        !ordo_scan_number((struct ordo_text){text.at + 8, 2}, &day) || month < 1 || month > 12 || day > 31)
        return false;
    int64_t from_march = (month + 9) % 12, years = year - (month <= 2);
    *days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * from_march + 2) / 5 + day - 1 - 719468;
    return year >= 1900 && year < 2040;
}

/* Reads "22:31:35.667079316". */
static bool read_time_of_day(struct ordo_text text, int64_t *time_ns)
{
    int64_t hours, minutes;
    if (text.length < 10 || text.at[2] != ':' || text.at[5] != ':' ||
        !ordo_scan_number((struct ordo_text){text.at, 2}, &hours) ||
        !ordo_scan_number((struct ordo_text){text.at + 3, 2}, &minutes) ||
        !ordo_scan_seconds(ordo_scan_from(text, 6), time_ns))
        return false;
    *time_ns += (hours * 3600 + minutes * 60) * SECOND_NS;
    return *time_ns >= 0 && *time_ns < 2 * DAY_NS;
}

/* Reads a time with or without a date, or seconds. A time of day that is half a day earlier than the one before it is
 * of the next day. */
static bool read_ctf_time(struct ordo_ctf *ctf, struct ordo_text text, int64_t *time_ns)
{
    int64_t days;
    if (read_time_of_day(text, time_ns)) {
        ctf->day_ns += *time_ns < ctf->last_ns - DAY_NS / 2 && ctf->day_ns < INT64_MAX / 8 ? DAY_NS : 0;
        ctf->last_ns = *time_ns;
        *time_ns += ctf->day_ns;
        return true;
    }
    if (text.length > 11 && read_date((struct ordo_text){text.at, 10}, &days) &&
        read_time_of_day(ordo_scan_from(text, 11), time_ns)) {
        *time_ns += days * DAY_NS;
        return true;
    }
    return ordo_scan_seconds(text, time_ns);
}

/* Sets the rank of the line's host. A file of a single rank has a single host. */
static int read_host(struct ordo_ctf *ctf, struct ordo_text host, struct ordo_act *act, struct ordo_error *error)
{
    if (ctf->hosts.count == 1 && ctf->hosts.all[0].length == host.length &&
        (host.length == 0 || memcmp(ctf->hosts.all[0].at, host.at, host.length) == 0))
        return ORDO_LINE_EVENT;
    uint32_t number = ordo_names_number(&ctf->hosts, host);
    if (number == UINT32_MAX)
        return ORDO_E_SYSTEM;
    if (number > 0 && ctf->rank >= 0)
        return ordo_input_refuse(
            ctf->input, error, "is of the host '%.*s', and the first one of '%.*s': print each host to its own file",
            (int)(host.length < 30 ? host.length : 30), host.at,
            (int)(ctf->hosts.all[0].length < 30 ? ctf->hosts.all[0].length : 30), ctf->hosts.all[0].at);
    act->rank = ctf->rank >= 0 ? ctf->rank : (int32_t)number;
    return number < ORDO_LINES_CPU_MOST ? ORDO_LINE_EVENT : ORDO_LINE_ODD;
}

/* Returns the number of a thread in its rank; -1 if out of memory. Threads of two processes may have the same number,
 * in two containers; those of the second one get new numbers. */
static int64_t number_of_thread(struct ordo_ctf *ctf, int32_t rank, int64_t process, int64_t thread)
{
    uint64_t key = (uint64_t)(uint32_t)rank << 32 | (uint32_t)thread;
    uint64_t *owner = ordo_map_add(&ctf->process, key, 0);
    if (!owner)
        return -1;
    if (*owner == 0 || process < 0)
        *owner = process < 0 ? *owner : (uint64_t)process + 1;
    if (process < 0 || *owner == (uint64_t)process + 1)
        return thread;
    uint64_t *other = ordo_map_add(&ctf->others, key, (uint64_t)process);
    if (other && *other == 0)
        *other = ORDO_LINES_OTHERS + ++ctf->others_count;
    return other ? (int64_t)*other : -1;
}

/* Returns a text without its quotes. */
static struct ordo_text unquoted(struct ordo_text text)
{
    bool has_quotes = text.length >= 2 && *text.at == '"';
    return has_quotes ? (struct ordo_text){text.at + 1, text.length - 2} : text;
}

/* Places the event on a thread: that of its context, or the one that runs on its CPU. */
static int place_ctf_event(struct ordo_ctf *ctf, struct ordo_lines *lines, const struct ctf_line *line,
                           struct ordo_act *act)
{
    int64_t cpu = -1, process = -1, thread = -1;
    bool is_user = line->values[VTID].at != NULL;
    if (line->values[CPU].at && !ordo_scan_number(line->values[CPU], &cpu))
        return ORDO_LINE_ODD;
    if (ordo_scan_number(line->values[is_user ? VTID : TID], &thread))
        (void)(ordo_scan_number(line->values[is_user ? VPID : PID], &process) || (process = -1));
    else
        thread = ordo_lines_running(lines, act->rank, cpu >= 0 && cpu <= ORDO_LINES_CPU_MOST ? (uint32_t)cpu : 0);
    if (!ordo_lines_place(act, thread, cpu))
        return ORDO_LINE_ODD;
    if (thread > 0) {
        int64_t number = number_of_thread(ctf, act->rank, process, thread);
        if (number < 0)
            return ORDO_E_SYSTEM;
        act->thread = (uint32_t)number;
        act->command = unquoted(line->values[PROGRAM]);
    }
    return ORDO_LINE_EVENT;
}

/* Sets the kind of an event. The functions of lttng-ust-cyg-profile have the name of their address. */
static int read_ctf_event(struct ordo_lines *lines, const struct ctf_line *line, struct ordo_act *act)
{
    size_t colon = ordo_scan_find(line->event, ":");
    struct ordo_text base = colon < line->event.length ? ordo_scan_from(line->event, colon + 1) : line->event;
    bool is_entry = ordo_scan_is(base, "func_entry"), is_exit = ordo_scan_is(base, "func_exit");
    if (ordo_scan_is(base, "sched_switch") && line->values[NEXT].at) {
        bool is_switch = ordo_tracepoint_switch(lines, act, line->values[PREVIOUS], line->values[NEXT],
                                                unquoted(line->values[COMMAND]));
        return is_switch ? ORDO_LINE_EVENT : ORDO_LINE_ODD;
    }
    if (is_entry || is_exit) {
        const struct ordo_text *name = line->values[FUNCTION].at ? &line->values[FUNCTION] : &line->values[ADDRESS];
        act->kind = is_entry ? ORDO_ACT_BEGIN : ORDO_ACT_END;
        act->name = unquoted(*name);
        return ORDO_LINE_EVENT;
    }
    ordo_tracepoint_pair(lines, line->event, act);
    return ORDO_LINE_EVENT;
}

/* Reads a warning: "WARNING: Tracer discarded 12 events between ...". */
static int read_warning(struct ordo_text line, struct ordo_act *act)
{
    size_t at = ordo_scan_find(line, "racer discarded ");
    act->duration_ns = ordo_scan_first_number(ordo_scan_from(line, at), 1);
    return at < line.length ? ORDO_LINE_LOST : line.length == 0 ? ORDO_LINE_OTHER : ORDO_LINE_ODD;
}

static int refuse_ctf(const struct ordo_ctf *ctf, const struct ordo_lines *lines, const char *what,
                      struct ordo_error *error)
{
    return lines->has_events ? ORDO_LINE_ODD : ordo_input_refuse(ctf->input, error, "%s", what);
}

int ordo_ctf_parse(void *state, struct ordo_lines *lines, struct ordo_text text, struct ordo_act *act,
                   struct ordo_error *error)
{
    struct ordo_ctf *ctf = state;
    struct ctf_line line = {0};
    bool is_named = ordo_scan_begins(text, "timestamp = ");
    if (!is_named && (!ordo_scan_begins(text, "[") || ordo_scan_begins(text, "[warning]")))
        return read_warning(text, act);
    if (!(is_named ? split_named(text, &line) : split_ctf(text, &line)))
        return ORDO_LINE_ODD;
    if (!read_ctf_time(ctf, line.time, &act->time_ns))
        return refuse_ctf(ctf, lines, "has no time but cycles: print the trace without --clock-cycles", error);
    read_groups(&line);
    if (line.has_unnamed && !line.values[CPU].at && !line.values[VTID].at && !line.values[TID].at)
        return refuse_ctf(ctf, lines, "has fields without names: print the trace without --names", error);
    int code = read_host(ctf, line.host, act, error);
    if (code == ORDO_LINE_EVENT)
        code = place_ctf_event(ctf, lines, &line, act);
    return code == ORDO_LINE_EVENT ? read_ctf_event(lines, &line, act) : code;
}

/* True for a time in brackets, with a point and followed by a blank; cycles have no point and zeros in front. */
static bool is_ctf_time(struct ordo_text line)
{
    size_t end = ordo_scan_find(line, "]");
    struct ordo_text time = {line.at + 1, end - (end > 0)};
    int64_t days, time_ns, cycles;
    if (end == line.length || !ordo_scan_begins(ordo_scan_from(line, end), "] "))
        return false;
    if (time.length > 11 && read_date((struct ordo_text){time.at, 10}, &days))
        time = ordo_scan_from(time, 11);
    bool is_cycles = time.length == 20 && ordo_scan_number(ordo_scan_from(time, 2), &cycles);
    return is_cycles || read_time_of_day(time, &time_ns) || ordo_scan_seconds(time, &time_ns);
}

bool ordo_ctf_looks(struct ordo_text beginning)
{
    if (ordo_scan_is_json(beginning))
        return false;
    while (beginning.length > 0) {
        size_t end = ordo_scan_find(beginning, "\n");
        struct ordo_text line = {beginning.at, end};
        if (ordo_scan_begins(line, "timestamp = "))
            return true;
        bool is_warning = ordo_scan_find(line, "racer discarded ") < line.length;
        if (!is_warning && end > 0)
            return ordo_scan_begins(line, "[") && is_ctf_time(line) &&
                   ordo_scan_find(beginning, ": {") < beginning.length;
        beginning = ordo_scan_from(beginning, end + 1);
    }
    return false;
}

void ordo_ctf_free(struct ordo_ctf *ctf)
{
    ordo_names_free(&ctf->hosts);
    ordo_map_free(&ctf->process);
    ordo_map_free(&ctf->others);
}
