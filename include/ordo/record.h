/* The published boundary record: its layout, and a reader that needs nothing but the C library.
 *
 * A record is one small file, written once and published by rename (lib/record). All fields are in the
 * machine's own byte order, because a record never leaves the boot that made it.
 *
 *     0  magic           "ORDOBND\n"
 *     8  checksum        CRC-64/XZ of bytes 24 .. total_bytes
 *    16  status          ORDO_RECORD_VALID, _SUPERSEDED or _DISRUPTED: the one word that ever changes
 *    24  layout          1
 *    28  clock           enum ordo_clock_id
 *    32  total_bytes     the file's size
 *    40  generation      1 more than the record it replaced
 *    48  boundary_ticks  ORDO_BOUNDARY, never 0
 *    56  tick_hz         for display and conversion; ordering does not use it
 *    64  flags           ORDO_FLAG_*
 *    72  boot_id         of the kernel, 16 bytes
 *    88  as_of_ns        CLOCK_BOOTTIME when the measurement began
 *    96  void_after_ns   CLOCK_BOOTTIME after which nobody may open it
 *   104  as_of_ticks     the clock at as_of_ns
 *   112  granule_ticks   step of the counter   } both are part of boundary_ticks
 *   120  margin_ticks    asked for by the user }
 *   128  runs            per direction of a pair, over all repeats
 *   136  drift_min_ppb   } relative drift of any two CPUs, proved interval
 *   144  drift_max_ppb   }
 *   152  repeats
 *   156  method          ORDO_METHOD_*
 *   160  tool_version    of the writer, 16 bytes, NUL-padded
 *   176  reserved        16 bytes of 0
 *   192  sections        {u32 type, u32 bytes, payload padded to 8}, until total_bytes
 *
 * The file must only ever be replaced by rename: programs have it mapped, and one that is written in place or cut short
 * takes them down.
 *
 * A section whose type has the bit ORDO_SECTION_CRITICAL must be understood by the reader; others may be skipped.
 */
#ifndef ORDO_RECORD_H
#define ORDO_RECORD_H

#include <ordo/clock.h>
#include <ordo/error.h>

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ORDO_RECORD_MAGIC "ORDOBND\n"
#define ORDO_RECORD_LAYOUT 1u
#define ORDO_RECORD_MAX_BYTES 65536u
#define ORDO_RECORD_PATH "/run/ordo/boundary"
#define ORDO_RECORD_USER_PATH "/ordo/boundary" /* below $XDG_RUNTIME_DIR */

/* Far apart in Hamming distance, so that no few flipped bits turn one into another. */
#define ORDO_RECORD_VALID 0x56a1d00d5ca1ab1eu
#define ORDO_RECORD_SUPERSEDED 0x0ddba115e7f1e2c3u
#define ORDO_RECORD_DISRUPTED 0xd15c0bb1ea95b66cu

#define ORDO_FLAG_HYPERVISOR 1u /* measured in a virtual machine: a virtual CPU may move to another core */
#define ORDO_FLAG_COARSE 2u     /* the counter moves in steps: equal times are ordinary */
#define ORDO_FLAG_CORRECTED 4u  /* times are corrected per CPU */
#define ORDO_FLAG_FORCED 8u     /* the clock's own checks failed and the operator overrode them */

/* Those that this reader can honour: it does not correct times. */
#define ORDO_FLAGS_UNDERSTOOD (ORDO_FLAG_HYPERVISOR | ORDO_FLAG_COARSE | ORDO_FLAG_FORCED)

#define ORDO_METHOD_SERIAL 1u     /* pairs measured one after the other */
#define ORDO_METHOD_TOURNAMENT 2u /* disjoint pairs at the same time: minima can only be larger */

#define ORDO_SECTION_CRITICAL 0x80000000u
#define ORDO_SECTION_CPUS (ORDO_SECTION_CRITICAL | 1u) /* bitmap: CPU c is bit c % 8 of byte c / 8 */
#define ORDO_SECTION_MACHINE 2u                        /* text, for people */

