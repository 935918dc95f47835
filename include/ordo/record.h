/* The published boundary record: its layout, and a reader that needs only the C library.
 *
 * There may be two records: PATH for the clock of clock.h, and PATH.monotonic for the kernel's clock, which any.h reads
 * if PATH is refused. Both have the same layout, and the field `clock` distinguishes them.
 *
 * A record is one small file, written once and published by rename (lib/calibrate/record). All fields are in the
 * machine's own byte order, because a record never leaves the boot that made it.
 *
 *     0  magic           "ORDOBND\n"
 *     8  checksum        CRC-64/XZ of bytes 40 .. sealed_bytes
 *    16  status          ORDO_RECORD_VALID, _SUPERSEDED or _DISRUPTED; only this word and `seen` ever change
 *    24  layout          2. Magic, status and this field have the same offsets in every layout
 *    28  zero            0
 *    32  seen            the last time at which the clock was checked against the record's rate (below); 0: as_of
 *    40  total_bytes     the file's size
 *    48  generation      1 + the generation of the replaced record
 *    56  boundary_ticks  ORDO_BOUNDARY, never 0
 *    64  tick_hz         for conversion, and to check the clock's rate; ordering does not use it
 *    72  flags           ORDO_FLAG_*
 *    80  boot_id         of the kernel, 16 bytes
 *    96  as_of_ns        CLOCK_BOOTTIME when the measurement began
 *   104  void_after_ns   CLOCK_BOOTTIME after which no program may open the record
 *   112  as_of_ticks     the clock                            } at as_of_ns
 *   120  as_of_raw_ns    CLOCK_MONOTONIC_RAW                  }
 *   128  suspended_ns    CLOCK_BOOTTIME - CLOCK_MONOTONIC     }
 *   136  granule_ticks   step of the counter       } both are part of boundary_ticks
 *   144  margin_ticks    requested by the operator }
 *   152  runs            per direction of a pair, over all repeats
 *   160  drift_min_ppb   } proved interval of the relative drift of any two CPUs
 *   168  drift_max_ppb   }
 *   176  repeats         number of measurements of each pair
 *   180  method          ORDO_METHOD_*
 *   184  clock           enum ordo_clock_id
 *   188  sealed_bytes    offset of the parts; 0: there are no parts, and the checksum seals the whole file
 *   192  reserved        16 bytes of 0
 *   208  tool_version    of the writer, 16 bytes, NUL-padded
 *   224  sections        {u32 type, u32 bytes, payload padded to 8}, until sealed_bytes
 *        parts           large data, until total_bytes; each begins at a multiple of 64
 *
 * All fields with a kernel clock contain its time outside of any time namespace. `seen` is one word, so that it changes
 * atomically. Its upper half is a time, in seconds since as_of. Its lower half is a signed number: the clock's gain on
 * the kernel's clock up to that time, in units of ORDO_RECORD_SEEN_NS. A reader has to allow for the rate's error only
 * since the time in `seen`.
 *
 * Replace the file only by rename, because programs have it mapped: if the file is written in place or truncated, they
 * crash.
 *
 * A reader must refuse a record with an unknown section whose type has the bit ORDO_SECTION_CRITICAL, and may skip
 * other unknown sections.
 *
 * Large data are kept in parts, which only the readers that need them read: for 512 CPUs the matrix alone is 2 MiB. The
 * section ORDO_SECTION_PARTS contains the offset and the checksum (ordo_record_fold) of each part. Because this section
 * is sealed, the parts are sealed as well; a reader checks a part when it uses it. The parts for n covered CPUs, in
 * ascending order:
 *
 *     ORDO_PART_MATRIX       n * n int64: delta of writer i and reader j at i * n + j, in ticks, without granule and
 *                            margin; ORDO_DELTA_UNMEASURED on the diagonal, and for pairs that were not measured
 *     ORDO_PART_PLACES       n struct ordo_place: the cache, package and node of each CPU
 *     ORDO_PART_CORRECTIONS  struct ordo_corrections: per-CPU corrections and the boundary of corrected times
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
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define ORDO_RECORD_MAGIC "ORDOBND\n"
#define ORDO_RECORD_LAYOUT 2u
#define ORDO_RECORD_MAX_BYTES 65536u             /* size limit of the bytes that `checksum` seals */
#define ORDO_RECORD_MAX_FILE (UINT64_C(1) << 28) /* size limit of a file with all its parts */
#define ORDO_RECORD_SEALED 40u                   /* offset at which the sealed bytes begin */
#define ORDO_RECORD_SEEN_NS 64                   /* unit of the gain: 32 bits can express two minutes */
#define ORDO_RECORD_PATH "/run/ordo/boundary"
#define ORDO_RECORD_USER_PATH "/ordo/boundary" /* below $XDG_RUNTIME_DIR */
#define ORDO_RECORD_MONOTONIC ".monotonic"     /* appended to the record's path: the record of the kernel's clock */

/* The Hamming distances of these values are large, so that a few flipped bits cannot turn one status into another. */
#define ORDO_RECORD_VALID 0x56a1d00d5ca1ab1eu
#define ORDO_RECORD_SUPERSEDED 0x0ddba115e7f1e2c3u
#define ORDO_RECORD_DISRUPTED 0xd15c0bb1ea95b66cu

#define ORDO_FLAG_HYPERVISOR 1u /* measured in a virtual machine, whose virtual CPUs may move to other cores */
#define ORDO_FLAG_COARSE 2u     /* the counter advances in large steps, so that equal times are common */
#define ORDO_FLAG_CORRECTED 4u  /* times are corrected per CPU */
#define ORDO_FLAG_FORCED 8u     /* the clock's own checks failed and the operator overrode them */
#define ORDO_FLAG_PARTIAL 16u   /* not every pair of CPUs was measured: there is no boundary for all CPUs together */
/* The class of trust in the clock (enum ordo_trust_class). A record has the flag of a faulted or incapable clock only
 * together with ORDO_FLAG_FORCED. A record with none of the three flags has the class vouched, or the class none if it
 * was forced. */
