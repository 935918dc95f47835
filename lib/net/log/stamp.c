#include "net/log/stamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static const int64_t second_ns = 1000000000, day_ns = 86400 * INT64_C(1000000000);

/* The fields of a date. */
struct date {
    int year, month, day;
};

static bool is_date(const struct date *date)
{
    return date->month >= 1 && date->month <= 12 && date->day >= 1 && date->day <= 31 && date->year >= 1970 &&
           date->year <= 2199; /* these years' nanoseconds, and their differences, fit into 64 bits */
}

/* Returns the number of days from 1970-01-01 to a date of the Gregorian calendar. A year is counted from March, so that
 * the day of a leap year is the last one; 400 years have 146097 days. */
static int64_t days_of(const struct date *date)
{
    int64_t year = date->month > 2 ? date->year : date->year - 1;
    int64_t month = (date->month + 9) % 12, century = year / 400, within = year % 400;
    int64_t day = (153 * month + 2) / 5 + date->day - 1;
    return century * 146097 + within * 365 + within / 4 - within / 100 + day - 719468;
}

/* Steps over "06:11:14", with a fraction or without. */
static bool take_clock(struct ordo_log_text *text, int64_t *ns)
{
    int hour, minute, second;
    if (!ordo_log_digits(text, 2, &hour) || !ordo_log_skip(text, ":") || !ordo_log_digits(text, 2, &minute) ||
        !ordo_log_skip(text, ":") || !ordo_log_digits(text, 2, &second) || hour > 24 || minute > 59 || second > 60)
        return false;
    *ns = ((hour * 60 + minute) * 60 + second) * second_ns;
    ordo_log_fraction(text, ns);
    return true;
}

/* Steps over a zone such as "Z", "+01:00", "-0500" or " UTC", and subtracts it. */
static void take_zone(struct ordo_log_text *text, int64_t *wall_ns)
{
    struct ordo_log_text rest = *text;
    int hours, minutes;
    if (ordo_log_skip(text, "Z") || ordo_log_skip(text, " UTC") || ordo_log_skip(text, " GMT"))
        return;
    bool east = ordo_log_skip(&rest, "+");
    if ((!east && !ordo_log_skip(&rest, "-")) || !ordo_log_digits(&rest, 2, &hours))
        return;
    ordo_log_skip(&rest, ":");
    if (!ordo_log_digits(&rest, 2, &minutes))
        return;
    *wall_ns += (east ? -1 : 1) * (hours * 60 + minutes) * 60 * second_ns;
    *text = rest;
}

/* Steps over "2026-11-29" or "2026/11/29". */
static bool take_date(struct ordo_log_text *text, struct date *date)
{
    if (!ordo_log_digits(text, 4, &date->year) || (!ordo_log_skip(text, "-") && !ordo_log_skip(text, "/")) ||
        !ordo_log_digits(text, 2, &date->month) || (!ordo_log_skip(text, "-") && !ordo_log_skip(text, "/")))
        return false;
    return ordo_log_digits(text, 2, &date->day) && is_date(date);
}

static bool take_iso(struct ordo_log_text *text, struct ordo_log_time *time)
{
    struct ordo_log_text rest = *text;
    struct date date;
    int64_t ns;
    if (!take_date(&rest, &date) || (!ordo_log_skip(&rest, "T") && !ordo_log_skip(&rest, " ")) ||
        !take_clock(&rest, &ns))
        return false;
    time->wall_ns = days_of(&date) * day_ns + ns;
    take_zone(&rest, &time->wall_ns);
    time->has_wall = true;
    *text = rest;
    return true;
}

/* Steps over a month such as "Nov". */
static bool take_month(struct ordo_log_text *text, int *month)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (ordo_log_length(*text) < 4 || text->at[3] != ' ')
        return false;
    for (int i = 0; i < 12; i++)
        if (memcmp(text->at, names + 3 * (size_t)i, 3) == 0) {
            text->at += 4;
            *month = i + 1;
            return true;
        }
    return false;
}