struct ordo_record {
    unsigned char magic[8];
    uint64_t checksum;
    uint64_t status;
    uint32_t layout;
    uint32_t clock;
    uint64_t total_bytes;
    uint64_t generation;
    uint64_t boundary_ticks;
    uint64_t tick_hz;
    uint64_t flags;
    unsigned char boot_id[16];
    uint64_t as_of_ns;
    uint64_t void_after_ns;
    uint64_t as_of_ticks;
    uint64_t granule_ticks;
    uint64_t margin_ticks;
    uint64_t runs;
    int64_t drift_min_ppb;
    int64_t drift_max_ppb;
    uint32_t repeats;
    uint32_t method;
    char tool_version[16];
    uint64_t reserved[2];
};

struct ordo_section {
    uint32_t type;
    uint32_t bytes;
};

#ifdef __cplusplus
#define ORDO_STATIC_ASSERT static_assert
#else
#define ORDO_STATIC_ASSERT _Static_assert
#endif
ORDO_STATIC_ASSERT(sizeof(struct ordo_record) == 192, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, status) == 16, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, layout) == 24, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, total_bytes) == 32, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, boundary_ticks) == 48, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, tick_hz) == 56, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, boot_id) == 72, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, as_of_ticks) == 104, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, drift_min_ppb) == 136, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, method) == 156, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, tool_version) == 160, "the layout is frozen");
ORDO_STATIC_ASSERT(sizeof(struct ordo_section) == 8, "the layout is frozen");

/** A record that passed ordo_record_parse. The pointers lead into the bytes that were parsed. */
struct ordo_record_view {
    struct ordo_record head;
    const unsigned char *cpus; /* bitmap */
    size_t cpus_bytes;
    const char *machine; /* not terminated; NULL where absent */
    size_t machine_bytes;
};

/* Code, errno and a line of text into `error`, which may be NULL. Returns the code. */
static inline int ordo_record_refuse(struct ordo_error *error, int code, int sys_errno, const char *object)
{
    if (error) {
        error->code = code;
        error->sys_errno = sys_errno;
        (void)snprintf(error->text, sizeof error->text, "%.90s: %.140s", object,
                       code == ORDO_E_SYSTEM ? strerror(sys_errno) : ordo_strerror(code));
    }
    return code;
}

/** CRC-64/XZ (ECMA-182, reflected) of `bytes`. */
static inline uint64_t ordo_record_checksum(const unsigned char *bytes, size_t count)
{
    uint64_t crc = ~UINT64_C(0);
    size_t i;
    int bit;
    for (i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT64_C(0xc96c5795d7870f42) : 0);
    }
    return ~crc;
}

/** Whether the record covers the CPU with this operating-system number. */
static inline int ordo_record_covers(const struct ordo_record_view *view, unsigned long cpu)
{
    return cpu / 8 < view->cpus_bytes && (view->cpus[cpu / 8] >> cpu % 8 & 1);
}

/* Walks the sections. Exactly one CPU set, nothing critical that is unknown, no byte left over. */
static inline int ordo_record_parse_sections(const unsigned char *bytes, struct ordo_record_view *view)
{
    uint64_t at = sizeof view->head;
    uint64_t end = view->head.total_bytes;
    while (at < end) {
        struct ordo_section section;
        uint64_t padded;
        if (end - at < sizeof section)
            return ORDO_E_MALFORMED;
        memcpy(&section, bytes + at, sizeof section);
        at += sizeof section;
        padded = (uint64_t)(section.bytes) + (8 - section.bytes % 8) % 8;
        if (padded > end - at)
            return ORDO_E_MALFORMED;
        if (section.type == ORDO_SECTION_CPUS) {
            if (view->cpus || section.bytes == 0)
                return ORDO_E_MALFORMED;
            view->cpus = bytes + at;
            view->cpus_bytes = section.bytes;
        } else if (section.type == ORDO_SECTION_MACHINE) {
            view->machine = (const char *)(bytes + at);
            view->machine_bytes = section.bytes;
        } else if (section.type & ORDO_SECTION_CRITICAL) {
            return ORDO_E_SECTION;
        }
        at += padded;
    }
    return view->cpus ? ORDO_OK : ORDO_E_MALFORMED;
}

