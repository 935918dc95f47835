/* The output of chronyc, as cron jobs collect it: `tracking`, `sources` and `sourcestats`, for people or, with -c, as
 * commas. Formats: chronyc(1), and chrony's client.c.
 *
 * Only `tracking` has a time of its own, that of the last update. If the job also runs `date`, the time on the last line
 * with nothing else is used, because it is the time of the report. */
#include <math.h>

#include "net/log/item.h"

enum { FIELDS = 16 };

/* Reads "0.000001501 seconds slow of NTP time" as nanoseconds: positive if the clock is fast. */
static double fast_ns(struct ordo_log_text rest)
{
    double seconds;
    if (!ordo_log_number(ordo_log_word(&rest), &seconds))
        return NAN;
    return (ordo_log_find(rest, "slow") ? -1e9 : 1e9) * seconds;
}

/* Returns the value if the line is "NAME : VALUE". */
static bool value_of(struct ordo_log_text raw, const char *name, struct ordo_log_text *value)
{
    *value = raw;
    if (!ordo_log_skip(value, name))
        return false;
    ordo_log_skip_blanks(value);
    if (!ordo_log_skip(value, ":"))
        return false;
    ordo_log_skip_blanks(value);
    return true;
}

/* True if the source is chronyd's own clock, which it takes for one with `local` if it has no other. */
static bool is_own_clock(struct ordo_log_text id)
{
    return ordo_log_begins(id, "7F7F0101");
}

static void begin_tracking(struct ordo_log_chronyc *chronyc, struct ordo_log_text value)
{
    const char *open = ordo_log_find(value, "("), *close = ordo_log_find(value, ")");
    struct ordo_log_time said = chronyc->said;
    *chronyc = (struct ordo_log_chronyc){.report = ORDO_CHRONYC_TRACKING, .said = said, .offset_ns = NAN};
    chronyc->is_own_clock = is_own_clock(value);
    if (open && close && open < close)
        ordo_log_copy(chronyc->source, sizeof chronyc->source, (struct ordo_log_text){open + 1, close});
}

/* Makes the item of a whole report of `chronyc tracking`. */
static void end_tracking(struct ordo_log_chronyc *chronyc, struct ordo_log_time *time, struct ordo_log_item *item)
{
    item->series = ORDO_LOG_TRACKING;
    item->kind = isnan(chronyc->offset_ns) ? ORDO_LOG_MALFORMED : ORDO_LOG_READING;
    item->offset_ns = chronyc->offset_ns;
    item->freq_ppb = chronyc->freq_ppb;
    item->detail = (struct ordo_log_text){chronyc->source, chronyc->source + strlen(chronyc->source)};
    item->bound_ns = fabs(chronyc->offset_ns) + chronyc->root_delay_ns / 2 + chronyc->root_dispersion_ns;
    if (!chronyc->is_synced) {
        item->kind = ORDO_LOG_STATE;
        item->event = ORDO_LOG_UNSYNCED;
        item->detail.end = item->detail.at;
    }
    *time = chronyc->said.has_wall ? chronyc->said : chronyc->reference;
}

static bool read_tracking_line(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw, struct ordo_log_time *time,
                               struct ordo_log_item *item)
{
    struct ordo_log_text value;
    if (value_of(raw, "Ref time (UTC)", &value))
        chronyc->reference.has_wall = ordo_log_stamp_long(&value, &chronyc->reference.wall_ns);
    else if (value_of(raw, "System time", &value))
        chronyc->offset_ns = fast_ns(value);
    else if (value_of(raw, "Root delay", &value))
        chronyc->root_delay_ns = fast_ns(value);
    else if (value_of(raw, "Root dispersion", &value))
        chronyc->root_dispersion_ns = fast_ns(value);
    else if (value_of(raw, "Frequency", &value))
        chronyc->freq_ppb = fast_ns(value) * 1e-6; /* ppm, and slow is negative */
    else if (value_of(raw, "Leap status", &value)) {
        chronyc->is_synced = !ordo_log_begins(value, "Not") && !chronyc->is_own_clock;
        end_tracking(chronyc, time, item);
        chronyc->report = ORDO_CHRONYC_NONE;
    } else
        return value_of(raw, "Stratum", &value) || value_of(raw, "Last offset", &value) ||
               value_of(raw, "RMS offset", &value) || value_of(raw, "Residual freq", &value) ||
               value_of(raw, "Skew", &value) || value_of(raw, "Update interval", &value);
    return true;
}

/* Reads a number with the unit of a table, such as "-923us", as nanoseconds; NAN: it is none. */
static double unit_ns(struct ordo_log_text word)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1},   {"us", 1e3},   {"ms", 1e6},    {"s", 1e9},
                 {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}, {"y", 31557600e9}};
    struct ordo_log_text unit = {word.end, word.end};
    while (unit.at > word.at && unit.at[-1] >= 'a' && unit.at[-1] <= 'z')
        unit.at--;
    double number;
    word.end = unit.at;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ordo_log_is(unit, units[i].name) && ordo_log_number(word, &number))
            return number * units[i].ns;
    return NAN;
}