#define ORDO_FLAG_MEASURED 32u
#define ORDO_FLAG_FAULTED 64u
#define ORDO_FLAG_INCAPABLE 128u
#define ORDO_FLAG_VOUCHED 512u
#define ORDO_FLAG_PRIVATE 256u /* of a handle, never of a record: this process calibrated it for itself (start.h) */
#define ORDO_FLAG_KERNEL 1024u /* of a handle, never of a record: its times are those of the kernel's clock (any.h) */

/* Flags of handles whose times are not those of ordo_get_time. */
#define ORDO_FLAGS_OTHER_TIMES (ORDO_FLAG_CORRECTED | ORDO_FLAG_KERNEL)

#define ORDO_FLAGS_TRUST (ORDO_FLAG_MEASURED | ORDO_FLAG_FAULTED | ORDO_FLAG_INCAPABLE | ORDO_FLAG_VOUCHED)

/* The flags that this reader accepts in a record. ORDO_FLAG_CORRECTED is a flag of handles only (corrected.h). */
#define ORDO_FLAGS_UNDERSTOOD                                                                                          \
    (ORDO_FLAG_HYPERVISOR | ORDO_FLAG_COARSE | ORDO_FLAG_FORCED | ORDO_FLAG_PARTIAL | ORDO_FLAGS_TRUST)

/** The reason for the trust in a clock. The numbers and the words are those of records, handles and JSON documents. */
enum ordo_trust_class {
    ORDO_TRUST_NONE = 0,     /* nothing is known: an unopened handle, or a boundary that was compiled in */
    ORDO_TRUST_VOUCHED = 1,  /* the kernel lists the clock as a clock source */
    ORDO_TRUST_MEASURED = 2, /* the kernel does not list the clock, but saw no fault; it was only measured */
    ORDO_TRUST_FAULTED = 3,  /* the kernel saw a fault of the clock */
    ORDO_TRUST_INCAPABLE = 4 /* the processor does not promise a constant rate */
};

/** Returns the word for a class: "none", "vouched", "measured", "faulted" or "incapable". */
static inline const char *ordo_trust_word(int trust)
{
    return trust == ORDO_TRUST_VOUCHED     ? "vouched"
           : trust == ORDO_TRUST_MEASURED  ? "measured"
           : trust == ORDO_TRUST_FAULTED   ? "faulted"
           : trust == ORDO_TRUST_INCAPABLE ? "incapable"
                                           : "none";
}

/** Returns the class (enum ordo_trust_class) that the flags of a record state. */
static inline int ordo_trust_of_flags(uint64_t flags)
{
    return flags & ORDO_FLAG_INCAPABLE  ? ORDO_TRUST_INCAPABLE
           : flags & ORDO_FLAG_FAULTED  ? ORDO_TRUST_FAULTED
           : flags & ORDO_FLAG_MEASURED ? ORDO_TRUST_MEASURED
           : flags & ORDO_FLAG_VOUCHED  ? ORDO_TRUST_VOUCHED
           : flags & ORDO_FLAG_FORCED   ? ORDO_TRUST_NONE
                                        : ORDO_TRUST_VOUCHED;
}

#define ORDO_METHOD_SERIAL 1u     /* pairs measured one after the other */
#define ORDO_METHOD_TOURNAMENT 2u /* disjoint pairs measured at the same time: minima can only be larger */

#define ORDO_SECTION_CRITICAL 0x80000000u
#define ORDO_SECTION_CPUS (ORDO_SECTION_CRITICAL | 1u) /* bitmap: CPU c is bit c % 8 of byte c / 8 */
#define ORDO_SECTION_MACHINE 2u                        /* description of the machine, as text */
#define ORDO_SECTION_PARTS 3u                          /* struct ordo_part, one for each part */

#define ORDO_PART_MATRIX 1u
#define ORDO_PART_PLACES 2u
#define ORDO_PART_CORRECTIONS 3u
#define ORDO_PART_ALIGNMENT 64u

#define ORDO_DELTA_UNMEASURED INT64_MAX
#define ORDO_PLACE_NONE UINT32_MAX
#define ORDO_CORRECTED_CPUS 4096u /* a clock delivers the CPU's number in 12 bits */

struct ordo_record {
    unsigned char magic[8];
    uint64_t checksum;
    uint64_t status;
    uint32_t layout;
    uint32_t zero;
    uint64_t seen;
    uint64_t total_bytes;
    uint64_t generation;
    uint64_t boundary_ticks;
    uint64_t tick_hz;
    uint64_t flags;
    unsigned char boot_id[16];
    uint64_t as_of_ns;
    uint64_t void_after_ns;
    uint64_t as_of_ticks;
    uint64_t as_of_raw_ns;
    uint64_t suspended_ns;
    uint64_t granule_ticks;
    uint64_t margin_ticks;
    uint64_t runs;
    int64_t drift_min_ppb;
    int64_t drift_max_ppb;
    uint32_t repeats;
    uint32_t method;
    uint32_t clock;
    uint32_t sealed_bytes;
    uint32_t reserved[4];
    char tool_version[16];
};

struct ordo_section {
    uint32_t type;
    uint32_t bytes;
};

/** The entry of a part in ORDO_SECTION_PARTS. */
struct ordo_part {
    uint32_t type;     /* ORDO_PART_*, possibly with ORDO_SECTION_CRITICAL, as for a section */
    uint32_t zero;     /* 0 */
    uint64_t offset;   /* in the file: a multiple of ORDO_PART_ALIGNMENT, at least sealed_bytes */
    uint64_t bytes;    /* size of the part, a multiple of 8 */
    uint64_t checksum; /* ordo_record_fold */
};

