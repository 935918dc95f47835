#include "net/log/record.h"

/* The members that are read, and their names in the forms of journald, docker and others. */
enum member { MESSAGE, HOST, PROGRAM, PID, REALTIME, STAMP, MEMBERS };

static enum member member_named(struct ordo_log_text name)
{
    static const struct {
        const char *name;
        enum member member;
    } names[] = {{"MESSAGE", MESSAGE},
                 {"_HOSTNAME", HOST},
                 {"SYSLOG_IDENTIFIER", PROGRAM},
                 {"_PID", PID},
                 {"__REALTIME_TIMESTAMP", REALTIME},
                 {"_COMM", PROGRAM},
                 {"SYSLOG_PID", PID},
                 {"log", MESSAGE},
                 {"message", MESSAGE},
                 {"msg", MESSAGE},
                 {"hostname", HOST},
                 {"host", HOST},
                 {"time", STAMP},
                 {"timestamp", STAMP},
                 {"@timestamp", STAMP},
                 {"ts", STAMP}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ordo_log_is(name, names[i].name))
            return names[i].member;
    return MEMBERS;
}

/* Steps over a string in quotes, and returns its content as it is written. */
static struct ordo_log_text take_string(struct ordo_log_text *rest)
{
    struct ordo_log_text string = {rest->at + 1, rest->at + 1};
    while (string.end < rest->end && *string.end != '"')
        string.end += *string.end == '\\' && string.end + 1 < rest->end ? 2 : 1;
    rest->at = string.end < rest->end ? string.end + 1 : rest->end;
    return string;
}

/* Steps over a value, and returns a string's content, or the characters of another value that is no object or array. */
static struct ordo_log_text take_member_value(struct ordo_log_text *rest)
{
    if (ordo_log_begins(*rest, "\""))
        return take_string(rest);
    struct ordo_log_text value = {rest->at, rest->at};
    while (value.end < rest->end && !strchr(",}{[ ", *value.end))
        value.end++;
    rest->at = value.end;
    return value;
}

/* Steps to the next string. False: there is none. */
static bool skip_to_string(struct ordo_log_text *rest)
{
    const char *quote = memchr(rest->at, '"', ordo_log_length(*rest));
    rest->at = quote ? quote : rest->end;
    return quote != NULL;
}

/* Reads all members in one pass. The first one of several with the same meaning counts. Members of objects within the
 * object are read like its own. */
static void read_members(struct ordo_log_text rest, struct ordo_log_text members[MEMBERS])
{
    for (int i = 0; i < MEMBERS; i++)
        members[i] = (struct ordo_log_text){rest.end, rest.end};
    while (skip_to_string(&rest)) {
        struct ordo_log_text name = take_string(&rest);
        ordo_log_skip_blanks(&rest);
        if (!ordo_log_skip(&rest, ":"))
            continue;
        ordo_log_skip_blanks(&rest);
        enum member member = member_named(name);
        struct ordo_log_text value = take_member_value(&rest);
        if (member < MEMBERS && members[member].at == members[member].end)
            members[member] = value;
    }
}

static void read_times(struct ordo_log_record *record, const struct ordo_log_text members[MEMBERS], int64_t latest_ns)
{
    struct ordo_log_text stamp = members[STAMP];
    int64_t us;
    if (ordo_log_whole(members[REALTIME], &us) && us < 7200000000000000) {
        record->time.wall_ns = us * 1000;
        record->time.has_wall = true;
    } else if (stamp.at < stamp.end)
        (void)ordo_log_stamp(&stamp, latest_ns, &record->time);
}

bool ordo_log_record_read(struct ordo_log_record *record, struct ordo_log_text raw, int64_t latest_ns)
{
    struct ordo_log_text members[MEMBERS];
    if (!ordo_log_begins(raw, "{"))
        return false;
    read_members(raw, members);
    *record = (struct ordo_log_record){
        .message = members[MESSAGE], .host = members[HOST], .program = members[PROGRAM], .pid = -1};
    if (record->message.at == record->message.end)
        return false;
    if (ordo_log_length(record->message) >= 2 && memcmp(record->message.end - 2, "\\n", 2) == 0)
        record->message.end -= 2;
    if (!ordo_log_whole(members[PID], &record->pid))
        record->pid = -1;
    read_times(record, members, latest_ns);
    return true;
}
