/* The kernel's statements about the counter: its command line, its lists of clock sources, and its log. evidence.h has the
 * contract. */
#ifndef ORDO_START_KERNEL_H
#define ORDO_START_KERNEL_H

#include <ordo/start/witness.h>

/* True if the parameter of the kernel's command line is about clock sources. */
static inline int ordo_evidence_about_clocks(const char *word, size_t length)
{
    return (length > 4 && memcmp(word, "tsc=", 4) == 0) || (length > 12 && memcmp(word, "clocksource=", 12) == 0) ||
           (length == 5 && memcmp(word, "notsc", 5) == 0) || (length == 11 && memcmp(word, "no-kvmclock", 11) == 0);
}

static inline void ordo_evidence_read_parameters(struct ordo_evidence *e, const char *root)
{
    char text[4096];
    const char *word = text;
    int ticks = 0;
    size_t have = 0;
    (void)ordo_evidence_read(root, "/proc/cmdline", text, sizeof text);
    while (*word) {
        size_t length = strcspn(word, " \n");
        if (length == 2 && memcmp(word, "--", 2) == 0) /* the rest is for init */
            break;
        ticks +=
            (length == 8 && memcmp(word, "nohz=off", 8) == 0) || (length == 11 && memcmp(word, "highres=off", 11) == 0);
        if (ordo_evidence_about_clocks(word, length) && have + length + 2 < sizeof e->parameters) {
            if (have > 0)
                e->parameters[have++] = ' ';
            ordo_evidence_copy_line(e->parameters + have, sizeof e->parameters - have, word, length);
            have += strlen(e->parameters + have);
        }
        word += length + (word[length] != '\0');
    }
    e->lists_all = ticks == 2;
}