/* Steps over a day such as " 9" or "29". */
static bool take_day(struct ordo_log_text *text, int *day)
{
    ordo_log_skip_blanks(text);
    return ordo_log_digits(text, 2, day) || ordo_log_digits(text, 1, day);
}

/* Returns the time of a date without a year in the latest year in which it is not after `latest_ns`. */
static int64_t in_latest_year(struct date date, int64_t clock_ns, int64_t latest_ns)
{
    const time_t latest_s = (time_t)(latest_ns / second_ns);
    struct tm now;
    date.year = gmtime_r(&latest_s, &now) ? now.tm_year + 1900 : 1970;
    int64_t wall_ns = days_of(&date) * day_ns + clock_ns;
    if (wall_ns <= latest_ns)
        return wall_ns;
    date.year--;
    return days_of(&date) * day_ns + clock_ns;
}

/* Steps over a blank and a year, if they are there. */
static bool take_year(struct ordo_log_text *text, int *year)
{
    struct ordo_log_text rest = *text;
    if (!ordo_log_skip(&rest, " ") || !ordo_log_digits(&rest, 4, year) ||
        (rest.at < rest.end && *rest.at != ' ' && *rest.at != ':'))
        return false;
    *text = rest;
    return true;
}

/* Steps over "Nov 29 06:11:14" with a year at the end, before the clock, or nowhere. */
static bool take_syslog(struct ordo_log_text *text, int64_t latest_ns, struct ordo_log_time *time)
{
    struct ordo_log_text rest = *text;
    struct date date = {.year = 2000};
    int64_t ns;
    if (!take_month(&rest, &date.month) || !take_day(&rest, &date.day))
        return false;
    bool has_year = take_year(&rest, &date.year);
    ordo_log_skip_blanks(&rest);
    if (!take_clock(&rest, &ns))
        return false;
    int64_t zone_ns = 0;
    take_zone(&rest, &zone_ns);
    has_year = has_year || take_year(&rest, &date.year);
    if (!is_date(&date))
        return false;
    time->wall_ns = (has_year ? days_of(&date) * day_ns + ns : in_latest_year(date, ns, latest_ns)) + zone_ns;
    time->has_wall = true;
    *text = rest;
    return true;
}

/* Steps over a weekday and a blank, as in "Sun Nov 29". */
static void skip_weekday(struct ordo_log_text *text)
{
    static const char names[] = "MonTueWedThuFriSatSun";
    size_t length = ordo_log_length(*text);
    size_t comma = length > 4 && text->at[3] == ',';
    if (length < 5 + comma || text->at[3 + comma] != ' ')
        return;
    for (size_t i = 0; i < 7; i++)
        if (memcmp(text->at, names + 3 * i, 3) == 0) {
            text->at += 4 + comma;
            return;
        }
}

/* Steps over the letter, month and day of klog, as in "I1129 06:11:14.123456". */
static bool take_klog(struct ordo_log_text *text, int64_t latest_ns, struct ordo_log_time *time)
{
    struct ordo_log_text rest = *text;
    struct date date = {.year = 2000};
    int64_t ns;
    if (rest.at == rest.end || !strchr("IWEF", *rest.at))
        return false;
    rest.at++;
    if (!ordo_log_digits(&rest, 2, &date.month) || !ordo_log_digits(&rest, 2, &date.day) || !is_date(&date) ||
        !ordo_log_skip(&rest, " ") || !take_clock(&rest, &ns))
        return false;
    time->wall_ns = in_latest_year(date, ns, latest_ns);
    time->has_wall = true;
    *text = rest;
    return true;
}

/* Steps over seconds: since 1970 if there are at least nine digits before the point, else since the start of the
 * machine. */
