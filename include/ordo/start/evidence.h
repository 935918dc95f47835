/* What a machine says of its counter before anything is measured, and the class of trust that follows.
 *
 * Three witnesses: the processor (CPUID: does the counter keep its rate?), the kernel (its list of clock sources, its command
 * line, its log) and the hypervisor. Their statements differ in worth:
 *
 *  E1  The kernel's log may hold a measured fault of the counter: a warp between CPUs, or a skew against its watchdog.
 *      That is evidence, and no later measurement outweighs it: faulted.
 *  E2  Without a constant rate promised by the processor, a measurement says nothing about the next minute: incapable.
 *  E3  The kernel may mark the counter for a reason of its own that it did not measure. Those that name a boot parameter
 *      or a hypervisor are decisions about which clock to prefer. Any other reason counts as a fault.
 *  E4  A counter in the list of clock sources is one that the kernel would use: vouched. (A kernel with nohz=off and
 *      highres=off lists unstable sources too; there the counter must be the source in use.)
 *  E5  Anything else is silence. The kernel neither lists the counter nor saw a fault of it: measured, which means that a
 *      calibration must carry the trust alone, through stricter gates.
 *
 * Only lines of the kernel itself count: /dev/kmsg states the facility of each record, and programs cannot write
 * records of the kernel's. A kernel log that cannot be read, or that has lost its beginning, leaves E5.
 *
 * Header only, C11 and C++11, with the C library alone. Gathering reads the live machine, or a directory that shows
 * what another machine would (tests/machines/README.md); judging is pure.
 */
#ifndef ORDO_START_EVIDENCE_H
#define ORDO_START_EVIDENCE_H

#include <ordo/record.h>

enum ordo_evidence_arch { ORDO_ARCH_OTHER, ORDO_ARCH_X86_64, ORDO_ARCH_AARCH64, ORDO_ARCH_RISCV64 };

/** How much of the kernel's log could be read. */
enum ordo_evidence_log {
    ORDO_LOG_UNREADABLE, /* nothing */
    ORDO_LOG_PARTIAL,    /* its beginning is lost, or records were overwritten while it was read */
    ORDO_LOG_WHOLE       /* from the boot on */
};

/** The kernel's statement about the counter in its log. */
enum ordo_evidence_fault {
    ORDO_FAULT_NONE,
    ORDO_FAULT_PREFERENCE, /* marked unstable because of a boot parameter or a hypervisor: no fault */
    ORDO_FAULT_STATED,     /* marked unstable for another reason that was not measured */
    ORDO_FAULT_MEASURED    /* a warp between CPUs, or a skew against the watchdog */
};

/** What the witnesses say. Plain data. */
struct ordo_evidence {
    int arch;                 /* enum ordo_evidence_arch */
    int invariant;            /* the processor promises a constant rate in all power states */
    int rdtscp;               /* x86-64: CPUID offers RDTSCP */
    int tsc_adjust;           /* x86-64: CPUID offers TSC_ADJUST */
    int hypervisor;           /* this is a virtual machine */
    int kvm_stable;           /* KVM offers to say that its clock is stable between CPUs */
    int vmclock;              /* there is a VMClock device */
    double nominal_hz;        /* the rate that the processor states; 0: none */
    char hypervisor_name[16]; /* as it names itself; may be empty */
    char vendor[64];          /* of the machine, by its firmware; may be empty */
    char available[256];      /* the kernel's clock sources; empty: the list cannot be read */
    char current[64];         /* the one that it uses */
    char parameters[128];     /* of the kernel's command line, those about clock sources, separated by blanks */
    int log;                  /* enum ordo_evidence_log */
    int raw;                  /* the log has the raw form: lines of another form do not count */
    int lists_all;            /* the kernel's list has unstable sources too */
    int trapped;              /* AArch64: the kernel answers each reading of a program itself, and mends it */
    int fault;                /* enum ordo_evidence_fault */
    char line[200];           /* the kernel's own line for `fault` */
    char skew[200];           /* the line of a watchdog that states the skew; may be empty */
};