/** Whether `bytes` are a well-formed record that may be used, wherever and whenever it was made.
 *
 * Pure: looks at nothing but the bytes, which may come from anywhere. Fills `view` as far as it came; a caller that
 * only wants to show a refused record may read `view->head` unless the code is TRUNCATED. Thread-safe. */
static inline int ordo_record_parse(const void *data, size_t count, struct ordo_record_view *view)
{
    const unsigned char *bytes = (const unsigned char *)data;
    const struct ordo_record *head = &view->head;
    int code;
    memset(view, 0, sizeof *view);
    if (count < sizeof *head)
        return ORDO_E_TRUNCATED;
    memcpy(&view->head, bytes, sizeof *head);
    if (memcmp(head->magic, ORDO_RECORD_MAGIC, sizeof head->magic) != 0)
        return ORDO_E_MALFORMED;
    if (head->layout != ORDO_RECORD_LAYOUT)
        return ORDO_E_LAYOUT;
    if (head->total_bytes != count)
        return ORDO_E_TRUNCATED;
    if (head->checksum != ordo_record_checksum(bytes + 24, count - 24))
        return ORDO_E_CHECKSUM;
    code = ordo_record_parse_sections(bytes, view);
    if (code)
        return code;
    if (head->status == ORDO_RECORD_SUPERSEDED)
        return ORDO_E_SUPERSEDED;
    if (head->status == ORDO_RECORD_DISRUPTED)
        return ORDO_E_DISRUPTED;
    if (head->boundary_ticks == 0)
        return ORDO_E_BOUNDARY;
    if (head->flags & ~(uint64_t)ORDO_FLAGS_UNDERSTOOD)
        return ORDO_E_SECTION;
    /* 2^62 leaves room for t + 2B; 18 GHz is where the conversion to nanoseconds would overflow. */
    if (head->status != ORDO_RECORD_VALID || head->boundary_ticks >> 62 || head->tick_hz == 0 ||
        head->tick_hz > UINT64_C(18000000000) || head->granule_ticks > head->boundary_ticks ||
        head->margin_ticks > head->boundary_ticks - head->granule_ticks || head->drift_min_ppb > 0 ||
        head->drift_max_ppb < 0 || head->reserved[0] || head->reserved[1])
        return ORDO_E_MALFORMED;
    return ORDO_OK;
}

/* The whole of a small text file, NUL-terminated; -1 with errno where it cannot be read or does not fit. */
static inline long ordo_record_read_text(const char *path, char *text, size_t size)
{
    size_t have = 0;
    ssize_t got;
    int fd = open(path, O_RDONLY | O_NOCTTY);
    if (fd < 0)
        return -1;
    do {
        got = read(fd, text + have, size - 1 - have);
        if (got > 0)
            have += (size_t)got;
    } while (got > 0 || (got < 0 && errno == EINTR));
    (void)close(fd);
    if (got < 0)
        return -1;
    if (have == size - 1) {
        errno = EOVERFLOW;
        return -1;
    }
    text[have] = '\0';
    return (long)have;
}

/** The kernel's boot id as 16 bytes. 0, or -1 where this system has none. */
static inline int ordo_record_boot_id(unsigned char id[16])
{
    char text[64];
    const char *p = text;
    int digits = 0;
    if (ordo_record_read_text("/proc/sys/kernel/random/boot_id", text, sizeof text) < 0)
        return -1;
    for (; *p && digits < 32; p++) {
        int value = *p >= '0' && *p <= '9' ? *p - '0' : *p >= 'a' && *p <= 'f' ? *p - 'a' + 10 : -1;
        if (value < 0)
            continue;
        id[digits / 2] = (unsigned char)(digits % 2 ? id[digits / 2] << 4 | value : value);
        digits++;
    }
    return digits == 32 ? 0 : -1;
}

