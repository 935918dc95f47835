#include "net/log/line.h"

#include "net/log/record.h"

static const char *const names[ORDO_LOG_PROGRAMS] = {"", "ptp4l", "phc2sys", "ts2phc", "chronyd"};

enum { SEARCHED = 300 /* characters in which the program's name is searched */ };

const char *ordo_log_program_name(enum ordo_log_program program)
{
    return names[program];
}

static bool is_of_name(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || ordo_log_is_digit(letter) ||
           letter == '-' || letter == '_' || letter == '.' || letter == '@';
}

/* Returns the program whose name is at `at`, followed by '[' or ':', perhaps with an instance in between, as in
 * "ptp4l@eth0[". Sets `*behind` to the character behind the name. */
static enum ordo_log_program program_at(const char *at, const char *end, const char **behind)
{
    if (*at != 'p' && *at != 't' && *at != 'c')
        return ORDO_LOG_UNNAMED;
    for (enum ordo_log_program i = ORDO_LOG_PTP4L; i < ORDO_LOG_PROGRAMS; i++) {
        if (!ordo_log_begins((struct ordo_log_text){at, end}, names[i]))
            continue;
        const char *next = at + strlen(names[i]);
        while (next < end && is_of_name(*next))
            next++;
        *behind = next;
        return next < end && (*next == '[' || *next == ':') ? i : ORDO_LOG_UNNAMED;
    }
    return ORDO_LOG_UNNAMED;
}

static bool is_name_begin(const char *begin, const char *at)
{
    return at == begin || !is_of_name(at[-1]);
}

/* Searches a program's name, first in the column of the last line's name. Returns its place, or NULL. */
static const char *search_program(struct ordo_log_text raw, struct ordo_log_habit *habit, struct ordo_log_line *line,
                                  const char **behind)
{
    size_t most = ordo_log_length(raw) < SEARCHED ? ordo_log_length(raw) : SEARCHED;
    if (habit->column < most && is_name_begin(raw.at, raw.at + habit->column)) {
        line->program = program_at(raw.at + habit->column, raw.end, behind);
        if (line->program)
            return raw.at + habit->column;
    }
    for (const char *at = raw.at; at < raw.at + most; at++)
        if ((*at == 'p' || *at == 't' || *at == 'c') && is_name_begin(raw.at, at)) {
            line->program = program_at(at, raw.end, behind);
            if (line->program) {
                habit->column = (size_t)(at - raw.at);
                return at;
            }
        }
    return NULL;
}

/* Steps over "[5224.705]". */
static bool take_uptime(struct ordo_log_text *text, struct ordo_log_time *time)
{
    struct ordo_log_text rest = *text;
    int64_t seconds = 0, ns = 0;
    if (!ordo_log_skip(&rest, "["))
        return false;
    int digits = 0;
    for (; rest.at < rest.end && ordo_log_is_digit(*rest.at) && digits < 10; rest.at++, digits++)
        seconds = 10 * seconds + (*rest.at - '0');
    const char *point = rest.at;
    ordo_log_fraction(&rest, &ns);
    if (digits == 0 || digits > 9 || rest.at == point || !ordo_log_skip(&rest, "]"))
        return false;
    time->up_ns = seconds * 1000000000 + ns;
    time->has_up = true;
    *text = rest;
    return true;
}

/* Steps over "[1234]". */
static void take_pid(struct ordo_log_text *text, int64_t *pid)
{
    const char *end = ordo_log_begins(*text, "[") ? memchr(text->at, ']', ordo_log_length(*text)) : NULL;
    int64_t number;
    if (!end || !ordo_log_whole((struct ordo_log_text){text->at + 1, end}, &number))
        return;
    *pid = number;
    text->at = end + 1;
}

/* Steps over a tag such as "[ptp4l.0.config:6]", whose last number is the level of the message. */
static void take_tag(struct ordo_log_text *text, struct ordo_log_text *tag)
{
    const char *end = ordo_log_begins(*text, "[") ? memchr(text->at, ']', ordo_log_length(*text)) : NULL;
    if (!end)
        return;
    *tag = (struct ordo_log_text){text->at + 1, end};
    const char *colon = end;
    while (colon > tag->at && ordo_log_is_digit(colon[-1]))
        colon--;
    if (colon > tag->at + 1 && colon < end && colon[-1] == ':')
        tag->end = colon - 1;
    text->at = end + 1;
}