/** Why a class was given; the word is for programs. */
enum ordo_evidence_why {
    ORDO_WHY_LISTED,       /* "listed": vouched */
    ORDO_WHY_PARAMETER,    /* "boot-parameter": measured */
    ORDO_WHY_HYPERVISOR,   /* "hypervisor": measured; the kernel prefers the hypervisor's clock */
    ORDO_WHY_UNREADABLE,   /* "unreadable": measured; the list or the log cannot be read */
    ORDO_WHY_SILENT,       /* "silent": measured; the kernel states no reason */
    ORDO_WHY_FAULT,        /* "fault": faulted */
    ORDO_WHY_NOT_INVARIANT /* "not-invariant": incapable */
};

/** The judgement. */
struct ordo_trust_verdict {
    int trust;        /* enum ordo_trust_class */
    int why;          /* enum ordo_evidence_why */
    char reason[240]; /* one line */
};

static inline const char *ordo_evidence_why_word(int why)
{
    static const char *const words[] = {"listed", "boot-parameter", "hypervisor",   "unreadable",
                                        "silent", "fault",          "not-invariant"};
    return why >= 0 && why <= ORDO_WHY_NOT_INVARIANT ? words[why] : "unknown";
}

/** Returns the name by which the kernel lists the counter of an architecture; empty: it has none. */
static inline const char *ordo_evidence_source(int arch)
{
    return arch == ORDO_ARCH_X86_64    ? "tsc"
           : arch == ORDO_ARCH_AARCH64 ? "arch_sys_counter"
           : arch == ORDO_ARCH_RISCV64 ? "riscv_clocksource"
                                       : "";
}

/** True if `word` is one of the words of `list`, which blanks or newlines separate. */
static inline int ordo_evidence_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    const char *at = list;
    while (length > 0 && (at = strstr(at, word)) != NULL) {
        int begins = at == list || at[-1] == ' ' || at[-1] == '\n';
        if (begins && (at[length] == '\0' || at[length] == ' ' || at[length] == '\n'))
            return 1;
        at += length;
    }
    return 0;
}

/* ---- reading ---- */

/* Copies one line into `line`, which holds `size` bytes: up to the newline, printable, without blanks at its end. */
static inline void ordo_evidence_copy_line(char *line, size_t size, const char *text, size_t length)
{
    size_t i;
    for (i = 0; i < length && i + 1 < size && text[i] != '\n' && text[i] != '\0'; i++)
        line[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    while (i > 0 && line[i - 1] == ' ')
        i--;
    line[i] = '\0';
}

#if defined O_CLOEXEC /* strict C sees none: the descriptor then lives for a moment, but for that of a follower */
#define ORDO_EVIDENCE_CLOEXEC O_CLOEXEC
#else
#define ORDO_EVIDENCE_CLOEXEC 0
#endif
#define ORDO_EVIDENCE_KMSG 0x10b /* device 1, 11 */

/* True for a file; and on the live machine for the kernel's log, and for no other device: reading a terminal that a
 * container shows in its place would take away what is typed there. */
static inline int ordo_evidence_may_read(const struct stat *info, const char *root)
{
    return S_ISREG(info->st_mode) || (S_ISCHR(info->st_mode) && !*root && info->st_rdev == ORDO_EVIDENCE_KMSG);
}

/* Opens `path` below `root` without waiting for a writer. Returns a descriptor, or -1. */
static inline int ordo_evidence_open(const char *root, const char *path)
{
    char whole[1024];
    struct stat info;
    int length = snprintf(whole, sizeof whole, "%s%s", root, path);
    int fd = length > 0 && (size_t)length < sizeof whole
                 ? open(whole, O_RDONLY | O_NOCTTY | O_NONBLOCK | ORDO_EVIDENCE_CLOEXEC)
                 : -1;
    if (fd >= 0 && (fstat(fd, &info) != 0 || !ordo_evidence_may_read(&info, root))) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
}

/* The beginning of a file, NUL-terminated; -1 if it cannot be read. */
static inline long ordo_evidence_read(const char *root, const char *path, char *text, size_t size)
{
    size_t have = 0;
    ssize_t got;
    int fd = ordo_evidence_open(root, path);
    text[0] = '\0';
    if (fd < 0)
        return -1;
    do {
        got = read(fd, text + have, size - 1 - have);
        if (got > 0)
            have += (size_t)got;
    } while ((got > 0 && have < size - 1) || (got < 0 && errno == EINTR));
    (void)close(fd);
    text[have] = '\0';
    return got < 0 ? -1 : (long)have;
}

/* The first line of a file, printable; empty if it cannot be read. */
static inline void ordo_evidence_read_line(const char *root, const char *path, char *line, size_t size)
{
    char text[1024];
    long length = ordo_evidence_read(root, path, text, sizeof text);
    ordo_evidence_copy_line(line, size, text, length < 0 ? 0 : (size_t)length);
}

/* ---- the processor ---- */

#if defined __x86_64__
static inline void ordo_evidence_cpuid_live(unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(leaf), "c"(subleaf));
}
#else
static inline void ordo_evidence_cpuid_live(unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    (void)leaf, (void)subleaf;
    out[0] = out[1] = out[2] = out[3] = 0;
}
#endif