/* Makes the item of a source: a reading if it was reached. */
static void judge_source(struct ordo_log_chronyc *chronyc, char state, struct ordo_log_text name,
                         struct ordo_log_time *time, struct ordo_log_item *item)
{
    item->clock = name;
    *time = chronyc->said;
    if (state == 'x') {
        item->kind = ORDO_LOG_STATE;
        item->series = ORDO_LOG_TRACKING;
        item->event = ORDO_LOG_FALSE;
        item->detail = name;
        item->clock = (struct ordo_log_text){name.at, name.at};
    } else if (state == '?')
        item->kind = ORDO_LOG_OTHER;
    else
        item->kind = isnan(item->offset_ns) ? ORDO_LOG_MALFORMED : ORDO_LOG_READING;
}

/* Reads "^* NAME 2 6 377 23 -923us[ -924us] +/- 43ms". */
static bool read_chronyc_source(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw, struct ordo_log_time *time,
                                struct ordo_log_item *item)
{
    if (ordo_log_length(raw) < 20 || !strchr("^=#", raw.at[0]) || !strchr("*+-?x~ ", raw.at[1]) || raw.at[2] != ' ')
        return false;
    struct ordo_log_text rest = {raw.at + 3, raw.end}, name = ordo_log_word(&rest);
    int64_t stratum;
    if (!ordo_log_whole(ordo_log_word(&rest), &stratum))
        return false;
    for (int i = 0; i < 3; i++)
        (void)ordo_log_word(&rest);
    ordo_log_skip_blanks(&rest);
    const char *open = ordo_log_find(rest, "["), *bound = ordo_log_find(rest, "+/-");
    if (!open || !bound)
        return false;
    item->offset_ns = unit_ns((struct ordo_log_text){rest.at, open});
    rest.at = bound + strlen("+/-");
    item->bound_ns = unit_ns(ordo_log_word(&rest));
    item->series = ORDO_LOG_MEASUREMENTS;
    judge_source(chronyc, raw.at[1], name, time, item);
    return true;
}

/* Reads "NAME 11 5 46m -0.001 0.045 +1us 25us". */
static bool read_sourcestats(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw, struct ordo_log_time *time,
                             struct ordo_log_item *item)
{
    struct ordo_log_text rest = raw, name = ordo_log_word(&rest);
    int64_t points, runs;
    if (!ordo_log_whole(ordo_log_word(&rest), &points) || !ordo_log_whole(ordo_log_word(&rest), &runs))
        return false;
    for (int i = 0; i < 3; i++)
        (void)ordo_log_word(&rest);
    item->offset_ns = unit_ns(ordo_log_word(&rest));
    item->series = ORDO_LOG_STATISTICS;
    judge_source(chronyc, points > 0 ? '+' : '?', name, time, item);
    return true;
}

static int split_commas(struct ordo_log_text raw, struct ordo_log_text fields[FIELDS])
{
    int count = 0;
    for (const char *at = raw.at; count < FIELDS; count++) {
        const char *comma = memchr(at, ',', (size_t)(raw.end - at));
        fields[count] = (struct ordo_log_text){at, comma ? comma : raw.end};
        if (!comma)
            return count + 1;
        at = comma + 1;
    }
    return 0;
}

static double seconds_ns(struct ordo_log_text field)
{
    double seconds;
    return ordo_log_number(field, &seconds) ? seconds * 1e9 : NAN;
}

/* ID,NAME,stratum,reference-time,system-time,last-offset,rms,frequency,residual,skew,root-delay,root-dispersion,
 * interval,leap. The system time is positive if the clock is slow. */
static bool read_tracking_commas(struct ordo_log_chronyc *chronyc, const struct ordo_log_text fields[FIELDS],
                                 struct ordo_log_time *time, struct ordo_log_item *item)
{
    double reference_ns = seconds_ns(fields[3]), ppm;
    if (ordo_log_length(fields[0]) != 8 || isnan(reference_ns) || reference_ns > 7.2e18 ||
        !ordo_log_number(fields[7], &ppm))
        return false;
    struct ordo_log_time said = chronyc->said;
    *chronyc = (struct ordo_log_chronyc){.said = said, .offset_ns = -seconds_ns(fields[4]), .freq_ppb = -1e3 * ppm};
    chronyc->root_delay_ns = seconds_ns(fields[10]);
    chronyc->root_dispersion_ns = seconds_ns(fields[11]);
    chronyc->reference.wall_ns = (int64_t)reference_ns;
    chronyc->reference.has_wall = reference_ns > 0;
    chronyc->is_synced = !ordo_log_begins(fields[13], "Not") && !is_own_clock(fields[0]);
    ordo_log_copy(chronyc->source, sizeof chronyc->source, fields[1]);
    end_tracking(chronyc, time, item);
    return true;
}