/* Behind `prefix`, if the text begins with that; else NULL. */
static inline const char *ordo_evidence_behind(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Skips "<priority>", with which some printed forms begin. `facility` is 0 for the kernel's, and if there is none. */
static inline const char *ordo_evidence_behind_priority(const char *line, unsigned long *facility)
{
    char *end;
    *facility = 0;
    if (line[0] != '<' || line[1] < '0' || line[1] > '9')
        return line;
    *facility = strtoul(line + 1, &end, 10) >> 3;
    return *end == '>' ? end + 1 : line;
}

/* Skips the bracket at the beginning of a line, and a second one for the task or the CPU: "[    1.5][    T1] ". NULL: there
 * is none. */
static inline const char *ordo_evidence_behind_brackets(const char *line)
{
    const char *end = *line == '[' ? strchr(line, ']') : NULL;
    if (!end)
        return NULL;
    line = end + 1;
    if (*line == '[' && (end = strchr(line, ']')) != NULL)
        line = end + 1;
    return line + strspn(line, " ");
}

/* Skips the prefix of a journal, "Jan 04 10:15:43 host kernel: ", or of dmesg with names of facilities, "kern  :warn  : ".
 * Returns the line itself if it has neither. A program's line has a tag of its own before any " kernel: ". */
static inline const char *ordo_evidence_behind_tag(const char *line)
{
    const char *end = strstr(line, " kernel: "), *colon = strstr(line, ": "), *time = strchr(line, ':');
    if (end && time && time[1] && time[2] && time[3] == ':' && colon == end + 7)
        return end + 9;
    if (strncmp(line, "kern ", 5) == 0 && (end = strstr(line, ": [")) != NULL)
        return end + 2;
    return line;
}

/* True if a line is a record of the raw form: "priority,sequence,microseconds,...;message". */
static inline int ordo_evidence_is_record(const char *line)
{
    size_t digits = strspn(line, "0123456789"), all = strspn(line, "0123456789,");
    return digits > 0 && line[digits] == ',' && all > digits + 3 && strchr(line + all, ';') != NULL;
}

/* True if a program signed the message, as "name[1]: ". */
static inline int ordo_evidence_is_signed(const char *message)
{
    size_t name = strspn(message, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    return name > 0 && message[name] == '[' && message[name + 1] >= '0' && message[name + 1] <= '9';
}

/* The message of a line of the log, without what the log puts before it; NULL if a program wrote it. The raw form,
 * "priority,sequence,microseconds,flags;message", has the facility in the priority: 0 is the kernel's. The printed form,
 * "[ seconds] message", may have it as "<priority>"; without it a program signs with its name and number, as "name[1]: ". */
static inline const char *ordo_evidence_message(const char *line)
{
    const char *message, *end;
    unsigned long facility;
    line = ordo_evidence_behind_priority(line, &facility);
    if (ordo_evidence_is_record(line)) {
        facility = strtoul(line, NULL, 10) >> 3;
        message = strchr(line, ';') + 1;
    } else {
        line = ordo_evidence_behind_tag(line);
        message = ordo_evidence_behind_brackets(line);
        if (message && ordo_evidence_is_signed(message))
            return NULL;
        message = message ? message : line;
    }
    if (facility != 0)
        return NULL;
    end = ordo_evidence_behind(message, "tsc: ");
    end = end ? end : ordo_evidence_behind(message, "clocksource: ");
    message = end ? end : message;
    return message + strspn(message, " ");
}

/* The reason for which the kernel marked the counter. */
static inline int ordo_evidence_of_reason(const char *reason)
{
    if (strncmp(reason, "clocksource watchdog", 20) == 0 || strncmp(reason, "check_tsc_sync", 14) == 0 ||
        strstr(reason, "backwards"))
        return ORDO_FAULT_MEASURED;
    if (strncmp(reason, "boot parameter", 14) == 0 || strstr(reason, "Hyper-V") || strstr(reason, "Xen") ||
        strstr(reason, "VMware") || strstr(reason, "KVM"))
        return ORDO_FAULT_PREFERENCE;
    return ORDO_FAULT_STATED;
}

/* Skips the name of the counter as a clock source, "tsc" or "tsc-early", and its quotes; NULL: it is another's name. */
static inline const char *ordo_evidence_behind_source(const char *text, const char *source)
{
    const char *early;
    text = ordo_evidence_behind(text + (*text == '\''), source);
    if (!text)
        return NULL;
    early = ordo_evidence_behind(text, "-early");
    text = early ? early : text;
    return text + (*text == '\'');
}

/* True if the kernel's watchdog (kernel/time/clocksource.c) accuses the counter, in the words of any version since 2.6. */
static inline int ordo_evidence_accused_by_watchdog(const char *message, const char *source)
{
    const char *rest = message;
    if (ordo_evidence_behind(message, "timekeeping watchdog"))
        rest = (rest = strstr(message, ": Marking ")) ? rest + 2 : message;
    if ((rest = ordo_evidence_behind(rest, "Marking clocksource ")) != NULL)
        return (rest = ordo_evidence_behind_source(rest, source)) != NULL &&
               (ordo_evidence_behind(rest, " as unstable") || ordo_evidence_behind(rest, " unstable due to "));
    if ((rest = ordo_evidence_behind(message, "Clocksource ")) != NULL)
        return (rest = ordo_evidence_behind_source(rest, source)) != NULL &&
               (ordo_evidence_behind(rest, " unstable") || ordo_evidence_behind(rest, " skewed "));
    if (ordo_evidence_behind(message, "CPUs ") && (rest = strstr(message, " for clocksource ")) != NULL)
        return ordo_evidence_behind_source(rest + 17, source) != NULL &&
               (strstr(message, " behind CPU ") || strstr(message, " ahead of CPU "));
    return 0;
}

/* True if the kernel measured a warp of the TSC between CPUs (arch/x86/kernel/tsc_sync.c). */
static inline int ordo_evidence_accused_by_warp(const char *message)
{
    if (ordo_evidence_behind(message, "TSC found unstable after boot"))
        return 1;
    return (ordo_evidence_behind(message, "TSC synchronization [") || ordo_evidence_behind(message, "Measured ")) &&
           strstr(message, " cycles TSC warp between CPUs");
}

/* True if readings of Arm's counter may be wrong, and only the kernel's own code mends them. Erratum 1418040, first called
 * 1188873, concerns 32-bit programs alone. */
static inline int ordo_evidence_needs_mending(const char *message)
{
    return ordo_evidence_behind(message, "arch_timer: ") && strstr(message, " workaround for ") &&
           !strstr(message, " 1418040") && !strstr(message, " 1188873");
}

/* The statement of a message about the counter of this architecture: enum ordo_evidence_fault. */
static inline int ordo_evidence_of_message(const char *message, const char *source)
{
    const char *reason = ordo_evidence_behind(message, "Marking TSC unstable due to ");
    if (reason)
        return ordo_evidence_of_reason(reason);
    if (source[0] && ordo_evidence_accused_by_watchdog(message, source))
        return ORDO_FAULT_MEASURED;
    if (strcmp(source, "tsc") == 0 && ordo_evidence_accused_by_warp(message))
        return ORDO_FAULT_MEASURED;
    if (strcmp(source, "arch_sys_counter") == 0 && ordo_evidence_needs_mending(message))
        return ORDO_FAULT_STATED;
    return ORDO_FAULT_NONE;
}

/* True if the kernel says that readings by programs trap, so that its workaround serves them too (Linux 4.12 and later:
 * drivers/clocksource/arm_arch_timer.c). */
static inline int ordo_evidence_says_trapped(const char *message)
{
    return ordo_evidence_behind(message, "arch_timer: ") && strstr(message, "Trapping CNTVCT access");
}

/** Takes one line of the kernel's log into account. The gravest statement counts, of equally grave ones the first. */
static inline void ordo_evidence_take_line(struct ordo_evidence *e, const char *line)
{
    const char *message = e->raw && !ordo_evidence_is_record(line) ? NULL : ordo_evidence_message(line);
    int fault = message ? ordo_evidence_of_message(message, ordo_evidence_source(e->arch)) : ORDO_FAULT_NONE;
    e->trapped |= message && e->arch == ORDO_ARCH_AARCH64 && ordo_evidence_says_trapped(message);
    if (fault == ORDO_FAULT_MEASURED && !e->skew[0] && strstr(message, " skewed "))
        ordo_evidence_copy_line(e->skew, sizeof e->skew, message, strlen(message));
    if (fault > e->fault) {
        e->fault = fault;
        ordo_evidence_copy_line(e->line, sizeof e->line, message, strlen(message));
    }
}

/* True if the line is the first that a kernel writes. */
static inline int ordo_evidence_begins_log(const char *line)
{
    const char *fields = strchr(line, ','), *message = ordo_evidence_message(line);
    if (message && ordo_evidence_behind(message, "Linux version "))
        return 1;
    if (ordo_evidence_is_record(line))
        return strncmp(fields, ",0,", 3) == 0; /* the sequence number */
    line += strcspn(line, "[");
    return *line == '[' && strspn(line + 1, " 0.") == strcspn(line + 1, "]"); /* "[    0.000000]" */
}

/* Takes the whole lines of `text` and returns how many bytes they are. */
static inline size_t ordo_evidence_take_lines(struct ordo_evidence *e, char *text)
{
    char *line = text, *end;
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (e->log == ORDO_LOG_UNREADABLE) {
            e->log = ordo_evidence_begins_log(line) ? ORDO_LOG_WHOLE : ORDO_LOG_PARTIAL;
            e->raw = ordo_evidence_is_record(line);
        }
        if (*line != ' ') /* the raw form adds lines of properties */
            ordo_evidence_take_line(e, line);
    }
    return (size_t)(line - text);
}

/** Opens the kernel's log for ordo_evidence_follow_log; -1: it may not be read. The caller closes it. */
static inline int ordo_evidence_open_log(const char *root)
{
    return ordo_evidence_open(root ? root : "", "/dev/kmsg");
}

/** Takes into account what has been added to the log since the last call. Never waits. */
static inline void ordo_evidence_follow_log(struct ordo_evidence *e, int fd)
{
    enum { LARGEST = 1 << 24 };
    char text[9216]; /* a record has at most 8 KiB, and a reader with less room gets an error */
    size_t have = 0, total = 0;
    ssize_t got;
    while (total < LARGEST) {
        got = read(fd, text + have, sizeof text - 1 - have);
        if (got < 0 && errno == EPIPE) /* records were overwritten before they could be read: go on with the next */
            e->log = ORDO_LOG_PARTIAL;
        if (got < 0 && (errno == EINTR || errno == EPIPE))
            continue;
        if (got <= 0)
            break;
        total += (size_t)got;
        have += (size_t)got;
        text[have] = '\0';
        if (strlen(text) == have) {
            size_t taken = ordo_evidence_take_lines(e, text);
            memmove(text, text + taken, have - taken);
            have -= taken;
        } else {
            have = 0; /* a NUL: no text */
        }
        if (have > 1024)
            have = 0; /* no line of a kernel's, and the next record needs the room */
    }
    if (total >= LARGEST)
        e->log = ORDO_LOG_PARTIAL;
    if (have > 0) { /* the last line of a file may have no end */
        text[have] = '\n';
        text[have + 1 < sizeof text ? have + 1 : have] = '\0';
        (void)ordo_evidence_take_lines(e, text);
    }
}

static inline void ordo_evidence_read_log(struct ordo_evidence *e, const char *root)
{
    int fd = ordo_evidence_open_log(root);
    if (fd < 0)
        return;
    ordo_evidence_follow_log(e, fd);
    (void)close(fd);
}

/** Reads the two lists of clock sources anew. */
static inline void ordo_evidence_read_sources(struct ordo_evidence *e, const char *root)
{
    const char *folder = "/sys/devices/system/clocksource/clocksource0/";
    char path[128];
    root = root ? root : "";
    (void)snprintf(path, sizeof path, "%savailable_clocksource", folder);
    ordo_evidence_read_line(root, path, e->available, sizeof e->available);
    (void)snprintf(path, sizeof path, "%scurrent_clocksource", folder);
    ordo_evidence_read_line(root, path, e->current, sizeof e->current);
}

#endif