/** The cache, package and node of a CPU, as numbers: CPUs with the same number share the unit. ORDO_PLACE_NONE: the
 * machine has no such unit. */
struct ordo_place {
    uint32_t l3, package, numa;
    uint32_t zero; /* 0 */
};

/** The corrections: corrected time = clock + correction of the CPU that read the clock. */
struct ordo_corrections {
    uint64_t boundary_ticks; /* boundary of corrected times, with granule and margin */
    uint64_t zero[7];        /* 0 */
    /* The correction of each CPU, indexed by the operating system's number, so that readers can use the part as their
     * table; a cache line contains eight. All are >= 0, and the smallest is 0; the entry of a CPU that is not covered
     * is 0. */
    int64_t ticks[ORDO_CORRECTED_CPUS];
};

#ifdef __cplusplus
#define ORDO_STATIC_ASSERT static_assert
#else
#define ORDO_STATIC_ASSERT _Static_assert
#endif
ORDO_STATIC_ASSERT(sizeof(struct ordo_record) == 224, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, status) == 16, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, layout) == 24, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, seen) == 32, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, total_bytes) == ORDO_RECORD_SEALED, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, boundary_ticks) == 56, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, tick_hz) == 64, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, boot_id) == 80, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, as_of_ticks) == 112, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, drift_min_ppb) == 160, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, clock) == 184, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, sealed_bytes) == 188, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_record, tool_version) == 208, "the layout is frozen");
ORDO_STATIC_ASSERT(sizeof(struct ordo_part) == 32, "the layout is frozen");
ORDO_STATIC_ASSERT(sizeof(struct ordo_place) == 16, "the layout is frozen");
ORDO_STATIC_ASSERT(offsetof(struct ordo_corrections, ticks) == 64, "the layout is frozen");
ORDO_STATIC_ASSERT(sizeof(struct ordo_section) == 8, "the layout is frozen");

/** A record that passed ordo_record_parse. The pointers point into the parsed bytes. */
struct ordo_record_view {
    struct ordo_record head;
    const unsigned char *cpus; /* bitmap */
    size_t cpus_bytes;
    const char *machine; /* text, not terminated; NULL if absent */
    size_t machine_bytes;
    const unsigned char *bytes; /* of the whole record */
    const unsigned char *parts; /* struct ordo_part; NULL if absent */
    size_t parts_bytes;
};

/* Writes the code, errno and a line of text into `error`, which may be NULL. Returns the code. */
static inline int ordo_record_refuse(struct ordo_error *error, int code, int sys_errno, const char *object)
{
    if (error) {
        error->code = code;
        error->sys_errno = sys_errno;
        (void)snprintf(error->text, sizeof error->text, "%.90s: %.140s", object,
                       code == ORDO_E_SYSTEM ? strerror(sys_errno) : ordo_strerror(code));
        ordo_error_tidy(error->text);
    }
    return code;
}

/** Returns CRC-64/XZ (ECMA-182, reflected) of `bytes`. */
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

/** Returns the checksum of a part of `bytes` bytes, a multiple of 8. Folds the words into four lanes, and the lanes
 * into one word. Each step is a bijection, both of the added word and of the lane's previous value. Therefore a change
 * within one word is always detected; any other change escapes with probability 2^-64. There are four lanes because
 * within a lane each word has to wait for the previous word. The function reads 2 MiB in the time in which
 * ordo_record_checksum reads 20 KiB. */
static inline uint64_t ordo_record_fold(const void *data, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)data;
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t lanes[4] = {1, 2, 3, bytes}, folded = 0, word;
    size_t count = bytes / 8, i;
    int lane;
    for (i = 0; i + 4 <= count; i += 4)
        for (lane = 0; lane < 4; lane++) {
            memcpy(&word, at + 8 * (i + (size_t)lane), sizeof word);
            word = (lanes[lane] ^ word) * odd;
            lanes[lane] = word << 31 | word >> 33;
        }
    for (lane = 0; i < count; i++, lane++) {
        memcpy(&word, at + 8 * i, sizeof word);
        word = (lanes[lane] ^ word) * odd;
        lanes[lane] = word << 31 | word >> 33;
    }
    for (lane = 0; lane < 4; lane++) {
        folded = (folded ^ lanes[lane]) * odd;
        folded = folded << 31 | folded >> 33;
    }
    return folded;
}

/** True if the record covers the CPU with this operating-system number. */
static inline int ordo_record_covers(const struct ordo_record_view *view, unsigned long cpu)
{
    return cpu / 8 < view->cpus_bytes && (view->cpus[cpu / 8] >> cpu % 8 & 1);
}

/* Returns the offset at which the sections end and the parts begin. */
static inline uint64_t ordo_record_sealed_end(const struct ordo_record *head)
{
    return head->sealed_bytes ? head->sealed_bytes : head->total_bytes;
}

/* Checks that every part is in the region of the parts, and that every critical part is known. Does not check the
 * contents of the parts. */
static inline int ordo_record_check_parts(const struct ordo_record_view *view)
{
    const uint64_t sealed = ordo_record_sealed_end(&view->head), total = view->head.total_bytes;
    size_t at;
    for (at = 0; at < view->parts_bytes; at += sizeof(struct ordo_part)) {
        struct ordo_part part;
        memcpy(&part, view->parts + at, sizeof part);
        if (part.zero || part.offset % ORDO_PART_ALIGNMENT || part.bytes % 8 || part.offset < sealed ||
            part.offset > total || part.bytes > total - part.offset)
            return ORDO_E_MALFORMED;
        if (part.type & ORDO_SECTION_CRITICAL)
            return ORDO_E_SECTION;
    }
    return ORDO_OK;
}

