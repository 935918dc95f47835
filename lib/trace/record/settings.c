#include "trace/record/settings.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/file/layout.h"

#define PREFIX "ORDO_TRACE_"

enum { MOST_CONFIG = 65536 };

/* A setting: a text, a word of the policy, a switch, or a number. */
struct setting {
    const char *name;
    enum { TEXT, POLICY, SWITCH, NUMBER, WHOLE } kind;
    size_t offset, size;
    double least, most;
};

#define AT(member) offsetof(struct ordo_trace_settings, member), sizeof((struct ordo_trace_settings *)0)->member

static const struct setting table[] = {
    {"LOGFILE_NAME", TEXT, AT(prefix), 1, 0},
    {"CLOCK", TEXT, AT(clock), 1, 0},
    {"SYNC_MAX_MESSAGES", WHOLE, AT(sync_max_messages), 1, 1e6},
    {"SYNC_MAX_DURATION", NUMBER, AT(sync_max_duration), 0.001, 3600},
    {"SYNC_PERIODIC", NUMBER, AT(sync_period), 0, 1e6},
    {"SYNCED_HOST", SWITCH, AT(synced_host), 0, 1},
    {"SYNCED_CLUSTER", SWITCH, AT(synced_cluster), 0, 1},
    {"BUFFER", WHOLE, AT(buffer_events), 64, 1 << 26},
    {"FLUSH_PERIOD", NUMBER, AT(flush_period), 0.01, 1e6},
    {"POLICY", POLICY, AT(policy), 0, 0},
};

enum { SETTINGS = sizeof table / sizeof *table };

static int wrong_setting(const struct setting *setting, const char *value, struct ordo_error *error)
{
    switch (setting->kind) {
    case TEXT:
        return ordo_error_set(error, ORDO_E_INVALID, 0, PREFIX "%s '%.80s': not of 1 to %zu letters", setting->name,
                              value, setting->size - 1);
    case POLICY:
        return ordo_error_set(error, ORDO_E_INVALID, 0, PREFIX "%s '%.80s': not flush, ring or stop", setting->name,
                              value);
    case SWITCH:
        return ordo_error_set(error, ORDO_E_INVALID, 0, PREFIX "%s '%.80s': not on or off", setting->name, value);
    default:
        return ordo_error_set(error, ORDO_E_INVALID, 0, PREFIX "%s '%.80s': not a %s from %g to %g", setting->name,
                              value, setting->kind == WHOLE ? "whole number" : "number", setting->least, setting->most);
    }
}

static bool take_word(const char *const *words, int count, const char *value, int *which)
{
    for (*which = 0; *which < count; (*which)++)
        if (strcasecmp(value, words[*which]) == 0)
            return true;
    return false;
}

static bool take_number(const struct setting *setting, const char *value, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(value, &end);
    return isdigit((unsigned char)*value) && *end == '\0' && errno == 0 && *number >= setting->least &&
           *number <= setting->most && (setting->kind != WHOLE || *number == floor(*number));
}

static int take_setting(const struct setting *setting, const char *value, struct ordo_trace_settings *settings,
                        struct ordo_error *error)
{
    static const char *const policies[] = {"flush", "ring", "stop"};
    static const char *const switches[] = {"off", "on", "0", "1", "false", "true", "no", "yes"};
    char *place = (char *)settings + setting->offset;
    int which = 0;
    double number = 0;
    bool holds = true;
    switch (setting->kind) {
    case TEXT:
        holds = *value && strlen(value) < setting->size;
        if (holds)
            memcpy(place, value, strlen(value) + 1);
        break;
    case POLICY:
        holds = take_word(policies, 3, value, &which);
        memcpy(place, &which, sizeof which);
        break;
    case SWITCH:
        holds = take_word(switches, 8, value, &which);
        number = which % 2;
        break;
    default:
        holds = take_number(setting, value, &number);
    }
    if (holds && setting->kind >= SWITCH)
        memcpy(place, &number, sizeof number);
    return holds ? ORDO_OK : wrong_setting(setting, value, error);
}

