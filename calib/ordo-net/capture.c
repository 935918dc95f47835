#include "ordo-net/capture.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECOND_DECIMALS = 15 };

const char *capture_number(const char *text, int decimals, capture_fs *value)
{
    const capture_fs most = (capture_fs)1 << 90; /* 39,000 years */
    int left = decimals;
    bool point = false;
    *value = 0;
    if (!isdigit((unsigned char)*text))
        return NULL;
    for (; isdigit((unsigned char)*text) || (*text == '.' && !point && isdigit((unsigned char)text[1])); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if ((point && left-- == 0) || *value > most)
            return NULL;
        *value = *value * 10 + (*text - '0');
    }
    for (; left > 0 && *value <= most; left--)
        *value *= 10;
    return *value > most ? NULL : text;
}

static const char *read_seconds(const char *text, capture_fs *fs)
{
    return capture_number(text, SECOND_DECIMALS, fs);
}

/* Returns the text after `words` if the line has these words, else NULL. */
static const char *after(const char *line, const char *words)
{
    const char *at = strstr(line, words);
    return at ? at + strlen(words) : NULL;
}

/* Copies the word that ends before `end`. */
static void take_word_before(const char *line, const char *end, char *word, size_t size)
{
    while (end > line && end[-1] == ' ')
        end--;
    const char *begin = end;
    while (begin > line && begin[-1] != ' ')
        begin--;
    (void)snprintf(word, size, "%.*s", (int)(end - begin), begin);
}

/* source 0 - assert 1516045280.000007206, sequence: 163 - clear  1516045280.100006551, sequence: 163
 *
 * An edge that is not recorded has the time 0. */
static bool read_ppstest(const char *line, bool clear, struct capture_edge *edge)
{
    const char *source = after(line, "source "), *rise = after(line, " - assert "), *fall = after(line, " - clear ");
    capture_fs rise_fs, fall_fs;
    if (!source || !rise || !fall || !read_seconds(rise + strspn(rise, " "), &rise_fs) ||
        !read_seconds(fall + strspn(fall, " "), &fall_fs))
        return false;
    edge->at_fs = (clear && fall_fs) || !rise_fs ? fall_fs : rise_fs;
    (void)snprintf(edge->source, sizeof edge->source, "%.*s", (int)strcspn(source, " "), source);
    return edge->at_fs > 0;
}

/* timestamp: 1516045280, sequence: 163, offset:   7206 */
static bool read_ppswatch(const char *line, bool clear, struct capture_edge *edge)
{
    const char *seconds = after(line, "timestamp: "), *offset = after(line, ", offset: ");
    char *end = NULL;
    (void)clear;
    if (!seconds || !offset || !strstr(line, ", sequence: ") || !read_seconds(seconds, &edge->at_fs))
        return false;
    long long ns = strtoll(offset, &end, 10);
    edge->at_fs += (capture_fs)ns * 1000000;
    return end != offset && llabs(ns) < 1000000000;
}

/* 1516045280.000007206#163, the content of /sys/class/pps/pps0/assert */
static bool read_sysfs(const char *line, bool clear, struct capture_edge *edge)
{
    const char *end = read_seconds(line, &edge->at_fs);
    (void)clear;
    return end && strchr(line, '.') && *end == '#' && isdigit((unsigned char)end[1]) && edge->at_fs > 0 &&
           end[1 + strspn(end + 1, "0123456789")] == '\0';
}

/* Reads "INDEX at SECONDS". */
static bool read_event(const char *index, struct capture_edge *edge, char *name, size_t size)
{
    const char *at = after(index, " at ");
    (void)snprintf(name, size, "%.*s", (int)strspn(index, "0123456789"), index);
    return *name && at && read_seconds(at, &edge->at_fs);
}

/* event index 0 at 1516045280.000007206 */
static bool read_testptp(const char *line, bool clear, struct capture_edge *edge)
{
    const char *index = after(line, "event index ");
    (void)clear;
    return index && read_event(index, edge, edge->source, sizeof edge->source);
}