/** Finds the part of a parsed record with this type, and checks it against its checksum. Returns
 *
 * - 0: `*data` is the part, of `*bytes` bytes;
 * - ORDO_E_UNMEASURED: the record has no such part;
 * - ORDO_E_CHECKSUM: the part was damaged. */
static inline int ordo_record_part(const struct ordo_record_view *view, uint32_t type, const void **data, size_t *bytes)
{
    size_t at;
    for (at = 0; at < view->parts_bytes; at += sizeof(struct ordo_part)) {
        struct ordo_part part;
        memcpy(&part, view->parts + at, sizeof part);
        if (part.type != type)
            continue;
        *data = view->bytes + part.offset;
        *bytes = (size_t)part.bytes;
        return ordo_record_fold(*data, *bytes) == part.checksum ? ORDO_OK : ORDO_E_CHECKSUM;
    }
    return ORDO_E_UNMEASURED;
}

/* Parses the sections. There must be exactly one CPU set, no unknown critical section, and no byte after the last
 * section. */
static inline int ordo_record_parse_sections(const unsigned char *bytes, struct ordo_record_view *view)
{
    uint64_t at = sizeof view->head;
    uint64_t end = ordo_record_sealed_end(&view->head);
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
        } else if (section.type == ORDO_SECTION_PARTS) {
            if (view->parts || section.bytes % sizeof(struct ordo_part))
                return ORDO_E_MALFORMED;
            view->parts = bytes + at;
            view->parts_bytes = section.bytes;
        } else if (section.type & ORDO_SECTION_CRITICAL) {
            return ORDO_E_SECTION;
        }
        at += padded;
    }
    return view->cpus ? ordo_record_check_parts(view) : ORDO_E_MALFORMED;
}

static inline int ordo_record_all_zero(const void *data, size_t count)
{
    const unsigned char *bytes = (const unsigned char *)data;
    while (count > 0 && bytes[count - 1] == 0)
        count--;
    return count == 0;
}

/** Checks that `bytes` are a well-formed record that is neither superseded nor disrupted. Does not check its boot,
 * clock, age and CPUs.
 *
 * The function depends only on the bytes, which may be untrusted. Fills `view` up to the first fault. A caller that
 * displays a refused record may read `view->head`, unless the code is TRUNCATED or LAYOUT. Thread-safe. */
static inline int ordo_record_parse(const void *data, size_t count, struct ordo_record_view *view)
{
    const unsigned char *bytes = (const unsigned char *)data;
    const struct ordo_record *head = &view->head;
    uint64_t sealed;
    int code;
    memset(view, 0, sizeof *view);
    if (count < ORDO_RECORD_SEALED)
        return ORDO_E_TRUNCATED;
    memcpy(&view->head, bytes, ORDO_RECORD_SEALED);
    if (memcmp(head->magic, ORDO_RECORD_MAGIC, sizeof head->magic) != 0)
        return ORDO_E_MALFORMED;
    if (head->layout != ORDO_RECORD_LAYOUT)
        return ORDO_E_LAYOUT;
    if (count < sizeof *head)
        return ORDO_E_TRUNCATED;
    memcpy(&view->head, bytes, sizeof *head);
    sealed = ordo_record_sealed_end(head);
    if (head->total_bytes != count || sealed > count || sealed < sizeof *head || sealed > ORDO_RECORD_MAX_BYTES)
        return ORDO_E_TRUNCATED;
    if (head->checksum != ordo_record_checksum(bytes + ORDO_RECORD_SEALED, (size_t)sealed - ORDO_RECORD_SEALED))
        return ORDO_E_CHECKSUM;
    view->bytes = bytes;
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
    if ((head->flags & (ORDO_FLAG_FAULTED | ORDO_FLAG_INCAPABLE)) && !(head->flags & ORDO_FLAG_FORCED))
        return ORDO_E_MALFORMED;
    /* A boundary below 2^62 keeps t + 2B from overflowing; above 18 GHz the conversion to nanoseconds would
     * overflow. */
    if (head->status != ORDO_RECORD_VALID || head->boundary_ticks >> 62 || head->tick_hz == 0 ||
        head->tick_hz > UINT64_C(18000000000) || head->granule_ticks > head->boundary_ticks ||
        head->margin_ticks > head->boundary_ticks - head->granule_ticks || head->drift_min_ppb > 0 ||
        head->drift_max_ppb < 0 || head->zero || !ordo_record_all_zero(head->reserved, sizeof head->reserved))
        return ORDO_E_MALFORMED;
    return ORDO_OK;
}

/* Reads a whole small text file, and terminates it with NUL. Returns its length; -1 with errno if it cannot be read or
 * does not fit. */
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

/** Reads the kernel's boot id as 16 bytes. Returns 0, or -1 if this system has none. */
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

/* Functions of libc that a strictly conforming program does not see declared. Therefore this header declares libc's
 * symbols under other names, as clock/monotonic.h does. If they cannot be used (another libc has a 32-bit time_t, or
 * ORDO_RECORD_UPTIME is defined), the only remaining clock is /proc/uptime. */
#if defined __linux__
#ifdef __cplusplus
extern "C" {
#endif
extern unsigned long ordo_record_getauxval(unsigned long) __asm__("getauxval");
extern int ordo_record_getaffinity(int, size_t, void *) __asm__("sched_getaffinity");
#if defined ORDO_RECORD_UPTIME
#elif defined CLOCK_BOOTTIME && defined CLOCK_MONOTONIC_RAW
#define ORDO_RECORD_GETTIME clock_gettime
#elif defined __LP64__
extern int ordo_record_gettime(int, struct timespec *) __asm__("clock_gettime");
#define ORDO_RECORD_GETTIME ordo_record_gettime
#endif
#ifdef __cplusplus
}
#endif
#endif

