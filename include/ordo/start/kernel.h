/* The kernel's statements about the counter: its command line, its lists of clock sources, and its log. The contract is
 * in evidence.h. */
#ifndef ORDO_START_KERNEL_H
#define ORDO_START_KERNEL_H

#include <ordo/start/witness.h>

/* True if the parameter of the kernel's command line is about clock sources. */
static inline int ordo_evidence_about_clocks(const char *word, size_t length)
{
    return (length > 4 && memcmp(word, "tsc=", 4) == 0) || (length > 12 && memcmp(word, "clocksource=", 12) == 0) ||
           (length == 5 && memcmp(word, "notsc", 5) == 0) || (length == 11 && memcmp(word, "no-kvmclock", 11) == 0);
}

/* Copies a word of the command line without its quotes and returns its end. As in the kernel, blanks between quotes are
 * part of the word (lib/cmdline.c, next_arg); here they become '?'. A word that does not fit becomes empty. */
static inline const char *ordo_evidence_next_parameter(const char *text, char *word, size_t size)
{
    size_t have = 0;
    int quoted = 0, fits = 1;
    for (; *text && *text != '\n' && (quoted || (*text != ' ' && *text != '\t')); text++) {
        quoted ^= *text == '"';
        if (*text == '"')
            continue;
        fits &= have + 1 < size;
        if (fits)
            word[have++] = *text > ' ' && *text <= '~' ? *text : '?';
    }
    word[fits ? have : 0] = '\0';
    return text + (*text != '\0');
}

/* Removes from a list the first element whose first `length` letters equal those of `word`. */
static inline void ordo_evidence_remove_word(char *list, const char *word, size_t length)
{
    char *at = list, *end;
    for (; *at; at = end + strspn(end, " ")) {
        end = at + strcspn(at, " ");
        if (strncmp(at, word, length) == 0 && (word[length] || end == at + length)) {
            end += strspn(end, " ");
            memmove(at, end, strlen(end) + 1);
            if (!*at && at > list)
                at[-1] = '\0';
            return;
        }
    }
}

/* Adds a parameter at the end of the list, after removing an equal parameter. A clocksource= replaces an earlier
 * clocksource=, because the kernel uses the last one. If the list is full, the oldest parameters are removed. */
static inline void ordo_evidence_add_parameter(struct ordo_evidence *e, const char *word)
{
    size_t length = strlen(word), have;
    ordo_evidence_remove_word(e->parameters, word, strncmp(word, "clocksource=", 12) == 0 ? 12 : length);
    while (*e->parameters && strlen(e->parameters) + length + 2 > sizeof e->parameters)
        ordo_evidence_remove_word(e->parameters, e->parameters, strcspn(e->parameters, " "));
    have = strlen(e->parameters);
    if (have > 0)
        e->parameters[have++] = ' ';
    memcpy(e->parameters + have, word, length + 1);
}

static inline void ordo_evidence_read_parameters(struct ordo_evidence *e, const char *root)
{
    char text[4096], word[128];
    const char *at = text;
    int ticks = 0;
    (void)ordo_evidence_read(root, "/proc/cmdline", text, sizeof text);
    while (*at) {
        at = ordo_evidence_next_parameter(at, word, sizeof word);
        if (strcmp(word, "--") == 0) /* the rest is for init */
            break;
        ticks += strcmp(word, "nohz=off") == 0 || strcmp(word, "highres=off") == 0;
        if (ordo_evidence_about_clocks(word, strlen(word)))
            ordo_evidence_add_parameter(e, word);
    }
    e->lists_all = ticks == 2;
}

/* Returns the part of `text` behind `prefix`; NULL if `text` does not begin with `prefix`. */
static inline const char *ordo_evidence_behind(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Skips "<priority>", with which some printed formats begin. `*facility` becomes the facility of the priority; it is 0
 * for the kernel, or if there is no priority. */
static inline const char *ordo_evidence_behind_priority(const char *line, unsigned long *facility)
{
    char *end;
    *facility = 0;
    if (line[0] != '<' || line[1] < '0' || line[1] > '9')
        return line;
    *facility = strtoul(line + 1, &end, 10) >> 3;
    return *end == '>' ? end + 1 : line;
}

/* Skips the bracket at the beginning of a line, and a second one for the task or the CPU: "[    1.5][    T1] ". Returns
 * NULL if the line does not begin with a bracket. */
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

/* Skips the names of facility and priority, "kern  :warn  : " (dmesg --decode). If the facility is the kernel's,
 * `*facility` stays 0. */
static inline const char *ordo_evidence_behind_names(const char *line, unsigned long *facility)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const char *at = line + strspn(line, letters), *level;
    at += strspn(at, " ");
    if (at < line + 4 || *at != ':')
        return line;
    level = at + 1;
    at = level + strspn(level, letters);
    if (at == level || *(at += strspn(at, " ")) != ':' || at[1] != ' ')
        return line;
    *facility |= strncmp(line, "kern ", 5) != 0;
    return at + 2;
}

