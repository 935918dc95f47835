#include "machine/comparison/discipline.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

#include <ordo/record.h>

#include "base/output.h"

enum { PATIENCE_NS = 2000000000, ANSWER = 8192 };

static void ask_kernel(struct ordo_kernel_discipline *kernel)
{
    struct timex answer = {.modes = 0};
    int state = adjtimex(&answer);
    memset(kernel, 0, sizeof *kernel);
    if (state < 0)
        return;
    kernel->known = true;
    kernel->synchronised = state != TIME_ERROR && !(answer.status & STA_UNSYNC);
    kernel->status = answer.status;
    kernel->frequency_ppm = (double)answer.freq / 65536;
    kernel->offset_ns = (int64_t)answer.offset * (answer.status & STA_NANO ? 1 : 1000);
    kernel->maxerror_ns = (int64_t)answer.maxerror * 1000;
    kernel->esterror_ns = (int64_t)answer.esterror * 1000;
    kernel->tai_offset_s = answer.tai;
}

/* Copies at most one line, without unprintable characters, because the text comes from another program and is shown on
 * a terminal. */
static void copy_word(char *word, size_t size, const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length && count + 1 < size; i++)
        if (isprint((unsigned char)text[i]) && (unsigned char)text[i] < 128)
            word[count++] = text[i];
    word[count] = '\0';
}

/* True if the whole field is one finite number. */
static bool number(const char *field, size_t length, double *value)
{
    char text[64], *end;
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, field, length);
    text[length] = '\0';
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

/* Parses the fields, which are numbered from 0: reference ID, name, stratum, time of the last update, system offset,
 * last offset, RMS offset, frequency, residual frequency, skew, root delay, root dispersion, update interval, leap
 * status (chronyc(1), "-c"). */
bool ordo_chrony_parse(const char *text, struct ordo_chrony *chrony)
{
    enum { NAME = 1, STRATUM, REFERENCE, OFFSET, LAST, RMS, FREQUENCY, SKEW = 9, DELAY, DISPERSION, LEAP = 13, FIELDS };
    const char *fields[FIELDS];
    size_t lengths[FIELDS], count = 0;
    double values[FIELDS] = {0};
    for (const char *at = text; count < FIELDS; at += lengths[count++] + 1) {
        fields[count] = at;
        lengths[count] = strcspn(at, ",\n");
        if (at[lengths[count]] != ',') {
            count++;
            break;
        }
    }
    memset(chrony, 0, sizeof *chrony);
    if (count != FIELDS)
        return false;
    for (int i = STRATUM; i < LEAP; i++)
        if (!number(fields[i], lengths[i], &values[i]))
            return false;
    *chrony = (struct ordo_chrony){.found = true,
                                   .stratum = (int)fmin(fmax(values[STRATUM], 0), 255),
                                   .reference_s = values[REFERENCE],
                                   .system_offset_s = values[OFFSET],
                                   .last_offset_s = values[LAST],
                                   .rms_offset_s = values[RMS],
                                   .frequency_ppm = values[FREQUENCY],
                                   .skew_ppm = values[SKEW],
                                   .root_delay_s = values[DELAY],
                                   .root_dispersion_s = values[DISPERSION]};
    copy_word(chrony->reference, sizeof chrony->reference, fields[NAME], lengths[NAME]);
    copy_word(chrony->leap, sizeof chrony->leap, fields[LEAP], lengths[LEAP]);
    return true;
}

/* Returns the text after `key` in the answer, up to the end of its line; NULL if there is none. */
static const char *value_of(const char *text, const char *key, size_t *length)
{
    size_t key_length = strlen(key);
    for (const char *at = text; (at = strstr(at, key)); at += key_length) {
        bool whole = (at == text || isspace((unsigned char)at[-1])) && isspace((unsigned char)at[key_length]);
        if (!whole)
            continue;
        at += key_length;
        at += strspn(at, " \t");
        *length = strcspn(at, "\r\n");
        return at;
    }
    return NULL;
}