/* This program can read two clocks: the clock of clock.h, and the kernel's clock (clock/monotonic.h). */

/** True if this is the id of the kernel's clock, and the clock of this program is another one. */
static inline int ordo_record_clock_is_kernels(uint32_t clock)
{
    return clock == ORDO_CLOCK_MONOTONIC && clock != ORDO_CLOCK_ID;
}

/** Returns the ticks of the clock with this id, ordered as ordo_clock_read. */
static inline uint64_t ordo_record_clock_read(uint32_t clock)
{
    return ordo_record_clock_is_kernels(clock) ? ordo_monotonic_read() : ordo_clock_read();
}

/** Returns the name of the clock with this id. */
static inline const char *ordo_record_clock_name(uint32_t clock)
{
    return ordo_record_clock_is_kernels(clock) ? "monotonic" : ORDO_CLOCK_NAME;
}

/** Readings of the clock and of the kernel's clocks at one moment. The readings of the kernel's clocks are converted to
 * those outside of any time namespace. */
struct ordo_record_moment {
    /* The clock before and after the read of raw_ns (or of uptime_ns, if there is no raw_ns). */
    uint64_t before_ticks, after_ticks;
    int64_t uptime_ns;                           /* CLOCK_BOOTTIME */
    int64_t raw_ns;                              /* CLOCK_MONOTONIC_RAW; -1 if only /proc/uptime could be read */
    int64_t suspended_low_ns, suspended_high_ns; /* interval that contains CLOCK_BOOTTIME - CLOCK_MONOTONIC */
};

/* Returns the offset that a time namespace adds to one of the kernel's clocks (time_namespaces(7)); 0 if there is
 * none. */
static inline int64_t ordo_record_namespace_ns(const char *offsets, const char *clock)
{
    const char *line = strstr(offsets, clock);
    char *cursor;
    int64_t ns;
    if (!line)
        return 0;
    ns = (int64_t)strtoll(line + strlen(clock), &cursor, 10) * 1000000000;
    return ns + (int64_t)strtoll(cursor, NULL, 10);
}

/* True if this process is in a time namespace that shifts CLOCK_MONOTONIC. The kernel's clock then differs from the
 * clock of a record, and from the clock that processes outside the namespace see. The shift is no evidence against the
 * record. */
static inline int ordo_record_is_shifted(void)
{
    char offsets[256];
    if (ordo_record_read_text("/proc/self/timens_offsets", offsets, sizeof offsets) < 0)
        return 0;
    return ordo_record_namespace_ns(offsets, "monotonic") != 0;
}

/* Reads CLOCK_BOOTTIME in steps of 10 ms, rounded down. Returns -1 on failure. */
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
    return ns + (int64_t)strtoull(cursor + 1, NULL, 10) * 10000000;
}

/* Reads the kernel's clocks into `ns`, in the order of `clocks`, and the clock with this id into `moment`. Returns 0,
 * or -1 if a clock cannot be read. */
static inline int ordo_record_read_clocks(uint32_t clock, struct ordo_record_moment *moment, int64_t ns[4])
{
#if defined ORDO_RECORD_GETTIME
    static const int clocks[4] = {4, 1, 7, 1}; /* _MONOTONIC_RAW, _MONOTONIC, _BOOTTIME, _MONOTONIC in Linux's ABI */
    struct timespec time[4];
    int i, failed;
    moment->before_ticks = ordo_record_clock_read(clock);
    failed = ORDO_RECORD_GETTIME(clocks[0], &time[0]);
    moment->after_ticks = ordo_record_clock_read(clock);
    for (i = 1; i < 4; i++)
        failed |= ORDO_RECORD_GETTIME(clocks[i], &time[i]);
    for (i = 0; i < 4 && !failed; i++)
        ns[i] = (int64_t)time[i].tv_sec * 1000000000 + (int64_t)time[i].tv_nsec;
    return failed ? -1 : 0;
#else
    (void)clock;
    (void)moment;
    (void)ns;
    return -1;
#endif
}

/** Reads the clock with this id and the kernel's clocks. Returns 0, or -1 if not even /proc/uptime can be read. */
static inline int ordo_record_now_by(uint32_t clock, struct ordo_record_moment *moment)
{
    char offsets[256];
    int64_t ns[4], monotonic_ns, boottime_ns;
    if (ordo_record_read_text("/proc/self/timens_offsets", offsets, sizeof offsets) < 0)
        offsets[0] = '\0';
    monotonic_ns = ordo_record_namespace_ns(offsets, "monotonic");
    boottime_ns = ordo_record_namespace_ns(offsets, "boottime");
    if (ordo_record_read_clocks(clock, moment, ns) == 0) {
        moment->raw_ns = ns[0] - monotonic_ns;
        moment->uptime_ns = ns[2] - boottime_ns;
        moment->suspended_low_ns = moment->uptime_ns - (ns[3] - monotonic_ns);
        moment->suspended_high_ns = moment->uptime_ns - (ns[1] - monotonic_ns);
        return 0;
    }
    moment->before_ticks = ordo_record_clock_read(clock);
    moment->uptime_ns = ordo_record_uptime_ns();
    moment->after_ticks = ordo_record_clock_read(clock);
    if (moment->uptime_ns < 0)
        return -1;
    moment->uptime_ns -= boottime_ns;
    moment->raw_ns = -1;
    return 0;
}

/** Reads the clock of this program and the kernel's clocks, as ordo_record_now_by. */
static inline int ordo_record_now(struct ordo_record_moment *moment)
{
    return ordo_record_now_by(ORDO_CLOCK_ID, moment);
}

enum { ORDO_RECORD_MOST_CPUS = 65536, ORDO_RECORD_CPU_BITS = 8 * sizeof(unsigned long) };

