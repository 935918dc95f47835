#include "net/log/record.h"

#include <stdio.h>

/* Returns the value of a member, without quotes; empty: there is none. A name within another string is followed by no
 * colon, or it has an escaped quote in front. */
static struct ordo_log_text member_of(struct ordo_log_text object, const char *name)
{
    char quoted[40];
    (void)snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *found = ordo_log_find(object, quoted);
    struct ordo_log_text value = {object.end, object.end};
    if (!found || (found > object.at && found[-1] == '\\'))
        return value;
    value.at = found + strlen(quoted);
    ordo_log_skip_blanks(&value);
    if (!ordo_log_skip(&value, ":"))
        return (struct ordo_log_text){object.end, object.end};
    ordo_log_skip_blanks(&value);
    bool is_string = ordo_log_skip(&value, "\"");
    const char *end = value.at;
    while (end < object.end && (is_string ? *end != '"' : !strchr(",} ", *end)))
        end += is_string && *end == '\\' && end + 1 < object.end ? 2 : 1;
    value.end = end < object.end ? end : object.end;
    return value;
}

static struct ordo_log_text first_of(struct ordo_log_text object, const char *const *names)
{
    struct ordo_log_text value = {object.end, object.end};
    for (; *names && value.at == value.end; names++)
        value = member_of(object, *names);
    return value;
}

static void read_times(struct ordo_log_record *record, struct ordo_log_text object)
{
    static const char *const stamps[] = {"time", "timestamp", "@timestamp", "ts", NULL};
    struct ordo_log_text stamp = first_of(object, stamps);
    int64_t us;
    if (ordo_log_whole(member_of(object, "__REALTIME_TIMESTAMP"), &us) && us < 7200000000000000) {
        record->time.wall_ns = us * 1000;
        record->time.has_wall = true;
    } else if (stamp.at < stamp.end)
        (void)ordo_log_stamp(&stamp, INT64_MAX, &record->time);
}

bool ordo_log_record_read(struct ordo_log_record *record, struct ordo_log_text raw)
{
    static const char *const messages[] = {"MESSAGE", "log", "message", "msg", NULL},
                             *const hosts[] = {"_HOSTNAME", "hostname", "host", NULL},
                             *const programs[] = {"SYSLOG_IDENTIFIER", "_COMM", NULL},
                             *const pids[] = {"_PID", "SYSLOG_PID", NULL};
    if (!ordo_log_begins(raw, "{"))
        return false;
    *record = (struct ordo_log_record){.message = first_of(raw, messages), .pid = -1};
    if (record->message.at == record->message.end)
        return false;
    if (ordo_log_length(record->message) >= 2 && memcmp(record->message.end - 2, "\\n", 2) == 0)
        record->message.end -= 2;
    record->host = first_of(raw, hosts);
    record->program = first_of(raw, programs);
    if (!ordo_log_whole(first_of(raw, pids), &record->pid))
        record->pid = -1;
    read_times(record, raw);
    return true;
}