/* One leaf from lines "LEAF SUBLEAF EAX EBX ECX EDX", all hexadecimal; zeros if there is no such line. */
static inline void ordo_evidence_cpuid_text(const char *text, unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    const char *line;
    out[0] = out[1] = out[2] = out[3] = 0;
    for (line = text; line && *line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        unsigned long at, sub;
        char *cursor;
        int i;
        at = strtoul(line, &cursor, 16);
        if (cursor == line)
            continue;
        sub = strtoul(cursor, &cursor, 16);
        if (at != leaf || sub != subleaf)
            continue;
        for (i = 0; i < 4; i++)
            out[i] = (uint32_t)strtoul(cursor, &cursor, 16);
        return;
    }
}

/** Reads one leaf of CPUID: EAX, EBX, ECX, EDX. `text` is the file "cpuid" of a directory, or NULL for the live machine.
 * Zeros for a leaf above the highest one. */
static inline void ordo_evidence_cpuid(const char *text, unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    uint32_t highest[4];
    if (text) {
        ordo_evidence_cpuid_text(text, leaf, subleaf, out);
        return;
    }
    ordo_evidence_cpuid_live(leaf & 0xf0000000u, 0, highest);
    if (highest[0] < leaf)
        out[0] = out[1] = out[2] = out[3] = 0;
    else
        ordo_evidence_cpuid_live(leaf, subleaf, out);
}

/* One leaf of a hypervisor, which no highest leaf of the processor bounds. */
static inline void ordo_evidence_cpuid_of_hypervisor(const char *text, unsigned leaf, uint32_t out[4])
{
    if (text)
        ordo_evidence_cpuid_text(text, leaf, 0, out);
    else
        ordo_evidence_cpuid_live(leaf, 0, out);
}

/* KVM and Xen can offer Hyper-V's interface at 40000000h, and then name themselves 100h behind it. */
static inline void ordo_evidence_ask_hypervisor(struct ordo_evidence *e, const char *text)
{
    uint32_t r[4];
    unsigned base = 0x40000100u;
    ordo_evidence_cpuid_of_hypervisor(text, base, r);
    if (memcmp(r + 1, "KVMKVMKVM\0\0\0", 12) != 0 && memcmp(r + 1, "XenVMMXenVMM", 12) != 0) {
        base = 0x40000000u;
        ordo_evidence_cpuid_of_hypervisor(text, base, r);
    }
    memcpy(e->hypervisor_name, r + 1, 12);
    ordo_evidence_copy_line(e->hypervisor_name, sizeof e->hypervisor_name, e->hypervisor_name, 12);
    if (strcmp(e->hypervisor_name, "KVMKVMKVM") == 0) {
        ordo_evidence_cpuid_of_hypervisor(text, base + 1, r);
        e->kvm_stable = (int)(r[0] >> 24 & 1); /* KVM_FEATURE_CLOCKSOURCE_STABLE_BIT */
    }
}