/* A set of CPUs by the operating system's numbers. */
struct ordo_record_set {
    unsigned long words[ORDO_RECORD_MOST_CPUS / ORDO_RECORD_CPU_BITS];
};

static inline int ordo_record_set_has(const struct ordo_record_set *set, unsigned long cpu)
{
    return (int)(set->words[cpu / ORDO_RECORD_CPU_BITS] >> cpu % ORDO_RECORD_CPU_BITS & 1);
}

static inline void ordo_record_set_add(struct ordo_record_set *set, unsigned long cpu)
{
    set->words[cpu / ORDO_RECORD_CPU_BITS] |= 1ul << cpu % ORDO_RECORD_CPU_BITS;
}

/* Finds the online CPUs that this thread may run on. Uses a system call, which returns only online CPUs, because some
 * containers (lxcfs) rewrite the lists in /proc and /sys. */
static inline int ordo_record_allowed(struct ordo_record_set *allowed, struct ordo_error *error)
{
    memset(allowed, 0, sizeof *allowed);
#if defined __linux__
    if (ordo_record_getaffinity(0, sizeof allowed->words, allowed->words) < 0)
        return ordo_record_refuse(error, ORDO_E_SYSTEM, errno, "sched_getaffinity");
    return ORDO_OK;
#else
    return ordo_record_refuse(error, ORDO_E_SYSTEM, ENOSYS, "sched_getaffinity");
#endif
}

/* Checks that the record covers every CPU of the set. */
static inline int ordo_record_check_set(const struct ordo_record_view *view, const struct ordo_record_set *set,
                                        struct ordo_error *error)
{
    unsigned long cpu;
    for (cpu = 0; cpu < ORDO_RECORD_MOST_CPUS; cpu++) {
        char object[32];
        if (!ordo_record_set_has(set, cpu) || ordo_record_covers(view, cpu))
            continue;
        (void)snprintf(object, sizeof object, "cpu %lu", cpu);
        return ordo_record_refuse(error, ORDO_E_CPUS, 0, object);
    }
    return ORDO_OK;
}

/* Checks that the record covers every online CPU that this thread may run on. */
static inline int ordo_record_check_cpus(const struct ordo_record_view *view, struct ordo_error *error)
{
    struct ordo_record_set allowed;
    int code = ordo_record_allowed(&allowed, error);
    return code ? code : ordo_record_check_set(view, &allowed, error);
}

/* Returns the nanoseconds in `ticks`, rounded down; the largest value if the result does not fit. */
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

/* Returns the time since the record was made, by the kernel clock against which the record's clock is checked. This is
 * CLOCK_MONOTONIC_RAW, which is not steered; or CLOCK_BOOTTIME, if the record's clock is itself steered or
 * CLOCK_MONOTONIC_RAW cannot be read. The result is negative if that kernel clock ran backwards. */
static inline int64_t ordo_record_elapsed_ns(const struct ordo_record *head, const struct ordo_record_moment *now)
{
    int steered = head->clock == ORDO_CLOCK_MONOTONIC || now->raw_ns < 0;
    return (int64_t)(steered ? (uint64_t)now->uptime_ns - head->as_of_ns : (uint64_t)now->raw_ns - head->as_of_raw_ns);
}

/* Returns the gain of the record's clock on that kernel clock since the record was made. */
static inline int64_t ordo_record_gain_ns(const struct ordo_record *head, const struct ordo_record_moment *now)
{
    uint64_t ticks = now->before_ticks > head->as_of_ticks ? now->before_ticks - head->as_of_ticks : 0;
    uint64_t ns = ordo_record_ticks_to_ns(ticks, head->tick_hz);
    return (ns > INT64_MAX ? INT64_MAX : (int64_t)ns) - ordo_record_elapsed_ns(head, now);
}

/* True if the clock has advanced by the amount that the record's rate predicts, within a tolerance.
 *
 * This check finds a guest that was restored elsewhere, a suspend that stopped the counter, a counter that was reset,
 * and a wrong rate. The tolerance is the sum of 20 ms; of 1 ppm of the time since the last successful check, because
 * tick_hz is measured and rounded to a whole number; and of the boundary, because the two readings of the clock may
 * come from different CPUs. If only /proc/uptime can be read, whose clock time servers slew, 1 s and 1000 ppm replace
 * 20 ms and 1 ppm. */
static inline int ordo_record_check_rate(const struct ordo_record *head, const struct ordo_record_moment *now)
{
    int64_t elapsed = ordo_record_elapsed_ns(head, now), gain, since, seen_gain = 0;
    uint64_t width =
        ordo_record_ticks_to_ns(now->after_ticks - now->before_ticks + head->boundary_ticks, head->tick_hz);
    uint64_t allowed = width > INT64_MAX / 2 ? INT64_MAX / 2 : width;
    if (now->raw_ns < 0) {
        elapsed = elapsed < 0 && elapsed > -10000000 ? 0 : elapsed; /* uptime_ns is rounded down */
        allowed += 1000000000u + (uint64_t)elapsed / 1000;
        since = elapsed;
    } else {
        since = elapsed - (int64_t)(head->seen >> 32) * 1000000000;
        seen_gain = (int64_t)(int32_t)(uint32_t)head->seen * ORDO_RECORD_SEEN_NS;
        allowed += 20000000u + (uint64_t)since / 1000000 + (uint64_t)since / head->tick_hz;
    }
    if (elapsed < 0 || since < 0)
        return 0;
    gain = ordo_record_gain_ns(head, now);
    return gain > seen_gain ? (uint64_t)gain - (uint64_t)seen_gain <= allowed
                            : (uint64_t)seen_gain - (uint64_t)gain <= allowed;
}

/* True if the machine was suspended since the record was made. During a suspend CLOCK_BOOTTIME advances and
 * CLOCK_MONOTONIC does not; otherwise their difference is constant. A suspend of less than a millisecond was
 * aborted by a wakeup before the machine slept, so the counter went on. */