/** CLOCK_BOOTTIME in nanoseconds, in steps of 10 ms, and the same in every time namespace; -1 on failure.
 *
 * /proc/uptime is how a strictly conforming program sees that clock. In a time namespace it is shifted by
 * the offset that /proc/self/timens_offsets shows (time_namespaces(7)). */
static inline int64_t ordo_record_uptime_ns(void)
{
    char text[256];
    char *cursor;
    int64_t ns;
    if (ordo_record_read_text("/proc/uptime", text, sizeof text) < 0)
        return -1;
    ns = (int64_t)strtoull(text, &cursor, 10) * 1000000000;
    if (cursor == text || *cursor != '.')
        return -1;
    ns += (int64_t)strtoull(cursor + 1, NULL, 10) * 10000000;
    if (ordo_record_read_text("/proc/self/timens_offsets", text, sizeof text) > 0) {
        const char *boottime = strstr(text, "boottime");
        if (boottime) {
            ns -= (int64_t)strtoll(boottime + 8, &cursor, 10) * 1000000000;
            ns -= (int64_t)strtoll(cursor, NULL, 10);
        }
    }
    return ns;
}

/* A kernel list of CPUs such as "0-3,8", read a little at a time: it may be long, and the stack short. */
struct ordo_record_list {
    int fd;
    char c; /* the current character, 0 at the end */
    size_t at, have;
    char text[256];
};

static inline void ordo_record_list_step(struct ordo_record_list *list)
{
    ssize_t got = 0;
    if (list->at == list->have) {
        do
            got = read(list->fd, list->text, sizeof list->text);
        while (got < 0 && errno == EINTR);
        list->at = 0;
        list->have = got > 0 ? (size_t)got : 0;
    }
    list->c = '\0';
    if (list->at < list->have)
        list->c = list->text[list->at++];
}

/* Opens the file at what follows `label`, whose first letter does not recur in it ("": at the beginning). 0, or -1 with
 * errno. */
static inline int ordo_record_list_open(struct ordo_record_list *list, const char *path, const char *label)
{
    const char *expected = label;
    list->at = list->have = 0;
    list->fd = open(path, O_RDONLY | O_NOCTTY);
    if (list->fd < 0)
        return -1;
    ordo_record_list_step(list);
    for (; list->c && *expected; ordo_record_list_step(list))
        expected = list->c == *expected ? expected + 1 : list->c == *label ? label + 1 : label;
    while (list->c == ' ' || list->c == '\t')
        ordo_record_list_step(list);
    if (*expected == '\0' && list->c >= '0' && list->c <= '9')
        return 0;
    (void)close(list->fd);
    errno = ENODATA;
    return -1;
}

static inline unsigned long ordo_record_list_number(struct ordo_record_list *list)
{
    unsigned long value = 0;
    for (; list->c >= '0' && list->c <= '9'; ordo_record_list_step(list))
        value = 10 * value + (unsigned long)(list->c - '0');
    return value;
}

/* The next range; 0 at the end of the list. */
static inline int ordo_record_list_range(struct ordo_record_list *list, unsigned long *first, unsigned long *last)
{
    if (list->c < '0' || list->c > '9')
        return 0;
    *first = *last = ordo_record_list_number(list);
    if (list->c == '-') {
        ordo_record_list_step(list);
        *last = ordo_record_list_number(list);
    }
    if (list->c == ',')
        ordo_record_list_step(list);
    return 1;
}

#define ORDO_RECORD_ONLINE "/sys/devices/system/cpu/online"
#define ORDO_RECORD_ALLOWED "/proc/thread-self/status"
#define ORDO_RECORD_ALLOWED_LABEL "Cpus_allowed_list:"