/* MODE,STATE,NAME,stratum,poll,reach,age,offset,measured-offset,bound */
static bool read_source_commas(struct ordo_log_chronyc *chronyc, const struct ordo_log_text fields[FIELDS],
                               struct ordo_log_time *time, struct ordo_log_item *item)
{
    if (ordo_log_length(fields[0]) != 1 || ordo_log_length(fields[1]) != 1 || !strchr("^=#", *fields[0].at) ||
        !strchr("*+-?x~", *fields[1].at))
        return false;
    item->offset_ns = seconds_ns(fields[7]);
    item->bound_ns = seconds_ns(fields[9]);
    item->series = ORDO_LOG_MEASUREMENTS;
    judge_source(chronyc, *fields[1].at, fields[2], time, item);
    return true;
}

/* NAME,points,runs,span,frequency,skew,offset,deviation */
static bool read_sourcestats_commas(struct ordo_log_chronyc *chronyc, const struct ordo_log_text fields[FIELDS],
                                    struct ordo_log_time *time, struct ordo_log_item *item)
{
    int64_t points, runs, span;
    if (!ordo_log_whole(fields[1], &points) || !ordo_log_whole(fields[2], &runs) || !ordo_log_whole(fields[3], &span) ||
        isnan(seconds_ns(fields[7])))
        return false;
    item->offset_ns = seconds_ns(fields[6]);
    item->series = ORDO_LOG_STATISTICS;
    judge_source(chronyc, points > 0 ? '+' : '?', fields[0], time, item);
    return true;
}

static bool read_commas(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw, struct ordo_log_time *time,
                        struct ordo_log_item *item)
{
    struct ordo_log_text fields[FIELDS];
    switch (split_commas(raw, fields)) {
    case 14:
        return read_tracking_commas(chronyc, fields, time, item);
    case 10:
        return read_source_commas(chronyc, fields, time, item);
    case 8:
        return read_sourcestats_commas(chronyc, fields, time, item);
    default:
        return false;
    }
}

static void skip_ruler(struct ordo_log_text *text)
{
    while (text->at < text->end && strchr("=-#* ", *text->at) && *text->at)
        text->at++;
}

/* Notes a time that stands alone on a line, perhaps in a ruler such as "=== 2026-11-29 06:11:14 ===". */
static bool read_said(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw, int64_t latest_ns)
{
    struct ordo_log_text rest = raw;
    struct ordo_log_time time = {0};
    skip_ruler(&rest);
    if (!ordo_log_stamp(&rest, latest_ns, &time) || !time.has_wall)
        return false;
    skip_ruler(&rest);
    if (rest.at < rest.end)
        return false;
    chronyc->said = time;
    return true;
}

/* Finds out which report begins at this line. */
static bool begins_report(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw)
{
    struct ordo_log_text value;
    if (value_of(raw, "Reference ID", &value))
        begin_tracking(chronyc, value);
    else if (ordo_log_begins(raw, "MS Name/IP"))
        chronyc->report = ORDO_CHRONYC_SOURCES;
    else if (ordo_log_begins(raw, "Name/IP Address") && ordo_log_find(raw, "NP  NR"))
        chronyc->report = ORDO_CHRONYC_SOURCESTATS;
    else
        return false;
    return true;
}

static bool continues_report(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw, struct ordo_log_time *time,
                             struct ordo_log_item *item)
{
    switch (chronyc->report) {
    case ORDO_CHRONYC_TRACKING:
        return read_tracking_line(chronyc, raw, time, item);
    case ORDO_CHRONYC_SOURCES:
        return read_chronyc_source(chronyc, raw, time, item);
    case ORDO_CHRONYC_SOURCESTATS:
        return read_sourcestats(chronyc, raw, time, item);
    case ORDO_CHRONYC_NONE:
        break;
    }
    return false;
}

bool ordo_log_chronyc_line(struct ordo_log_chronyc *chronyc, struct ordo_log_text raw, int64_t latest_ns,
                           struct ordo_log_time *time, struct ordo_log_item *item)
{
    item->kind = ORDO_LOG_OTHER;
    if (begins_report(chronyc, raw) || ordo_log_begins(raw, "========") || ordo_log_begins(raw, "   Date (UTC)") ||
        continues_report(chronyc, raw, time, item) || read_commas(chronyc, raw, time, item))
        return true;
    if (read_said(chronyc, raw, latest_ns)) {
        chronyc->report = ORDO_CHRONYC_NONE;
        return true;
    }
    item->kind = ORDO_LOG_FOREIGN;
    return false;
}