static inline int ordo_record_was_suspended(const struct ordo_record *head, const struct ordo_record_moment *now)
{
    int64_t then = (int64_t)head->suspended_ns;
    return now->raw_ns >= 0 && (now->suspended_low_ns > then && now->suspended_low_ns - then > 1000000);
}

/* Checks that a parsed record of the clock with this id holds here and now: boot, clock and age. Does not check
 * CPUs. */
static inline int ordo_record_holds_by(const struct ordo_record_view *view, uint32_t clock, struct ordo_error *error)
{
    const char *name = ordo_record_clock_name(clock);
    char object[64];
    const struct ordo_record *head = &view->head;
    struct ordo_record_moment now;
    unsigned char boot_id[16];
    if (ordo_record_boot_id(boot_id) != 0)
        return ordo_record_refuse(error, ORDO_E_SYSTEM, errno,
                                  "/proc/sys/kernel/random/boot_id (needs all of /proc: ProcSubset=all)");
    if (memcmp(boot_id, head->boot_id, sizeof boot_id) != 0)
        return ordo_record_refuse(error, ORDO_E_BOOT, 0, "boot id");
    if (head->clock != clock)
        return ordo_record_refuse(error, ORDO_E_CLOCK, 0, name);
    if (clock == ORDO_CLOCK_MONOTONIC && ordo_record_is_shifted())
        return ordo_record_refuse(error, ORDO_E_CLOCK, 0, "monotonic (this time namespace shifts it: read it outside)");
    if (ordo_record_now_by(clock, &now) != 0)
        return ordo_record_refuse(error, ORDO_E_SYSTEM, errno, "/proc/uptime");
    if ((uint64_t)now.uptime_ns > head->void_after_ns)
        return ordo_record_refuse(error, ORDO_E_EXPIRED, 0, "void-after");
    if (ordo_record_was_suspended(head, &now)) {
        (void)snprintf(object, sizeof object, "%s, the machine was suspended", name);
        return ordo_record_refuse(error, ORDO_E_RATE, 0, object);
    }
    if ((uint64_t)now.uptime_ns + 10000000 < head->as_of_ns || !ordo_record_check_rate(head, &now))
        return ordo_record_refuse(error, ORDO_E_RATE, 0, name);
    return ORDO_OK;
}

/* Checks, as ordo_record_holds_by, a record of the clock that this program reads; refuses a record of another clock. */
static inline int ordo_record_holds(const struct ordo_record_view *view, struct ordo_error *error)
{
    return ordo_record_holds_by(view, ORDO_CLOCK_ID, error);
}

/** Checks that a parsed record of the clock with this id holds here and now for the calling thread: boot, clock, age
 * and CPUs. Thread-safe. */
static inline int ordo_record_applies_by(const struct ordo_record_view *view, uint32_t clock, struct ordo_error *error)
{
    int code = ordo_record_holds_by(view, clock, error);
    if (!code && (view->head.flags & ORDO_FLAG_PARTIAL))
        return ordo_record_refuse(error, ORDO_E_UNMEASURED, 0, "a boundary for all CPUs of the record");
    return code ? code : ordo_record_check_cpus(view, error);
}

/** Checks, as ordo_record_applies_by, a record of the clock that this program reads. */
static inline int ordo_record_applies(const struct ordo_record_view *view, struct ordo_error *error)
{
    return ordo_record_applies_by(view, ORDO_CLOCK_ID, error);
}

/* True if the environment may be used. False if the program has more rights than its caller (set-user-ID, set-group-ID,
 * file capabilities: AT_SECURE in getauxval(3)), or has assumed another user's identity. */
static inline int ordo_record_own_environment(void)
{
#if defined __linux__
    if (ordo_record_getauxval(23)) /* AT_SECURE in Linux's ABI */
        return 0;
#endif
    return getuid() == geteuid() && getgid() == getegid();
}

/* Finds the path of the user's own record, and stores it in `buffer`. Returns NULL if there is no such path: the
 * program runs as root, or has more rights than its caller, or $XDG_RUNTIME_DIR is not a directory of this user. su and
 * runuser keep the caller's $XDG_RUNTIME_DIR, which therefore counts as unset (XDG Base Directory Specification). */
static inline const char *ordo_record_own_place(char *buffer, size_t size)
{
    const char *runtime = geteuid() != 0 && ordo_record_own_environment() ? getenv("XDG_RUNTIME_DIR") : NULL;
    struct stat folder;
    int length = -1;
    if (runtime && *runtime && stat(runtime, &folder) == 0 && S_ISDIR(folder.st_mode) && folder.st_uid == geteuid())
        length = snprintf(buffer, size, "%s" ORDO_RECORD_USER_PATH, runtime);
    return length > 0 && (size_t)length < size ? buffer : NULL;
}