/* Whether this thread may run on the CPU; yes, if that cannot be read. */
static inline int ordo_record_allows(unsigned long cpu)
{
    struct ordo_record_list list;
    unsigned long first, last;
    int allowed = 0;
    if (ordo_record_list_open(&list, ORDO_RECORD_ALLOWED, ORDO_RECORD_ALLOWED_LABEL) != 0)
        return 1;
    while (!allowed && ordo_record_list_range(&list, &first, &last))
        allowed = cpu >= first && cpu <= last;
    (void)close(list.fd);
    return allowed;
}

/* Whether the record covers every online CPU this thread may run on. Without sysfs every allowed CPU counts as online:
 * the stricter reading. */
static inline int ordo_record_check_cpus(const struct ordo_record_view *view, struct ordo_error *error)
{
    struct ordo_record_list list;
    unsigned long cpu, last;
    int online = ordo_record_list_open(&list, ORDO_RECORD_ONLINE, "") == 0, code = ORDO_OK;
    if (!online && ordo_record_list_open(&list, ORDO_RECORD_ALLOWED, ORDO_RECORD_ALLOWED_LABEL) != 0)
        return ordo_record_refuse(error, ORDO_E_SYSTEM, errno, ORDO_RECORD_ALLOWED);
    while (!code && ordo_record_list_range(&list, &cpu, &last))
        for (; !code && cpu <= last; cpu++) {
            char object[32];
            if (ordo_record_covers(view, cpu) || (online && !ordo_record_allows(cpu)))
                continue;
            (void)snprintf(object, sizeof object, "cpu %lu", cpu);
            code = ordo_record_refuse(error, ORDO_E_CPUS, 0, object);
        }
    (void)close(list.fd);
    return code;
}

/* Nanoseconds in `ticks`, rounded down; the largest value where the result does not fit. */
static inline uint64_t ordo_record_ticks_to_ns(uint64_t ticks, uint64_t tick_hz)
{
    uint64_t seconds, rest;
    if (tick_hz == 0)
        return 0;
    seconds = ticks / tick_hz;
    rest = ticks % tick_hz * 1000000000u / tick_hz;
    if (seconds > (UINT64_MAX - rest) / 1000000000u)
        return UINT64_MAX;
    return seconds * 1000000000u + rest;
}

/* Whether the clock has advanced since the record was made as far as the record's rate says.
 *
 * A guest restored elsewhere, a suspend that stopped the counter, a counter that was reset and a wrong rate
 * all show here. Tolerated: two readings of /proc/uptime in steps of 10 ms, the boundary (the two
 * readings of the clock may come from different CPUs), and 1000 ppm, because CLOCK_BOOTTIME is steered by up to 500. */
static inline int ordo_record_check_rate(const struct ordo_record *head, uint64_t before, int64_t uptime_ns,
                                         uint64_t after)
{
    uint64_t ticks = before > head->as_of_ticks ? before - head->as_of_ticks : 0;
    uint64_t by_clock = ordo_record_ticks_to_ns(ticks, head->tick_hz);
    uint64_t by_uptime = (uint64_t)uptime_ns - head->as_of_ns;
    uint64_t apart = by_clock > by_uptime ? by_clock - by_uptime : by_uptime - by_clock;
    uint64_t allowed =
        20000000u + by_uptime / 1000 + ordo_record_ticks_to_ns(after - before + head->boundary_ticks, head->tick_hz);
    return apart <= allowed;
}