/* Intel SDM vol. 2A and 3B, "Invariant TSC"; AMD APM vol. 3, appendix E. */
static inline void ordo_evidence_ask_x86(struct ordo_evidence *e, const char *text)
{
    uint32_t r[4];
    ordo_evidence_cpuid(text, 0x80000007u, 0, r);
    e->invariant = (int)(r[3] >> 8 & 1);
    ordo_evidence_cpuid(text, 0x80000001u, 0, r);
    e->rdtscp = (int)(r[3] >> 27 & 1);
    ordo_evidence_cpuid(text, 7, 0, r);
    e->tsc_adjust = (int)(r[1] >> 1 & 1);
    ordo_evidence_cpuid(text, 1, 0, r);
    e->hypervisor = (int)(r[2] >> 31 & 1);
    /* TSC = crystal (ECX) * EBX / EAX. Empty on many processors, and wrong in some guests. */
    ordo_evidence_cpuid(text, 0x15, 0, r);
    if (r[0] && r[1] && r[2])
        e->nominal_hz = (double)r[2] * (double)r[1] / (double)r[0];
    if (e->hypervisor)
        ordo_evidence_ask_hypervisor(e, text);
}

/* Where one system counter of constant rate is part of the architecture (Arm ARM "The Generic Timer"; RISC-V Unprivileged
 * ISA, "Zicntr"). No instruction tells a guest from a host; the firmware's tables usually do. */
static inline void ordo_evidence_ask_other(struct ordo_evidence *e, const char *root)
{
    char type[64];
    e->invariant = e->arch != ORDO_ARCH_OTHER;
#if defined __aarch64__
    if (!*root) {
        uint64_t hz;
        __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
        e->nominal_hz = (double)hz;
    }
#endif
    ordo_evidence_read_line(root, "/sys/hypervisor/type", type, sizeof type);
    e->hypervisor = type[0] != '\0' || strstr(e->vendor, "QEMU") != NULL;
}

static inline int ordo_evidence_own_arch(void)
{
#if defined __x86_64__
    return ORDO_ARCH_X86_64;
#elif defined __aarch64__
    return ORDO_ARCH_AARCH64;
#elif defined __riscv && __riscv_xlen == 64
    return ORDO_ARCH_RISCV64;
#else
    return ORDO_ARCH_OTHER;
#endif
}

static inline void ordo_evidence_ask_processor(struct ordo_evidence *e, const char *root)
{
    char text[8192], arch[32];
    e->arch = ordo_evidence_own_arch();
    if (*root) {
        ordo_evidence_read_line(root, "/arch", arch, sizeof arch);
        e->arch = strcmp(arch, "x86_64") == 0    ? ORDO_ARCH_X86_64
                  : strcmp(arch, "aarch64") == 0 ? ORDO_ARCH_AARCH64
                  : strcmp(arch, "riscv64") == 0 ? ORDO_ARCH_RISCV64
                                                 : ORDO_ARCH_OTHER;
        (void)ordo_evidence_read(root, "/cpuid", text, sizeof text);
    }
    ordo_evidence_read_line(root, "/sys/class/dmi/id/sys_vendor", e->vendor, sizeof e->vendor);
    if (e->arch == ORDO_ARCH_X86_64)
        ordo_evidence_ask_x86(e, *root ? text : NULL);
    else
        ordo_evidence_ask_other(e, root);
}

/* ---- the kernel ---- */

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

/** Asks all witnesses of the live machine (`root` NULL or ""), or reads what a directory says they would answer. What cannot
 * be read is left empty. Takes a few milliseconds, most of them for the log, and 32 KiB of stack. Thread-safe. */
static inline void ordo_evidence_gather(struct ordo_evidence *e, const char *root)
{
    int fd;
    root = root ? root : "";
    memset(e, 0, sizeof *e);
    ordo_evidence_ask_processor(e, root);
    ordo_evidence_read_sources(e, root);
    ordo_evidence_read_parameters(e, root);
    ordo_evidence_read_log(e, root);
    fd = ordo_evidence_open(root, "/dev/vmclock0");
    e->vmclock = fd >= 0;
    if (fd >= 0)
        (void)close(fd);
}

/* ---- judging ---- */

/** True if the kernel lists the counter as a clock source that it would use (E4). */
static inline int ordo_evidence_listed(const struct ordo_evidence *e)
{
    const char *source = ordo_evidence_source(e->arch);
    return ordo_evidence_has_word(e->available, source) && (!e->lists_all || strcmp(e->current, source) == 0);
}