/* ts2phc[82674.465]: eth0 extts index 0 at 1516045280.000007206 corr 0 src 1516045280.5 diff 7206
 *
 * The level of the log must be 7. A line with SKIP is an old event from the queue of the device. */
static bool read_ts2phc(const char *line, bool clear, struct capture_edge *edge)
{
    const char *index = after(line, " extts index ");
    char number[8], device[32];
    (void)clear;
    if (!index || strstr(line, " SKIP extts") || !read_event(index, edge, number, sizeof number))
        return false;
    take_word_before(line, strstr(line, " extts index "), device, sizeof device);
    (void)snprintf(edge->source, sizeof edge->source, "%s:%s", device, number);
    return true;
}

/* Reads "2009-11-30 14:33:27.000000". */
static const char *read_date(const char *text, capture_fs *fs)
{
    struct tm date = {0};
    int length = 0;
    capture_fs part;
    if (sscanf(text, "%4d-%2d-%2d %2d:%2d:%n", &date.tm_year, &date.tm_mon, &date.tm_mday, &date.tm_hour, &date.tm_min,
               &length) != 5 ||
        length == 0)
        return NULL;
    date.tm_year -= 1900;
    date.tm_mon--;
    const char *end = read_seconds(text + length, &part);
    *fs = (capture_fs)timegm(&date) * 1000000000000000 + part;
    return end && *fs > 0 ? end : NULL;
}

/* 2009-11-30 14:33:27.000000 PPS2    7 N 1  4.900000e-07 -6.741777e-07  1.000e-06
 *
 * refclocks.log of chronyd: time, clock, number in the filter, leap second, pulse, raw offset, offset, dispersion. The raw
 * offset is positive if the local clock is slow: the clock shows an earlier time at the pulse. A line about the result
 * of the filter has '-' instead of the raw offset. */
static bool read_refclocks(const char *line, bool clear, struct capture_edge *edge)
{
    char raw[32], *end;
    const char *rest = read_date(line, &edge->at_fs);
    (void)clear;
    if (!rest || sscanf(rest, " %47s %*s %*s %*s %31s", edge->source, raw) != 2)
        return false;
    double offset_s = strtod(raw, &end);
    if (end == raw || *end || !(fabs(offset_s) < 1000))
        return false;
    edge->has_offset = true;
    edge->offset_fs = (int64_t)llround(offset_s * 1e15);
    return true;
}

/* 12.345678901234 chA, of the TAPR TICC in its mode of time stamps */
static bool read_ticc(const char *line, bool clear, struct capture_edge *edge)
{
    const char *end = read_seconds(line, &edge->at_fs);
    (void)clear;
    if (!end || strncmp(end, " ch", 3) != 0 || !isalnum((unsigned char)end[3]) || end[4])
        return false;
    (void)snprintf(edge->source, sizeof edge->source, "%s", end + 1);
    return true;
}

const struct capture_form capture_forms[] = {
    {"ppstest", "ppstest of pps-tools", read_ppstest},
    {"ppswatch", "ppswatch of pps-tools", read_ppswatch},
    {"sysfs", "lines of /sys/class/pps/pps0/assert or clear", read_sysfs},
    {"testptp", "testptp -e", read_testptp},
    {"ts2phc", "ts2phc with the level of the log 7: its lines 'extts index'", read_ts2phc},
    {"refclocks", "refclocks.log of chronyd, for a clock of pulses", read_refclocks},
    {"ticc", "TAPR TICC, in its mode of time stamps", read_ticc},
    {0},
};

void capture_list(void)
{
    printf("%-10s %s\n", "list", "one number on each line: --unit, --periods");
    for (const struct capture_form *form = capture_forms; form->name; form++)
        printf("%-10s %s\n", form->name, form->title);
}
