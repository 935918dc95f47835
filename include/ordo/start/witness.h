/* The statements of the witnesses about a machine's counter, and the functions that read their files. The contract is
 * in evidence.h. */
#ifndef ORDO_START_WITNESS_H
#define ORDO_START_WITNESS_H

#include <ordo/record.h>

enum ordo_evidence_arch { ORDO_ARCH_OTHER, ORDO_ARCH_X86_64, ORDO_ARCH_AARCH64, ORDO_ARCH_RISCV64 };

/** The part of the kernel's log that could be read. */
enum ordo_evidence_log {
    ORDO_LOG_UNREADABLE, /* no part */
    ORDO_LOG_FORMLESS,   /* no line has a known format */
    ORDO_LOG_PARTIAL,    /* the log does not begin with a boot of Linux, or records were overwritten during the read */
    ORDO_LOG_WHOLE       /* all lines from the boot on */
};

/** The kernel's statement about the counter in its log. */
enum ordo_evidence_fault {
    ORDO_FAULT_NONE,
    ORDO_FAULT_MARKED,     /* marked unstable without a reason: counts as STATED, unless a preference explains it */
    ORDO_FAULT_PREFERENCE, /* marked unstable because of a boot parameter or a hypervisor: no fault */
    ORDO_FAULT_STATED,     /* marked unstable for another reason that was not measured */
    ORDO_FAULT_MEASURED    /* the kernel measured a warp between CPUs, or a skew against the watchdog */
};

/** The statements of all witnesses. */
struct ordo_evidence {
    int arch;                 /* enum ordo_evidence_arch */
    int invariant;            /* the processor promises a constant rate in all power states */
    int rdtscp;               /* x86-64: CPUID offers RDTSCP */
    int tsc_adjust;           /* x86-64: CPUID offers TSC_ADJUST */
    int hypervisor;           /* this is a virtual machine */
    int kvm_stable;           /* KVM can state whether its clock is stable between CPUs */
    int vmclock;              /* there is a VMClock device */
    double nominal_hz;        /* the rate that the processor states; 0: it states none */
    char hypervisor_name[16]; /* the hypervisor's own name; may be empty */
    char vendor[64];          /* the machine's vendor, by its firmware; may be empty */
    char available[256];      /* the kernel's clock sources; empty: the list cannot be read */
    char current[64];         /* the kernel's current clock source */
    char parameters[256]; /* last parameters about clock sources on the kernel's command line, separated by blanks */
    int log;              /* enum ordo_evidence_log */
    int lost;             /* records of the log were overwritten before they could be read */
    int raw;              /* the log has the raw format: lines of another format do not count */
    int lists_all;        /* the kernel's list also contains unstable sources */
    int trapped;          /* AArch64: the kernel traps and corrects each reading of a program */
    int fault;            /* enum ordo_evidence_fault */
    char line[200];       /* the line of the kernel that states `fault` */
    char skew[200];       /* the line of a watchdog that states the skew; may be empty */
};

/** Returns the name of an architecture's counter in the kernel's list of clock sources; empty if it has no name
 * there. */
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

/* Copies as much of a text as fits. A longer text is cut at a blank and ends with "...". */
static inline void ordo_evidence_fit(char *copy, size_t size, const char *text)
{
    size_t length = strlen(text), end;
    if (length < size) {
        memcpy(copy, text, length + 1);
        return;
    }
    for (end = size - 4; end > size / 2 && text[end] != ' '; end--) {
    }
    memcpy(copy, text, end);
    memcpy(copy + end, "...", 4);
}

/* Copies the text up to the newline into `line`, which has `size` bytes. Makes it printable, and removes blanks at its
 * end. */
static inline void ordo_evidence_copy_line(char *line, size_t size, const char *text, size_t length)
{
    size_t i;
    for (i = 0; i < length && i + 1 < size && text[i] != '\n' && text[i] != '\0'; i++)
        line[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    while (i > 0 && line[i - 1] == ' ')
        i--;
    line[i] = '\0';
}

#if defined O_CLOEXEC /* strict C lacks it: an exec then inherits the descriptor */
#define ORDO_EVIDENCE_CLOEXEC O_CLOEXEC
#else
#define ORDO_EVIDENCE_CLOEXEC 0
#endif
#define ORDO_EVIDENCE_KMSG 0x10b /* device number of /dev/kmsg: major 1, minor 11 */

/* True for a regular file. On the live machine also true for /dev/kmsg, but for no other device: if a container
 * replaces /dev/kmsg by a terminal, reading the terminal would consume the user's input. */
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

/* Reads the beginning of a file, and terminates it with NUL. Returns -1 if the file cannot be read. */
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

/* Reads the first line of a file, and makes it printable; `line` becomes empty if the file cannot be read. */
static inline void ordo_evidence_read_line(const char *root, const char *path, char *line, size_t size)
{
    char text[1024];
    long length = ordo_evidence_read(root, path, text, sizeof text);
    ordo_evidence_copy_line(line, size, text, length < 0 ? 0 : (size_t)length);
}

#endif