/* Finds a setting by its name, in upper or lower case and with '-' for '_', as configuration files of the collector
 * have it. */
static const struct setting *find_setting(const char *name, size_t length)
{
    for (int i = 0; i < SETTINGS; i++) {
        size_t at = 0;
        while (at < length && table[i].name[at] &&
               (name[at] == '-' ? '_' : toupper((unsigned char)name[at])) == table[i].name[at])
            at++;
        if (at == length && !table[i].name[at])
            return &table[i];
    }
    return NULL;
}

static int unknown(const char *where, int line, const char *name, size_t length, struct ordo_error *error)
{
    int shown = length < 60 ? (int)length : 60;
    if (line)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%.100s:%d: '%.*s' is not a setting: see ordo_trace(3)", where,
                              line, shown, name);
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s%.*s: not a setting: see ordo_trace(3)", where, shown, name);
}

/* Reads a whole file as text. The file must be regular, because a read of a pipe may wait. */
static int read_text(const char *path, char *text, struct ordo_error *error)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return ordo_error_errno(error, PREFIX "CONFIG %.150s", path);
    bool right = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < MOST_CONFIG;
    ssize_t got = right ? read(fd, text, MOST_CONFIG - 1) : 0;
    (void)close(fd);
    if (!right || got < 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, PREFIX "CONFIG %.150s: not a regular file below %d bytes", path,
                              MOST_CONFIG);
    text[got] = '\0';
    return ORDO_OK;
}

/* Reads one line: NAME VALUE. A '#' begins a comment. */
static int read_line(char *line, const char *path, int number, struct ordo_trace_settings *settings,
                     struct ordo_error *error)
{
    line += strspn(line, " \t");
    size_t length = strcspn(line, " \t");
    if (*line == '#' || length == 0)
        return ORDO_OK;
    const struct setting *setting = find_setting(line, length);
    if (!setting)
        return unknown(path, number, line, length, error);
    char *value = line + length + strspn(line + length, " \t");
    for (size_t end = strlen(value); end > 0 && isspace((unsigned char)value[end - 1]); end--)
        value[end - 1] = '\0';
    return take_setting(setting, value, settings, error);
}

static int read_config(const char *path, struct ordo_trace_settings *settings, struct ordo_error *error)
{
    char *text = malloc(MOST_CONFIG), *rest = text, *line;
    int code = text ? read_text(path, text, error) : ordo_error_errno(error, PREFIX "CONFIG");
    for (int number = 1; !code && (line = strsep(&rest, "\n")); number++)
        code = read_line(line, path, number, settings, error);
    free(text);
    return code;
}

static int read_environment(struct ordo_trace_settings *settings, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (char **at = environ; at && *at && !code; at++) {
        const char *name = *at + strlen(PREFIX), *value;
        if (strncmp(*at, PREFIX, strlen(PREFIX)) != 0 || !(value = strchr(name, '=')))
            continue;
        size_t length = (size_t)(value - name);
        const struct setting *setting = find_setting(name, length);
        if (setting)
            code = take_setting(setting, value + 1, settings, error);
        else if (strncmp(name, "CONFIG=", 7) != 0)
            code = unknown(PREFIX, 0, name, length, error);
    }
    return code;
}

int ordo_trace_settings_read(struct ordo_trace_settings *settings, struct ordo_error *error)
{
    const char *config = getenv(PREFIX "CONFIG");
    *settings = (struct ordo_trace_settings){.sync_max_messages = 100,
                                             .sync_max_duration = 1,
                                             .synced_host = ORDO_TRACE_HOST_ALONE,
                                             .buffer_events = 1 << 16,
                                             .flush_period = 1,
                                             .policy = ORDO_TRACE_FLUSH};
    int code = config ? read_config(config, settings, error) : ORDO_OK;
    code = code ? code : read_environment(settings, error);
    if (!code && getrandom(&settings->run, sizeof settings->run, 0) != sizeof settings->run)
        code = ordo_error_errno(error, "getrandom");
    return code;
}