/* True if the file `path` + `suffix` exists, or if an error leaves its existence unknown. */
static inline int ordo_record_exists(const char *path, const char *suffix)
{
    char whole[1100];
    struct stat info;
    int length = snprintf(whole, sizeof whole, "%s%s", path, suffix);
    if (length < 0 || (size_t)length >= sizeof whole)
        return 0;
    return stat(whole, &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Does the work of ordo_record_find, for the record whose path ends with `suffix`. */
static inline const char *ordo_record_find_suffixed(const char *path, const char *suffix, char *buffer, size_t size)
{
    const char *named = ordo_record_own_environment() ? getenv("ORDO_RECORD") : NULL, *own;
    if (path)
        return path;
    if (named && *named)
        return named;
    own = ordo_record_own_place(buffer, size);
    return own && ordo_record_exists(own, suffix) ? own : ORDO_RECORD_PATH;
}

/** Returns the path of the record that a reader opens, the first of
 *
 * 1. the path given;
 * 2. $ORDO_RECORD;
 * 3. $XDG_RUNTIME_DIR/ordo/boundary if it exists and that directory is this user's, except for root;
 * 4. /run/ordo/boundary.
 *
 * `ordo calibrate` selects its path in the same order, so that a user's programs find the record that this user
 * published. If the selected record is refused, no other record is tried. A program with more rights than its caller
 * ignores the environment. `buffer` receives the path of case 3. */
static inline const char *ordo_record_find(const char *path, char *buffer, size_t size)
{
    return ordo_record_find_suffixed(path, "", buffer, size);
}

/* True if root or this user owns the file. In a user namespace into which root is not mapped, the files of root and of
 * all unmapped users appear to belong to the overflow user. In such a namespace the file is trusted if its mount is
 * read-only, because then the user that set up the container put it there, and that user could also replace the
 * program. */
static inline int ordo_record_owned(int fd, const struct stat *info)
{
    char text[128], *cursor = text;
    unsigned long overflow = 65534, first = 0, parent = 0, count = 4294967295u;
    struct statvfs mount;
    if (info->st_uid == 0)
        return 1;
    if (ordo_record_read_text("/proc/sys/kernel/overflowuid", text, sizeof text) > 0)
        overflow = strtoul(text, NULL, 10);
    if (info->st_uid != overflow)
        return info->st_uid == geteuid();
    if (ordo_record_read_text("/proc/self/uid_map", text, sizeof text) >= 0) {
        first = strtoul(text, &cursor, 10);
        parent = strtoul(cursor, &cursor, 10);
        count = strtoul(cursor, NULL, 10);
    }
    if (first == 0 && parent == 0 && count == 4294967295u) /* no user namespace: this is an ordinary user's number */
        return info->st_uid == geteuid();
    return fstatvfs(fd, &mount) == 0 && (mount.f_flag & ST_RDONLY);
}

/* Does the work of ordo_record_map. `voucher` is a user whose files count as root's; -1: none. */
static inline int ordo_record_map_by(const char *path, long voucher, const void **bytes, size_t *count,
                                     struct ordo_error *error)
{
    struct stat info;
    void *map = NULL;
    int code = ORDO_OK, sys_errno = 0;
    /* Strict C has no O_CLOEXEC; this is harmless, because the descriptor is open only briefly and the file is
     * world-readable. O_NONBLOCK: opening a FIFO must not wait. */
    int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return ordo_record_refuse(error, errno == ENOENT || errno == ENOTDIR ? ORDO_E_MISSING : ORDO_E_SYSTEM, errno,
                                  path);
    if (fstat(fd, &info) != 0) {
        code = ORDO_E_SYSTEM;
        sys_errno = errno;
    } else if (!S_ISREG(info.st_mode)) {
        code = ORDO_E_MALFORMED;
    } else if ((voucher < 0 || (long)info.st_uid != voucher) && !ordo_record_owned(fd, &info)) {
        code = ORDO_E_OWNER;
    } else if (info.st_mode & 022) {
        code = ORDO_E_WRITABLE;
    } else if (info.st_size < (off_t)ORDO_RECORD_SEALED) {
        code = ORDO_E_TRUNCATED;
    } else if (info.st_size > (off_t)ORDO_RECORD_MAX_FILE) {
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

/** Opens and maps the file. Checks the open descriptor, not the path: the file must be regular, have a plausible size,
 * and be writable by no other user. On success `*bytes` is a read-only mapping of `*count` bytes, which the caller
 * unmaps. */
static inline int ordo_record_map(const char *path, const void **bytes, size_t *count, struct ordo_error *error)
{
    return ordo_record_map_by(path, -1, bytes, count, error);
}

#if defined __linux__
#ifdef __cplusplus
extern "C" long ordo_record_readlink(const char *, char *, size_t) __asm__("readlink");
#else
extern long ordo_record_readlink(const char *, char *, size_t) __asm__("readlink");
#endif
#endif

/* Returns the length of the directory's part of a path, without the last '/'; 0: the path has no directory. */
static inline size_t ordo_record_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (slash == path ? 1 : (size_t)(slash - path)) : 0;
}

/* Returns the user whose page root vouches for: `path` is a symbolic link in a directory that only root can change, and
 * the user owns the directory of the target, which no group and no others may write. -1: root vouches for no one. */
static inline long ordo_record_voucher(const char *path)
{
#if defined __linux__
    char folder[1024], target[1024];
    struct stat info;
    size_t length = ordo_record_folder(path);
    long got;
    if (length == 0 || length + 2 >= sizeof folder)
        return -1;
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (stat(folder, &info) != 0 || info.st_uid != 0 || (info.st_mode & 022))
        return -1;
    got = ordo_record_readlink(path, target, sizeof target);
    if (got <= 0 || (size_t)got >= sizeof target)
        return -1;
    target[got] = '\0';
    if (target[0] != '/') { /* relative to the link's directory */
        if (length + 1 + (size_t)got >= sizeof folder)
            return -1;
        folder[length] = '/';
        memcpy(folder + length + 1, target, (size_t)got + 1);
        memcpy(target, folder, length + 1 + (size_t)got + 1);
    }
    target[ordo_record_folder(target)] = '\0';
    if (stat(target, &info) != 0 || (info.st_mode & 022))
        return -1;
    return (long)info.st_uid;
#else
    (void)path;
    return -1;
#endif
}

/** Maps the file as ordo_record_map, and also accepts a file that root vouches for by a link (ordo_now_open). */
static inline int ordo_record_map_vouched(const char *path, const void **bytes, size_t *count, struct ordo_error *error)
{
    return ordo_record_map_by(path, ordo_record_voucher(path), bytes, count, error);
}

#endif