/* Skips the time at the beginning of a line: "Jan 04 10:15:43 ", "Fri 2025-09-05 21:59:31 UTC ",
 * "2025-09-05T21:59:31,123456+00:00 ", "1757109571.123456 ". Returns NULL if the line does not begin with a time. */
static inline const char *ordo_evidence_behind_time(const char *line)
{
    const char *word = line, *end;
    size_t whole = strspn(line, "0123456789");
    int i;
    if (whole > 0 && line[whole] == '.') {
        end = line + whole + 1 + strspn(line + whole + 1, "0123456789");
        return *end == ' ' ? end + 1 : NULL;
    }
    for (i = 0; i < 3 && *word; i++, word = end + strspn(end, " ")) {
        const char *colon;
        end = word + strcspn(word, " ");
        colon = (const char *)memchr(word, ':', (size_t)(end - word));
        if (colon && colon - word >= 2 && end - colon >= 6 && colon[3] == ':' && strspn(colon + 1, "0123456789") == 2)
            return *end == ' ' ? end + 1 : NULL;
        if (colon)
            return NULL;
    }
    return NULL;
}

/* Skips "host kernel: ", by which a journal names the kernel as the writer of a line. Returns NULL if the line names
 * another writer or no writer. */
static inline const char *ordo_evidence_behind_host(const char *text)
{
    return ordo_evidence_behind(text + strcspn(text, " :["), " kernel: ");
}

/* Skips the time zone: "UTC ", "CEST ". */
static inline const char *ordo_evidence_behind_zone(const char *text)
{
    size_t letters = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-:");
    return letters > 0 && text[letters] == ' ' ? text + letters + 1 : text;
}

/* Returns the message of a line that begins with a time; NULL if a program wrote the line. A journal names the writer,
 * dmesg does not. */
static inline const char *ordo_evidence_of_time(const char *line, const char *rest)
{
    const char *message = ordo_evidence_behind_host(rest), *bracket;
    if (!message)
        message = ordo_evidence_behind_host(ordo_evidence_behind_zone(rest));
    if (!message && memchr(line, ',', (size_t)(rest - line)))
        message = rest;
    bracket = message ? ordo_evidence_behind_brackets(message) : NULL;
    return bracket ? bracket : message;
}

/* True if the line is a record in the raw format: "priority,sequence,microseconds,...;message". */
static inline int ordo_evidence_is_record(const char *line)
{
    size_t digits = strspn(line, "0123456789"), all = strspn(line, "0123456789,");
    return digits > 0 && line[digits] == ',' && all > digits + 3 && strchr(line + all, ';') != NULL;
}