static bool find_number_of(const char *text, const char *key, double *value)
{
    size_t length = 0;
    const char *at = value_of(text, key, &length);
    return at && number(at, length, value);
}

bool ordo_ptp_parse(const char *text, struct ordo_ptp *ptp)
{
    double steps = 0;
    size_t length = 0;
    memset(ptp, 0, sizeof *ptp);
    ptp->found = find_number_of(text, "master_offset", &ptp->master_offset_ns);
    (void)find_number_of(text, "meanPathDelay", &ptp->mean_path_delay_ns);
    if (find_number_of(text, "stepsRemoved", &steps))
        ptp->steps_removed = (int)fmin(fmax(steps, 0), 65535);
    const char *present = value_of(text, "gmPresent", &length);
    ptp->grandmaster_present = present && length == 4 && strncmp(present, "true", 4) == 0;
    const char *name = value_of(text, "gmIdentity", &length);
    if (name)
        copy_word(ptp->grandmaster, sizeof ptp->grandmaster, name, length);
    return ptp->found;
}

static void ask_daemons(struct ordo_discipline *discipline)
{
    static const char *const chronyc[] = {"chronyc", "-c", "-n", "tracking", NULL};
    static const char *const pmc[] = {"pmc", "-u", "-b", "0", "GET TIME_STATUS_NP", "GET CURRENT_DATA_SET", NULL};
    char text[ANSWER];
    memset(&discipline->chrony, 0, sizeof discipline->chrony);
    memset(&discipline->ptp, 0, sizeof discipline->ptp);
    if (ordo_output_of(chronyc, PATIENCE_NS, text, sizeof text) > 0)
        (void)ordo_chrony_parse(text, &discipline->chrony);
    /* pmc asks ptp4l through this socket. Without the socket, pmc would only wait. */
    if (access("/var/run/ptp4l", F_OK) == 0 && ordo_output_of(pmc, PATIENCE_NS, text, sizeof text) > 0)
        (void)ordo_ptp_parse(text, &discipline->ptp);
}

bool ordo_time_namespace_parse(const char *text, struct ordo_time_namespace *time_namespace)
{
    enum { LONGEST_S = 1000000000 };
    int known = 0, used;
    char clock[16];
    long long seconds;
    long nanoseconds;
    for (; sscanf(text, " %15s %lld %ld%n", clock, &seconds, &nanoseconds, &used) == 3; text += used) {
        bool sane = llabs(seconds) <= LONGEST_S && labs(nanoseconds) < 1000000000;
        int64_t shift_ns = sane ? seconds * INT64_C(1000000000) + nanoseconds : 0;
        if (!sane)
            return false;
        if (strcmp(clock, "monotonic") == 0)
            time_namespace->monotonic_ns = shift_ns;
        else if (strcmp(clock, "boottime") == 0)
            time_namespace->boottime_ns = shift_ns;
        else
            continue;
        known++;
    }
    time_namespace->shifted = time_namespace->monotonic_ns || time_namespace->boottime_ns;
    time_namespace->known = known == 2;
    return time_namespace->known;
}

static void ask_namespace(struct ordo_time_namespace *time_namespace)
{
    char text[256];
    memset(time_namespace, 0, sizeof *time_namespace);
    ssize_t length = readlink("/proc/self/ns/time", time_namespace->name, sizeof time_namespace->name - 1);
    time_namespace->name[length > 0 ? length : 0] = '\0';
    if (ordo_record_read_text("/proc/self/timens_offsets", text, sizeof text) > 0)
        (void)ordo_time_namespace_parse(text, time_namespace);
}

void ordo_discipline_ask(struct ordo_discipline *discipline)
{
    ask_kernel(&discipline->kernel);
    ask_daemons(discipline);
    ask_namespace(&discipline->time_namespace);
}
