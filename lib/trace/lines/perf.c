#include "trace/lines/perf.h"

#include "trace/lines/scan.h"
#include "trace/lines/tracepoint.h"

/* Limits of the known probes of returns. */
enum { PROBES_MOST = 256, PROBE_LETTERS_MOST = 200 };

static const char remedy[] = "write the file with perf script -F comm,pid,tid,cpu,time,event,trace";

/* "bash  17/17 [001] 62009.490996:  250000 cpu-clock:  details" */
struct perf_line {
    struct ordo_text head, rest; /* the text before and behind the time */
    int64_t time_ns, task, cpu;
};

static bool find_time(struct ordo_text line, struct perf_line *found)
{
    for (size_t colon = 0; colon < line.length; colon++) {
        colon += ordo_scan_find(ordo_scan_from(line, colon), ":");
        bool is_word = colon + 1 >= line.length || ordo_scan_blank(line.at[colon + 1]);
        if (colon == line.length || !is_word)
            continue;
        size_t from = colon;
        while (from > 0 && !ordo_scan_blank(line.at[from - 1]))
            from--;
        if (!ordo_scan_seconds((struct ordo_text){line.at + from, colon - from}, &found->time_ns))
            continue;
        found->head = (struct ordo_text){line.at, from};
        found->rest = ordo_scan_from(line, colon + 1);
        return true;
    }
    return false;
}

/* Reads the CPU in brackets, if it is there, and the thread: "17" or "16/17"; -1 is a thread that has ended. */
static bool read_thread(struct perf_line *line)
{
    struct ordo_text word = ordo_scan_last(&line->head);
    line->cpu = -1;
    if (word.length > 2 && *word.at == '[') {
        if (!ordo_scan_number((struct ordo_text){word.at + 1, word.length - 2}, &line->cpu))
            return false;
        word = ordo_scan_last(&line->head);
    }
    word = ordo_scan_from(word, ordo_scan_find(word, "/") < word.length ? ordo_scan_find(word, "/") + 1 : 0);
    line->task = -1;
    return ordo_scan_is(word, "-1") || ordo_scan_number(word, &line->task);
}

/* Takes the name of the event off the text behind the time, and a period before it. True if there is one. */
static bool take_perf_event(struct ordo_text *rest, struct ordo_text *name)
{
    struct ordo_text after = *rest;
    int64_t period;
    *name = ordo_scan_word(&after);
    if (ordo_scan_number(*name, &period))
        *name = ordo_scan_word(&after);
    if (name->length < 2 || !ordo_scan_ends(*name, ":"))
        return false;
    name->length--;
    *rest = ordo_scan_trim(after);
    return true;
}

/* Notes a probe that has a probe of the return. Returns false if out of memory. */
static bool add_returning(struct ordo_perf *perf, struct ordo_text name)
{
    return perf->returning.count >= PROBES_MOST || name.length > PROBE_LETTERS_MOST ||
           ordo_names_number(&perf->returning, name) != UINT32_MAX;
}

/* Reads an entry or a return of a function with probes. An entry begins a region if the return has a probe too. */
static int read_probe(struct ordo_perf *perf, struct ordo_lines *lines, struct ordo_text name, struct ordo_act *act)
{
    static const char returns[] = "__return", entry[] = "__entry";
    struct ordo_text none = {NULL, 0};
    bool is_end = ordo_scan_ends(name, returns), is_entry = ordo_scan_ends(name, entry);
    struct ordo_text base = {name.at, name.length - (is_end ? sizeof returns - 1 : is_entry ? sizeof entry - 1 : 0)};
    uint32_t known = perf->returning.count;
    if (is_end && !add_returning(perf, base))
        return ORDO_E_SYSTEM;
    act->name = ordo_lines_name(lines, base, none);
    act->point = is_end && known < perf->returning.count ? name : none;
    act->kind = is_end ? ORDO_ACT_END : ORDO_ACT_BEGIN;
    return ORDO_LINE_EVENT;
}

static bool is_returning(const struct ordo_perf *perf, struct ordo_text name)
{
    for (uint32_t i = 0; i < perf->returning.count; i++)
        if (perf->returning.all[i].length == name.length &&
            memcmp(perf->returning.all[i].at, name.at, name.length) == 0)
            return true;
    return false;
}