/* True if the message begins with the signature of a program, such as "name[1]: ". */
static inline int ordo_evidence_is_signed(const char *message)
{
    size_t name = strspn(message, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    return name > 0 && message[name] == '[' && message[name + 1] >= '0' && message[name + 1] <= '9';
}

/* Returns the message of a printed line, without its prefixes; NULL if a program wrote the line. `*formed` becomes 1 if
 * the line begins like a line of dmesg or of a journal. */
static inline const char *ordo_evidence_printed(const char *line, int *formed)
{
    const char *message = ordo_evidence_behind_brackets(line), *rest;
    *formed = 1;
    if (message) {
        rest = ordo_evidence_behind_host(message);
        return rest ? rest : message;
    }
    rest = ordo_evidence_behind_time(line);
    if (rest) {
        message = ordo_evidence_of_time(line, rest);
        *formed = message != NULL;
        return message;
    }
    *formed = 0;
    return line;
}

/* Returns the message of a line of the log; NULL if a program wrote the line. In the raw format,
 * "priority,sequence,microseconds,flags;message", the priority contains the facility, and 0 is the kernel's. A printed
 * format may state the facility as "<priority>" or by name. If a line states no facility, a message of a program begins
 * with the program's name and number, such as "name[1]: ". `*formed` becomes 1 if the line has one of these formats. */
static inline const char *ordo_evidence_parse(const char *line, int *formed)
{
    const char *message, *start = line, *end;
    unsigned long facility;
    int decoded;
    line = ordo_evidence_behind_priority(line, &facility);
    if (ordo_evidence_is_record(line)) {
        *formed = 1;
        facility = strtoul(line, NULL, 10) >> 3;
        message = strchr(line, ';') + 1;
    } else {
        line = ordo_evidence_behind_names(line, &facility);
        decoded = line != start;
        message = ordo_evidence_printed(line, formed);
        *formed |= decoded;
        if (message && ordo_evidence_is_signed(message))
            return NULL;
    }
    if (facility != 0 || !message)
        return NULL;
    end = ordo_evidence_behind(message, "tsc: ");
    end = end ? end : ordo_evidence_behind(message, "TSC: ");
    end = end ? end : ordo_evidence_behind(message, "clocksource: ");
    message = end ? end : message;
    return message + strspn(message, " ");
}

static inline const char *ordo_evidence_message(const char *line)
{
    int formed;
    return ordo_evidence_parse(line, &formed);
}

/* Classifies the reason for which the kernel marked the counter: enum ordo_evidence_fault. */
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

/* Skips the counter's name as a clock source, "tsc" or "tsc-early", and its quotes. Returns NULL if the text names
 * another source. */
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

/* True if the message says that the kernel's watchdog (kernel/time/clocksource.c) found the counter unstable, in the
 * wording of any version since 2.6. */
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

/* True if the message says that the kernel measured a warp of the TSC between CPUs (arch/x86/kernel/tsc_sync.c). */
static inline int ordo_evidence_accused_by_warp(const char *message)
{
    if (ordo_evidence_behind(message, "TSC found unstable after boot"))
        return 1;
    return (ordo_evidence_behind(message, "TSC synchronization [") || ordo_evidence_behind(message, "Measured ")) &&
           strstr(message, " cycles TSC warp between CPUs");
}

/* True if the message says that readings of Arm's counter may be wrong and that the kernel's code works around this.
 * Erratum 1418040, first numbered 1188873, does not count, because it concerns only 32-bit programs. */
static inline int ordo_evidence_needs_mending(const char *message)
{
    return ordo_evidence_behind(message, "arch_timer: ") && strstr(message, " workaround for ") &&
           !strstr(message, " 1418040") && !strstr(message, " 1188873");
}

/* True if the message says, without a reason, that the counter is marked unstable (kernel/time/clocksource.c;
 * arch/x86/kvm/x86.c). */
static inline int ordo_evidence_calls_marked(const char *message, const char *source)
{
    const char *rest = ordo_evidence_behind(message, "Override clocksource ");
    if (rest)
        return (rest = ordo_evidence_behind_source(rest, source)) != NULL && ordo_evidence_behind(rest, " is unstable");
    rest = ordo_evidence_behind(message, "kvm: ");
    return strcmp(source, "tsc") == 0 &&
           ordo_evidence_behind(rest ? rest : message, "SMP vm created on host with unstable TSC");
}

/* Classifies a message about the counter of this architecture: enum ordo_evidence_fault. */
static inline int ordo_evidence_of_message(const char *message, const char *source)
{
    const char *reason = ordo_evidence_behind(message, "Marking TSC unstable due to");
    if (reason) {
        reason += *reason == ':'; /* Linux before version 4 prints a colon */
        return ordo_evidence_of_reason(reason + strspn(reason, " "));
    }
    if (source[0] && ordo_evidence_calls_marked(message, source))
        return ORDO_FAULT_MARKED;
    if (source[0] && ordo_evidence_accused_by_watchdog(message, source))
        return ORDO_FAULT_MEASURED;
    if (strcmp(source, "tsc") == 0 && ordo_evidence_accused_by_warp(message))
        return ORDO_FAULT_MEASURED;
    if (strcmp(source, "arch_sys_counter") == 0 && ordo_evidence_needs_mending(message))
        return ORDO_FAULT_STATED;
    return ORDO_FAULT_NONE;
}

/* True if the message says that the kernel traps the readings of programs, so that its workaround corrects them too
 * (Linux 4.12 and later: drivers/clocksource/arm_arch_timer.c). */
static inline int ordo_evidence_says_trapped(const char *message)
{
    return ordo_evidence_behind(message, "arch_timer: ") && strstr(message, "Trapping CNTVCT access");
}

/** Takes one line of the kernel's log into account. The gravest statement of the log counts, and the first of equally
 * grave statements. */
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

/* True if this line is at the beginning of a boot of Linux. The timestamp 0 does not show this, because the log of
 * another kernel may contain it too. */
static inline int ordo_evidence_begins_log(const char *line)
{
    const char *message = ordo_evidence_message(line);
    if (message && (ordo_evidence_behind(message, "Linux version") || ordo_evidence_behind(message, "Booting Linux ")))
        return 1;
    return ordo_evidence_is_record(line) && strncmp(strchr(line, ','), ",0,", 3) == 0; /* the sequence number */
}

/* Removes the colors of dmesg, "ESC [ 33 m". */
static inline void ordo_evidence_strip_colors(char *line)
{
    char *to = line;
    const char *from = line, *end;
    while (*from) {
        end = from[0] == '\033' && from[1] == '[' ? from + 2 + strspn(from + 2, "0123456789;") : from;
        if (*end == 'm' && end > from)
            from = end + 1;
        else
            *to++ = *from++;
    }
    *to = '\0';
}

/* True if the line has a known format, or if its words show that the kernel wrote it, as in the output of `dmesg
 * --notime`. */
static inline int ordo_evidence_is_formed(const struct ordo_evidence *e, const char *line)
{
    int formed;
    const char *message = ordo_evidence_parse(line, &formed);
    return formed || ordo_evidence_begins_log(line) ||
           (message && ordo_evidence_of_message(message, ordo_evidence_source(e->arch)) != ORDO_FAULT_NONE);
}

/* Takes one complete line into account, and may change its text. */
static inline void ordo_evidence_take_whole(struct ordo_evidence *e, char *line)
{
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = '\0';
    if (!e->raw && !ordo_evidence_is_record(line)) /* the raw format has no colors */
        ordo_evidence_strip_colors(line);
    if (e->log <= ORDO_LOG_FORMLESS && ordo_evidence_is_formed(e, line)) {
        e->log = ORDO_LOG_PARTIAL;
        e->raw = ordo_evidence_is_record(line);
    }
    if (*line == ' ') /* in the raw format such a line states a property of a record */
        return;
    if (e->log == ORDO_LOG_PARTIAL && !e->lost && ordo_evidence_begins_log(line))
        e->log = ORDO_LOG_WHOLE;
    ordo_evidence_take_line(e, line);
}

/* Takes the complete lines of `text` into account. Returns their size in bytes. */
static inline size_t ordo_evidence_take_lines(struct ordo_evidence *e, char *text)
{
    char *line = text, *end;
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        ordo_evidence_take_whole(e, line);
    }
    return (size_t)(line - text);
}