/* Takes apart the text behind the program's name: "[5224.705]: [tag] text" or "[1234]: [5224.705] [tag] text". */
static void read_behind(struct ordo_log_line *line, struct ordo_log_text rest)
{
    if (!take_uptime(&rest, &line->time))
        take_pid(&rest, &line->pid);
    (void)ordo_log_skip(&rest, ":");
    ordo_log_skip_blanks(&rest);
    if (take_uptime(&rest, &line->time))
        ordo_log_skip_blanks(&rest);
    take_tag(&rest, &line->tag);
    ordo_log_skip_blanks(&rest);
    line->text = rest;
}

/* Returns the last word before the program if it can be a host: words such as "stdout", "F" and "|" of containers and
 * the parts of other programs' prefixes cannot. */
static struct ordo_log_text host_before(struct ordo_log_text before)
{
    static const char *const others[] = {"stdout", "stderr", "F", "P", "|", "-"};
    while (before.end > before.at && before.end[-1] == ' ')
        before.end--;
    struct ordo_log_text host = {before.end, before.end};
    while (host.at > before.at && is_of_name(host.at[-1]))
        host.at--;
    bool is_whole = host.at == before.at || host.at[-1] == ' ';
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_whole = is_whole && !ordo_log_is(host, others[i]);
    return is_whole ? host : (struct ordo_log_text){before.at, before.at};
}

/* Takes apart a line of syslog's protocol 1, "STAMP HOST PROGRAM PID MESSAGE-ID DATA TEXT". */
static bool read_protocol(struct ordo_log_line *line, struct ordo_log_text rest)
{
    struct ordo_log_text host = ordo_log_word(&rest), name = ordo_log_word(&rest), pid = ordo_log_word(&rest);
    enum ordo_log_program program = ORDO_LOG_PTP4L;
    while (program < ORDO_LOG_PROGRAMS && !ordo_log_is(name, names[program]))
        program++;
    if (program == ORDO_LOG_PROGRAMS || (!ordo_log_is(pid, "-") && !ordo_log_whole(pid, &line->pid)))
        return false;
    (void)ordo_log_word(&rest);
    ordo_log_skip_blanks(&rest);
    const char *end = ordo_log_begins(rest, "[") ? ordo_log_find(rest, "] ") : NULL;
    if (end && !ordo_log_is_digit(rest.at[1]))
        rest.at = end + 1;
    else
        (void)ordo_log_skip(&rest, "-");
    line->program = program;
    line->host = host;
    read_behind(line, (struct ordo_log_text){rest.at, rest.end});
    return true;
}

static void read_plain(struct ordo_log_line *line, struct ordo_log_text raw, struct ordo_log_habit *habit)
{
    struct ordo_log_text rest = raw;
    const char *behind = NULL;
    (void)ordo_log_stamp(&rest, habit->latest_ns, &line->time);
    line->host = line->tag = (struct ordo_log_text){rest.at, rest.at};
    if (ordo_log_begins(raw, "<") && read_protocol(line, rest))
        return;
    const char *program = search_program(raw, habit, line, &behind);
    if (!program || program < rest.at) {
        line->program = ORDO_LOG_UNNAMED;
        read_behind(line, rest);
        return;
    }
    line->host = host_before((struct ordo_log_text){rest.at, program});
    read_behind(line, (struct ordo_log_text){behind, raw.end});
}

void ordo_log_line_read(struct ordo_log_line *line, struct ordo_log_text raw, struct ordo_log_habit *habit)
{
    struct ordo_log_record record;
    *line = (struct ordo_log_line){.pid = -1};
    if (!ordo_log_record_read(&record, raw, habit->latest_ns)) {
        read_plain(line, raw, habit);
        return;
    }
    read_plain(line, record.message, habit);
    if (record.time.has_wall) {
        line->time.wall_ns = record.time.wall_ns;
        line->time.has_wall = true;
    }
    for (enum ordo_log_program i = ORDO_LOG_PTP4L; i < ORDO_LOG_PROGRAMS && !line->program; i++)
        if (ordo_log_is(record.program, names[i]))
            line->program = i;
    if (record.host.at < record.host.end)
        line->host = record.host;
    if (record.pid >= 0)
        line->pid = record.pid;
}