/** Whether a parsed record holds for the calling thread, here and now: boot, clock, age, CPUs. Thread-safe. */
static inline int ordo_record_applies(const struct ordo_record_view *view, struct ordo_error *error)
{
    const struct ordo_record *head = &view->head;
    unsigned char boot_id[16];
    uint64_t before, after;
    int64_t uptime_ns;
    if (ordo_record_boot_id(boot_id) != 0)
        return ordo_record_refuse(error, ORDO_E_SYSTEM, errno, "/proc/sys/kernel/random/boot_id");
    if (memcmp(boot_id, head->boot_id, sizeof boot_id) != 0)
        return ordo_record_refuse(error, ORDO_E_BOOT, 0, "boot id");
    if (head->clock != ORDO_CLOCK_ID)
        return ordo_record_refuse(error, ORDO_E_CLOCK, 0, ORDO_CLOCK_NAME);
    before = ordo_clock_read();
    uptime_ns = ordo_record_uptime_ns();
    after = ordo_clock_read();
    if (uptime_ns < 0)
        return ordo_record_refuse(error, ORDO_E_SYSTEM, errno, "/proc/uptime");
    if ((uint64_t)uptime_ns > head->void_after_ns)
        return ordo_record_refuse(error, ORDO_E_EXPIRED, 0, "void-after");
    if ((uint64_t)uptime_ns < head->as_of_ns || !ordo_record_check_rate(head, before, uptime_ns, after))
        return ordo_record_refuse(error, ORDO_E_RATE, 0, ORDO_CLOCK_NAME);
    return ordo_record_check_cpus(view, error);
}

/** Which file a reader takes: the path given, else $ORDO_RECORD, else /run/ordo/boundary if it exists, else
 * $XDG_RUNTIME_DIR/ordo/boundary. A path that was named, by argument or variable, is never passed over. A program that
 * runs with another user's rights does not listen to the environment. `buffer` holds the last of the four. */
static inline const char *ordo_record_find(const char *path, char *buffer, size_t size)
{
    int own = getuid() == geteuid() && getgid() == getegid();
    const char *named = own ? getenv("ORDO_RECORD") : NULL;
    const char *runtime = own ? getenv("XDG_RUNTIME_DIR") : NULL;
    struct stat info;
    if (path)
        return path;
    if (named && *named)
        return named;
    if (stat(ORDO_RECORD_PATH, &info) != 0 && errno == ENOENT && runtime && *runtime) {
        int length = snprintf(buffer, size, "%s" ORDO_RECORD_USER_PATH, runtime);
        if (length > 0 && (size_t)length < size)
            return buffer;
    }
    return ORDO_RECORD_PATH;
}

/** Maps the file, judged by what was opened: a regular file, of a credible size, that nobody else can
 * have written. On success `*bytes` is a read-only mapping of `*count` bytes, to be unmapped by the caller. */
static inline int ordo_record_map(const char *path, const void **bytes, size_t *count, struct ordo_error *error)
{
    struct stat info;
    void *map = NULL;
    int code = ORDO_OK, sys_errno = 0;
    /* No O_CLOEXEC in strict C; the descriptor lives for a moment and shows a world-readable file.
     * O_NONBLOCK: opening a FIFO must not wait. */
    int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return ordo_record_refuse(error, errno == ENOENT || errno == ENOTDIR ? ORDO_E_MISSING : ORDO_E_SYSTEM, errno,
                                  path);
    if (fstat(fd, &info) != 0) {
        code = ORDO_E_SYSTEM;
        sys_errno = errno;
    } else if (!S_ISREG(info.st_mode)) {
        code = ORDO_E_MALFORMED;
    } else if (info.st_uid != 0 && info.st_uid != geteuid()) {
        code = ORDO_E_OWNER;
    } else if (info.st_mode & 022) {
        code = ORDO_E_WRITABLE;
    } else if (info.st_size < (off_t)sizeof(struct ordo_record)) {
        code = ORDO_E_TRUNCATED;
    } else if (info.st_size > (off_t)ORDO_RECORD_MAX_BYTES) {
        code = ORDO_E_TRUNCATED;
    } else {
        map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (map == MAP_FAILED) {
            code = ORDO_E_SYSTEM;
            sys_errno = errno;
        }
    }
    (void)close(fd);
    if (code)
        return ordo_record_refuse(error, code, sys_errno, path);
    *bytes = map;
    *count = (size_t)info.st_size;
    return ORDO_OK;
}

#endif