/* Notes that records were lost. */
static inline void ordo_evidence_lose(struct ordo_evidence *e)
{
    e->lost = 1;
    if (e->log == ORDO_LOG_WHOLE)
        e->log = ORDO_LOG_PARTIAL;
}

/** Opens the kernel's log for ordo_evidence_follow_log. Returns a descriptor, which the caller closes; -1 if the log
 * may not be read. */
static inline int ordo_evidence_open_log(const char *root)
{
    return ordo_evidence_open(root ? root : "", "/dev/kmsg");
}

/** Takes into account all lines added to the log since the last call. Never waits. */
static inline void ordo_evidence_follow_log(struct ordo_evidence *e, int fd)
{
    enum { LARGEST = 1 << 24 };
    char text[9216]; /* a record has at most 8 KiB; a smaller buffer would cause an error */
    size_t have = 0, total = 0;
    ssize_t got;
    while (total < LARGEST) {
        got = read(fd, text + have, sizeof text - 1 - have);
        if (got < 0 && errno == EPIPE) /* records were overwritten before they were read: continue with the next */
            ordo_evidence_lose(e);
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
            have = 0; /* a NUL: the file is not text */
        }
        if (have > 1024)
            have = 0; /* a kernel's line is shorter, and the next record needs the space */
    }
    if (total >= LARGEST)
        ordo_evidence_lose(e);
    if (have > 0) { /* the last line of a file may lack a newline */
        text[have] = '\n';
        text[have + 1 < sizeof text ? have + 1 : have] = '\0';
        (void)ordo_evidence_take_lines(e, text);
    }
    if (total > 0 && e->log == ORDO_LOG_UNREADABLE)
        e->log = ORDO_LOG_FORMLESS;
}

static inline void ordo_evidence_read_log(struct ordo_evidence *e, const char *root)
{
    int fd = ordo_evidence_open_log(root);
    if (fd < 0)
        return;
    ordo_evidence_follow_log(e, fd);
    (void)close(fd);
}

/** Reads the two lists of clock sources again. */
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
