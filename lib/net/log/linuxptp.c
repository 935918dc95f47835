/* The messages of linuxptp: ptp4l, phc2sys and ts2phc, versions 1.0 to 4.4, and the servos of other projects that write
 * the same lines. Formats: linuxptp's clock.c, phc2sys.c, ts2phc.c, port.c, clockcheck.c and the manual pages. */
#include <math.h>

#include "net/log/item.h"

/* Steps backwards over the last word of a text, and returns it. */
static struct ordo_log_text last_word(struct ordo_log_text *text)
{
    while (text->end > text->at && text->end[-1] == ' ')
        text->end--;
    struct ordo_log_text word = {text->end, text->end};
    while (word.at > text->at && word.at[-1] != ' ')
        word.at--;
    text->end = word.at;
    while (text->end > text->at && text->end[-1] == ' ')
        text->end--;
    return word;
}

/* Finds the clock's name in the words before "offset" or "rms", such as "CLOCK_REALTIME phc", "/dev/ptp0 master" or
 * "master". A message_tag without brackets in front becomes a part of the name, if a role follows or `is_tagged`. False:
 * these words precede no reading. */
static bool name_clock(struct ordo_log_text before, bool is_tagged, struct ordo_log_text *clock)
{
    const char *begin = before.at;
    static const char *const roles[] = {"master", "phc", "sys", "pps", "nmea"};
    struct ordo_log_text last = last_word(&before);
    bool is_role = false;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        is_role = is_role || ordo_log_is(last, roles[i]);
    *clock = is_role ? last_word(&before) : last;
    if (before.at == before.end || (!is_role && !is_tagged))
        return before.at == before.end;
    (void)last_word(&before);
    clock->at = begin;
    return before.at == before.end;
}

/* Finds `word` as a whole word. Returns its place, or NULL. */
static const char *find_word(struct ordo_log_text text, const char *word)
{
    const char *at = ordo_log_find(text, word), *behind = at ? at + strlen(word) : NULL;
    bool is_alone = at && (at == text.at || at[-1] == ' ') && (behind == text.end || *behind == ' ');
    return is_alone ? at : NULL;
}

/* Reads pairs of a name and a number, and "+/-" with a number. False: a number is none. A last number that may be cut
 * off is left out. */
static bool read_pairs(struct ordo_log_text rest, bool is_cut, struct ordo_log_item *item)
{
    for (;;) {
        struct ordo_log_text name = ordo_log_word(&rest);
        if (name.at == name.end)
            return true;
        if (ordo_log_is(name, "path") || ordo_log_is(name, "holdover"))
            continue;
        if (ordo_log_length(name) == 2 && name.at[0] == 's' && name.at[1] >= '0' && name.at[1] <= '4') {
            item->servo = name.at[1] - '0';
            continue;
        }
        struct ordo_log_text word = ordo_log_word(&rest);
        double number;
        bool is_last = word.end == rest.end;
        if (is_cut && is_last)
            return true;
        if (!ordo_log_number(word, &number))
            return false;
        if (ordo_log_is(name, "delay"))
            item->delay_ns = number;
        else if (ordo_log_is(name, "freq") || ordo_log_is(name, "adj"))
            item->freq_ppb = number;
        else if (ordo_log_is(name, "max"))
            item->max_ns = number;
        else if (!ordo_log_is(name, "+/-"))
            return false;
    }
}

/* Reads "CLOCK offset N s2 freq N path delay N". */
static bool read_offset_line(const struct ordo_log_line *line, struct ordo_log_item *item)
{
    const char *at = find_word(line->text, "offset");
    if (!at || !name_clock((struct ordo_log_text){line->text.at, at}, false, &item->clock))
        return false;
    struct ordo_log_text rest = {at + strlen("offset"), line->text.end}, value = ordo_log_word(&rest);
    bool is_whole = ordo_log_number(value, &item->offset_ns) && !(line->is_cut && value.end == line->text.end);
    if (ordo_log_is(value, "Unknown"))
        item->kind = ORDO_LOG_OTHER;
    else if (!is_whole || !read_pairs(rest, line->is_cut, item))
        item->kind = ORDO_LOG_MALFORMED;
    else
        item->kind = ORDO_LOG_READING;
    return true;
}

/* Reads "CLOCK rms N max N freq N +/- N delay N +/- N". */
static bool read_rms(const struct ordo_log_line *line, struct ordo_log_item *item)
{
    const char *at = find_word(line->text, "rms");
    if (!at || !name_clock((struct ordo_log_text){line->text.at, at}, true, &item->clock))
        return false;
    struct ordo_log_text rest = {at + strlen("rms"), line->text.end}, value = ordo_log_word(&rest);
    bool is_whole = ordo_log_number(value, &item->rms_ns) && read_pairs(rest, line->is_cut, item);
    item->kind = is_whole && !isnan(item->max_ns) ? ORDO_LOG_SUMMARY : ORDO_LOG_MALFORMED;
    return true;
}