static int read_perf_event(struct ordo_perf *perf, struct ordo_lines *lines, struct ordo_text rest,
                           struct ordo_act *act)
{
    struct ordo_text name = ordo_scan_trim(rest);
    if (ordo_scan_begins(name, "PERF_RECORD_")) {
        bool is_lost = ordo_scan_begins(name, "PERF_RECORD_LOST");
        act->duration_ns = ordo_scan_first_number(name, 1);
        return is_lost ? ORDO_LINE_LOST : ORDO_LINE_OTHER;
    }
    if (!take_perf_event(&rest, &name)) {
        act->name = (struct ordo_text){"sample", 6};
        return ORDO_LINE_EVENT;
    }
    bool is_probe = ordo_scan_begins(rest, "(");
    bool has_part = ordo_scan_ends(name, "__return") || ordo_scan_ends(name, "__entry");
    if (is_probe && (has_part || is_returning(perf, name)))
        return read_probe(perf, lines, name, act);
    return ordo_tracepoint_read(lines, name, rest, act);
}

/* Says why a line is no event. Before the first event the whole file has lines of this kind, so it is refused. */
static int refuse_line(const struct ordo_perf *perf, const struct ordo_lines *lines, const char *what,
                       struct ordo_error *error)
{
    if (lines->has_events)
        return ORDO_LINE_ODD;
    return ordo_input_refuse(perf->input, error, "has no %s: %s", what, remedy);
}

int ordo_perf_parse(void *state, struct ordo_lines *lines, struct ordo_text line, struct ordo_act *act,
                    struct ordo_error *error)
{
    struct ordo_perf *perf = state;
    struct perf_line found;
    struct ordo_text trimmed = ordo_scan_trim(line);
    bool is_chain = line.length > 0 && *line.at == '\t';
    perf->in_chain = is_chain || (perf->in_chain && trimmed.length > 0);
    if (trimmed.length == 0 || *trimmed.at == '#' || is_chain)
        return ORDO_LINE_OTHER;
    if (ordo_scan_begins(trimmed, "PERF_RECORD_"))
        return read_perf_event(perf, lines, trimmed, act);
    if (!find_time(line, &found))
        return perf->in_chain ? ORDO_LINE_OTHER : refuse_line(perf, lines, "time", error);
    if (!read_thread(&found))
        return refuse_line(perf, lines, "thread", error);
    act->time_ns = found.time_ns;
    act->command = ordo_scan_trim(found.head);
    return ordo_lines_place(act, found.task, found.cpu) ? read_perf_event(perf, lines, found.rest, act) : ORDO_LINE_ODD;
}

/* True if a line has a thread and an event as perf prints them, but perhaps no time. */
static bool is_perf_line(struct ordo_text line)
{
    struct perf_line found = {.head = line};
    struct ordo_text rest = line, name;
    if (find_time(line, &found))
        return read_thread(&found) || found.head.length == 0;
    (void)ordo_scan_word(&rest);
    struct ordo_text thread = ordo_scan_word(&rest), after = rest;
    if (ordo_scan_begins(ordo_scan_word(&after), "["))
        rest = after;
    found.head = thread;
    return thread.length > 0 && read_thread(&found) && take_perf_event(&rest, &name);
}

bool ordo_perf_looks(struct ordo_text beginning)
{
    if (ordo_scan_is_json(beginning))
        return false;
    while (beginning.length > 0) {
        size_t end = ordo_scan_find(beginning, "\n");
        struct ordo_text line = {beginning.at, end}, trimmed = ordo_scan_trim(line);
        if (ordo_scan_begins(trimmed, "# captured on"))
            return true;
        if (trimmed.length > 0 && *trimmed.at != '#' && *line.at != '\t')
            return is_perf_line(line);
        beginning = ordo_scan_from(beginning, end + 1);
    }
    return false;
}

bool ordo_perf_learn(struct ordo_perf *perf, struct ordo_text beginning)
{
    for (;;) {
        size_t at = ordo_scan_find(beginning, "__return:");
        if (at == beginning.length)
            return true;
        size_t from = at;
        while (from > 0 && at - from <= PROBE_LETTERS_MOST && !ordo_scan_blank(beginning.at[from - 1]) &&
               beginning.at[from - 1] != '\n')
            from--;
        if (!add_returning(perf, (struct ordo_text){beginning.at + from, at - from}))
            return false;
        beginning = ordo_scan_from(beginning, at + 1);
    }
}