static bool take_seconds(struct ordo_log_text *text, struct ordo_log_time *time)
{
    struct ordo_log_text rest = *text;
    int64_t seconds = 0, ns = 0;
    int digits = 0;
    for (; rest.at < rest.end && ordo_log_is_digit(*rest.at) && digits < 10; rest.at++, digits++)
        seconds = 10 * seconds + (*rest.at - '0');
    if (digits == 0 || (rest.at < rest.end && ordo_log_is_digit(*rest.at)))
        return false;
    const char *point = rest.at;
    ordo_log_fraction(&rest, &ns);
    if (digits >= 9 && seconds < 7200000000) {
        time->wall_ns = seconds * second_ns + ns;
        time->has_wall = true;
    } else if (rest.at > point && digits < 9) {
        time->up_ns = seconds * second_ns + ns;
        time->has_up = true;
    } else
        return false;
    *text = rest;
    return true;
}

static bool ends_word(struct ordo_log_text text)
{
    return text.at == text.end || *text.at == ' ' || *text.at == '\t' || *text.at == ':';
}

/* Steps over seconds that end with a blank or, if they begin with '[', with ']'. */
static bool take_bare_seconds(struct ordo_log_text *text, bool bracketed, struct ordo_log_time *time)
{
    struct ordo_log_text rest = *text;
    struct ordo_log_time found = *time;
    if (!take_seconds(&rest, &found) || (bracketed ? rest.at == rest.end || *rest.at != ']' : !ends_word(rest)))
        return false;
    *time = found;
    *text = rest;
    return true;
}

/* Steps over the priority of syslog's protocol, "<30>" or "<30>1 ". */
static void skip_priority(struct ordo_log_text *text)
{
    struct ordo_log_text rest = *text;
    if (!ordo_log_skip(&rest, "<"))
        return;
    for (int i = 0; i < 3 && rest.at < rest.end && ordo_log_is_digit(*rest.at); i++)
        rest.at++;
    if (!ordo_log_skip(&rest, ">"))
        return;
    (void)ordo_log_skip(&rest, "1 ");
    *text = rest;
}

bool ordo_log_stamp(struct ordo_log_text *text, int64_t latest_ns, struct ordo_log_time *time)
{
    struct ordo_log_text rest = *text;
    skip_priority(&rest);
    bool bracketed = ordo_log_skip(&rest, "[");
    if (bracketed)
        ordo_log_skip_blanks(&rest);
    skip_weekday(&rest);
    if (!take_iso(&rest, time) && !take_syslog(&rest, latest_ns, time) && !take_klog(&rest, latest_ns, time) &&
        !take_bare_seconds(&rest, bracketed, time))
        return false;
    if (bracketed)
        (void)ordo_log_skip(&rest, "]");
    ordo_log_skip_blanks(&rest);
    *text = rest;
    return true;
}

bool ordo_log_stamp_utc(struct ordo_log_text *text, int64_t *wall_ns)
{
    struct ordo_log_text rest = *text;
    struct date date;
    int64_t ns;
    if (!take_date(&rest, &date) || !ordo_log_skip(&rest, " ") || !take_clock(&rest, &ns) || !ends_word(rest))
        return false;
    *wall_ns = days_of(&date) * day_ns + ns;
    *text = rest;
    return true;
}

bool ordo_log_stamp_long(struct ordo_log_text *text, int64_t *wall_ns)
{
    struct ordo_log_time time = {0};
    struct ordo_log_text rest = *text;
    skip_weekday(&rest);
    if (!take_syslog(&rest, INT64_C(7200000000) * second_ns, &time))
        return false;
    *wall_ns = time.wall_ns;
    *text = rest;
    return true;
}

const char *ordo_log_show_wall(int64_t wall_ns, char text[40])
{
    int64_t seconds = wall_ns / second_ns - (wall_ns % second_ns < 0);
    const time_t whole = (time_t)seconds;
    struct tm fields;
    if (!gmtime_r(&whole, &fields) || !strftime(text, 40, "%Y-%m-%d %H:%M:%S", &fields))
        (void)snprintf(text, 40, "%" PRId64 " s", seconds);
    return text;
}