static void set_state(struct ordo_log_item *item, enum ordo_log_event event, struct ordo_log_text detail)
{
    item->kind = ORDO_LOG_STATE;
    item->event = event;
    item->detail = detail;
}

/* Reads "port 1 (eth0): SLAVE to UNCALIBRATED on SYNCHRONIZATION_FAULT". Port 0 is the daemon's own socket. */
static bool read_port(struct ordo_log_text text, struct ordo_log_item *item)
{
    struct ordo_log_text rest = text;
    const char *colon = ordo_log_find(rest, ": ");
    if (!ordo_log_skip(&rest, "port ") || !colon)
        return false;
    bool is_inner = ordo_log_begins(rest, "0:") || ordo_log_begins(rest, "0 ");
    rest.at = colon + 2;
    struct ordo_log_text from = ordo_log_word(&rest), to = ordo_log_word(&rest), into = ordo_log_word(&rest);
    if (!ordo_log_is(to, "to") || from.at == from.end || *from.at < 'A' || *from.at > 'Z')
        return false;
    if (is_inner) {
        if (ordo_log_is(from, "INITIALIZING"))
            set_state(item, ORDO_LOG_STARTED, text);
    } else if (ordo_log_is(into, "FAULTY"))
        set_state(item, ORDO_LOG_PORT_FAULT, text);
    else if (ordo_log_is(into, "SLAVE"))
        set_state(item, ORDO_LOG_PORT_SLAVE, text);
    else if (ordo_log_is(from, "SLAVE"))
        set_state(item, ORDO_LOG_PORT_LOST, text);
    return true;
}

static bool read_master(struct ordo_log_text text, struct ordo_log_item *item)
{
    static const char *const begins[] = {"selected best master clock ", "selected local clock ",
                                         "new best master selected: "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (ordo_log_skip(&text, begins[i])) {
            set_state(item, ORDO_LOG_MASTER, ordo_log_word(&text));
            return true;
        }
    return false;
}

static bool has_any(struct ordo_log_text text, const char *const *words)
{
    while (*words && !ordo_log_find(text, *words))
        words++;
    return *words != NULL;
}

/* Steps over a message_tag without brackets, which is then the name of the clock, as in readings. */
static void skip_plain_tag(struct ordo_log_text *text, struct ordo_log_item *item)
{
    struct ordo_log_text rest = *text, tag = ordo_log_word(&rest);
    ordo_log_skip_blanks(&rest);
    if (!ordo_log_begins(rest, "port ") && !ordo_log_begins(rest, "clockcheck:") && !ordo_log_begins(rest, "selected "))
        return;
    item->clock = tag;
    *text = rest;
}

static void read_message(struct ordo_log_text text, struct ordo_log_item *item)
{
    static const char *const faults[] = {" failed",
                                         "failed to ",
                                         "timed out",
                                         "link down",
                                         "temporal vortex",
                                         "not using PTP timescale",
                                         "rogue peer",
                                         "without timestamp",
                                         "lost holdover lock",
                                         "SKIP extts",
                                         "ignoring invalid",
                                         "not in sync with PHC",
                                         "resetting asCapable",
                                         "multiple master clocks",
                                         "Main process exited",
                                         "Failed with result",
                                         NULL};
    skip_plain_tag(&text, item);
    if (ordo_log_begins(text, "clockcheck:"))
        set_state(item, ORDO_LOG_CLOCKCHECK, text);
    else if (!read_port(text, item) && !read_master(text, item) && has_any(text, faults))
        set_state(item, ORDO_LOG_FAULT, text);
}

void ordo_log_linuxptp(const struct ordo_log_line *line, struct ordo_log_item *item)
{
    item->series = ORDO_LOG_SERVO;
    item->kind = line->program ? ORDO_LOG_OTHER : ORDO_LOG_FOREIGN;
    bool is_value = read_offset_line(line, item) || read_rms(line, item);
    if (line->program) {
        if (!is_value)
            read_message(line->text, item);
        return;
    }
    /* Without a program's name a reading must have a state of the servo, and a summary its frequency. */
    bool is_sure = (item->kind == ORDO_LOG_READING && item->servo >= 0 && !isnan(item->freq_ppb)) ||
                   (item->kind == ORDO_LOG_SUMMARY && !isnan(item->freq_ppb));
    if (is_value && !is_sure)
        item->kind = ORDO_LOG_FOREIGN;
    else if (!is_value && (ordo_log_begins(line->text, "port ") || ordo_log_begins(line->text, "clockcheck:") ||
                           ordo_log_begins(line->text, "selected ")))
        read_message(line->text, item);
}