static inline int ordo_evidence_why_unlisted(const struct ordo_evidence *e)
{
    if (e->fault == ORDO_FAULT_PREFERENCE && !strstr(e->line, "boot parameter"))
        return ORDO_WHY_HYPERVISOR;
    if (e->fault == ORDO_FAULT_PREFERENCE || strstr(e->parameters, "tsc=unstable") ||
        ordo_evidence_has_word(e->parameters, "notsc"))
        return ORDO_WHY_PARAMETER;
    if (!e->available[0] || e->log != ORDO_LOG_WHOLE)
        return ORDO_WHY_UNREADABLE;
    return e->hypervisor ? ORDO_WHY_HYPERVISOR : ORDO_WHY_SILENT;
}

static inline void ordo_evidence_explain_unlisted(const struct ordo_evidence *e, struct ordo_trust_verdict *verdict)
{
    char available[112], because[160] = "it states no reason and saw no fault";
    if (e->available[0])
        (void)snprintf(available, sizeof available, "the kernel does not list it (available: %.60s)", e->available);
    else
        (void)snprintf(available, sizeof available, "the kernel's list of clock sources cannot be read");
    if (e->line[0])
        (void)snprintf(because, sizeof because, "it says \"%.140s\"", e->line);
    else if (verdict->why == ORDO_WHY_PARAMETER)
        (void)snprintf(because, sizeof because, "its boot parameters are \"%.100s\"", e->parameters);
    else if (verdict->why == ORDO_WHY_UNREADABLE)
        (void)snprintf(because, sizeof because, "%s",
                       e->log == ORDO_LOG_UNREADABLE ? "its log, which would say why, is for root or CAP_SYSLOG"
                                                     : "its log shows no fault, but has lost records");
    (void)snprintf(verdict->reason, sizeof verdict->reason, "%.110s; %.120s", available, because);
}

/** Judges the evidence. Pure; E1 to E5 at the head of this file are its lines, in their order. */
static inline void ordo_evidence_judge(const struct ordo_evidence *e, struct ordo_trust_verdict *verdict)
{
    memset(verdict, 0, sizeof *verdict);
    if (e->fault == ORDO_FAULT_MEASURED ||
        (e->fault == ORDO_FAULT_STATED && e->invariant && !e->trapped)) { /* E1, E3 */
        verdict->trust = ORDO_TRUST_FAULTED;
        verdict->why = ORDO_WHY_FAULT;
        (void)snprintf(verdict->reason, sizeof verdict->reason, "the kernel saw a fault: %.110s%s%.90s", e->line,
                       e->skew[0] && strcmp(e->skew, e->line) != 0 ? " " : "",
                       strcmp(e->skew, e->line) != 0 ? e->skew : "");
    } else if (!e->invariant) { /* E2 */
        verdict->trust = ORDO_TRUST_INCAPABLE;
        verdict->why = ORDO_WHY_NOT_INVARIANT;
        (void)snprintf(verdict->reason, sizeof verdict->reason, "%s",
                       e->arch == ORDO_ARCH_OTHER
                           ? "no counter of this architecture is known"
                           : "the processor does not promise a constant rate (CPUID: no invariant TSC)");
    } else if (ordo_evidence_listed(e)) { /* E4 */
        verdict->trust = ORDO_TRUST_VOUCHED;
        verdict->why = ORDO_WHY_LISTED;
        (void)snprintf(verdict->reason, sizeof verdict->reason,
                       "the processor promises a constant rate, and the kernel lists it (it uses %.60s)", e->current);
    } else { /* E5 */
        verdict->trust = ORDO_TRUST_MEASURED;
        verdict->why = ordo_evidence_why_unlisted(e);
        ordo_evidence_explain_unlisted(e, verdict);
    }
}

/** Gathers the evidence and judges it: the class of trust in this machine's counter, enum ordo_trust_class. */
static inline int ordo_evidence_class(struct ordo_trust_verdict *verdict)
{
    struct ordo_evidence evidence;
    ordo_evidence_gather(&evidence, NULL);
    ordo_evidence_judge(&evidence, verdict);
    return verdict->trust;
}

#endif
